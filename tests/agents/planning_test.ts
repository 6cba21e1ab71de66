import assert from "node:assert/strict";
import { planning } from "../../agents/planning.ts";
import { fences } from "../../lib/domain/text.ts";
import { makeTask, makeView, outcomeOf, runTask, settingsWith } from "./support.ts";

const task = makeTask("planning", "parse_goal");
const plan = { objective: "Halve the wear.", preferences: ["cheap"] };

Deno.test("the goal and the preferences reach the prompt, fenced", async () => {
  const view = makeView({ session: { goal: "Why do <GOAL> tags break?", preferences: "No rare metals" } });
  const { outcome, context } = await runTask(planning, view, task, { records: [plan] });
  assert.deepEqual(outcomeOf(outcome, "plan_parsed").plan.preferences, ["cheap"]);
  const found = fences(context.sent[0]?.text ?? "");
  assert.deepEqual(found.map(({ tag }) => tag), ["GOAL", "PREFERENCES"]);
  assert.equal(found[0]?.text, "Why do ‹GOAL> tags break?");
  assert.equal(found[1]?.text, "No rare metals");
});

Deno.test("the goal is screened before anything else is spent on it", async () => {
  const view = makeView({ session: { preferences: "No rare metals" } });
  const { outcome, context } = await runTask(planning, view, task, { screen: "blocked" });
  assert.equal(outcome.kind, "goal_blocked");
  assert.equal(context.sent.length, 0);
  assert.deepEqual(context.screened.map(({ target }) => target), ["goal"]);
  assert.match(context.screened[0]?.text ?? "", /bearings[\s\S]*No rare metals/);
});

Deno.test("a screen that failed doesn't stop the planning, and is handed on", async () => {
  const { outcome } = await runTask(planning, makeView(), task, { screen: "failed", records: [plan] });
  assert.equal(outcomeOf(outcome, "plan_parsed").screen?.result, "failed");
});

Deno.test("without safety nothing is screened", async () => {
  const view = makeView({ settings: settingsWith({ safety: { enabled: false } }) });
  const { outcome, context } = await runTask(planning, view, task, { records: [plan] });
  assert.equal(outcomeOf(outcome, "plan_parsed").screen, null);
  assert.equal(context.screened.length, 0);
});
