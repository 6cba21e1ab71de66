// @ts-types="./cli_progress.d.ts"
import { SingleBar } from "cli-progress";
import process from "node:process";
import type { SnapshotData } from "../../lib/engine/snapshot.ts";
import { dollars, duration } from "../../lib/notebook/displays/wording.ts";
import { tell } from "./streams.ts";

/** What progress is shown of. */
export interface Moment {
  /** Phase of the session. */
  readonly phase: SnapshotData["phase"];
  /** Valid matches. */
  readonly matches: number;
  /** Money spent, in dollars. */
  readonly usd: number;
  /** Tasks that ended since the run began. */
  readonly tasks: number;
}

/** What is known before a run begins. */
export interface Outset {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** Tasks that are expected. */
  readonly tasks: number;
  /** The budget in dollars. */
  readonly budgetUsd: number;
}

/** How often a line is written where there is no terminal, and how often a moment is looked at in one. */
const LINE_EVERY_MS = 5_000;
const BAR_EVERY_MS = 150;
const STEPS = 1000;

/** Shows on stderr how far a run is: a bar in a terminal, a line now and then elsewhere. */
export class Progress {
  readonly #outset: Outset;
  readonly #now: () => number;
  readonly #began: number;
  #bar: SingleBar | null;
  #shownAt = -Infinity;
  #phase: string | null = null;

  /** Nothing is shown yet. @param outset what is known before @param now the time @param terminal whether stderr is one */
  constructor(outset: Outset, now: () => number, terminal = Deno.stderr.isTerminal()) {
    this.#outset = outset;
    this.#now = now;
    this.#began = now();
    const mark = outset.simulated ? "SIMULATED · " : "";
    this.#bar = terminal
      ? new SingleBar({
        format: `${mark}{phase} [{bar}] {percentage}% · {matches} matches · {spent} · {left}`,
        barsize: 24,
        stream: process.stderr,
        fps: 10,
        hideCursor: false,
      })
      : null;
  }

  /** Whether it is time to look again; looking costs more than asking. */
  due(): boolean {
    const every = this.#bar === null ? LINE_EVERY_MS : BAR_EVERY_MS;
    return this.#now() - this.#shownAt >= every;
  }

  /** Shows a moment. */
  show(moment: Moment): void {
    const first = this.#phase === null;
    this.#shownAt = this.#now();
    this.#phase = moment.phase;
    const share = moment.phase === "finished" ? 1 : this.#share(moment);
    const payload = {
      phase: moment.phase,
      matches: String(moment.matches),
      spent: `${dollars(moment.usd)} of ${dollars(this.#outset.budgetUsd)}`,
      left: moment.phase === "finished" ? "done" : this.#left(share, moment.tasks),
    };
    if (this.#bar === null) {
      const { session, simulated } = this.#outset;
      const percent = `${Math.floor(share * 100)}%`;
      tell(
        `${session}${
          simulated ? " (SIMULATED)" : ""
        }: ${payload.phase} · ${percent} · ${payload.matches} matches · ` +
          `${payload.spent} · ${payload.left}`,
      );
    } else if (first) this.#bar.start(STEPS, Math.floor(share * STEPS), payload);
    else this.#bar.update(Math.floor(share * STEPS), payload);
  }

  /** Writes a line between. */
  note(line: string): void {
    this.close();
    tell(line);
  }

  /** Ends the bar; what is shown afterwards comes in lines. */
  close(): void {
    if (this.#bar !== null && this.#phase !== null) this.#bar.stop();
    this.#bar = null;
  }

  /** How much is done, from 0 to 1: by the tasks that were expected, or by the money, whichever is further. */
  #share({ tasks, usd }: Moment): number {
    const expected = Math.max(this.#outset.tasks, tasks + 1);
    return Math.min(1, Math.max(tasks / expected, usd / this.#outset.budgetUsd));
  }

  #left(share: number, tasks: number): string {
    const ran = this.#now() - this.#began;
    return tasks < 3 || share <= 0
      ? "time left unknown"
      : `about ${duration(ran * (1 - share) / share)} left`;
  }
}
