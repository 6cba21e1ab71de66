import { Supervisor } from "./mod.ts";
const rm = () => {
  try {
    Deno.removeSync("/tmp/wt/plots_out/real.db");
  } catch { /* none */ }
};
rm();
let t = performance.now();
const lab = await Supervisor.create({
  name: "real",
  goal: "Which approved drugs could be repurposed for acute myeloid leukaemia?",
  store: "/tmp/wt/plots_out/real.db",
  environment: {},
  budget: { usd: 30 },
  settings: { run: { maxIdeas: 34 } },
});
await lab.runUntil({ matches: 60 });
lab.configure({ ranking: { topK: 3 } });
lab.direct("Prefer drugs with an oral form");
const fork = await lab.fork({
  name: "elo fork with a long name that goes on and on",
  settings: { ranking: { rating: "elo" } },
  budget: { usd: 12 },
});
await lab.runUntil({ matches: 120 });
lab.configure({ run: { budgetUsd: 25 } });
await lab.runUntil({ matches: 200 });
await fork.runUntil({ matches: 140 });
console.log(
  "ran",
  (performance.now() - t) | 0,
  String(lab.view().hypotheses.length),
  lab.view().validMatches,
  lab.view().proximity?.clusters.length,
);
const figs = {
  elo: () => lab.plots.elo(),
  ratings: () => lab.plots.ratings(),
  lineage: () => lab.plots.lineage(),
  proximity: () => lab.plots.proximity(),
  matches: () => lab.plots.matches(),
  budget: () => lab.plots.budget(),
  budget_time: () => lab.plots.budget({ over: "time" }),
  judge: () => lab.plots.judge(),
  compare: () => lab.plots.compare(fork),
  fork_matches: () => fork.plots.matches(),
  fork_budget: () => fork.plots.budget(),
};
for (const [name, f] of Object.entries(figs)) {
  t = performance.now();
  const fig = f();
  const svg = fig.svg();
  console.log(
    name,
    (performance.now() - t) | 0,
    svg.length,
    fig.rows.length,
    Math.max(...String(fig).split("\n").map((l) => l.length)),
  );
  console.log(String(fig));
  await fig.save(`/tmp/wt/plots_out/real_${name}.png`);
  console.log(fig.rows[3]);
}
const sweep = await lab.rerate.sweep({ kFactorNew: [16, 32, 64], rating: ["elo", "bradley_terry"] });
await sweep.plot.save("/tmp/wt/plots_out/real_sweep.png");
await lab.close();
await fork.close();
