import type { Ending, Moment, Outset } from "./moment.ts";
import type { Course } from "./course.ts";
import { counted, dollars, duration, rating } from "../displays/wording.ts";

/** `45%`; nothing where the share isn't known. */
export function percentDone({ share }: Course): string {
  return share === null ? "" : `${Math.floor(share * 100)}%`;
}

/** `about 12 s left`, or that nobody knows. */
export function timeLeft({ share, leftMs }: Course): string {
  if (share === null) return "its end can't be foreseen";
  if (leftMs === null) return "time left unknown";
  return `about ${span(Math.max(1000, roughly(leftMs)))} left`;
}

/** `$0.12 of $5.00`. */
export function spending({ spentUsd, budgetUsd }: Moment): string {
  return `${dollars(spentUsd)} of ${dollars(budgetUsd)}`;
}

/** `8 hypotheses, 12 of 20 matches`. */
export function countsText({ counts }: Moment): string {
  return counts.map(({ one, many, have, goal }) =>
    goal === null ? counted(have, one, many) : `${have} of ${goal} ${goal === 1 ? one : many}`
  ).join(", ");
}

/** The valid matches, as lines tell them. */
export function matchesText({ counts }: Moment): string {
  const matches = counts.find(({ one }) => one === "match");
  if (matches === undefined) return "";
  const { have, goal, one, many } = matches;
  return goal === null ? counted(have, one, many) : `${have} of ${goal} ${many}`;
}

/** `H3 1243`. */
export function bestText({ best }: Moment): string {
  if (best === null) return "";
  return best.rating === null ? best.label : `${best.label} ${rating(best.rating)}`;
}

/** What there is to say once it is over, in one line. */
export function endText({ verb, session }: Outset, moment: Moment, { how, failed }: Ending): string {
  // In whole seconds: a run's own time, told below, ends a little earlier.
  const took = `${counted(moment.done, "task")} in ${span(Math.max(1000, moment.ranMs))}`;
  // The session's money: a run's own depends on which of its calls a task was booked with, which its result tells.
  return failed
    ? `${verb} of ${session} failed after ${took}: ${how}`
    : `${verb} of ${session}: ${how} · ${took} · ${spending(moment)} spent`;
}

/** A time in whole seconds, since tenths that race by tell nobody anything: `7 s`, `2 min 05 s`. */
export function span(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds} s` : duration(seconds * 1000);
}

/** A time as exact as a guess may claim to be: full seconds, from a minute on five, from ten minutes on a minute. */
function roughly(ms: number): number {
  const step = ms < 60_000 ? 1000 : ms < 600_000 ? 5000 : 60_000;
  return Math.round(ms / step) * step;
}
