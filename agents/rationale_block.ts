import type { MatchRecord } from "../lib/domain/records.ts";
import { fence } from "../lib/domain/text.ts";
import type { View } from "../lib/store/view.ts";
import { placingOf } from "../lib/tournament/placings.ts";

/**
 * The matches of which each holds another rationale: of those that one call ranked, the first of the list stands for all.
 */
export function onceAGroup(matches: readonly MatchRecord[]): MatchRecord[] {
  const told = new Set<string>();
  return matches.filter(({ group }) => {
    if (group === null) return true;
    if (told.has(group)) return false;
    told.add(group);
    return true;
  });
}

/**
 * Why a match ended as it did, fenced, with the labels of both sides and the winner's; of a group, all labels, best first.
 * Whose text has changed since is named.
 */
export function rationaleBlock(view: View, match: MatchRecord, text: string): string {
  const label = (id: string) => view.hypothesis(id)?.record.label ?? id;
  if (match.group !== null) {
    const placing = placingOf(view.matches.filter(({ group }) => group === match.group));
    const ranking = placing?.ids.map(label).join(", ") ?? "";
    const members = placing?.ids ?? [match.firstId, match.secondId];
    return fence("RATIONALE", text, {
      match: match.label,
      best_first: ranking,
      ...changedSince(view, members, match),
    });
  }
  const first = label(match.firstId), second = label(match.secondId);
  const better = match.verdict === "first" ? first : match.verdict === "second" ? second : match.verdict;
  return fence("RATIONALE", text, {
    match: match.label,
    first,
    second,
    better,
    ...changedSince(view, [match.firstId, match.secondId], match),
  });
}

function changedSince(view: View, ids: readonly string[], { seq }: MatchRecord): { readonly stale?: string } {
  const changed = ids.filter((id) => view.changedSince(id, seq));
  if (changed.length === 0) return {};
  return {
    stale: `rewritten since: ${changed.map((id) => view.hypothesis(id)?.record.label ?? id).join(", ")}`,
  };
}
