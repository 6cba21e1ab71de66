import type { Settings } from "../config/settings.ts";
import type { Entry } from "../store/records.ts";
import type { CountChange, View } from "../store/view.ts";
import { rateAll } from "../tournament/elo.ts";

/** Marks that a commit puts on records, as entries. */
export function markEntries(marks: NonNullable<CountChange["marks"]>): Entry[] {
  return marks.map((record) => ({ kind: "mark", record }));
}

/**
 * What changes which matches count, with a new epoch of Elo in which all that count then are rated from the first on. The
 * other rating folds the records anew by itself.
 *
 * @param change the marks and the setting that the commit brings
 * @param ranking the settings of ranking that hold after it
 */
export function epochEntries(
  view: View,
  change: CountChange,
  ranking: Settings["ranking"] = view.settings.ranking,
): Entry[] {
  const epoch = view.epoch + 1;
  const lines = rateAll(view.countedIf({ staleMatches: ranking.staleMatches, ...change }), ranking);
  return [
    ...markEntries(change.marks ?? []),
    { kind: "mark", record: { targetId: "elo", mark: "epoch", value: epoch } },
    ...lines.map((line): Entry => ({ kind: "elo", record: { ...line, epoch } })),
  ];
}
