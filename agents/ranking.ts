import type { Agent, Decision } from "../lib/domain/agent.ts";
import type { TaskRecord } from "../lib/domain/records.ts";
import { rng } from "../lib/domain/rng.ts";
import type { Standing, View } from "../lib/store/view.ts";
import { chooseGroup, groupSize, pairsOf } from "../lib/tournament/group.ts";
import { askedPair, choosePair } from "../lib/tournament/pairing.ts";
import { pairingInput } from "../lib/tournament/pairing_input.ts";
import { nextJudge } from "../lib/tournament/panel.ts";
import { cosine } from "../lib/vectors/cosine.ts";
import { type GroupInput, judgeGroup } from "./group_judging.ts";
import { hypothesisBlock } from "./hypothesis_block.ts";
import { knownSources, sourceBlocks } from "./known_sources.ts";
import { judgeAgain, judgePair, type PairInput } from "./pair_judging.ts";
import { reviewBlocks } from "./review_block.ts";
import { sessionContext } from "./session_context.ts";
import { standingOf, wrongDecision } from "./standing.ts";

/** What ranking works on: a match of two, or a group that one call ranks. */
export type RankingInput = PairInput | GroupInput;

/** Characters of a review that a judge reads. */
const REVIEW_CHARS = 2500;
/** Findings on one side that a judge reads. */
const FINDINGS_SHOWN = 12;

/**
 * Judges matches: between two hypotheses, in one call or after a debate, or all those of a small group at once. Which ones,
 * in which order, how, and by which member of a panel is pinned at the first claim. A stored match that a person wants judged
 * again is judged on the texts as they are now, always in single calls.
 */
export const ranking: Agent<View, RankingInput> = {
  name: "ranking",
  actions: ["match", "rejudge"],
  decide(view, task, busy) {
    if (task.payload.pair !== undefined) return asked(view, task, task.payload.pair, busy);
    if (task.action === "rejudge") return decideAgain(view, task);
    const input = pairingInput(view, {
      busy: pairsOf(busy),
      cosine: (a, b) => similarity(view, a, b),
      focus: task.payload.focus,
      rng: rng(view.session.seed, task.key, "pair"),
    });
    const pair = choosePair(input);
    if (pair === null) return { kind: "nothing", reason: whyNoPair(view) };
    const judge = nextJudge(view.settings.ranking.panel, view.matches, busy);
    const judged = judge === undefined ? {} : { judge };
    // A debate is between two; and no group makes more matches than there may still be.
    const size = pair.mode === "debate" ? 2 : groupSize(view.settings.ranking, matchesLeft(view, busy));
    const ids = size < 3 ? null : chooseGroup(input, pair, size);
    return ids === null
      ? { kind: "match", ...pair, ...judged }
      : { kind: "group", ids, bucket: pair.bucket, ...judged };
  },
  prepare(view, task, decision) {
    const session = sessionContext(view, "ranking");
    switch (decision.kind) {
      case "match": {
        const { firstId, secondId, mode } = decision;
        const { rejudge } = task.payload;
        const { judge, bothOrders } = rejudge === undefined
          ? { judge: decision.judge, bothOrders: view.settings.ranking.order === "both" }
          : { judge: rejudge.model ?? panelistOf(view, rejudge.matchId), bothOrders: rejudge.bothOrders };
        const sides = (first: string, second: string) => ({
          ...side(view, first, 1),
          ...side(view, second, 2),
        });
        return {
          kind: "pair",
          mode,
          firstId,
          secondId,
          labels: [standingOf(view, firstId).record.label, standingOf(view, secondId).record.label],
          session,
          variables: sides(firstId, secondId),
          swapped: bothOrders ? sides(secondId, firstId) : null,
          debateTurns: view.settings.ranking.debateTurns,
          judge,
          ...(rejudge === undefined ? {} : { rejudges: rejudge.matchId }),
        };
      }
      case "group": {
        const { ids, judge } = decision;
        const hypotheses = ids.map((id, i) =>
          [`Hypothesis ${i + 1}:`, ...Object.values(side(view, id, i + 1))].filter((text) => text !== "")
            .join("\n\n")
        );
        return { kind: "group", ids, session, hypotheses: hypotheses.join("\n\n"), judge };
      }
      default:
        throw wrongDecision(task, decision);
    }
  },
  run: (input, context) => {
    if (input.kind === "group") return judgeGroup(input, context);
    return input.rejudges === undefined
      ? judgePair(input, context)
      : judgeAgain(input, input.rejudges, context);
  },
};

/** The pair that a person asked for, if both can still be judged. */
function asked(
  view: View,
  task: TaskRecord,
  pair: readonly [string, string],
  busy: readonly Decision[],
): Decision {
  const [a, b] = pair.map((id) => view.hypothesis(id));
  if (a === undefined || b === undefined) {
    return { kind: "nothing", reason: `There are no two hypotheses ${pair.join(" and ")} to be judged.` };
  }
  const out = [a, b].find(({ state }) => state !== "in_tournament");
  if (out !== undefined) {
    return { kind: "nothing", reason: `${out.record.label} is ${out.state} and isn't judged.` };
  }
  const contender = ({ record: { id }, elo, matches, bornSeq }: Standing) => ({ id, elo, matches, bornSeq });
  const judge = nextJudge(view.settings.ranking.panel, view.matches, busy);
  return {
    kind: "match",
    ...askedPair(contender(a), contender(b), {
      met: (one, other) => view.met(one, other),
      settings: view.settings.ranking,
      rng: rng(view.session.seed, task.key, "pair"),
    }),
    ...(judge === undefined ? {} : { judge }),
  };
}

/** The pair of a stored match, in its order, as far as both are still in play; by single calls, whatever it was judged by. */
function decideAgain(view: View, task: TaskRecord): Decision {
  const matchId = task.payload.rejudge?.matchId;
  // As it counts: where one was merged, the one that stands for both is judged.
  const match = view.counted.find(({ id }) => id === matchId) ??
    view.matches.find(({ id }) => id === matchId);
  if (match === undefined) return { kind: "nothing", reason: "The match is not there." };
  const { firstId, secondId } = match;
  for (const id of [firstId, secondId]) {
    const { record, state } = standingOf(view, id);
    if (state !== "in_tournament") {
      return { kind: "nothing", reason: `${record.label} is ${state}: there is nothing to judge.` };
    }
  }
  return { kind: "match", firstId, secondId, mode: "pairwise", bucket: "again" };
}

/** Whose turn of the panel it was. */
function panelistOf(view: View, matchId: string): string | undefined {
  return view.matches.find(({ id }) => id === matchId)?.panelist ?? undefined;
}

/** What a judge reads about one hypothesis, by the names of the prompts' inputs. */
function side(view: View, id: string, slot: number): Record<string, string> {
  const of = standingOf(view, id);
  return {
    [`hypothesis_${slot}`]: hypothesisBlock(of, slot),
    [`evidence_${slot}`]: sourceBlocks(knownSources(view, of), FINDINGS_SHOWN),
    [`reviews_${slot}`]: reviewBlocks(view, of, { scores: false, chars: REVIEW_CHARS }),
  };
}

/** How many matches `run.maxMatchesPerIdea` leaves for one task, beside those in hand and one for each that waits. */
function matchesLeft(view: View, busy: readonly Decision[]): number {
  const claimed = busy.filter(({ kind }) => kind === "match" || kind === "group").length;
  const open = view.openTasks.filter(({ record }) => record.action === "match").length;
  return view.settings.run.maxMatchesPerIdea * view.leaderboard.length - view.validMatches -
    pairsOf(busy).length - Math.max(0, open - claimed - 1);
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
