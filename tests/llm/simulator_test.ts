import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CosciError } from "../../lib/domain/errors.ts";
import { recordHypothesis, recordVerdict } from "../../lib/domain/drafts.ts";
import { fence, hypothesisText } from "../../lib/domain/text.ts";
import { applyPatch } from "../../lib/config/patch.ts";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import { chainOf } from "../../lib/llm/afford.ts";
import { createCaller } from "../../lib/llm/caller.ts";
import { createModelClient } from "../../lib/llm/client.ts";
import { groundCitations } from "../../lib/llm/grounding.ts";
import { PRESETS } from "../../lib/llm/models.ts";
import { PromptLibrary } from "../../lib/llm/prompts.ts";
import { researchTools } from "../../lib/llm/research_tools.ts";
import { screenText } from "../../lib/llm/screen.ts";
import { tapeFetch } from "../../lib/net/tape.ts";
import { ROUTES } from "../../lib/domain/agent.ts";
import type { Fault, FaultPlan } from "../../lib/simulator/faults.ts";
import { createSimulator } from "../../lib/simulator/server.ts";
import { FakeClock, MemoryLedger, PROVIDER, settingsWith } from "./support.ts";

const prompts = await PromptLibrary.load(new URL("../../prompts/", import.meta.url));
const GOAL = "Which approved drugs could be repurposed for acute myeloid leukaemia?";
const session = {
  goal: fence("GOAL", GOAL),
  plan: "",
  known: "",
  criteria: "",
  feedback: "",
  directives: [],
};

/** A caller over the simulator, with all routes on one model where one is named. */
function offline(
  model?: string,
  fetchOver: (inner: typeof fetch) => typeof fetch = (inner) => inner,
  faults: FaultPlan = { rules: [] },
) {
  const clock = new FakeClock();
  const simulator = createSimulator({ seed: "s", clock, faults });
  const literature = simulator.literatureFor(GOAL);
  const ledger = new MemoryLedger();
  const models = model === undefined ? {} : Object.fromEntries(ROUTES.map((route) => [route, model]));
  const settings = applyPatch(DEFAULT_SETTINGS, { models });
  const tools = researchTools({
    search: (tool, query, limit) =>
      Promise.resolve(
        literature.search(tool, query, limit)
          .map(({ url, title, abstract, year }) => ({ url, title, text: abstract, year })),
      ),
    fetch: (url) => {
      const page = literature.fetch(url);
      return page === null
        ? Promise.reject(new Error(`There is nothing at ${url}`))
        : Promise.resolve({ url, ...page });
    },
  }, settings.toolLoop.searchResults);
  const caller = createCaller({
    task: { key: "generate 1", id: "tsk_1" },
    ordinalBase: 0,
    revision: 0,
    settings,
    provider: PROVIDER,
    prompts,
    ledger,
    client: createModelClient({
      baseUrl: "http://simulator",
      apiKey: null,
      clock,
      fetch: fetchOver((input, init) => simulator.fetch(input, init)),
    }),
    tools,
    clock,
    seed: "s",
    signal: new AbortController().signal,
  });
  return { caller, simulator, ledger, settings };
}

const generate = (caller: ReturnType<typeof offline>["caller"]) =>
  caller.record({
    route: "generation.literature",
    prompt: "generation.literature",
    variables: { angle: "resistance", differ_from: "" },
    session,
    record: recordHypothesis,
    tools: ["web_search", "pubmed_search", "web_fetch"],
    maxTurns: 8,
  });

