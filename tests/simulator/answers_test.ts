import type Anthropic from "@anthropic-ai/sdk";
import assert from "node:assert/strict";
import {
  type HypothesisDraft,
  hypothesisDraft,
  rankingFromText,
  recordHypothesis,
  recordResearchPlan,
  recordReview,
  recordSafetyAssessment,
  recordSystemFeedback,
  recordVerdict,
  verdictFromText,
} from "../../lib/domain/drafts.ts";
import { fence } from "../../lib/domain/text.ts";
import type { SimRecord } from "../../lib/simulator/literature.ts";
import { isResearchTool } from "../../lib/simulator/literature.ts";
import type { Simulator } from "../../lib/simulator/server.ts";
import { clientOf, GOAL, offer, record, searchTool, shown, simulate } from "./harness.ts";

const goal = fence("GOAL", GOAL);
const tools = [
  searchTool("web_search"),
  searchTool("pubmed_search"),
  searchTool("web_fetch", "url"),
  offer(recordHypothesis),
];

/** Plays a client's tool loop, with results from the simulated literature in fences or as JSON. */
async function loop(
  simulator: Simulator,
  user: string,
  form: "fences" | "json",
): Promise<{ draft: HypothesisDraft; calls: string[]; seen: Map<string, string> }> {
  const client = clientOf(simulator);
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: user }];
  const calls: string[] = [];
  const seen = new Map<string, string>();
  for (let turn = 0; turn < 8; turn++) {
    const answer = await client.messages.create({
      model: "claude-opus-4-7",
      max_tokens: 8000,
      system: "Step: generation.literature",
      messages,
      tools,
    });
    const uses = answer.content.filter((block) => block.type === "tool_use");
    calls.push(uses.map((use) => use.name).join("+"));
    const handed = uses.find((use) => use.name === recordHypothesis.name);
    if (handed !== undefined) return { draft: hypothesisDraft.parse(handed.input), calls, seen };
    assert.ok(uses.length > 0);
    messages.push({ role: "assistant", content: answer.content });
    messages.push({
      role: "user",
      content: uses.map((use) => ({
        type: "tool_result",
        tool_use_id: use.id,
        content: results(simulator, use, form, seen),
      })),
    });
  }
  throw new Error("no record after eight turns");
}

function results(
  simulator: Simulator,
  use: Anthropic.ToolUseBlock,
  form: "fences" | "json",
  seen: Map<string, string>,
): string {
  const { query, url } = Object(use.input);
  const found: readonly Pick<SimRecord, "url" | "title" | "abstract">[] = use.name === "web_fetch"
    ? [{ url, title: "", abstract: simulator.literature.fetch(url)?.text ?? "" }]
    : isResearchTool(use.name)
    ? simulator.literatureFor(GOAL).search(use.name, query, 4)
    : [];
  for (const item of found) seen.set(item.url, `${seen.get(item.url) ?? ""}\n${item.abstract}`);
  if (form === "json") return JSON.stringify({ results: found }) || "none";
  return found.map((item) => fence("SOURCE", `${item.title}\n${item.abstract}`, { url: item.url })).join(
    "\n",
  ) ||
    "No results.";
}

Deno.test("answers: with research tools the model searches first, then records what the tools returned", async () => {
  const simulator = simulate();
  const shapes = new Set<string>();
  for (let i = 0; i < 24; i++) {
    const { draft, calls, seen } = await loop(
      simulator,
      `${goal}\nAngle: ${i}`,
      i % 2 === 0 ? "fences" : "json",
    );
    shapes.add(calls.join(" "));
    assert.ok(calls.length >= 2 && calls.length <= 4, calls.join(" "));
    for (const { url, title, excerpt } of draft.citations) {
      assert.ok(seen.has(url), url);
      assert.match(title, /\(simulated\)/);
      if (excerpt !== undefined) assert.ok(seen.get(url)?.includes(excerpt), excerpt);
    }
    if (seen.size > 0) assert.ok(draft.citations.length > 0);
  }
  const all = [...shapes].join(" ");
  assert.match(all, /web_fetch/);
  assert.match(all, /_search\+\w+_search/, "sometimes two searches at once");
  assert.ok(shapes.size > 3);
});

Deno.test("answers: a record that came back with an error is replaced by another idea", async () => {
  const client = clientOf(simulate());
  const request = {
    model: "claude-opus-4-7",
    max_tokens: 8000,
    system: "Step: generation.literature",
    messages: [{ role: "user" as const, content: goal }],
    tools: [offer(recordHypothesis)],
  };
  const first = await client.messages.create(request);
  const [use] = first.content;
  assert.ok(use?.type === "tool_use");
  const second = await client.messages.create({
    ...request,
    messages: [
      ...request.messages,
      { role: "assistant", content: first.content },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: use.id, content: "Too near to H1.", is_error: true }],
      },
    ],
  });
  const [again] = second.content;
  assert.ok(again?.type === "tool_use");
  assert.notEqual(Object(again.input).title, Object(use.input).title);
});

