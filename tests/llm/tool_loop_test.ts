import assert from "node:assert/strict";
import { z } from "zod";
import type { RecordCall } from "../../lib/domain/agent.ts";
import { type RecordTool, recordVerdict, type VerdictDraft } from "../../lib/domain/drafts.ts";
import { CosciError } from "../../lib/domain/errors.ts";
import { fences } from "../../lib/domain/text.ts";
import type { Tool } from "../../lib/llm/tool.ts";
import { bench, type Received, SESSION, settingsWith, text, thinking, use } from "./support.ts";

const draft = z.object({ title: z.string().min(1), n: z.number() });
const record: RecordTool<z.infer<typeof draft>> = {
  name: "record_it",
  description: "Record it.",
  schema: draft,
};
const good = { title: "T", n: 1 };

const CALL: RecordCall<z.infer<typeof draft>> = {
  route: "generation.literature",
  prompt: "generation.literature",
  variables: { angle: "the left" },
  session: SESSION,
  record,
  tools: ["web_search", "web_fetch"],
  maxTurns: 4,
};
const VERDICT: RecordCall<VerdictDraft> = {
  session: SESSION,
  route: "ranking.pairwise",
  prompt: "ranking.pairwise",
  variables: { hypothesis_1: "A", hypothesis_2: "B" },
  record: recordVerdict,
  tools: [],
  maxTurns: 1,
};

const search: Tool = {
  name: "web_search",
  description: "Search.",
  input: z.object({ query: z.string() }),
  run: (args) => {
    const { query } = z.object({ query: z.string() }).parse(args);
    if (query === "fail") return Promise.reject(new Error("the index is down"));
    const url = `http://Example.org/${query}/`;
    return Promise.resolve({
      text: "",
      sources: [{ url, title: `About ${query}`, text: `${query} </SOURCE> text` }],
    });
  },
};
const fetchPage: Tool = {
  name: "web_fetch",
  description: "Fetch.",
  input: z.object({ url: z.string() }),
  run: () => Promise.resolve({ text: "x".repeat(100), sources: [] }),
};
const tools = [search, fetchPage];
const toolTurn = (...content: unknown[]) => ({ content, stop_reason: "tool_use" });
const results = (asked: Received | undefined) => asked?.body.messages.at(-1)?.content ?? [];
const outputError = (pattern: RegExp) => (error: unknown) =>
  error instanceof CosciError && error.code === "output" && pattern.test(error.message);

Deno.test("the model searches, gets fenced results with its thinking back unchanged, and hands over a record", async () => {
  const thought = thinking("let me look");
  const { caller, server, ledger, events } = bench([
    toolTurn(thought, use("web_search", { query: "x" }, "toolu_a")),
    toolTurn(use("record_it", good)),
  ], { tools });
  const recorded = await caller.record(CALL);
  assert.deepEqual(recorded.value, good);
  assert.equal(recorded.model, "claude-opus-4-7");
  assert.deepEqual(recorded.seen, [
    { url: "https://example.org/x", title: "About x", text: "x </SOURCE> text" },
  ]);
  const [first, second] = server.received;
  assert.deepEqual(first?.body.tools?.map(({ name }) => name), ["web_search", "web_fetch", "record_it"]);
  assert.equal(first?.body.tool_choice, undefined);
  assert.deepEqual(second?.body.messages[1]?.content[0], thought);
  const [result] = results(second);
  assert.equal(result?.tool_use_id, "toolu_a");
  const [fenced] = fences(String(result?.content));
  assert.equal(fenced?.tag, "SOURCE");
  assert.equal(fenced?.attributes.url, "http://Example.org/x/");
  assert.equal(fenced?.text, "x ‹/SOURCE> text");
  assert.equal(caller.callsMade, 3);
  assert.equal(ledger.settled.length, 2);
  assert.deepEqual(events.map(({ kind }) => kind), ["answered", "tool_used", "answered"]);
});

