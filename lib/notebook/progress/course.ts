import type { Moment } from "./moment.ts";

/** How far it is, and for how long it may still go on. */
export interface Course {
  /** How much is done, from 0 to 1; `null` where its end can't be foreseen. */
  readonly share: number | null;
  /** How long it may take from now on, in milliseconds; `null` while nobody can know. */
  readonly leftMs: number | null;
}

/** Tasks after which the time that they took says something about the time that others take. */
const ENOUGH = 3;

/** As long as it goes on, it isn't done, whatever was expected. */
const NEARLY = 0.99;

/**
 * How far it is: by the tasks done and still expected, or by the money that there was when it began, whichever is
 * further, since each ends it. It never goes back where more work turns up than was expected.
 *
 * @param before how far it was when it was looked at last
 */
export function courseOf(moment: Moment, before: number | null = null): Course {
  const { done, left, usd, spentUsd, budgetUsd, ranMs } = moment;
  if (left === null) return { share: null, leftMs: null };
  const room = budgetUsd - (spentUsd - usd);
  const byTasks = done + left > 0 ? done / (done + left) : 0;
  const byMoney = room > 0 ? usd / room : 0;
  const share = Math.min(NEARLY, Math.max(byTasks, byMoney));
  const leftMs = done < ENOUGH || share <= 0 ? null : ranMs * (1 - share) / share;
  return { share: Math.max(share, before ?? 0), leftMs };
}
