import type { AgentName } from "../../../lib/domain/records.ts";
import { rng } from "../../../lib/domain/rng.ts";
import type { RatingSweepTable } from "../../../lib/engine/rating_sweep.ts";
import type {
  ComparedRow,
  ComparedSession,
  ComparisonData,
} from "../../../lib/notebook/displays/comparison.ts";
import { budgetFrame } from "../../../lib/notebook/frames/budget.ts";
import { courseFrame } from "../../../lib/notebook/frames/course.ts";
import { budgetPlot, type BudgetPlotData } from "../../../lib/notebook/plots/budget.ts";
import { comparisonPlot } from "../../../lib/notebook/plots/comparison.ts";
import { eloPlot } from "../../../lib/notebook/plots/elo.ts";
import type { Figure } from "../../../lib/notebook/plots/figure.ts";
import { judgePlot } from "../../../lib/notebook/plots/judge.ts";
import { lineagePlot } from "../../../lib/notebook/plots/lineage.ts";
import { matchesPlot } from "../../../lib/notebook/plots/matches.ts";
import { proximityPlot } from "../../../lib/notebook/plots/proximity.ts";
import { sweepPlot, type SweepPlotData } from "../../../lib/notebook/plots/rating_sweep.ts";
import { ratingsPlot } from "../../../lib/notebook/plots/ratings.ts";
import { ratingOf } from "../../../lib/tournament/scale.ts";
import { COST, type JudgeDouble, judgesData } from "../display_data.ts";
import { syntheticView, type ViewDouble, viewOf } from "../view_double.ts";

/** Sizes at which every plot is looked at, and the empty session. */
export const SIZES = [0, 2, 12, 100, 500] as const;

/** A session of `n` hypotheses with about four matches each: none at all for 0. */
export function sessionOf(n: number, titleOf?: (i: number) => string): ViewDouble {
  return n === 0 ? viewOf([]) : syntheticView(n, n * 4, "simulator", titleOf);
}

const WORKERS: readonly AgentName[] = ["generation", "reflection", "ranking", "evolution", "metareview"];

/** What a session of `n` hypotheses spent: reviews and matches most often, a cap that was raised once. */
export function spending(n: number, over: Partial<BudgetPlotData> = {}): BudgetPlotData {
  const chance = rng("spending", String(n), "double");
  const commits = Array.from({ length: n * 6 }, (_, i) => ({
    seq: i + 2,
    at: Date.UTC(2026, 11, 1) + i * 7_000 + chance.int(5_000),
    agent: i === 0 ? "planning" as const : i % 40 === 39 ? "proximity" as const : chance.pick(WORKERS),
    microUsd: 1_000 + chance.int(60_000),
  }));
  const spent = commits.reduce((sum, { microUsd }) => sum + microUsd, 0) / 1e6;
  const { settings } = viewOf([]);
  const capUsd = n === 0 ? 5 : Number((spent * 1.3).toPrecision(2));
  return {
    rows: budgetFrame({
      settings: { ...settings, run: { ...settings.run, budgetUsd: capUsd } },
      revisions: [],
    }, commits),
    over: "commits",
    capUsd,
    overviewUsd: capUsd / 8,
    inheritedUsd: 0,
    simulated: true,
    ...over,
  };
}

/** `count` sessions of one goal: each further one is a fork that ranks the first one's hypotheses a little otherwise. */
export function comparedSessions(n: number, count = 2, titleOf?: (i: number) => string): ComparisonData {
  const view = sessionOf(n, titleOf);
  const chance = rng("compared", `${n} ${count}`, "double");
  const sessions = Array.from({ length: count }, (_, i): ComparedSession => {
    const board = view.leaderboard.map(({ record, strength, elo }) => ({
      label: record.label,
      title: record.title,
      rating: strength === null ? null : ratingOf(strength) + (i === 0 ? 0 : 40 * chance.normal()),
      elo: elo + (i === 0 ? 0 : 30 * chance.normal()),
      own: i > 0 && chance.next() < 0.2,
    })).sort((a, b) => (b.rating ?? 0) - (a.rating ?? 0));
    return {
      name: titleOf?.(i) ?? (i === 0 ? "aml" : `strict judge ${i}`),
      store: "aml.db",
      simulated: true,
      parent: i === 0 ? null : "aml",
      forkedAt: i === 0 ? null : 37,
      status: "stopped",
      seq: 60,
      hypotheses: n,
      own: [],
      matches: view.matches.length,
      cost: COST,
      inherited: COST,
      ratedBy: "bradley_terry",
      course: courseFrame(view, view.matches.map(({ seq }, j) => [seq, j * 900])).map((point) => ({
        ...point,
        elo: point.elo + i * 9,
        matches: point.matches + i,
      })),
      leaderboard: board.map(({ label, title, rating, elo, own }, place): ComparedRow => ({
        rank: place + 1,
        label: own ? `H${n + place}` : label,
        title,
        rating,
        elo,
        shared: !own,
      })),
      revisions: [],
    };
  });
  const labels = new Set(sessions.flatMap(({ leaderboard }) => leaderboard.map(({ label }) => label)));
  const rowOf = ({ leaderboard }: ComparedSession, label: string) =>
    leaderboard.find((row) => row.label === label);
  return {
    goal: "A goal",
    simulated: true,
    sharedSeq: 37,
    sessions,
    shared: [...labels].filter((label) =>
      sessions.filter((each) => rowOf(each, label) !== undefined).length > 1
    )
      .map((label) => {
        const rows = sessions.map((each) => rowOf(each, label));
        return {
          title: rows.find((row) => row !== undefined)?.title ?? "",
          labels: rows.map((row) => row?.label ?? null),
          ranks: rows.map((row) => row?.rank ?? null),
          ratings: rows.map((row) => row?.rating ?? null),
          elos: rows.map((row) => row?.elo ?? null),
          edited: false,
          moved: null,
        };
      }),
    agreement: [],
    settings: [],
    prompts: [],
    cross: [],
  };
}

