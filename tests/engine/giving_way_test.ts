import assert from "node:assert/strict";
import { Supervisor } from "cosci";

const OPTIONS = {
  goal: "What keeps a perovskite cell from ageing?",
  name: "giving way",
  store: ":memory:",
  environment: {},
  settings: { run: { maxIdeas: 6 }, simulator: { latencyMs: 0 } },
} as const;

Deno.test("a run is interrupted by a timer although its calls answer at once", async () => {
  const lab = await Supervisor.create(OPTIONS);
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(new Error("enough")), 1);
  const { endedBy } = await lab.runUntil({}, { signal: stop.signal });
  clearTimeout(timer);
  assert.equal(endedBy, "interrupted");
  await lab.close();
});

Deno.test("timers have their turn between ticks whose calls answer at once", async () => {
  const lab = await Supervisor.create(OPTIONS);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  for await (const _ of lab.ticks({ matches: 3 })) { /* one after another */ }
  clearInterval(timer);
  assert.ok(turns > 0);
  await lab.close();
});
