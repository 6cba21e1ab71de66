import { canonicalJson } from "../../lib/domain/ids.ts";
import { AGENT_NAMES } from "../../lib/store/tables/session.ts";
import type { View } from "../../lib/store/view.ts";

/**
 * Everything that a view says, as one text: equal for views that say the same. The session's own record is left out, so
 * that a fork can be compared with its parent.
 *
 * @param taskKeys and ids of the tasks to ask about, ended ones too
 */
export function viewState(
  view: View,
  tasks: readonly { readonly key: string; readonly id: string }[] = [],
): string {
  const ids = view.hypotheses.map((h) => h.record.id);
  return canonicalJson({
    seq: view.seq,
    status: view.status,
    stopReason: view.stopReason,
    note: view.note,
    plan: view.plan,
    settings: view.settings,
    revision: view.revision,
    revisions: view.revisions,
    prompts: Object.fromEntries(view.prompts),
    hypotheses: view.hypotheses,
    found: ids.map((id) => view.hypothesis(id)),
    leaderboard: view.leaderboard,
    drawable: view.drawable,
    duplicates: view.duplicates,
    reviews: view.reviews,
    reviewsOf: ids.map((id) => view.reviewsOf(id)),
    matches: view.matches,
    validMatches: view.validMatches,
    met: ids.map((a) => ids.map((b) => view.met(a, b))),
    rationales: view.matches.map((m) => view.rationale(m.id)),
    eloJournal: view.eloJournal,
    eloSnapshots: view.eloSnapshots,
    feedback: view.feedback,
    directives: AGENT_NAMES.map((agent) => view.directivesFor(agent)),
    evidence: view.evidence,
    proximity: view.proximity,
    screens: view.screens,
    overviews: view.overviews,
    vectors: ids.map((id) => [...view.vector(id) ?? []]),
    openTasks: view.openTasks,
    deadTasks: view.deadTasks,
    endedTasks: view.endedTasks,
    tasks: tasks.map(({ key, id }) => [view.hasTask(key), view.task(id) ?? null]),
    fruitless: view.fruitless,
    cost: view.cost,
    costByAgent: Object.fromEntries(view.costByAgent),
  });
}
