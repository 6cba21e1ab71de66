import type { Settings } from "../config/settings.ts";
import type { MatchRecord } from "../domain/records.ts";
import type { Entry } from "../store/records.ts";
import type { CountChange, View } from "../store/view.ts";
import { rateAll } from "../tournament/elo.ts";
import { eloSettingsOf } from "./elo_history.ts";

/** Marks that a commit puts on records, as entries. */
export function markEntries(marks: NonNullable<CountChange["marks"]>): Entry[] {
  return marks.map((record) => ({ kind: "mark", record }));
}

/** A match that the commit itself records. */
type NewMatch = Pick<MatchRecord, "id" | "firstId" | "secondId" | "verdict" | "weight" | "revision">;

/** How an epoch is rated. */
export interface EpochRule {
  /** The settings of ranking that hold after the commit; those of the view by default. */
  readonly ranking?: Settings["ranking"] | undefined;
  /** Whether all matches get the K of these settings, as a rerating asks; by default each keeps the one of its time. */
  readonly anew?: boolean | undefined;
  /** Matches that the commit records, which count as well. */
  readonly played?: readonly NewMatch[] | undefined;
  /** Numbers of the revisions that the commit undoes. */
  readonly undone?: ReadonlySet<number> | undefined;
}

/**
 * What changes which matches count, with a new epoch of Elo in which all that count then are rated from the first on. The
 * other rating folds the records anew by itself.
 *
 * @param change the marks, texts and the setting that the commit brings
 */
export function epochEntries(view: View, change: CountChange, rule: EpochRule = {}): Entry[] {
  const { ranking = view.settings.ranking, anew = false, played = [], undone } = rule;
  const epoch = view.epoch + 1;
  const counted = view.countedIf({ staleMatches: ranking.staleMatches, ...change });
  const lines = rateAll<NewMatch>(
    [...counted, ...played],
    ranking,
    anew ? undefined : eloSettingsOf(view, undone),
  );
  return [
    ...markEntries(change.marks ?? []),
    { kind: "mark", record: { targetId: "elo", mark: "epoch", value: epoch } },
    ...lines.map((line): Entry => ({ kind: "elo", record: { ...line, epoch } })),
  ];
}
