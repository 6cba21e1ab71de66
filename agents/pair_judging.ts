import type { Context, Outcome, Recorded, SessionContext } from "../lib/domain/agent.ts";
import { recordVerdict, type VerdictDraft } from "../lib/domain/drafts.ts";
import { CosciError } from "../lib/domain/errors.ts";
import type { MatchMode, MatchVerdict } from "../lib/domain/records.ts";
import { verdictOfBoth } from "../lib/tournament/order.ts";
import { holdDebate, transcriptOf, type Turn } from "./debate.ts";
import { swapSides } from "./swap_sides.ts";

/** What a match of two works on. */
export interface PairInput {
  /** Tells it from a group. */
  readonly kind: "pair";
  /** How it is judged. */
  readonly mode: MatchMode;
  /** The hypothesis shown first. */
  readonly firstId: string;
  /** The hypothesis shown second. */
  readonly secondId: string;
  /** The labels of both, in this order. */
  readonly labels: readonly [string, string];
  /** The second system block. */
  readonly session: SessionContext;
  /** Both sides as the prompts show them, fenced. */
  readonly variables: Readonly<Record<string, string>>;
  /** The same with the second in the first place; `null` where one order is enough. */
  readonly swapped: Readonly<Record<string, string>> | null;
  /** Turns of a debate before the verdict. */
  readonly debateTurns: number;
  /** The member of the panel that judges, where there is a panel. */
  readonly judge?: string | undefined;
  /** The stored match that is judged again, where it is none of its own. */
  readonly rejudges?: string | undefined;
}

type JudgedPair = Extract<Outcome, { readonly kind: "match_judged" }>;

const SIDES = [{ slot: 1, speaker: "advocate of 1" }, { slot: 2, speaker: "advocate of 2" }] as const;

const AS_SHOWN: Readonly<Record<VerdictDraft["winner"], MatchVerdict>> = {
  "1": "first",
  "2": "second",
  tie: "tie",
};
const SWAPPED: Readonly<Record<VerdictDraft["winner"], MatchVerdict>> = {
  "1": "second",
  "2": "first",
  tie: "tie",
};

/**
 * Judges a match between two hypotheses, in one call or after a debate in which each side is argued for; in both orders,
 * the verdict is asked for twice. Of a debate that is the verdict alone: the debate is the same evidence in either order and
 * most of the cost, and two debates would differ by more than the order. An answer without a readable verdict makes the
 * match `invalid`: never a win, never a tie.
 */
export async function judgePair(input: PairInput, context: Context): Promise<JudgedPair> {
  const { firstId, secondId, mode, swapped, labels: [first, second] } = input;
  const match = { kind: "match_judged", firstId, secondId, mode } as const;
  const invalid = (reason: string) =>
    ({ ...match, verdict: "invalid", rationale: reason, judge: null, promptVersion: null }) as const;

  const turns = await orProblem(mode === "debate" ? debate(input, context) : Promise.resolve([]));
  if (typeof turns === "string") return { ...invalid(turns), bothOrders: null };
  const one = await orProblem(verdict(input, input.variables, turns, context));
  // Nothing that the other order could say would make a verdict of this, so it isn't paid for.
  if (typeof one === "string") return { ...invalid(one), bothOrders: null };
  const asShown = AS_SHOWN[one.value.winner];
  if (swapped === null) {
    return {
      ...match,
      verdict: asShown,
      bothOrders: null,
      rationale: one.value.rationale,
      judge: one.model,
      promptVersion: one.promptVersion,
    };
  }
  const other = await orProblem(verdict(input, swapped, swapSides(turns), context));
  if (typeof other === "string") return { ...invalid(other), bothOrders: [asShown, "invalid"] };
  const otherWay = SWAPPED[other.value.winner];
  return {
    ...match,
    verdict: verdictOfBoth(asShown, otherWay),
    bothOrders: [asShown, otherWay],
    // Each rationale speaks of 1 and 2 as it was shown them.
    rationale: `As shown (1 is ${first}, 2 is ${second}): ${one.value.rationale}\n\n` +
      `The other way round (1 is ${second}, 2 is ${first}): ${other.value.rationale}`,
    judge: one.model === other.model ? one.model : `${one.model}, ${other.model}`,
    promptVersion: one.promptVersion,
  };
}

/** Judges a stored match again. */
export async function judgeAgain(input: PairInput, matchId: string, context: Context): Promise<Outcome> {
  const { verdict, bothOrders, rationale, judge, promptVersion } = await judgePair(input, context);
  return { kind: "match_rejudged", matchId, verdict, bothOrders, rationale, judge, promptVersion };
}

/** What came of it, or, in words, why a model's output can't be used. Other failures are the engine's to handle. */
export async function orProblem<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CosciError && error.code === "output") return error.message;
    throw error;
  }
}

/** The speeches before the verdict, by the route's own model: a panel judges, it doesn't plead. */
function debate({ session, variables, debateTurns }: PairInput, context: Context): Promise<Turn[]> {
  const speakers = Array.from({ length: debateTurns }, (_, i) => SIDES[i % 2 === 0 ? 0 : 1]);
  return holdDebate(speakers, ({ slot, speaker }, transcript, turn) =>
    context.ask({
      route: "ranking.debate",
      prompt: "ranking.debate.turn",
      variables: { ...variables, slot, speaker, transcript, turn, turns: debateTurns },
      session,
    }));
}

function verdict(
  { mode, session, judge }: PairInput,
  variables: Readonly<Record<string, string>>,
  turns: readonly Turn[],
  context: Context,
): Promise<Recorded<VerdictDraft>> {
  const debated = mode === "debate";
  const route = debated ? "ranking.debate" : "ranking.pairwise";
  return context.record({
    route,
    prompt: route,
    variables: debated ? { ...variables, transcript: transcriptOf(turns) } : variables,
    session,
    ...(judge === undefined ? {} : { model: judge }),
    record: recordVerdict,
    tools: [],
    maxTurns: 1,
  });
}
