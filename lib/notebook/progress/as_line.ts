import { COLUMNS, columnsOf, fit } from "../displays/plain.ts";
import type { Course } from "./course.ts";
import type { Ending, Moment, Outset } from "./moment.ts";
import { bestText, endText, matchesText, percentDone, spending, timeLeft } from "./wording.ts";

/** Columns of a bar. */
const BAR = 20;

/** A moment in one line, to be read among others. */
export function momentLine({ session, simulated }: Outset, moment: Moment, course: Course): string {
  return `${session}${simulated ? " (SIMULATED)" : ""}: ${
    joined(moment.phase, percentDone(course), matchesText(moment), spending(moment), timeLeft(course))
  }`;
}

/** The end in one line. */
export function endLine(outset: Outset, moment: Moment, ending: Ending): string {
  const { simulated } = outset;
  return `${simulated ? "SIMULATED · " : ""}${endText(outset, moment, ending)}`;
}

/**
 * A moment as a bar, to be drawn over the one before it.
 *
 * @param columns of the terminal: what doesn't fit is left out, the least important first
 */
export function momentBar({ simulated }: Outset, moment: Moment, course: Course, columns = COLUMNS): string {
  const head = joined(simulated ? "SIMULATED" : "", moment.phase);
  const best = bestText(moment);
  const parts = [matchesText(moment), best === "" ? "" : `best ${best}`, spending(moment), timeLeft(course)];
  const drawn = `${head} ${`${bar(course)} ${percentDone(course)}`.trimEnd()}`;
  // The leader goes first, then the money, the matches, all but the bar, the bar itself.
  for (const dropped of [[], [1], [1, 2], [0, 1, 2], [0, 1, 2, 3]]) {
    const line = joined(drawn, ...parts.filter((_, i) => !dropped.includes(i)));
    if (columnsOf(line) < columns) return line;
  }
  return fit(joined(percentDone(course), head), columns - 1);
}

function bar({ share }: Course): string {
  if (share === null) return `[${"·".repeat(BAR)}]`;
  const full = Math.round(share * BAR);
  return `[${"█".repeat(full)}${"░".repeat(BAR - full)}]`;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}
