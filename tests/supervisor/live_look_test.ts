/** What live progress sees of work that goes on: plain data, as it is now, and nothing moved by looking. */
import assert from "node:assert/strict";
import type { Moment } from "../../lib/notebook/progress/moment.ts";
import { INSIDE } from "../../lib/supervisor/inside.ts";
import { enter, SMALL, wire } from "../engine/support/session.ts";
import { writesOf } from "./support.ts";

const count = (moment: Moment, one: string) => moment.counts.find((each) => each.one === one);

Deno.test("a look counts what was done from when it began, and looking moves nothing", async () => {
  await using lab = await enter(":memory:", { settings: SMALL });
  await lab.runUntil({ matches: 1 });
  const spent = lab.cost().total.usd;
  const look = lab[INSIDE].look({ matches: 4 });
  const before = writesOf(lab);
  const begun = look.moment();
  assert.deepEqual(writesOf(lab), before);
  assert.deepEqual([begun.done, begun.usd, begun.last, begun.inHand], [0, 0, [], []]);
  assert.ok(Math.abs(begun.spentUsd - spent) < 1e-9);
  assert.deepEqual(count(begun, "match"), { one: "match", many: "matches", have: 1, goal: 4 });
  assert.equal(count(begun, "hypothesis")?.goal, null);
  assert.ok(begun.left !== null && begun.left > 0);
  const run = await lab.runUntil({ matches: 4 }, { onTask: (report) => look.told(report) });
  const ended = look.moment();
  assert.equal(ended.done, Object.values(run.tasks).reduce((a, b) => a + b));
  assert.equal(count(ended, "match")?.have, 4);
  assert.ok(Math.abs(ended.usd - run.cost.microUsd / 1e6) < 1e-9);
  assert.equal(ended.last.length, 3);
  assert.match(ended.last.at(-1) ?? "", /^T\d+ match: H\d+ – H\d+: /);
  const [first] = lab.view().leaderboard;
  assert.deepEqual([ended.best?.label, ended.best?.title], [first?.record.label, first?.record.title]);
});

Deno.test("a task in flight is named with its work and for how long, and its call's money as reserved", async () => {
  const flying = Promise.withResolvers<void>(), answer = Promise.withResolvers<void>();
  const over = wire({
    before: () => {
      flying.resolve();
      return answer.promise;
    },
  });
  await using lab = await enter(":memory:", { settings: SMALL, over });
  const look = lab[INSIDE].look({ hypotheses: 1 });
  const tick = lab.tick();
  await flying.promise;
  const { inHand, reservedUsd } = look.moment();
  assert.deepEqual(inHand.map(({ task, work }) => [task, work]), [["T1", "parse goal"]]);
  assert.ok((inHand[0]?.ms ?? -1) >= 0);
  assert.ok(reservedUsd > 0);
  answer.resolve();
  await tick;
  assert.deepEqual(look.moment().inHand, []);
});

Deno.test("what else ends it is counted, too", async () => {
  await using lab = await enter(":memory:", { settings: SMALL });
  assert.deepEqual(lab[INSIDE].look({ usd: 2 }).moment().counts.at(-1), {
    one: "dollar",
    many: "dollars",
    have: 0,
    goal: 2,
  });
});

Deno.test("the budget's notices are told, and only those from when it began", async () => {
  await using lab = await enter(":memory:", { settings: SMALL });
  await lab.runUntil({ matches: 1 });
  const look = lab[INSIDE].look({ matches: 9 });
  assert.deepEqual(look.moment().notices, []);
  lab.configure({ run: { budgetUsd: lab.cost().total.usd * 2.1 } });
  for await (const tick of lab.ticks()) if (tick.notices.length > 0) break;
  assert.match(look.moment().notices.join("\n"), /50 % of the budget is spent/);
  assert.deepEqual(lab[INSIDE].look({ matches: 9 }).moment().notices, []);
});
