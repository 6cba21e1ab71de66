import type { Agent, Context, Decision, PromptCall, SessionContext } from "../lib/domain/agent.ts";
import { recordVerdict, type VerdictDraft } from "../lib/domain/drafts.ts";
import { CosciError } from "../lib/domain/errors.ts";
import type { MatchMode, MatchVerdict, TaskRecord } from "../lib/domain/records.ts";
import { rng } from "../lib/domain/rng.ts";
import type { View } from "../lib/store/view.ts";
import { choosePair } from "../lib/tournament/pairing.ts";
import { cosine } from "../lib/vectors/cosine.ts";
import { holdDebate, transcriptOf } from "./debate.ts";
import { hypothesisBlock } from "./hypothesis_block.ts";
import { knownSources, sourceBlocks } from "./known_sources.ts";
import { reviewBlocks } from "./review_block.ts";
import { sessionContext } from "./session_context.ts";
import { standingOf, wrongDecision } from "./standing.ts";

/** What a match works on. */
export interface RankingInput {
  /** How it is judged. */
  readonly mode: MatchMode;
  /** The hypothesis shown first. */
  readonly firstId: string;
  /** The hypothesis shown second. */
  readonly secondId: string;
  /** The second system block. */
  readonly session: SessionContext;
  /** Both sides as the prompts show them, fenced. */
  readonly variables: Readonly<Record<string, string>>;
  /** Turns of a debate before the verdict. */
  readonly debateTurns: number;
}

/** Characters of a review that a judge reads. */
const REVIEW_CHARS = 2500;
/** Findings on one side that a judge reads. */
const FINDINGS_SHOWN = 12;

const SIDES = [{ slot: 1, speaker: "advocate of 1" }, { slot: 2, speaker: "advocate of 2" }] as const;

const WINNERS: Readonly<Record<VerdictDraft["winner"], MatchVerdict>> = {
  "1": "first",
  "2": "second",
  tie: "tie",
};

/**
 * Judges a match between two hypotheses, in one call or after a debate in which each side is argued for. An answer
 * without a readable verdict makes the match `invalid`: never a win, never a tie.
 */
export const ranking: Agent<View, RankingInput> = {
  name: "ranking",
  actions: ["match"],
  decide(view, task, busy) {
    const pair = choosePair({
      candidates: view.drawable.map(({ record, elo, matches, bornSeq }) => ({
        id: record.id,
        elo,
        matches,
        bornSeq,
      })),
      met: (a, b) => view.met(a, b),
      cosine: (a, b) => similarity(view, a, b),
      ratings: view.ratings,
      busy: busy.flatMap((decision) =>
        decision.kind === "match" ? [[decision.firstId, decision.secondId] as const] : []
      ),
      ...(task.payload.focus === undefined ? {} : { focus: task.payload.focus }),
      settings: view.settings.ranking,
      matureMatches: view.settings.evolution.matureMatches,
      rng: rng(view.session.seed, task.key, "pair"),
    });
    return pair === null ? { kind: "nothing", reason: whyNoPair(view) } : { kind: "match", ...pair };
  },
  prepare(view, task, decision) {
    const { firstId, secondId, mode } = matchOf(task, decision);
    const side = (id: string, slot: 1 | 2) => {
      const of = standingOf(view, id);
      return {
        [`hypothesis_${slot}`]: hypothesisBlock(of, slot),
        [`evidence_${slot}`]: sourceBlocks(knownSources(view, of), FINDINGS_SHOWN),
        [`reviews_${slot}`]: reviewBlocks(view, of, { scores: false, chars: REVIEW_CHARS }),
      };
    };
    return {
      mode,
      firstId,
      secondId,
      session: sessionContext(view, "ranking"),
      variables: { ...side(firstId, 1), ...side(secondId, 2) },
      debateTurns: view.settings.ranking.debateTurns,
    };
  },
  async run(input, context) {
    const match = {
      kind: "match_judged",
      firstId: input.firstId,
      secondId: input.secondId,
      mode: input.mode,
      bothOrders: null,
    } as const;
    try {
      const { value, model, promptVersion } = await context.record({
        ...await judgeCall(input, context),
        record: recordVerdict,
        tools: [],
        maxTurns: 1,
      });
      return {
        ...match,
        verdict: WINNERS[value.winner],
        rationale: value.rationale,
        judge: model,
        promptVersion,
      };
    } catch (error) {
      if (!(error instanceof CosciError && error.code === "output")) throw error;
      return { ...match, verdict: "invalid", rationale: error.message, judge: null, promptVersion: null };
    }
  },
};

/** The call for the verdict, after the debate where there is one. */
async function judgeCall(input: RankingInput, context: Context): Promise<PromptCall> {
  const { session, variables, debateTurns } = input;
  if (input.mode === "pairwise") {
    return { route: "ranking.pairwise", prompt: "ranking.pairwise", variables, session };
  }
  const speakers = Array.from({ length: debateTurns }, (_, i) => SIDES[i % 2 === 0 ? 0 : 1]);
  const turns = await holdDebate(speakers, ({ slot, speaker }, transcript, turn) =>
    context.ask({
      route: "ranking.debate",
      prompt: "ranking.debate.turn",
      variables: { ...variables, slot, speaker, transcript, turn, turns: debateTurns },
      session,
    }));
  return {
    route: "ranking.debate",
    prompt: "ranking.debate",
    variables: { ...variables, transcript: transcriptOf(turns) },
    session,
  };
}

/** Cosines by their two vectors: the same pairs are looked at again for each match, and vectors never change. */
const COSINES = new WeakMap<Float32Array, WeakMap<Float32Array, number>>();

/** The cosine of two hypotheses' vectors; 0 where one has none. */
function similarity(view: View, a: string, b: string): number {
  const [one, other] = [view.vector(a < b ? a : b), view.vector(a < b ? b : a)];
  if (one === undefined || other === undefined) return 0;
  let known = COSINES.get(one);
  if (known === undefined) COSINES.set(one, known = new WeakMap());
  let near = known.get(other);
  if (near === undefined) known.set(other, near = cosine(one, other));
  return near;
}

function whyNoPair(view: View): string {
  const { length } = view.drawable;
  if (length < 2) {
    return length === 0
      ? "No hypothesis is in the tournament yet."
      : "Only one hypothesis can be drawn: a match needs two.";
  }
  const { maxMatchesPerPair } = view.settings.ranking;
  return `Each pair of the ${length} hypotheses that can be drawn has met ${maxMatchesPerPair} times ` +
    "(ranking.maxMatchesPerPair) or is being judged now.";
}

function matchOf(task: TaskRecord, decision: Decision): Extract<Decision, { kind: "match" }> {
  if (decision.kind !== "match") throw wrongDecision(task, decision);
  return decision;
}
