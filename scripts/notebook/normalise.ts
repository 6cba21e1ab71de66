import { isLive, type Output } from "./outputs.ts";

/** As programs and people write them: `96 ms`, `1.5 s`, `2 min`, `4 min 05 s`, `1 h 03 min`. */
const DURATION = /\b\d+(?:[.,]\d+)? ?(?:h(?: \d+ min)?|min(?: \d+ s)?|ms|s)\b/g;
/** `2026-12-01 01:27:26Z`, `2026-12-01T01:27:26.123Z`, a date or a time alone. */
const MOMENT =
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?|\b\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?\b/g;

/**
 * An output without what differs from run to run although nothing else does: durations, moments, and the folder that the
 * notebook ran in. In plain text white space counts once, whatever it is: how columns are filled up and where lines are
 * broken depends on how long a duration is written. A PNG is only said to be there: it shows the SVG beside it, with these
 * differences drawn into it. Everything else of a simulated session is the same each time, down to labels, identifiers and
 * costs.
 *
 * @param folder where the notebook ran
 */
export function normalised(output: Output, folder: string): Output {
  const plain = (text: string) =>
    text.replaceAll(folder, "‹folder›").replaceAll(MOMENT, "‹moment›").replaceAll(DURATION, "‹time›");
  switch (output.output_type) {
    case "stream":
      return { ...output, text: laidOut(plain(output.text)) };
    case "error":
      return { ...output, evalue: plain(output.evalue), traceback: output.traceback.map(plain) };
    case "display_data":
      return { ...output, data: normalisedBundle(output.data, plain) };
    case "execute_result":
      return { ...output, data: normalisedBundle(output.data, plain), execution_count: null };
  }
}

function normalisedBundle(
  bundle: Readonly<Record<string, unknown>>,
  plain: (text: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(bundle).map(([mime, value]) => {
      if (mime === "image/png") return [mime, "‹png›"];
      if (typeof value !== "string") return [mime, JSON.parse(plain(JSON.stringify(value)))];
      return [mime, mime === "text/plain" ? laidOut(plain(value)) : plain(value)];
    }),
  );
}

function laidOut(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Whether two cells show the same, but for what differs from run to run. */
export function sameOutputs(a: readonly Output[], b: readonly Output[], folder: string): boolean {
  const [one, other] = comparable(a, b, folder);
  return one === other;
}

/** Where two cells' outputs begin to differ, as text for a message. */
export function firstDifference(was: readonly Output[], is: readonly Output[], folder: string): string {
  const [before, now] = comparable(was, is, folder);
  let at = 0;
  while (at < before.length && before[at] === now[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 120), at + 120);
  return `stored: …${around(before)}…\nnow:    …${around(now)}…`;
}

/** Two cells' outputs, each as a text; the texts are the same where the outputs are. */
function comparable(a: readonly Output[], b: readonly Output[], folder: string): [string, string] {
  // Whether there was time to show live progress is chance; where both runs took long enough, it ended in the same words.
  const live = a.filter(isLive).length === b.filter(isLive).length;
  const textOf = (outputs: readonly Output[]) =>
    asText(live ? outputs : outputs.filter((o) => !isLive(o)), folder);
  return [textOf(a), textOf(b)];
}

/** The same outputs as the same text, whatever the order of a bundle's entries. */
function asText(outputs: readonly Output[], folder: string): string {
  return JSON.stringify(
    outputs.map((output) => normalised(output, folder)),
    (_, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
  );
}
