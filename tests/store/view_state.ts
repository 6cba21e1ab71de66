import { canonicalJson } from "../../lib/domain/ids.ts";
import { addCost, MARKS, NO_COST } from "../../lib/domain/records.ts";
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
  const marked = [
    ...ids,
    ...[view.matches, view.reviews, view.allEvidence, view.directives, view.gates].flatMap((records) =>
      records.map(({ id }) => id)
    ),
  ];
  const [one, other] = ids;
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
    versions: ids.map((id) => view.versionsOf(id)),
    versionsAt: ids.map((id) =>
      Array.from({ length: view.seq + 1 }, (_, seq) => view.versionAt(id, seq)?.version ?? null)
    ),
    leaderboard: view.leaderboard,
    drawable: view.drawable,
    duplicates: view.duplicates,
    reviews: view.reviews,
    reviewsOf: ids.map((id) => view.reviewsOf(id)),
    matches: view.matches,
    counted: view.counted,
    countedIf: [
      view.countedIf({ staleMatches: "count" }),
      view.countedIf({ staleMatches: "leave_out" }),
      view.countedIf({
        marks: [
          ...view.matches.slice(0, 1).map(({ id }) => ({ mark: "void" as const, targetId: id, value: true })),
          ...view.matches.slice(1, 2).map(({ id }) => ({
            mark: "weight" as const,
            targetId: id,
            value: null,
          })),
          ...(one === undefined || other === undefined
            ? []
            : [{ mark: "merged" as const, targetId: one, value: other }]),
        ],
      }),
    ],
    matchCount: view.matchCount,
    validMatches: view.validMatches,
    met: ids.map((a) => ids.map((b) => view.met(a, b))),
    rationales: view.matches.map((m) => view.rationale(m.id)),
    strengths: ids.map((id) => view.ratings.strength(id) ?? null),
    places: ids.map((id) => view.ratings.place(id) ?? null),
    epoch: view.epoch,
    eloJournal: view.eloJournal,
    eloSnapshots: view.eloSnapshots,
    feedback: view.feedback,
    directives: view.directives,
    inForce: view.directives.map((directive) => view.inForce(directive)),
    directivesFor: AGENT_NAMES.map((agent) => view.directivesFor(agent)),
    evidence: view.evidence,
    allEvidence: view.allEvidence,
    marked: MARKS.map((mark) => marked.map((id) => view.marked(mark, id))),
    gates: view.gates,
    openGate: view.openGate,
    rejudgements: view.rejudgements,
    sheets: view.sheets,
    proximity: view.proximity,
    screens: view.screens,
    overviews: view.overviews,
    vectors: ids.map((id) => [...view.vector(id) ?? []]),
    embeddings: ids.map((id) =>
      view.versionsOf(id).map(({ version }) => {
        const found = view.embedding(id, version);
        return found === undefined ? null : { ...found, vector: [...found.vector] };
      })
    ),
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