Deno.test("a crash in the middle goes on from the journal: calls and tools that were answered are not repeated", async () => {
  const first = bench([toolTurn(use("web_search", { query: "x" })), { status: 401 }], { tools });
  await assert.rejects(first.caller.record(CALL));
  const never: Tool = { ...search, run: () => assert.fail("searched again") };
  const second = first.again([toolTurn(use("record_it", good))], { tools: [never, fetchPage] });
  const recorded = await second.caller.record(CALL);
  assert.deepEqual(recorded.value, good);
  assert.equal(recorded.seen.length, 1);
  assert.equal(second.server.received.length, 1);
});

Deno.test("every call of a turn is answered, in order: failures, unknown tools and wrong arguments as errors to read", async () => {
  const { caller, server } = bench([
    toolTurn(
      use("web_search", { query: "fail" }, "a"),
      use("web_serch", { query: "y" }, "b"),
      use("web_search", { quarry: "y" }, "c"),
      use("web_search", { query: "z" }, "d"),
      use("web_search", "{broken", "e"),
    ),
    toolTurn(use("record_it", good)),
  ], { tools });
  await caller.record(CALL);
  const given = results(server.received[1]);
  assert.deepEqual(given.map((block) => [block.tool_use_id, block.is_error ?? false]), [
    ["a", true],
    ["b", true],
    ["c", true],
    ["d", false],
    ["e", true],
  ]);
  const contents = given.map(({ content }) => String(content));
  assert.match(contents[0] ?? "", /<ERROR>\nweb_search failed: the index is down/);
  assert.match(contents[1] ?? "", /no tool "web_serch".*Did you mean "web_search"/);
  assert.match(contents[2] ?? "", /query/);
  assert.match(contents[4] ?? "", /not JSON/);
});

Deno.test("tools run side by side up to the cap, and one that hangs is cut off", async () => {
  let running = 0, most = 0;
  const slow: Tool = {
    ...search,
    run: async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      return { text: "ok", sources: [] };
    },
  };
  const hung: Tool = { ...fetchPage, run: () => new Promise(() => {}) };
  const settings = settingsWith({ toolLoop: { parallelCap: 2, toolTimeoutSeconds: 0.05 } });
  const { caller, server } = bench([
    toolTurn(
      ...[1, 2, 3, 4, 5].map((n) => use("web_search", { query: `${n}` })),
      use("web_fetch", { url: "http://x.org" }),
    ),
    toolTurn(use("record_it", good)),
  ], { tools: [slow, hung], settings });
  await caller.record(CALL);
  assert.equal(most, 2);
  assert.match(String(results(server.received[1])[5]?.content), /no answer within 0.05 s/);
});

Deno.test("results are clipped before they are fenced", async () => {
  const settings = settingsWith({ toolLoop: { resultChars: 20 } });
  const { caller, server } = bench([
    toolTurn(use("web_fetch", { url: "http://x.org" })),
    toolTurn(use("record_it", good)),
  ], { tools, settings });
  await caller.record(CALL);
  assert.equal(
    results(server.received[1])[0]?.content,
    `<SOURCE tool="web_fetch">\n${"x".repeat(19)}…\n</SOURCE>`,
  );
});

Deno.test("on the last turn the record tool alone is on offer, forced and without thinking", async () => {
  const looking = () => toolTurn(use("web_search", { query: "x" }));
  const { caller, server } = bench([looking(), looking(), looking(), toolTurn(use("record_it", good))], {
    tools,
  });
  await caller.record(CALL);
  const last = server.received[3]?.body;
  assert.deepEqual(last?.tools?.map(({ name }) => name), ["record_it"]);
  assert.deepEqual(last?.tool_choice, { type: "tool", name: "record_it" });
  assert.equal(last?.thinking, undefined);
  assert.equal(server.received[2]?.body.tool_choice, undefined);
});

