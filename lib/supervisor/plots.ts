import { eloPlot } from "../notebook/plots/elo.ts";
import type { Figure } from "../notebook/plots/figure.ts";
import { judgePlot } from "../notebook/plots/judge.ts";
import { lineagePlot } from "../notebook/plots/lineage.ts";
import { judgeCardOf } from "./judge.ts";
import type { Steered } from "./steer.ts";

/**
 * The plots of a session. Each comes back at once, holds the records as they stand, and is laid out and drawn when it is
 * first shown or saved.
 */
export class Plots {
  readonly #session: Pick<Steered, "store" | "view">;

  /**
   * The plots of one session; nothing is read yet.
   *
   * @param session whose records are drawn
   */
  constructor(session: Pick<Steered, "store" | "view">) {
    this.#session = session;
  }

  /** How the ratings came about: Elo over the matches, the leaders in colour, revisions marked. */
  elo(): Figure {
    return eloPlot(this.#session.view());
  }

  /** How hypotheses came from each other: rows by generation, colour by rating, shape by strategy. */
  lineage(): Figure {
    return lineagePlot(this.#session.view());
  }

  /** How the judges judge: each measure with its interval. */
  judge(): Figure {
    return judgePlot(judgeCardOf(this.#session.view(), this.#session.store.sql));
  }
}
