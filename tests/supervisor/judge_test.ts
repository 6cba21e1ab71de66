/** The judge card of a session: what it is made from, and how it looks end to end. */
import assert from "node:assert/strict";
import { recordId } from "../../lib/domain/ids.ts";
import { modelFamily } from "../../lib/llm/models.ts";
import { createSimulator } from "../../lib/simulator/server.ts";
import { systemClock } from "../../lib/domain/clock.ts";
import type { SettingsPatch } from "../../lib/config/settings.ts";
import { enter, GOAL, SEED, SMALL, small } from "../engine/support/session.ts";
import { Supervisor } from "../../mod.ts";
import { writesOf } from "./support.ts";

/** Enough matches for a verdict on the judge. */
const RANKED: SettingsPatch = {
  run: { maxIdeas: 8, initialIdeas: 8, maxMatchesPerIdea: 30 },
  ranking: { maxMatchesPerPair: 3, debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0 },
  termination: { topKPrecision: 0, minMatches: 1000 },
};

Deno.test("a session without a match has a card and a picture that say so", async () => {
  await using lab = await enter(":memory:");
  const { judge } = lab;
  assert.deepEqual([judge.judges, judge.warnings, judge.pooled.verdicts], [[], [], 0]);
  assert.match(String(judge), /No match was judged yet/);
  assert.match(lab.plots.judge().svg(), /No match was judged yet/);
});

Deno.test("a judge with a strong bias to the first is found out, and warned of; a fair one is not", async () => {
  const settings = (positionBias: number) =>
    small(1, { ...RANKED, simulator: { positionBias, judgeNoise: 0.3 } });
  await using biased = await enter(":memory:", { settings: settings(2) });
  await biased.runUntil({ matches: 60 });
  const { pooled, warnings, judges } = biased.judge;
  assert.equal(pooled.verdicts, biased.view().validMatches);
  assert.ok(pooled.bias !== null && pooled.bias.low < 2 && 2 < pooled.bias.high, JSON.stringify(pooled.bias));
  assert.ok(pooled.bias.low > 0 && pooled.bias.value > 1);
  const warning = warnings.find(({ kind }) => kind === "order_bias");
  assert.match(warning?.text ?? "", /favours what is shown first/);
  assert.match(String(biased.judge), /^Judges of glow \(SIMULATED\)\n\n! /);
  assert.deepEqual(judges.map(({ judge, mode }) => [judge, mode]), [["claude-sonnet-4-6", "pairwise"]]);
  assert.equal(judges[0]?.promptVersion, biased.view().matches[0]?.promptVersion);

  await using fair = await enter(":memory:", { settings: settings(0) });
  await fair.runUntil({ matches: 60 });
  assert.ok(Math.abs(fair.judge.pooled.bias?.value ?? NaN) < 1);
  assert.ok(!fair.judge.warnings.some(({ kind }) => kind === "order_bias"));
});

Deno.test("looking at the judges writes nothing, and the card is frozen", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ matches: 5 });
  const before = writesOf(lab);
  const { judge } = lab;
  lab.plots.judge().svg();
  assert.deepEqual(writesOf(lab), before);
  assert.ok(Object.isFrozen(judge) && Object.isFrozen(judge.judges[0]));
  assert.deepEqual(JSON.parse(JSON.stringify(judge)).pooled.verdicts, judge.pooled.verdicts);
});

Deno.test("each hypothesis knows the model that wrote it", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ hypotheses: 3 });
  for (const { record } of lab.view().hypotheses) {
    assert.equal(
      record.model,
      lab.transcripts({ task: record.taskId ?? "" }).find(({ route }) =>
        route.startsWith("generation.") || route.startsWith("evolution.")
      )?.model,
    );
    assert.match(String(lab.inspect(record.label)), /by claude-opus-4-7/);
  }
});

Deno.test("an answer without a verdict is counted for the judge who gave it", async () => {
  const server = createSimulator({
    seed: SEED,
    clock: systemClock,
    faults: { rules: [{ fault: { kind: "empty" }, tool: "record_verdict", times: 2 }] },
  });
  await using lab = await Supervisor.create({
    goal: GOAL,
    store: ":memory:",
    environment: {},
    settings: SMALL,
    fetch: (input, init) => server.fetch(input, init),
  });
  await lab.runUntil((now) => now.counts.matches >= 2);
  const invalid = lab.view().matches.filter(({ verdict }) => verdict === "invalid");
  assert.equal(invalid.length, 1);
  const { judges, pooled } = lab.judge;
  assert.equal(pooled.invalid.count, 1);
  assert.ok(
    judges.every(({ judge }) => judge === "claude-sonnet-4-6"),
    JSON.stringify(judges.map((j) => j.judge)),
  );
});

Deno.test("recorded results calibrate the judge; literature and findings on both sides don't", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ matches: 6 });
  assert.equal(lab.judge.pooled.why.calibration, "no results yet");
  const played = lab.view().matches.find(({ verdict }) => verdict === "first");
  assert.ok(played !== undefined);
  const result = (
    n: number,
    hypothesisId: string,
    kind: "literature" | "experiment" | "expert",
    stance: "supports" | "contradicts",
  ) => ({
    kind: "evidence" as const,
    record: {
      id: recordId("evd", `result ${n}`),
      hypothesisId,
      kind,
      claim: "It glowed",
      stance,
      source: "bench",
      excerpt: "",
      origin: "test",
      outcome: null,
      weight: 1,
    },
  });
  const commit = (...entries: ReturnType<typeof result>[]) =>
    lab.store.commit(lab.view().session.id, () => ({
      kind: "result",
      author: "Ada",
      progress: 0,
      entries,
      events: [],
    }));
  commit(
    result(1, played.firstId, "experiment", "supports"),
    result(2, played.secondId, "literature", "contradicts"),
  );
  assert.match(lab.judge.pooled.why.calibration ?? "", /no results on both sides/);
  commit(result(3, played.secondId, "expert", "contradicts"));
  const { calibration } = lab.judge.pooled;
  assert.ok(calibration !== null && calibration.count >= 1 && calibration.of >= 1);
  commit(result(4, played.secondId, "experiment", "supports"));
  assert.equal(lab.judge.pooled.calibration, null);
});

Deno.test("the maker of a model is known by its exact id alone", () => {
  const table: [string, string | null][] = [
    ["claude-sonnet-4-6", "anthropic"],
    ["claude-haiku-4-5", "anthropic"],
    ["gpt-5", "openai"],
    ["llama-3.3-70b", "meta"],
    ["gpt-5-local", null],
    ["", null],
  ];
  for (const [id, family] of table) assert.equal(modelFamily(id), family, id);
});
