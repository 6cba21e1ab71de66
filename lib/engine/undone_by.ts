import type { RevisionRecord } from "../domain/records.ts";
import type { View } from "../store/view.ts";

/**
 * The revision that undid this one and was not undone itself; `null` where this one holds.
 *
 * @param alsoUndone numbers of revisions that count as undone: those that the commit in question undoes
 */
export function undoneBy(
  view: Pick<View, "revisions">,
  { number }: Pick<RevisionRecord, "number">,
  alsoUndone: ReadonlySet<number> = new Set(),
): RevisionRecord | null {
  const by = view.revisions.findLast(({ undoes }) => undoes === number);
  if (by === undefined || alsoUndone.has(by.number)) return null;
  return undoneBy(view, by, alsoUndone) === null ? by : null;
}
