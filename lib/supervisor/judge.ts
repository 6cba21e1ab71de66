import { hypothesisText } from "../domain/text.ts";
import { modelFamily } from "../llm/models.ts";
import type { JudgeCardData } from "../notebook/displays/judge_card.ts";
import type { Sql } from "../store/database.ts";
import { verdictCalls } from "../store/transcripts.ts";
import type { View } from "../store/view.ts";
import { judgeCard } from "../tournament/judge_card.ts";
import type { JudgedMatch } from "../tournament/judge_looks.ts";
import type { Result } from "../tournament/judge_measures.ts";
import { peopleAgreement } from "../tournament/people_agreement.ts";
import { originOf } from "./look.ts";

/** What the card of the judges says. */
export function judgeCardOf(view: View, sql: Sql): JudgeCardData {
  const matches = matchesWithJudges(view, sql);
  const makers = new Map(view.hypotheses.map(({ record }) => [record.id, record.model]));
  const models = new Set([...makers.values(), ...matches.map(({ judge }) => judge)]);
  const people = peopleAgreement(view.counted);
  return {
    ...originOf(view),
    ...(people === null ? {} : { people }),
    ...judgeCard({
      matches,
      makers,
      lengths: new Map(view.hypotheses.map(({ record }) => [record.id, hypothesisText(record).length])),
      families: new Map([...models].flatMap((model) => {
        const family = model === null ? null : modelFamily(model);
        return model === null || family === null ? [] : [[model, family] as const];
      })),
      results: resultsOf(view),
    }),
  };
}

/** An answer without a verdict names no judge; the calls of its task tell who was asked. */
function matchesWithJudges(view: View, sql: Sql): JudgedMatch[] {
  const nameless = view.matches.flatMap(({ judge, author, taskId }) =>
    judge === null && author === "model" && taskId !== null ? [taskId] : []
  );
  const calls = verdictCalls(sql, view.session.id, nameless);
  // A match that a person made void is nobody's verdict any more.
  return view.matches.filter(({ id }) => view.marked("void", id) === null).map((match) => {
    const call = match.judge === null && match.taskId !== null ? calls.get(match.taskId) : undefined;
    return call === undefined ? match : { ...match, judge: call.model, promptVersion: call.promptVersion };
  });
}

/**
 * What tests, computations and experts found, by hypothesis. Results decide by their outcomes and weights, as they do for
 * the leaderboard; where there is none, findings on one side alone do.
 */
function resultsOf(view: View): Map<string, Result> {
  const found = new Map<string, Set<Result>>();
  for (const { hypothesisId, kind, stance, outcome } of view.evidence) {
    if (kind === "literature" || stance === "neutral" || outcome !== null) continue;
    const results = found.get(hypothesisId) ?? new Set();
    found.set(hypothesisId, results.add(stance === "supports" ? "supported" : "contradicted"));
  }
  const all = new Map([...found].flatMap(([id, results]) => {
    const [result, other] = results;
    return result === undefined || other !== undefined ? [] : [[id, result] as const];
  }));
  for (const hypothesisId of new Set(view.evidence.map((item) => item.hypothesisId))) {
    const result = view.hypothesis(hypothesisId)?.result ?? null;
    if (result !== null) all.set(hypothesisId, result === "confirmed" ? "supported" : "contradicted");
    else if (isTested(view, hypothesisId)) all.delete(hypothesisId);
  }
  return all;
}

function isTested(view: View, id: string): boolean {
  return view.evidence.some(({ hypothesisId, outcome }) => hypothesisId === id && outcome !== null);
}