Deno.test("every model of both presets works through the whole loop; nothing is refused, nothing costs more than reserved", async () => {
  for (const model of Object.values(PRESETS).flatMap((preset) => Object.values(preset))) {
    const { caller, simulator, ledger } = offline(model);
    const { value, seen } = await generate(caller);
    const { kept, dropped } = groundCitations(value.citations, seen);
    assert.ok(seen.length > 0, model);
    assert.equal(dropped.length, 0);
    assert.equal(
      kept.filter(({ excerpt }) => excerpt !== undefined).length,
      value.citations.filter(({ excerpt }) => excerpt !== undefined).length,
    );
    const text = hypothesisText({
      ...value,
      anticipatedOutcomes: value.anticipated_outcomes,
      noveltyArgument: value.novelty_argument,
    });
    const shown = {
      hypothesis_1: fence("HYPOTHESIS", text),
      evidence_1: "",
      reviews_1: "",
      hypothesis_2: fence("HYPOTHESIS", text),
      evidence_2: "",
      reviews_2: "",
    };
    const verdict = await caller.record({
      route: "ranking.pairwise",
      prompt: "ranking.pairwise",
      variables: shown,
      session,
      record: recordVerdict,
      tools: [],
      maxTurns: 1,
    });
    assert.match(verdict.value.winner, /^(1|2|tie)$/);
    const screened = await screenText(caller, settingsWith().safety, "hyp_1", text);
    assert.notEqual(screened.result, "failed", screened.rationale);

    for (const request of simulator.requests()) assert.equal(request.status, 200, JSON.stringify(request));
    for (const { reservation, settlement } of ledger.settled) {
      assert.ok(settlement.microUsd <= reservation.microUsd);
      assert.ok(settlement.inputTokens + settlement.outputTokens <= reservation.tokens);
    }
    assert.equal(ledger.spent, simulator.billed().microUsd);
  }
});

Deno.test("a recorded session replays to the same records and the same cost, without the simulator", async () => {
  const dir = await mkdtemp(join(tmpdir(), "replay-"));
  try {
    const path = join(dir, "run.tape");
    const live = offline(undefined, (next) => tapeFetch({ mode: "record", path, next, secrets: [] }));
    const first = await generate(live.caller);
    const replayed = offline(
      undefined,
      () => tapeFetch({ mode: "replay", path, next: () => assert.fail("went out"), secrets: [] }),
    );
    assert.deepEqual(await generate(replayed.caller), first);
    assert.equal(replayed.ledger.spent, live.ledger.spent);
    assert.equal(replayed.simulator.requests().length, 0);
  } finally {
    await rm(dir, { recursive: true });
  }
});

const FAULTS: readonly Fault[] = [
  { kind: "status", status: 408 },
  { kind: "status", status: 429, retryAfterSeconds: 2 },
  { kind: "status", status: 500 },
  { kind: "status", status: 529 },
  { kind: "status", status: 404 },
  { kind: "reset" },
  { kind: "reset", billed: true },
  { kind: "malformed_json" },
  { kind: "truncated_tool" },
  { kind: "pause_turn" },
  { kind: "unknown_tool" },
  { kind: "wrong_arguments" },
  { kind: "empty" },
  { kind: "invented_citations" },
  { kind: "prose_instead_of_tool" },
  { kind: "refusal" },
];

Deno.test("one fault of any kind at any call still ends in a record; the ledger never shows less than was billed", async () => {
  for (const model of ["claude-opus-4-7", "claude-haiku-4-5-20251001", "claude-opus-5-5"]) {
    for (const fault of FAULTS) {
      for (const call of [1, 2, 3]) {
        const { caller, simulator, ledger } = offline(model, undefined, {
          rules: [{ fault, calls: [call] }],
        });
        const where = `${model} ${JSON.stringify(fault)} at ${call}`;
        try {
          const { value, seen } = await generate(caller);
          const { kept } = groundCitations(value.citations, seen);
          assert.ok(kept.every(({ url }) => seen.some((source) => source.url === url)), where);
          assert.ok(fault.kind !== "refusal" || simulator.requests().length < call, where);
        } catch (error) {
          // A refusal can't be mended, and the last model of a chain has none to stand in for it.
          const honest = error instanceof CosciError &&
            ((fault.kind === "refusal" && error.code === "output") ||
              (fault.kind === "status" && fault.status === 404 && error.code === "provider" &&
                chainOf(model).length === 1));
          assert.ok(honest, `${where}: ${error}`);
        }
        assert.ok(ledger.spent >= simulator.billed().microUsd, where);
        assert.equal(ledger.open.size, 0, where);
        for (const { status, error } of simulator.requests()) {
          assert.notEqual(status, 400, `${where}: ${error}`);
        }
      }
    }
  }
});
