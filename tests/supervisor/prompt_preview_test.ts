/** A preview is the very request that the task would send: nothing is called, paid or written for it. */
import assert from "node:assert/strict";
import type { SettingsPatch } from "../../lib/config/settings.ts";
import type { TaskPayload } from "../../lib/domain/records.ts";
import { taskEntry } from "../../lib/engine/new_task.ts";
import { PromptLibrary } from "../../lib/llm/prompts.ts";
import type { Supervisor } from "../../mod.ts";
import { enter, small, wire } from "../engine/support/session.ts";
import { assertRefused, writesOf } from "./support.ts";

function settingsFor(more: SettingsPatch["ranking"] = {}): SettingsPatch {
  return small(1, {
    run: { initialIdeas: 4, maxMatchesPerIdea: 20 },
    ranking: { debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0, ...more },
  });
}

/** Has one task done next, and gives the requests that it sent. */
async function requestsOf(
  lab: Supervisor,
  action: "match" | "review" | "generate" | "evolve" | "system_feedback",
  payload: TaskPayload,
  targetId: string | null = null,
): Promise<{ prompt: string; request: string; version: string }[]> {
  const key = `test/${action}/${lab.view().seq}`;
  lab.store.commit(lab.view().session.id, () => ({
    kind: "test",
    author: "engine",
    progress: 0,
    entries: [taskEntry({ key, action, payload, targetId, priority: 0 }, 3)],
  }));
  const { ran: [ran] } = await lab.tick();
  assert.equal(ran?.action, action);
  assert.equal(ran?.status, "done", ran?.gist);
  return lab.transcripts({ task: ran?.label ?? "" }).map(({ n, prompt, promptVersion }) => ({
    prompt,
    request: lab.transcript(n).request,
    version: promptVersion,
  }));
}

/** Two hypotheses in the tournament, in the order in which a match forced onto them would show them. */
function pairOf(lab: Supervisor): { ids: readonly [string, string]; labels: string[] } {
  const [a, b] = lab.view().leaderboard;
  assert.ok(a !== undefined && b !== undefined);
  const [first, second] = a.bornSeq < b.bornSeq ? [a, b] : [b, a];
  return { ids: [a.record.id, b.record.id], labels: [first.record.label, second.record.label] };
}

for (const [mode, prompt] of [["pairwise", "ranking.pairwise"], ["debate", "ranking.debate.turn"]] as const) {
  for (const panel of [[], ["claude-haiku-4-5-20251001"]]) {
    if (mode === "debate" && panel.length > 0) continue;
    Deno.test(`the preview of ${prompt} is byte for byte what a match on that pair sends${panel.length > 0 ? " to a panel" : ""}`, async () => {
      const over = wire();
      // A fixed order, so that the order of the forced match is known beforehand.
      await using lab = await enter(":memory:", {
        settings: settingsFor({
          order: "fixed",
          panel,
          ...(mode === "debate" ? { debateWhenMatchesLt: 1000 } : {}),
        }),
        over,
      });
      await lab.runUntil({ reviews: 4, matches: 1 });
      const { ids, labels } = pairOf(lab);
      const before = writesOf(lab), sent = over.sent.length;
      const preview = await lab.prompts.preview(prompt, { on: labels });
      assert.equal(over.sent.length, sent, "no call was made");
      assert.deepEqual(writesOf(lab), before, "nothing was written");
      const [first] = await requestsOf(lab, "match", { pair: ids });
      assert.equal(first?.prompt, prompt);
      assert.equal(preview.request, first?.request);
      assert.equal(preview.version, first?.version);
      const match = lab.view().matches.at(-1);
      assert.deepEqual(
        [match?.firstId, match?.secondId].map((id) => lab.view().hypothesis(id ?? "")?.record.label),
        labels,
      );
      const call = lab.transcripts().findLast((each) => each.prompt === prompt);
      assert.ok(call !== undefined);
      assert.ok(call.inputTokens <= preview.maxInputTokens, "no more is read than at most");
      assert.ok(preview.inputTokens <= preview.maxInputTokens && preview.usd <= preview.maxUsd);
      assert.ok(call.usd <= preview.maxUsd, "it cost no more than at most");
      const model: unknown = Object(JSON.parse(preview.request))["model"];
      assert.equal(model, preview.model);
      if (panel.length > 0) assert.equal(preview.model, panel[0]);
    });
  }
}

