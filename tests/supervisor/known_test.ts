/** What a scientist names as known is told to those who write hypotheses, and a proposal that is it is refused. */
import assert from "node:assert/strict";
import { z } from "zod";
import { systemClock } from "../../lib/domain/clock.ts";
import { fences } from "../../lib/domain/text.ts";
import { fieldExhausted } from "../../lib/engine/next_steps.ts";
import { createSimulator } from "../../lib/simulator/server.ts";
import type { CreateOptions } from "../../lib/supervisor/create_options.ts";
import { Supervisor } from "../../mod.ts";
import { GOAL, SEED, SMALL } from "../engine/support/session.ts";
import { assertRefused, writesOf } from "./support.ts";

const streamed = z.looseObject({
  type: z.string(),
  index: z.number().optional(),
  content_block: z.looseObject({ name: z.string().optional() }).optional(),
  delta: z.looseObject({ partial_json: z.string().optional() }).optional(),
});

/** A streamed answer with other values in what it records as a hypothesis. */
function recording(sse: string, claim: object): string {
  const events = sse.split("\n\n").filter((event) => event.trim() !== "").map((event) => {
    const [head = "", data = ""] = event.split("\ndata: ");
    return { head, data: streamed.parse(JSON.parse(data)) };
  });
  const at = events.find(({ data }) => data.content_block?.name === "record_hypothesis")?.data.index;
  if (at === undefined) return sse;
  const own = events.filter(({ data }) => data.index === at && data.delta?.partial_json !== undefined);
  const input: unknown = JSON.parse(own.map(({ data }) => data.delta?.partial_json ?? "").join(""));
  for (const [i, { data }] of own.entries()) {
    data.delta = {
      ...data.delta,
      partial_json: i === 0 ? JSON.stringify({ ...Object(input), ...claim }) : "",
    };
  }
  return events.map(({ head, data }) => `${head}\ndata: ${JSON.stringify(data)}\n\n`).join("");
}

const message = z.looseObject({
  content: z.array(z.looseObject({ name: z.string().optional(), input: z.unknown() })).optional(),
});

/** The same for an answer that came at once. */
function recordingWhole(json: string, claim: object): string {
  const body = message.parse(JSON.parse(json));
  for (const block of body.content ?? []) {
    if (block.name === "record_hypothesis") block.input = { ...Object(block.input), ...claim };
  }
  return JSON.stringify(body);
}

/** A simulator that, once told so, proposes nothing but this claim. */
function proposing() {
  const simulator = createSimulator({ seed: SEED, clock: systemClock });
  let claim: { title: string; statement: string } | null = null;
  const over: typeof fetch = async (input, init) => {
    const response = await simulator.fetch(input, init);
    if (claim === null) return response;
    const sent = await response.text();
    const body = sent.startsWith("event:") ? recording(sent, claim) : recordingWhole(sent, claim);
    return new Response(body, response);
  };
  return { fetch: over, propose: (what: typeof claim) => (claim = what) };
}

async function open(more: Partial<CreateOptions>): Promise<Supervisor> {
  return await Supervisor.create({
    goal: GOAL,
    name: "known",
    seed: SEED,
    store: ":memory:",
    environment: {},
    settings: SMALL,
    ...more,
  });
}

/** The fences with a tag in what a route's newest call was asked. */
function told(lab: Supervisor, route: string, tag: string): string[] {
  const call = lab.transcripts().filter((each) => each.route.startsWith(route)).at(-1);
  assert.ok(call !== undefined, `no call of ${route}`);
  const request = z.looseObject({
    system: z.array(z.looseObject({ text: z.string() })),
    messages: z.array(z.looseObject({ content: z.unknown() })),
  }).parse(JSON.parse(lab.transcript(call.n).request));
  const text = [...request.system.map((block) => block.text), JSON.stringify(request.messages)].join("\n");
  return fences(text).filter((each) => each.tag === tag).map((each) => each.text);
}

Deno.test("known ideas stand in the requests of generation and evolution, and in no judge's or reviewer's", async () => {
  await using lab = await open({
    known: ["glowvandis + lumenmork", "Cells glow because they are warm and well fed."],
  });
  await lab.runUntil({ matches: 2 });
  await lab.evolve("combine");
  for (const route of ["generation", "evolution"]) {
    const [known] = told(lab, route, "KNOWN");
    assert.match(known ?? "", /^- glowvandis \+ lumenmork\n- Cells glow because/, route);
  }
  for (const route of ["reflection", "ranking"]) assert.deepEqual(told(lab, route, "KNOWN"), [], route);
  assert.deepEqual(lab.settings.find(({ path }) => path === "scope.known")?.by, "create");
});

Deno.test("more known ideas than a prompt holds are counted, and checked all the same", async () => {
  const { fetch, propose } = proposing();
  const known = Array.from({ length: 400 }, (_, i) => `glowvandis number${i} + lumenmork number${i}`);
  await using lab = await open({ known, fetch });
  await lab.tick();
  propose({ title: "Lumenmork number399 with glowvandis number399", statement: "It glows." });
  await lab.generate(1);
  const [block = ""] = told(lab, "generation", "KNOWN");
  assert.match(block, /\((\d+) more are not shown; proposals are checked against them all the same\.\)$/);
  assert.ok(block.length < 6200);
  assert.equal(
    lab.view().duplicates.at(-1)?.duplicateOf,
    "known: glowvandis number399 + lumenmork number399",
  );
});

