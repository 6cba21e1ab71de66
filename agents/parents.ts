import type { Decision } from "../lib/domain/agent.ts";
import { madeVersion } from "../lib/domain/made_version.ts";
import { CosciError } from "../lib/domain/errors.ts";
import type { EvolutionStrategy, HypothesisState, TaskRecord } from "../lib/domain/records.ts";
import type { Standing, View } from "../lib/store/view.ts";
import { cosine } from "../lib/vectors/cosine.ts";

/** How many hypotheses a strategy works from. */
const ARITY: Readonly<Record<EvolutionStrategy, { readonly least: number; readonly most: number }>> = {
  combine: { least: 2, most: Infinity },
  simplify: { least: 1, most: 1 },
  out_of_box: { least: 1, most: Infinity },
  feasibility: { least: 1, most: 1 },
};

/** Leaders that a leap is made from at most. */
const LEAP_FROM = 5;

/** What comes of these is not used. */
const OUT_OF_PLAY: ReadonlySet<HypothesisState> = new Set<HypothesisState>([
  "rejected",
  "quarantined",
  "merged",
]);

/** The strategy of an evolution task. Throws `CosciError("internal")` where the task names none. */
export function strategyOf(task: TaskRecord): EvolutionStrategy {
  const { strategy } = task.payload;
  if (strategy !== undefined) return strategy;
  throw new CosciError("internal", `Evolution task ${task.label} names no strategy: enqueue it with one.`);
}

/**
 * Which hypotheses are evolved. The ones that a person named, if any. Otherwise, among the `evolution.topK` leaders that
 * are not folded under a near-duplicate and that no result refuted:
 *
 * - `combine`: the pair that is most distant in its ideas, among the pairs not yet combined in their newest versions;
 * - `simplify`, `feasibility`: the best one not yet treated so in its newest version, one that no other task is evolving
 *   at the moment before one that is;
 * - `out_of_box`: up to five.
 *
 * A treatment that ended as a duplicate of the hypothesis itself counts: another try would end there, too.
 */
export function chooseParents(view: View, task: TaskRecord, busy: readonly Decision[]): Decision {
  const strategy = strategyOf(task);
  const named = task.payload.parents ?? [];
  if (named.length > 0) return fromNamed(view, strategy, named);
  const leaders = view.leaderboard
    .filter((standing) => standing.foldedUnder === null && standing.result !== "refuted")
    .slice(0, view.settings.evolution.topK);
  if (leaders.length < ARITY[strategy].least) return nothing(tooFew(strategy, leaders.length));
  switch (strategy) {
    case "combine": {
      const pair = mostDistant(view, leaders);
      return pair === null
        ? nothing(`Every pair of the ${leaders.length} leaders has been combined already.`)
        : evolve(pair);
    }
    case "simplify":
    case "feasibility": {
      const open = leaders.filter((leader) => !treated(view, leader, strategy));
      const free = open.find((leader) => !isBusy(leader, busy)) ?? open[0];
      return free === undefined
        ? nothing(`All ${leaders.length} leaders have been through ${strategy} in their newest version.`)
        : evolve([free]);
    }
    case "out_of_box":
      return evolve(leaders.slice(0, LEAP_FROM));
  }
}

function fromNamed(view: View, strategy: EvolutionStrategy, ids: readonly string[]): Decision {
  const unknown = ids.find((id) => view.hypothesis(id) === undefined);
  if (unknown !== undefined) return nothing(`There is no hypothesis ${unknown} to evolve.`);
  const gone = ids.flatMap((id) => view.hypothesis(id) ?? []).find(({ state }) => OUT_OF_PLAY.has(state));
  if (gone !== undefined) return nothing(`${gone.record.label} is ${gone.state} and isn't evolved.`);
  const distinct = [...new Set(ids)];
  const { least, most } = ARITY[strategy];
  if (distinct.length < least) return nothing(tooFew(strategy, distinct.length));
  if (distinct.length > most) {
    return nothing(
      `${strategy} works from one hypothesis, and ${distinct.length} were named: ask for each by itself.`,
    );
  }
  return { kind: "evolve", parents: distinct };
}

function mostDistant(view: View, leaders: readonly Standing[]): readonly [Standing, Standing] | null {
  let best: readonly [Standing, Standing] | null = null;
  let least = Infinity;
  for (const [i, a] of leaders.entries()) {
    for (const b of leaders.slice(i + 1)) {
      const one = view.vector(a.record.id), other = view.vector(b.record.id);
      const alike = one === undefined || other === undefined ? 0 : cosine(one, other);
      if (alike < least && !combined(view, a, b)) {
        best = [a, b];
        least = alike;
      }
    }
  }
  return best;
}

function combined(view: View, a: Standing, b: Standing): boolean {
  return view.hypotheses.some((child) =>
    child.record.strategy === "combine" &&
    child.record.parents.includes(a.record.id) && child.record.parents.includes(b.record.id) &&
    madeAt(view, child) > Math.max(a.record.seq, b.record.seq)
  );
}

function treated(view: View, parent: Standing, strategy: EvolutionStrategy): boolean {
  const { id, seq } = parent.record;
  return view.hypotheses.some((child) =>
    child.record.strategy === strategy && child.record.parents.includes(id) && madeAt(view, child) > seq
  ) || view.duplicates.some((duplicate) =>
    duplicate.duplicateOf === id && duplicate.seq > seq &&
    view.task(duplicate.taskId)?.record.payload.strategy === strategy
  );
}

/** The commit that made a hypothesis what it is, edits by a person apart. */
function madeAt(view: View, { record, bornSeq }: Standing): number {
  return madeVersion(view.versionsOf(record.id))?.seq ?? bornSeq;
}

function isBusy(leader: Standing, busy: readonly Decision[]): boolean {
  return busy.some((decision) => decision.kind === "evolve" && decision.parents.includes(leader.record.id));
}

function tooFew(strategy: EvolutionStrategy, there: number): string {
  return `${strategy} works from at least ${ARITY[strategy].least}, and there ${
    there === 1 ? "is 1 hypothesis" : `are ${there} hypotheses`
  } to evolve.`;
}

function evolve(parents: readonly Standing[]): Decision {
  return { kind: "evolve", parents: parents.map((parent) => parent.record.id) };
}

function nothing(reason: string): Decision {
  return { kind: "nothing", reason };
}
