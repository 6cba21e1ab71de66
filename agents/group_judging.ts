import type { Context, Outcome, SessionContext } from "../lib/domain/agent.ts";
import { recordRanking } from "../lib/domain/drafts.ts";
import { orProblem } from "./pair_judging.ts";

/** What the ranking of a group works on. */
export interface GroupInput {
  /** Tells it from a match of two. */
  readonly kind: "group";
  /** The group in the order shown. */
  readonly ids: readonly string[];
  /** The second system block. */
  readonly session: SessionContext;
  /** All of them as the prompt shows them, fenced and numbered from 1. */
  readonly hypotheses: string;
  /** The member of the panel that judges, where there is a panel. */
  readonly judge?: string | undefined;
}

/**
 * Ranks three to six hypotheses in one call, with the length and the thinking of a match that is judged in one call. An
 * answer that is no ranking of all of them, after it was sent back once, is `invalid`.
 */
export async function judgeGroup(input: GroupInput, context: Context): Promise<Outcome> {
  const { ids, session, hypotheses, judge } = input;
  const recorded = await orProblem(context.record({
    route: "ranking.pairwise",
    prompt: "ranking.kwise",
    variables: { count: ids.length, hypotheses },
    session,
    ...(judge === undefined ? {} : { model: judge }),
    record: recordRanking(ids.length),
    tools: [],
    maxTurns: 1,
  }));
  if (typeof recorded === "string") {
    return {
      kind: "group_judged",
      ids,
      ranking: null,
      rationale: recorded,
      judge: null,
      promptVersion: null,
    };
  }
  const { value, model, promptVersion } = recorded;
  return {
    kind: "group_judged",
    ids,
    ranking: value.ranking.flatMap((number) => ids[number - 1] ?? []),
    rationale: value.rationale,
    judge: model,
    promptVersion,
  };
}
