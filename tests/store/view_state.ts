import { canonicalJson } from "../../lib/domain/ids.ts";
import { addCost, NO_COST } from "../../lib/domain/records.ts";
import { AGENT_NAMES } from "../../lib/store/tables/session.ts";
import type { View } from "../../lib/store/view.ts";

/**
 * Everything that a view says, as one text: equal for views that say the same. The session's own record is left out, and
 * costs count whoever paid, so that a fork can be compared with its parent.
 *
 * @param tasks keys and ids of the tasks to ask about, ended ones too
 * @param status whether to tell it: a fork begins with one of its own
 */
export function viewState(
  view: View,
  tasks: readonly { readonly key: string; readonly id: string }[] = [],
  status = true,
): string {
  const ids = view.hypotheses.map((h) => h.record.id);
  return canonicalJson({
    seq: view.seq,
    ...(status ? { status: view.status, stopReason: view.stopReason, note: view.note } : {}),
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
    cost: addCost(view.cost, view.inherited.cost),
    costByAgent: AGENT_NAMES.map((agent) =>
      addCost(view.costByAgent.get(agent) ?? NO_COST, view.inherited.byAgent.get(agent) ?? NO_COST)
    ),
  });
}
