import type { Decision } from "../domain/agent.ts";
import type { MatchRecord } from "../domain/records.ts";

/**
 * Whose turn it is to judge: the member of the panel that was asked least so far, matches in hand included; of equals,
 * the one that is named first. A group is one call, however many matches it made.
 *
 * Whoever was asked counts, not whoever answered: a member that gives no verdicts, or that a cheaper model stands in for,
 * would otherwise be asked again and again. Matches of the time before there was a panel count for the model that judged
 * them.
 *
 * @param panel the members; `undefined` is returned for none
 * @param busy decisions of tasks in hand
 */
export function nextJudge(
  panel: readonly string[],
  matches: readonly Pick<MatchRecord, "judge" | "panelist" | "group">[],
  busy: readonly Decision[],
): string | undefined {
  if (panel.length === 0) return undefined;
  const asked = new Map(panel.map((member) => [member, 0]));
  const count = (member: string | null | undefined) => {
    const times = asked.get(member ?? "");
    if (times !== undefined) asked.set(member ?? "", times + 1);
  };
  // The matches of a group are recorded together, so that one look back tells whether it was counted.
  let group: string | null = null;
  for (const match of matches) {
    if (match.group === null || match.group !== group) count(match.panelist ?? match.judge);
    group = match.group;
  }
  for (const decision of busy) {
    if (decision.kind === "match" || decision.kind === "group") count(decision.judge);
  }
  return [...asked].reduce((least, entry) => entry[1] < least[1] ? entry : least)[0];
}