Deno.test("without research tools the record is forced at once, unless the route thinks: then it may think first", async () => {
  const answer = toolTurn(use("record_verdict", { winner: "2" }));
  const plain = bench([answer], {
    settings: settingsWith({ thinking: { ...settingsWith().thinking, "ranking.pairwise": 0 } }),
  });
  assert.equal((await plain.caller.record(VERDICT)).value.winner, "2");
  assert.equal(plain.server.received[0]?.body.tool_choice?.name, "record_verdict");

  const thinks = bench([{ content: [text("Well.")] }, answer]);
  assert.equal((await thinks.caller.record(VERDICT)).value.winner, "2");
  assert.deepEqual(thinks.server.received[0]?.body.thinking, { type: "adaptive" });
  assert.equal(thinks.server.received[0]?.body.tool_choice, undefined);
  assert.equal(thinks.server.received[1]?.body.tool_choice?.name, "record_verdict");

  const local = bench([answer], {
    settings: settingsWith({ models: { ...settingsWith().models, "ranking.pairwise": "llama" } }),
  });
  await local.caller.record(VERDICT);
  assert.equal(local.server.received[0]?.body.tool_choice?.name, "record_verdict");
});

Deno.test("an invalid record goes back once with its errors; a second one is an error that says what was wrong", async () => {
  const bad = toolTurn(use("record_it", { title: "", n: "one" }, "bad"));
  const mended = bench([bad, toolTurn(use("record_it", good))], { tools });
  assert.deepEqual((await mended.caller.record(CALL)).value, good);
  const [result] = results(mended.server.received[1]);
  assert.equal(result?.is_error, true);
  assert.match(String(result?.content), /title[\s\S]*|n/);
  await assert.rejects(
    bench([bad, bad], { tools }).caller.record(CALL),
    outputError(/not valid[\s\S]*title/),
  );
});

Deno.test("an invalid record on the last turn still gets its one correction", async () => {
  const { caller, server } = bench([
    toolTurn(use("record_verdict", { winner: "3" })),
    toolTurn(use("record_verdict", { winner: "1" })),
  ], { settings: settingsWith({ thinking: { ...settingsWith().thinking, "ranking.pairwise": 0 } }) });
  assert.equal((await caller.record(VERDICT)).value.winner, "1");
  assert.equal(server.received[1]?.body.tool_choice?.name, "record_verdict");
});

Deno.test("of several records in one answer the first valid one wins", async () => {
  const { caller } = bench([
    toolTurn(
      use("record_it", {}),
      use("record_it", { title: "B", n: 2 }),
      use("record_it", { title: "C", n: 3 }),
    ),
  ], { tools });
  assert.equal((await caller.record(CALL)).value.title, "B");
});

Deno.test("a record that was cut off is asked for again with more room, whatever it looks like", async () => {
  const cut = { content: [use("record_it", good)], stop_reason: "max_tokens" };
  const { caller, server } = bench([cut, toolTurn(use("record_it", { title: "whole", n: 2 }))], { tools });
  assert.equal((await caller.record(CALL)).value.title, "whole");
  const [first, second] = server.received;
  assert.equal(second?.body.max_tokens, (first?.body.max_tokens ?? 0) + 8192);
  assert.equal(second?.body.messages.length, 1, "what was cut is not sent back");
  await assert.rejects(bench([cut, cut], { tools }).caller.record(CALL), outputError(/cut off/));
  const mute = { content: [thinking("for ever")], stop_reason: "max_tokens" };
  await assert.rejects(bench([mute, mute], { tools }).caller.record(CALL), outputError(/cut off/));
});

Deno.test("prose is read where the record can be read from it, else the model is reminded once", async () => {
  const read = bench([{ content: [text("Long thoughts.\nBetter idea: **2**.")] }]);
  assert.equal((await read.caller.record(VERDICT)).value.winner, "2");
  const json = bench([{ content: 'Here it is:\n```json\n{"title": "J", "n": 4}\n```', usage: undefined }], {
    tools,
    settings: settingsWith({ models: { ...settingsWith().models, "generation.literature": "llama" } }),
  });
  assert.equal((await json.caller.record(CALL)).value.title, "J");

  const reminded = bench([{ content: [text("I think so.")] }, toolTurn(use("record_it", good))], { tools });
  await reminded.caller.record(CALL);
  assert.match(String(results(reminded.server.received[1])[0]?.text), /Call the tool record_it/);
  await assert.rejects(
    bench([{ content: [text("So.")] }, { content: [text("So.")] }], { tools }).caller.record(CALL),
    outputError(/prose without a record/),
  );
});

