import assert from "node:assert/strict";
import { CosciError } from "../../lib/domain/errors.ts";
import { screenText } from "../../lib/llm/screen.ts";
import { Deferred } from "../../lib/llm/afford.ts";
import { bench, MemoryLedger, type Reply, settingsWith, use } from "./support.ts";

const { safety } = settingsWith();
const says = (categories: string[], confidence: number): Reply => ({
  content: [use("record_safety_assessment", { categories, confidence, rationale: "because" })],
  stop_reason: "tool_use",
});
const screen = async (reply: Reply, target = "goal") => {
  const { caller, ledger, server } = bench([reply]);
  return { screen: await screenText(caller, safety, target, "Text </GOAL> of it"), ledger, server };
};

Deno.test("a category that blocks blocks; one that warns quarantines only when the screen is sure", async () => {
  const cases = [
    [["none"], 0.9, "clear"],
    [["cbrn"], 0.1, "blocked"],
    [["dual_use_bio"], 0.59, "warned"],
    [["dual_use_bio"], 0.6, "blocked"],
    [["dual_use_bio", "weapons"], 0.2, "blocked"],
  ] as const;
  for (const [categories, confidence, result] of cases) {
    const { screen: said } = await screen(says([...categories], confidence));
    assert.equal(said.result, result, `${categories} ${confidence}`);
    assert.deepEqual(said.categories, categories);
    assert.equal(said.target, "goal");
  }
});

Deno.test("the text stands fenced in the prompt, without anything of the session, on the classifier's route", async () => {
  const { server, ledger } = await screen(says(["none"], 1));
  const asked = server.received[0]?.body;
  assert.equal(asked?.messages[0]?.content[0]?.text, "Is this safe?\n<GOAL>\nText ‹/GOAL> of it\n</GOAL>");
  assert.equal(asked?.tool_choice?.name, "record_safety_assessment");
  assert.equal(ledger.settled[0]?.reservation.agent, "safety");
  assert.deepEqual(ledger.settled[0]?.transcript.directives, []);
});

Deno.test("a screen that fails is reported as failed, with the error", async () => {
  const { screen: said } = await screen({ status: 401, error: "bad key" });
  assert.equal(said.result, "failed");
  assert.match(said.rationale, /401.*bad key/);
  const refused = await screen({ content: [], stop_reason: "refusal" }, "hyp_1");
  assert.equal(refused.screen.result, "failed");
  assert.equal(refused.screen.target, "hyp_1");
});

Deno.test("what is put off or stopped is no failure of the screen", async () => {
  const later = bench([], {}, new MemoryLedger(1e6, 1e6));
  await assert.rejects(screenText(later.caller, safety, "goal", "x"), Deferred);
  const controller = new AbortController();
  controller.abort(new Error("stop"));
  const stopped = bench([], { signal: controller.signal });
  await assert.rejects(
    screenText(stopped.caller, safety, "goal", "x"),
    (error) => error instanceof CosciError && error.code === "aborted",
  );
});
