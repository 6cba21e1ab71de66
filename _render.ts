import { hypothesisRecord, matchRecord, syntheticView, viewOf } from "./tests/notebook/view_double.ts";
import { eloPlot } from "./lib/notebook/plots/elo.ts";
import { lineagePlot } from "./lib/notebook/plots/lineage.ts";
import { ratingsPlot } from "./lib/notebook/plots/ratings.ts";
import { matchesPlot } from "./lib/notebook/plots/matches.ts";
import { proximityPlot } from "./lib/notebook/plots/proximity.ts";
const plots = {
  elo: eloPlot,
  lineage: lineagePlot,
  ratings: ratingsPlot,
  matches: matchesPlot,
  proximity: proximityPlot,
};
const views = {
  0: viewOf([]),
  1: viewOf([hypothesisRecord(1)]),
  2: syntheticView(2, 3),
  12: syntheticView(12, 80),
  100: syntheticView(100, 2000),
  500: syntheticView(500, 1000),
};
const only = Deno.args[0]?.split(","), sizes = Deno.args[1]?.split(",");
for (const [name, plot] of Object.entries(plots)) {
  if (only && only[0] !== "all" && !only.includes(name)) continue;
  for (const [n, view] of Object.entries(views)) {
    if (sizes && !sizes.includes(n)) continue;
    const t = performance.now();
    const f = plot(view as any);
    const svg = f.svg();
    const t2 = performance.now();
    await Deno.writeFile(`/tmp/wt/plots_out/${name}_${n}.png`, await f.png(1));
    console.log(name, n, (t2 - t) | 0, "ms", svg.length);
  }
}