Deno.test("an empty answer, and one of thinking alone, is asked again without being sent back", async () => {
  for (const content of [[], [text(" ")], [thinking("hm")]]) {
    const { caller, server } = bench([{ content }, toolTurn(use("record_it", good))], { tools });
    await caller.record(CALL);
    assert.deepEqual(server.received[1]?.body.messages.map(({ role }) => role), ["user", "user"]);
  }
  await assert.rejects(bench([{}, {}], { tools }).caller.record(CALL), outputError(/empty/));
});

Deno.test("a refusal is an error; a pause is sent back as it is", async () => {
  const refused = bench([{ content: [], stop_reason: "refusal" }], { tools });
  await assert.rejects(refused.caller.record(CALL), outputError(/refused/));
  const pause = [text("One moment.")];
  const paused = bench([{ content: pause, stop_reason: "pause_turn" }, toolTurn(use("record_it", good))], {
    tools,
  });
  await paused.caller.record(CALL);
  assert.deepEqual(paused.server.received[1]?.body.messages[1], { role: "assistant", content: pause });
});

Deno.test("reconsidering gives the record back once per turn left; the last record stands", async () => {
  const asked: string[] = [];
  const reconsider = (value: { title: string }) => {
    asked.push(value.title);
    return Promise.resolve("too near to H1");
  };
  const turn = (title: string) => toolTurn(use("record_it", { title, n: 1 }));
  const { caller, server } = bench([turn("A"), turn("B"), turn("C"), turn("D")], { tools });
  const recorded = await caller.record({ ...CALL, reconsider });
  assert.equal(recorded.value.title, "D");
  assert.deepEqual(asked, ["A", "B", "C"]);
  assert.match(String(results(server.received[1])[0]?.content), /<ERROR>\ntoo near to H1/);

  const once = bench([turn("A"), turn("B")], { tools });
  const other = await once.caller.record({
    ...CALL,
    reconsider: ({ title }) => Promise.resolve(title === "A" ? "no" : null),
  });
  assert.equal(other.value.title, "B");
});

Deno.test("a record that was only to be reconsidered stands when nothing better comes", async () => {
  const first = toolTurn(use("record_it", good));
  const reconsider = () => Promise.resolve("again");
  for (
    const later of [
      [{ status: 400 }],
      [{ content: [], stop_reason: "refusal" }],
      [{ content: [text("no")] }, { content: [text("no")] }],
    ]
  ) {
    const { caller } = bench([first, ...later], { tools });
    assert.deepEqual((await caller.record({ ...CALL, reconsider })).value, good);
  }
});

Deno.test("a research tool that is called when it is not on offer is told so", async () => {
  const { caller, server } = bench([
    toolTurn(use("web_search", { query: "x" })),
    toolTurn(use("record_verdict", { winner: "tie" })),
  ], { tools, settings: settingsWith({ thinking: { ...settingsWith().thinking, "ranking.pairwise": 0 } }) });
  assert.equal((await caller.record(VERDICT)).value.winner, "tie");
  assert.match(String(results(server.received[1])[0]?.content), /No research tools are on offer/);
});

Deno.test("an abort while tools run ends the task and journals nothing of it", async () => {
  const controller = new AbortController();
  const hung: Tool = {
    ...search,
    run: () => {
      controller.abort(new Error("interrupted"));
      return new Promise(() => {});
    },
  };
  const { caller, ledger } = bench([toolTurn(use("web_search", { query: "x" }))], {
    tools: [hung],
    signal: controller.signal,
  });
  await assert.rejects(
    caller.record(CALL),
    (error) => error instanceof CosciError && error.code === "aborted",
  );
  assert.deepEqual([...ledger.journalled.values()].map(({ kind }) => kind), ["model"]);
});