Deno.test("a proposal that is a known idea is given back once, and refused as a duplicate if it stays", async () => {
  const { fetch, propose } = proposing();
  await using lab = await open({ known: ["glowvandis + lumenmork"], fetch });
  await lab.tick();
  propose({
    title: "Lumenmork with glowvandis makes cells glow",
    statement: "Both together make them glow.",
  });
  const run = await lab.generate(1);
  assert.equal(run.tasks.generate, 1);
  const view = lab.view();
  assert.equal(view.hypotheses.length, 0);
  const [duplicate] = view.duplicates;
  assert.equal(duplicate?.duplicateOf, "known: glowvandis + lumenmork");
  assert.equal(duplicate?.cosine, 1);
  const calls = lab.transcripts().filter(({ route }) => route.startsWith("generation."));
  assert.ok(
    calls.some(({ n }) =>
      lab.transcript(n).request.includes("that the researcher knows or has tested already:")
    ),
    "the model was told before it was refused",
  );
  const event = lab.events().find(({ type }) => type === "hypothesis_duplicate");
  assert.equal(event?.payload["of"], "known: glowvandis + lumenmork");
  assert.match(String(lab.inspect()), /1 duplicate refused \(1 known before\)/);
});

Deno.test("with a third partner it is another idea, and enters", async () => {
  const { fetch, propose } = proposing();
  await using lab = await open({ known: ["glowvandis + lumenmork"], fetch });
  await lab.tick();
  propose({
    title: "Glowvandis, lumenmork and dimquade make cells glow",
    statement: "All three are needed.",
  });
  await lab.generate(1);
  assert.equal(lab.view().hypotheses.length, 1);
});

Deno.test("a known sentence is found by its embedding, with the cosine that was measured", async () => {
  const { fetch, propose } = proposing();
  const known = "Cells glow because their lumenmork pathway is warmed by glowvandis under stress";
  const vectors = { ...SMALL.vectors, dedupCosineThreshold: 0.6 };
  await using lab = await open({ known: [known], fetch, settings: { ...SMALL, vectors } });
  await lab.tick();
  // Two words of weight are others: too many to be known by its words, few enough for its vector.
  propose({
    title: "Warmth",
    statement: "Cells glow because their lumenmork pathway is heated by glowvandis under load",
  });
  await lab.generate(1);
  const [duplicate] = lab.view().duplicates;
  assert.equal(duplicate?.duplicateOf, `known: ${known}`);
  assert.ok(duplicate.cosine >= 0.6 && duplicate.cosine < 1, String(duplicate.cosine));
});

Deno.test("what becomes known in the middle holds from then on; nothing but known ideas exhausts the field", async () => {
  const { fetch, propose } = proposing();
  await using lab = await open({ fetch });
  await lab.tick();
  propose({
    title: "Lumenmork with glowvandis makes cells glow",
    statement: "Both together make them glow.",
  });
  await lab.generate(1);
  assert.equal(lab.view().hypotheses.length, 1);
  propose({
    title: "Quelbarn with dimholt makes cells glow",
    statement: "Both make cells shine when it is dark.",
  });
  lab.configure({ scope: { known: ["quelbarn + dimholt"] } });
  await lab.generate(5);
  const view = lab.view();
  assert.equal(view.hypotheses.length, 1);
  assert.deepEqual(
    view.duplicates.map(({ duplicateOf }) => duplicateOf),
    Array(5).fill("known: quelbarn + dimholt"),
  );
  assert.ok(fieldExhausted(view));
});

Deno.test("the same seed with what it proposed first as known: it proposes something else", async () => {
  await using first = await open({});
  await first.runUntil({ hypotheses: 1 });
  const title = first.view().hypotheses[0]?.record.title ?? "";
  const names = title.match(/\b[a-z]+(?:vandis|drume|lorve|quiss|rast|queld|mork|thave)\b/gi) ?? [];
  assert.ok(names.length >= 2, title);
  await using second = await open({ known: [names.slice(0, 2).join(" + ")] });
  await second.runUntil({ hypotheses: 1 });
  assert.notEqual(second.view().hypotheses[0]?.record.title, title);
});

Deno.test("wrong known ideas are refused before anything is written", async () => {
  await assertRefused(() => open({ known: ["ok idea", "x"] }), {
    code: "input",
    says: ["create: known.1", '"x"', "2 to 500 characters"],
  });
  // @ts-expect-error a text instead of a list
  await assertRefused(() => open({ known: "venetoclax" }), {
    code: "input",
    says: ["create: known", "Give a list"],
  });
  await using lab = await open({});
  const before = writesOf(lab);
  await assertRefused(() => lab.configure({ scope: { known: ["x"] } }), {
    code: "input",
    says: ["scope.known"],
  });
  assert.deepEqual(writesOf(lab), before);
});

Deno.test("a person's own hypothesis that is a known idea is not entered unless forced", async () => {
  await using lab = await open({ known: ["glowvandis + lumenmork"] });
  const text = "Lumenmork with glowvandis makes cells glow.";
  const refused = await lab.addHypothesis(text, { author: "Ada" });
  assert.deepEqual([refused.accepted, refused.duplicateOf], [false, "known: glowvandis + lumenmork"]);
  assert.match(String(refused), /It is known: glowvandis \+ lumenmork/);
  assert.equal(lab.view().hypotheses.length, 0);
  const forced = await lab.addHypothesis(text, { author: "Ada", force: true });
  assert.equal(forced.label, "H1");
});
