import type { Settings } from "../config/settings.ts";
import type { MatchRecord } from "../domain/records.ts";
import type { Entry } from "../store/records.ts";
import type { CountChange, View } from "../store/view.ts";
import { rateAll } from "../tournament/elo.ts";

/** Marks that a commit puts on records, as entries. */
export function markEntries(marks: NonNullable<CountChange["marks"]>): Entry[] {
  return marks.map((record) => ({ kind: "mark", record }));
}

/** A match that the commit itself records. */
type NewMatch = Pick<MatchRecord, "id" | "firstId" | "secondId" | "verdict" | "weight">;

/**
 * What changes which matches count, with a new epoch of Elo in which all that count then are rated from the first on. The
 * other rating folds the records anew by itself.
 *
 * @param change the marks, texts and the setting that the commit brings
 * @param ranking the settings of ranking that hold after it
 * @param played matches that the commit records, which count as well
 */
export function epochEntries(
  view: View,
  change: CountChange,
  ranking: Settings["ranking"] = view.settings.ranking,
  played: readonly NewMatch[] = [],
): Entry[] {
  const epoch = view.epoch + 1;
  const counted = view.countedIf({ staleMatches: ranking.staleMatches, ...change });
  return [
    ...markEntries(change.marks ?? []),
    { kind: "mark", record: { targetId: "elo", mark: "epoch", value: epoch } },
    ...rateAll([...counted, ...played], ranking).map((line): Entry => ({
      kind: "elo",
      record: { ...line, epoch },
    })),
  ];
}
