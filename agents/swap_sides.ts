import type { Turn } from "./debate.ts";

const NOUN = "hypothes[ie]s|hyp|idea|ideas|option|options|side|sides|slot|advocates? of|advocates? for";
const BOTH = String.raw`\s*(?:,|&|and|or|nor|vs\.?|versus|over|than|against|to)\s*#?`;
const NUMBERED = new RegExp(
  String.raw`\b((?:${NOUN})\.?\s*(?:no\.?\s*)?#?)([12])(?!\d|[.,]\d)(?:(${BOTH})([12])(?!\d|[.,]\d))?`,
  "gi",
);

const OTHER: Readonly<Record<string, string>> = { "1": "2", "2": "1" };

/**
 * A debate as it would read had the two hypotheses been shown the other way round: the advocates of 1 and 2 change names,
 * and where a speech calls a hypothesis by its number, the number changes too. Otherwise a judge who reads the debate again
 * with the places swapped would find each advocate praising the other's hypothesis.
 */
export function swapSides(turns: readonly Turn[]): Turn[] {
  return turns.map(({ speaker, text }) => ({ speaker: swapNumbers(speaker), text: swapNumbers(text) }));
}

/** A text in which hypotheses 1 and 2 have changed numbers. Other numbers, and labels such as H1, are left alone. */
export function swapNumbers(text: string): string {
  return text.replaceAll(
    NUMBERED,
    (_, noun: string, one: string, between: string | undefined, other: string | undefined) =>
      `${noun}${OTHER[one] ?? one}${between ?? ""}${other === undefined ? "" : OTHER[other] ?? other}`,
  );
}