Deno.test("answers: every record satisfies its schema, whatever the field of the goal", async () => {
  const client = clientOf(simulate());
  const goals = [
    GOAL,
    "Why do solid-state battery electrolytes crack?",
    "Does a minimum wage raise youth unemployment?",
    "?",
    "目標は何ですか",
  ];
  for (const text of goals) {
    const asked = fence("GOAL", text);
    const plan = await record(
      client,
      recordResearchPlan,
      "parse_goal",
      `${asked}\n${fence("PREFERENCES", "- cheap\n- quick")}`,
    );
    assert.deepEqual(plan.preferences, ["cheap", "quick"]);
    const a = await record(client, recordHypothesis, "generation.literature", `${asked}\nAngle: 1`);
    const b = await record(
      client,
      recordHypothesis,
      "generation.debate",
      `${asked}\n${fence("TURN", a.statement, { speaker: "A" })}`,
    );
    const h1 = fence("HYPOTHESIS", shown(a), { label: "H1", slot: 1 });
    const h2 = fence("HYPOTHESIS", shown(b), { label: "H2", slot: 2 });
    const source = fence("SOURCE", "A long enough sentence of a paper. And another.", {
      url: "sim:pub/00000000",
      n: 1,
    });
    for (const kind of ["full", "verification", "observation"]) {
      const review = await record(client, recordReview, `reflection.${kind}`, `${asked}\n${h1}\n${source}`);
      assert.equal(review.assumptions.length === 6, kind === "verification");
      assert.equal(review.evidence[0]?.url, "sim:pub/00000000");
      assert.ok(review.evidence[0]?.excerpt === "A long enough sentence of a paper.");
    }
    for (const strategy of ["combine", "simplify", "out_of_box", "feasibility"]) {
      const child = await record(client, recordHypothesis, `evolution.${strategy}`, `${asked}\n${h1}\n${h2}`);
      assert.ok(child.title.split(/\s+/).length <= 15, child.title);
      assert.notEqual(child.title, a.title);
    }
    await record(client, recordVerdict, "ranking.pairwise", `${h1}\n${h2}`);
    await record(
      client,
      recordSystemFeedback,
      "metareview.system",
      fence("REVIEW", "The thing is weak.", { of: "H1" }),
    );
    await record(client, recordSafetyAssessment, "classifier", asked);
  }
});

Deno.test("answers: angles and titles to differ from give different hypotheses, near-duplicates now and then", async () => {
  const client = clientOf(simulate());
  const titles: string[] = [];
  let repeated = 0;
  for (let i = 0; i < 120; i++) {
    const { title } = await record(
      client,
      recordHypothesis,
      "generation.literature",
      `${goal}\nAngle: ${i}\n${fence("DIFFER_FROM", titles.slice(-10).join("\n") || "nothing yet")}`,
    );
    if (titles.includes(title)) repeated++;
    titles.push(title);
  }
  assert.ok(repeated >= 1 && repeated <= 10, `${repeated} of 120`);
});

Deno.test("answers: a person's own hypothesis, without any part of the world, can be evolved and reviewed", async () => {
  const client = clientOf(simulate());
  const own = fence("HYPOTHESIS", "Title: Mine\nStatement: Something quite different explains everything.", {
    label: "H1",
  });
  for (const strategy of ["combine", "simplify", "out_of_box", "feasibility"]) {
    const child = await record(client, recordHypothesis, `evolution.${strategy}`, `${goal}\n${own}`);
    assert.notEqual(child.title, "Mine");
  }
  await record(client, recordReview, "reflection.full", `${goal}\n${own}`);
});

Deno.test("answers: prose steps give a turn, an argument, a verdict or an overview", async () => {
  const client = clientOf(simulate());
  const ask = async (step: string, user: string) => {
    const message = await client.messages.create({
      model: "claude-sonnet-4-6",
      max_tokens: 8000,
      system: `You are an expert.\nStep: ${step}`,
      messages: [{ role: "user", content: user }],
    });
    assert.equal(message.stop_reason, "end_turn");
    return message.content.map((block) => block.type === "text" ? block.text : "").join("");
  };
  const a = await record(client, recordHypothesis, "generation.literature", `${goal}\nAngle: 1`);
  const b = await record(client, recordHypothesis, "generation.literature", `${goal}\nAngle: 2`);
  const pair = `${fence("HYPOTHESIS", shown(a), { label: "H1", slot: 1 })}\n${
    fence("HYPOTHESIS", shown(b), { label: "H2", slot: 2 })
  }`;
  const opening = await ask("generation.debate.turn", goal);
  const reply = await ask("generation.debate.turn", `${goal}\n${fence("TURN", opening, { speaker: "A" })}`);
  assert.notEqual(reply, opening);
  assert.match(await ask("ranking.debate.turn", `Speak for hypothesis 2.\n${pair}`), /hypothesis 2/);
  assert.notEqual(verdictFromText(await ask("ranking.pairwise", pair)), null);
  assert.deepEqual(rankingFromText(await ask("ranking.kwise", pair))?.ranking.toSorted(), [1, 2]);
  assert.notEqual(
    verdictFromText(await ask("ranking.debate", `${pair}\n${fence("TURN", reply, { speaker: "1" })}`)),
    null,
  );
  const source = fence("SOURCE", "A title (simulated)", { url: "sim:pub/00000000", n: 1 });
  const overview = await ask("metareview.final", `${goal}\n${pair}\n${source}`);
  const headings = [...overview.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
  assert.deepEqual(headings, [
    "Executive summary",
    "Main research directions",
    "Convergence and divergence",
    "Caveats and limitations",
  ]);
  for (const cited of ["[H1]", "[H2]", "[1]"]) assert.ok(overview.includes(cited), cited);
  assert.doesNotMatch(overview, /\[2\]/);
  assert.match(overview, /simulat/i);
});

Deno.test("answers: the safety screen objects to its trigger words in what is asked about, not in the prompt", async () => {
  const client = clientOf(simulate());
  const screen = (user: string) => record(client, recordSafetyAssessment, "classifier", user);
  const clear = await screen(`Categories: cbrn (nerve agent, dirty bomb).\n${goal}`);
  assert.deepEqual(clear.categories, ["none"]);
  assert.deepEqual((await screen(fence("GOAL", "How to make a Nerve Agent at home"))).categories, ["cbrn"]);
  assert.deepEqual((await screen(fence("HYPOTHESIS", "Gain-of-function of it"))).categories, [
    "dual_use_bio",
  ]);
});
