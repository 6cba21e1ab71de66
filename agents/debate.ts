import type { Prose } from "../lib/domain/agent.ts";
import { fence } from "../lib/domain/text.ts";

/** What one speaker said. */
export interface Turn {
  /** Who. */
  readonly speaker: string;
  /** What. */
  readonly text: string;
}

/**
 * An exchange of turns, each its own call that reads all turns before it: the speakers in order, and what each of them
 * said. `ask` gets the speaker, the turns so far as text, and the turn's number from 1.
 */
export async function holdDebate<S extends { readonly speaker: string }>(
  speakers: readonly S[],
  ask: (speaker: S, transcript: string, turn: number) => Promise<Prose>,
): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (const [i, speaker] of speakers.entries()) {
    const prose = await ask(speaker, transcriptOf(turns), i + 1);
    turns.push({ speaker: speaker.speaker, text: prose.text });
  }
  return turns;
}

/** Turns as prompts show them. */
export function transcriptOf(turns: readonly Turn[]): string {
  return turns.map((turn) => fence("TURN", turn.text, { speaker: turn.speaker })).join("\n\n");
}