Deno.test("the other way round it is another request", async () => {
  await using lab = await enter(":memory:", { settings: settingsFor() });
  await lab.runUntil({ reviews: 4, matches: 1 });
  const { labels } = pairOf(lab);
  const one = await lab.prompts.preview("ranking.pairwise", { on: labels });
  const other = await lab.prompts.preview("ranking.pairwise", { on: labels.toReversed() });
  assert.notEqual(one.request, other.request);
  assert.equal(one.request, (await lab.prompts.preview("ranking.pairwise", { on: labels })).request);
});

Deno.test("previews of reviews, generation, evolution and feedback are what their tasks send first", async () => {
  await using lab = await enter(":memory:", { settings: settingsFor() });
  await lab.runUntil({ reviews: 4, matches: 3 });
  const [best] = lab.view().leaderboard;
  assert.ok(best !== undefined);
  const { id, label } = best.record;
  const full = await lab.prompts.preview("reflection.full", { on: label });
  assert.equal(full.request, (await requestsOf(lab, "review", { kind: "full" }, id))[0]?.request);
  const verification = await lab.prompts.preview("reflection.verification", { on: [label] });
  assert.equal(
    verification.request,
    (await requestsOf(lab, "review", { kind: "verification" }, id))[0]?.request,
  );
  const simplify = await lab.prompts.preview("evolution.simplify", { on: label });
  assert.equal(
    simplify.request,
    (await requestsOf(lab, "evolve", { strategy: "simplify", parents: [id] }))[0]?.request,
  );
  const feedback = await lab.prompts.preview("metareview.system");
  assert.equal(feedback.request, (await requestsOf(lab, "system_feedback", {}))[0]?.request);
  for (
    const [prompt, mode] of [["generation.literature", "literature"], [
      "generation.debate.turn",
      "debate",
    ]] as const
  ) {
    const preview = await lab.prompts.preview(prompt);
    const count = lab.view().hypotheses.filter(({ record }) => record.parents.length === 0).length;
    let angle = count;
    while (lab.view().hasTask(`generate/${angle}`)) angle++;
    const [first] = await requestsOf(lab, "generate", { mode, angle });
    assert.equal(preview.request, first?.request, prompt);
  }
  const overview = await lab.prompts.preview("metareview.final");
  await lab.overview();
  const sent = lab.transcripts({ prompt: "metareview.final" }).at(-1);
  assert.equal(overview.request, lab.transcript(sent?.n ?? 0).request);
});

Deno.test("the plan and the screen can be previewed before anything is spent", async () => {
  await using lab = await enter(":memory:", { settings: small(1, { safety: { enabled: true } }) });
  const plan = await lab.prompts.preview("parse_goal");
  const screen = await lab.prompts.preview("safety.screen");
  await lab.tick();
  const requestOf = (prompt: string) => lab.transcript(lab.transcripts({ prompt })[0]?.n ?? 0).request;
  assert.equal(plan.request, requestOf("parse_goal"));
  assert.equal(screen.request, requestOf("safety.screen"));
  await lab.runUntil({ hypotheses: 1 });
  const ofHypothesis = await lab.prompts.preview("safety.screen", { on: "H1" });
  const asked = lab.transcripts({ prompt: "safety.screen" }).map(({ n }) => lab.transcript(n).request);
  assert.ok(asked.includes(ofHypothesis.request));
});

Deno.test("a group can be previewed in its order", async () => {
  await using lab = await enter(":memory:", { settings: settingsFor({ judgedAtOnce: 4 }) });
  await lab.runUntil({ reviews: 4 });
  while (lab.view().matches.length === 0) await lab.tick();
  const group = lab.view().matches.filter(({ group }) => group !== null);
  assert.ok(group.length > 0);
  const call = lab.transcripts({ prompt: "ranking.kwise" })[0];
  assert.ok(call !== undefined);
  const labels = ["H1", "H2", "H3"];
  const preview = await lab.prompts.preview("ranking.kwise", { on: labels });
  assert.match(preview.request, /Hypothesis 3:/);
  assert.deepEqual(preview.on, labels);
  await assertRefused(() => lab.prompts.preview("ranking.kwise", { on: ["H1", "H2"] }), {
    code: "input",
    says: ["3 to 6 different hypotheses"],
  });
});

