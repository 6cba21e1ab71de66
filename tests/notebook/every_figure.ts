import { comparisonPlot } from "../../lib/notebook/plots/comparison.ts";
import { eloPlot } from "../../lib/notebook/plots/elo.ts";
import type { Figure } from "../../lib/notebook/plots/figure.ts";
import { judgePlot } from "../../lib/notebook/plots/judge.ts";
import { lineagePlot } from "../../lib/notebook/plots/lineage.ts";
import { matchesPlot } from "../../lib/notebook/plots/matches.ts";
import { proximityPlot } from "../../lib/notebook/plots/proximity.ts";
import { sweepPlot } from "../../lib/notebook/plots/rating_sweep.ts";
import { ratingsPlot } from "../../lib/notebook/plots/ratings.ts";
import { sweepData } from "./change_data.ts";
import { comparisonData, judgeData } from "./display_data.ts";
import { hypothesisRecord, matchRecord, revisionRecord, viewOf } from "./view_double.ts";

/** Every figure that holds texts of foreign origin, with this one for each of them. */
export function everyFigure(foreign: string): [name: string, figure: Figure][] {
  const view = viewOf(
    [
      hypothesisRecord(1, { title: foreign }),
      hypothesisRecord(2, { title: foreign, parents: ["hyp_1"], generation: 1 }),
      hypothesisRecord(3, { title: foreign }),
    ],
    [matchRecord(1, { seq: 9 })],
    {
      revisions: [{ ...revisionRecord(1, 8), author: foreign }],
      vectors: new Map([[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((vector, i) => [
        `hyp_${i + 1}`,
        Float32Array.from(vector),
      ])),
    },
  );
  return [
    ["elo", eloPlot(view)],
    ["ratings", ratingsPlot(view)],
    ["lineage", lineagePlot(view)],
    ["proximity", proximityPlot(view)],
    ["matches", matchesPlot(view)],
    ["judge", judgePlot(judgeData(foreign))],
    ["comparison", comparisonPlot(comparisonData(foreign))],
    ["sweep", sweepPlot(sweepData(foreign))],
  ];
}
