import { z } from "zod";
import { inputError } from "../domain/errors.ts";
import { usd } from "../domain/money.ts";
import { budgetLimits } from "../engine/affordability.ts";
import { budgetFrame, type BudgetRow } from "../notebook/frames/budget.ts";
import type { ComparisonRow } from "../notebook/frames/comparison.ts";
import type { EloRow } from "../notebook/frames/elo.ts";
import type { JudgeFrameRow } from "../notebook/frames/judge.ts";
import type { LineageRow } from "../notebook/frames/lineage.ts";
import type { PairRow } from "../notebook/frames/pairs.ts";
import type { ProximityRow } from "../notebook/frames/proximity.ts";
import type { RatingRow } from "../notebook/frames/ratings.ts";
import { JUPYTER_DISPLAY, type MimeBundle } from "../notebook/kernel.ts";
import type { PlotListRow } from "../notebook/displays/plot_list.ts";
import { PlotList } from "../notebook/values/plot_list.ts";
import { budgetPlot } from "../notebook/plots/budget.ts";
import { eloPlot } from "../notebook/plots/elo.ts";
import type { Figure } from "../notebook/plots/figure.ts";
import { judgePlot } from "../notebook/plots/judge.ts";
import { lineagePlot } from "../notebook/plots/lineage.ts";
import { matchesPlot } from "../notebook/plots/matches.ts";
import { proximityPlot } from "../notebook/plots/proximity.ts";
import { ratingsPlot } from "../notebook/plots/ratings.ts";
import { spendingByCommit } from "../store/transcripts.ts";
import { comparisonNow } from "./compare.ts";
import { INSIDE } from "./inside.ts";
import { judgeCardOf } from "./judge.ts";
import { originOf } from "./look.ts";
import type { Steered } from "./steer.ts";
import type { Comparable } from "./comparable.ts";
import { type OptionsRule, requireOptions } from "./wrong_option.ts";

/** How spending is drawn. */
export interface BudgetPlotOptions {
  /** What lies along the axis: commits, which are the steps of the session, or minutes since its first call. @default "commits" */
  readonly over?: "commits" | "time" | undefined;
}

const BUDGET: OptionsRule = {
  shape: z.strictObject({ over: z.enum(["commits", "time"]).optional() }),
  example: '{ over: "time" }',
  remedies: { over: 'Give "commits" or "time".' },
};

/** The plots that there are, in the order in which one needs them. */
export const PLOTS: readonly PlotListRow[] = [
  { call: "lab.plots.elo()", what: "Elo over the matches, revisions marked", frame: "elo" },
  { call: "lab.plots.ratings()", what: "ratings with their 90 % intervals, and tiers", frame: "ratings" },
  { call: "lab.plots.lineage()", what: "which hypotheses were made from which", frame: "lineage" },
  { call: "lab.plots.proximity()", what: "which hypotheses are alike: a map", frame: "proximity" },
  { call: "lab.plots.matches()", what: "who met whom, and who won: a matrix", frame: "pairs" },
  { call: "lab.plots.budget({ over? })", what: "spending over commits or time, by agent", frame: "budget" },
  { call: "lab.plots.judge()", what: "how the judges judge: order bias, flips, ties", frame: "judge" },
  {
    call: "lab.plots.compare(fork, …)",
    what: "leaderboards of sessions side by side, and how the best went",
    frame: null,
  },
  {
    call: "await lab.rerate.sweep(…)",
    what: "its .plot: places of the leaders under other settings of the ranking",
    frame: null,
  },
];

/**
 * The plots of a session. Each comes back at once, holds the records as they stand, and is laid out and drawn when it is
 * first shown or saved. Its `rows` are the plain rows behind it. As the last line of a cell, `lab.plots` lists them.
 */
export class Plots {
  readonly #session: Pick<Steered, "store" | "view">;
  readonly #handle: () => Comparable;

  /**
   * The plots of one session; nothing is read yet.
   *
   * @param session whose records are drawn
   * @param handle its handle, which comparisons name
   */
  constructor(session: Pick<Steered, "store" | "view">, handle: () => Comparable) {
    this.#session = session;
    this.#handle = handle;
  }

  /** How the ratings came about: Elo over the matches, the leaders in colour, revisions marked. */
  elo(): Figure<EloRow> {
    return eloPlot(this.#session.view());
  }

  /** What matches say of each hypothesis: ratings with 90 % intervals, tiers, and Elo, in the order of the leaderboard. */
  ratings(): Figure<RatingRow> {
    return ratingsPlot(this.#session.view());
  }

  /** How hypotheses came from each other: rows by generation, colour by rating, shape by strategy. */
  lineage(): Figure<LineageRow> {
    return lineagePlot(this.#session.view());
  }

  /** Which hypotheses are alike: a map of their embeddings by UMAP, with clusters of near-duplicates. */
  proximity(): Figure<ProximityRow> {
    return proximityPlot(this.#session.view());
  }

  /** Who met whom, how often and with what result, in the order of the leaderboard. */
  matches(): Figure<PairRow> {
    return matchesPlot(this.#session.view());
  }

  /**
   * How the session spent its money: by agent, with the cap and what is kept for the overview.
   *
   * @throws CosciError `input` for a wrong option
   */
  budget(options: BudgetPlotOptions = {}): Figure<BudgetRow> {
    requireOptions("plots.budget", options, BUDGET);
    const view = this.#session.view();
    const limits = budgetLimits(view);
    return budgetPlot({
      rows: budgetFrame(view, spendingByCommit(this.#session.store.sql, view.session.id)),
      over: options.over ?? "commits",
      capUsd: usd(limits.capMicroUsd),
      overviewUsd: usd(limits.overviewMicroUsd),
      inheritedUsd: usd(view.inherited.cost.microUsd),
      simulated: view.session.mode === "simulator",
    });
  }

  /** How the judges judge: each measure with its interval. */
  judge(): Figure<JudgeFrameRow> {
    return judgePlot(judgeCardOf(this.#session.view(), this.#session.store.sql));
  }

  /**
   * This session beside others of the same goal, such as its forks: places joined by lines, and how good the best was after
   * so many matches and so much money. The same as `(await Supervisor.compare([lab, ...others])).plot`.
   *
   * @param others open handles
   * @throws CosciError `input` for none, one that is named twice, or another goal
   */
  compare(...others: readonly Comparable[]): Figure<ComparisonRow> {
    const wrong = others.find((other) => typeof other !== "object" || other === null || !(INSIDE in other));
    if (others.length === 0 || wrong !== undefined) {
      throw inputError(
        "plots.compare",
        wrong ?? "nothing",
        "Give handles of other sessions: lab.plots.compare(fork). Those that are not open: await Supervisor.open({ … }).",
      );
    }
    return comparisonNow([this.#handle(), ...others]).plot;
  }

  /** What plots there are, as text. */
  toString(): string {
    return String(this.#list());
  }

  /** Shows in a notebook what plots there are. */
  [JUPYTER_DISPLAY](): Promise<MimeBundle> {
    return this.#list()[JUPYTER_DISPLAY]();
  }

  /** Shows in a terminal what plots there are. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }

  #list(): PlotList {
    return new PlotList({ ...originOf(this.#session.view()), rows: PLOTS });
  }
}