Deno.test("a text can be tried in a preview without being set", async () => {
  await using lab = await enter(":memory:", { settings: settingsFor() });
  await lab.runUntil({ reviews: 4, matches: 1 });
  const { labels } = pairOf(lab);
  const before = writesOf(lab);
  const text = lab.prompts.get("ranking.pairwise").text.replace("Decide which", "Guess which");
  const preview = await lab.prompts.preview("ranking.pairwise", { on: labels, text });
  assert.match(preview.request, /Guess which/);
  assert.match(String(preview), /Costs: about \$.* at most; nothing was paid/);
  assert.match(String(preview), /Tool record_verdict/);
  await assertRefused(() => lab.prompts.preview("ranking.pairwise", { on: labels, text: "{{ x }}" }), {
    code: "prompt",
    says: ["x"],
  });
  assert.deepEqual(writesOf(lab), before);
});

Deno.test("with little money left the preview is what would be sent then", async () => {
  await using lab = await enter(":memory:", { settings: settingsFor({ order: "fixed" }) });
  await lab.runUntil({ reviews: 4, matches: 1 });
  const { ids, labels } = pairOf(lab);
  const ample = await lab.prompts.preview("ranking.pairwise", { on: labels });
  const spent = lab.cost().total.usd;
  let poor = ample, usd = spent + 3;
  // Less and less, until something is given up.
  while (poor.concessions.length === 0 && usd > spent) {
    usd -= 0.02;
    lab.configure({ run: { budgetUsd: usd } });
    poor = await lab.prompts.preview("ranking.pairwise", { on: labels });
  }
  assert.ok(poor.concessions.length > 0);
  assert.ok(poor.notes.every((note) => !/not enough/.test(note)));
  const [first] = await requestsOf(lab, "match", { pair: ids });
  assert.equal(poor.request, first?.request);
});

Deno.test("every shipped prompt can be previewed, or says why not", async () => {
  await using lab = await enter(":memory:", { settings: settingsFor() });
  await lab.runUntil({ reviews: 4, matches: 2 });
  const { names } = await PromptLibrary.shipped(new URL("../../prompts/", import.meta.url));
  const cant = new Set(["system", "session", "generation.debate", "ranking.debate"]);
  const on: Readonly<Record<string, string[]>> = {
    "ranking.pairwise": ["H1", "H2"],
    "ranking.debate.turn": ["H1", "H2"],
    "ranking.kwise": ["H1", "H2", "H3"],
    "reflection.full": ["H1"],
    "reflection.verification": ["H1"],
    "reflection.observation": ["H1"],
  };
  for (const name of names) {
    const preview = () => lab.prompts.preview(name, { on: on[name] ?? [] });
    if (cant.has(name)) {
      await assertRefused(preview, {
        code: "state",
        says: [
          name,
          "can't be previewed",
          /first call|preview any other/,
        ],
      });
    } else assert.equal((await preview()).prompt, name);
  }
});

Deno.test("wrong labels are refused", async () => {
  await using lab = await enter(":memory:", { settings: settingsFor() });
  await lab.runUntil({ reviews: 4, matches: 1 });
  const wrong: readonly [string, unknown, (string | RegExp)[]][] = [
    ["ranking.pairwise", { on: ["H1"] }, ["2 different hypotheses", "H1"]],
    ["ranking.pairwise", { on: ["H1", "h1"] }, ["2 different hypotheses"]],
    ["ranking.pairwise", { on: ["H1", "H99"] }, ["H99"]],
    ["ranking.pairwise", { on: ["H1", "T1"] }, ["a task, not a hypothesis"]],
    ["parse_goal", { on: "H1" }, ["about no hypothesis"]],
    ["ranking.pairwise", { of: ["H1", "H2"] }, ["of", 'Did you mean "on"?']],
  ];
  for (const [name, options, says] of wrong) {
    await assertRefused(() => Reflect.apply(lab.prompts.preview, lab.prompts, [name, options]), {
      code: "input",
      says,
    });
  }
  await assertRefused(() => lab.prompts.preview("ranking.pairwize", { on: ["H1", "H2"] }), {
    code: "prompt",
    says: ['Did you mean "ranking.pairwise"?'],
  });
});

Deno.test("a match that is forced onto a pair is played by that pair, or says why not", async () => {
  await using lab = await enter(":memory:", { settings: settingsFor() });
  await lab.runUntil({ reviews: 4, matches: 1 });
  const { ids } = pairOf(lab);
  await requestsOf(lab, "match", { pair: ids });
  const match = lab.view().matches.at(-1);
  assert.deepEqual([match?.firstId, match?.secondId].toSorted(), [...ids].sort());
  const played = lab.view().matches.length;
  assert.deepEqual(await requestsOf(lab, "match", { pair: [ids[0], "hyp_none"] }), []);
  assert.equal(lab.view().matches.length, played);
});
