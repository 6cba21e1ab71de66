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

/**
 * The plots of a session. Each comes back at once, holds the records as they stand, and is laid out and drawn when it is
 * first shown or saved. Its `rows` are the plain rows behind it.
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
}