/** The leaders of a session of `n` hypotheses under four values of one setting, or of two. */
export function sweepOf(n: number, both = false, titleOf?: (i: number) => string): SweepPlotData {
  const chance = rng("sweep", `${n} ${both}`, "double");
  const board = sessionOf(n, titleOf).leaderboard.slice(0, 14);
  const settings: RatingSweepTable["settings"] = [
    { name: "priorWidth", values: [0.5, 1, 2, 4], inForce: 1 },
    ...(both
      ? [{ name: "rating", values: ["bradley_terry", "elo"], inForce: "bradley_terry" } as const]
      : []),
  ];
  const combinations = [0.5, 1, 2, 4].flatMap((width) =>
    both ? [[width, "bradley_terry"], [width, "elo"]] : [[width]]
  );
  const order = combinations.map(() =>
    board.map(({ record }, i) => ({ label: record.label, at: i + 2 * chance.normal() }))
      .sort((a, b) => a.at - b.at).map(({ label }) => label)
  );
  return {
    session: "aml",
    simulated: true,
    settings,
    by: both ? null : "bradley_terry",
    topK: 5,
    rows: combinations.map((values, i) => ({
      values,
      inForce: i === (both ? 2 : 1),
      top: (order[i] ?? []).slice(0, 5),
      tau: 0.8,
      farthest: null,
      entered: [],
      left: [],
    })),
    lines: board.map(({ record, strength }) => ({
      label: record.label,
      title: record.title,
      places: order.map((labels) => labels.indexOf(record.label) + 1),
      ratings: order.map(() => (strength === null ? null : ratingOf(strength))),
    })),
  };
}

/** So many judges, each a little more in favour of the first than the one before. */
export function panel(n: number, nameOf: (i: number) => string = (i) => `model-${i}`): JudgeDouble[] {
  return Array.from({ length: n }, (_, i) => ({
    judge: nameOf(i),
    first: 10 + i,
    second: 21 - i,
    tie: i,
    invalid: i % 4,
  }));
}

/** A figure with its name. */
export interface NamedFigure {
  /** How it is asked for: `elo`. */
  readonly name: string;
  /** The figure. */
  readonly figure: Figure;
}

/**
 * Every plot of a session of `n` hypotheses; judges grow with it from none to twelve.
 *
 * @param titleOf what hypotheses, sessions and judges are called, by their number
 */
export function everyFigure(n: number, titleOf?: (i: number) => string): NamedFigure[] {
  const view = sessionOf(n, titleOf);
  const judges = n === 0 ? 0 : n < 12 ? 1 : n < 100 ? 2 : n < 500 ? 6 : 12;
  return [
    { name: "elo", figure: eloPlot(view) },
    { name: "ratings", figure: ratingsPlot(view) },
    { name: "lineage", figure: lineagePlot(view) },
    { name: "proximity", figure: proximityPlot(view) },
    { name: "matches", figure: matchesPlot(view) },
    { name: "budget", figure: budgetPlot(spending(n)) },
    { name: "budget over time", figure: budgetPlot(spending(n, { over: "time", inheritedUsd: 0.4 })) },
    { name: "judge", figure: judgePlot(judgesData(panel(judges, titleOf))) },
    { name: "compare", figure: comparisonPlot(comparedSessions(n, n < 500 ? 2 : 8, titleOf)) },
    { name: "rerate.sweep", figure: sweepPlot(sweepOf(n, false, titleOf)) },
    { name: "rerate.sweep of two settings", figure: sweepPlot(sweepOf(n, true, titleOf)) },
  ];
}
