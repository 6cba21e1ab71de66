import type { Figure } from "../../notebook/plots/figure.ts";
import type { Plots } from "../plots.ts";

/** A figure that exports show. */
export interface ExportedFigure {
  /** The method of {@linkcode Plots} that draws it. */
  readonly name: string;
  /** How to read it, in a sentence. */
  readonly reads: string;
  /** Draws it. */
  readonly of: (plots: Plots) => Figure;
}

/** The figures that exports show, in this order: a further plot is one line more. */
export const FIGURES: readonly ExportedFigure[] = [
  { name: "elo", reads: "How the ratings came about, match by match.", of: (plots) => plots.elo() },
  { name: "lineage", reads: "How the hypotheses came from each other.", of: (plots) => plots.lineage() },
  {
    name: "judge",
    reads: "How the judges judge, each measure with its interval.",
    of: (plots) => plots.judge(),
  },
];
