import { afterRecordedChange } from "../config/patch.ts";
import type { MatchRecord } from "../domain/records.ts";
import type { View } from "../store/view.ts";
import type { EloSettings } from "../tournament/elo.ts";
import { undoneBy } from "./undone_by.ts";

/** The settings that Elo reads, in the order of their changes. */
const READ = ["ranking.kFactorNew", "ranking.kFactorWarm", "ranking.kSwitchMatches"];

/**
 * The K of a match when the log is rated anew for another reason than its K: what was in force when it was judged. A
 * rerating (or rejudging) that was applied holds for all matches before it; one that was undone for none.
 *
 * @param undone numbers of revisions that count as undone: those that the commit in question undoes
 */
export function eloSettingsOf(
  view: View,
  undone: ReadonlySet<number> = new Set(),
): (match: Pick<MatchRecord, "revision">) => EloSettings {
  const changes = view.revisions.filter(({ kind, target }) => kind === "configure" && READ.includes(target));
  if (changes.length === 0) return () => view.settings.ranking;
  const applied = view.revisions.findLast((revision) =>
    revision.kind === "rating" && revision.undoes === null && !undone.has(revision.number) &&
    undoneBy(view, revision, undone) === null
  );
  const since = applied === undefined
    ? 0
    : Math.max(...view.revisions.filter(({ seq }) => seq === applied.seq).map(({ number }) => number));
  const known = new Map<number, EloSettings>();
  return ({ revision }) => {
    const under = Math.max(revision, since);
    let settings = known.get(under);
    if (settings === undefined) {
      settings = changes.filter(({ number }) => number <= under)
        .reduce((now, { target, after }) => afterRecordedChange(now, target, after), view.session.settings)
        .ranking;
      known.set(under, settings);
    }
    return settings;
  };
}
