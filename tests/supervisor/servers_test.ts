/** Servers of one's own: who is asked, and whose key is sent where. */
import assert from "node:assert/strict";
import { systemClock } from "../../lib/domain/clock.ts";
import { createSimulator, type Simulator } from "../../lib/simulator/server.ts";
import { type CreateOptions, Supervisor } from "../../mod.ts";
import { GOAL, NAME, SEED, SMALL, withStore } from "../engine/support/session.ts";
import { filesIn } from "./support.ts";

const VENDOR = {
  ANTHROPIC_API_KEY: "sk-vendor",
  ANTHROPIC_AUTH_TOKEN: "token-vendor",
  VOYAGE_API_KEY: "pa-1",
  OPENAI_API_KEY: "sk-2",
};
const MAIN = "http://main.test/", JURY = "http://jury.test/";

/** Two servers behind one `fetch`, each with the models that it knows, and what reached them. */
function servers() {
  const asked: { readonly host: string; readonly model: string; readonly headers: Headers }[] = [];
  const known = (model: string): Simulator =>
    createSimulator({ seed: SEED, clock: systemClock, models: { [model]: {} } });
  const at: Readonly<Record<string, Simulator>> = {
    "main.test": known("main-model"),
    "jury.test": known("jury-model"),
    "api.anthropic.com": known("x"),
  };
  const reach: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { host } = new URL(request.url);
    const body: unknown = await request.clone().json();
    asked.push({ host, model: String(Object(body)["model"]), headers: new Headers(request.headers) });
    const server = at[host];
    if (server === undefined) throw new TypeError(`no server at ${host}`);
    return await server.fetch(request);
  };
  return { asked, reach };
}

function options(reach: typeof fetch, models: CreateOptions["models"]): CreateOptions {
  return {
    goal: GOAL,
    name: NAME,
    store: ":memory:",
    settings: SMALL,
    environment: VENDOR,
    budget: { usd: 5 },
    models,
    fetch: reach,
  };
}

/** Everything that was sent besides the bodies. */
const sent = (asked: readonly { readonly headers: Headers }[]) =>
  asked.map(({ headers }) => JSON.stringify([...headers])).join("\n");

Deno.test("the vendor's keys never reach a server of one's own", async () => {
  const { asked, reach } = servers();
  const before = Deno.env.toObject();
  for (const [name, value] of Object.entries(VENDOR)) Deno.env.set(name, value);
  try {
    await using lab = await Supervisor.create(options(reach, { baseUrl: MAIN, model: "main-model" }));
    await lab.runUntil({ hypotheses: 1 });
  } finally {
    for (const name of Object.keys(VENDOR)) {
      const value = before[name];
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  }
  assert.ok(asked.length > 2 && asked.every(({ headers }) => headers.has("authorization")));
  assert.deepEqual(new Set(asked.map(({ host }) => host)), new Set(["main.test"]));
  for (const key of Object.values(VENDOR)) assert.ok(!sent(asked).includes(key), `${key} was sent`);
});

Deno.test("the vendor gets the vendor's key", async () => {
  const { asked, reach } = servers();
  await using lab = await Supervisor.create(options(reach, "anthropic"));
  await lab.tick();
  assert.deepEqual(new Set(asked.map(({ host }) => host)), new Set(["api.anthropic.com"]));
  assert.deepEqual(
    new Set(asked.map(({ headers }) => headers.get("authorization"))),
    new Set(["Bearer sk-vendor"]),
  );
});

Deno.test("a jury judges the matches on its own server; each server gets its own key only", async () => {
  const { asked, reach } = servers();
  await using lab = await Supervisor.create(options(reach, {
    baseUrl: MAIN,
    model: "main-model",
    apiKey: "key-of-main",
    routes: { ranking: { baseUrl: JURY, model: "jury-model", apiKey: "key-of-jury" } },
  }));
  await lab.runUntil({ matches: 2 });
  assert.ok(lab.view().validMatches >= 2);
  const to = (host: string) => asked.filter((request) => request.host === host);
  assert.ok(to("jury.test").length >= 2 && to("main.test").length > 2);
  for (
    const [host, key, model] of [["main.test", "key-of-main", "main-model"], [
      "jury.test",
      "key-of-jury",
      "jury-model",
    ]]
  ) {
    assert.deepEqual(
      new Set(to(host ?? "").map(({ headers }) => headers.get("authorization"))),
      new Set([`Bearer ${key}`]),
    );
    assert.deepEqual(new Set(to(host ?? "").map((request) => request.model)), new Set([model]));
  }
  const judged = lab.transcripts().filter(({ model }) => model === "jury-model");
  assert.ok(judged.length > 0 && judged.every(({ route }) => route.startsWith("ranking.")));
});

Deno.test("a route's server without a key gets none, not even the key of the others", async () => {
  const { asked, reach } = servers();
  await using lab = await Supervisor.create(options(reach, {
    baseUrl: MAIN,
    model: "main-model",
    apiKey: "key-of-main",
    routes: { "parse_goal": { baseUrl: JURY, model: "jury-model" } },
  }));
  await lab.tick();
  const jury = asked.filter(({ host }) => host === "jury.test");
  assert.ok(jury.length > 0);
  for (const key of ["key-of-main", ...Object.values(VENDOR)]) assert.ok(!sent(jury).includes(key));
});

Deno.test("a session keeps its server: a key that is given for another one later doesn't go to it", () =>
  withStore(async (store) => {
    const { asked, reach } = servers();
    const cell = (models: CreateOptions["models"]) => Supervisor.create({ ...options(reach, models), store });
    await (await cell({ baseUrl: MAIN, model: "main-model" })).close();
    await using lab = await cell({ baseUrl: JURY, model: "jury-model", apiKey: "key-of-jury" });
    await lab.tick();
    assert.deepEqual(new Set(asked.map(({ host }) => host)), new Set(["main.test"]));
    assert.ok(!sent(asked).includes("key-of-jury"));
  }));

Deno.test("keys are kept in memory only: a reopened session gets them in words, and no file holds them", () =>
  withStore(async (store, folder) => {
    const { asked, reach } = servers();
    const models = {
      baseUrl: MAIN,
      model: "main-model",
      apiKey: "key-of-main",
      routes: { "parse_goal": { baseUrl: JURY, model: "jury-model", apiKey: "key-of-jury" } },
    };
    const tape = { mode: "record", path: `${folder}/tape.jsonl` } as const;
    const lab = await Supervisor.create({ ...options(reach, models), store, tape });
    await lab.tick();
    await lab.close();
    for (const name of filesIn(folder)) {
      const text = new TextDecoder("latin1").decode(await Deno.readFile(`${folder}/${name}`));
      for (const key of ["key-of-main", "key-of-jury", ...Object.values(VENDOR)]) {
        assert.ok(!text.includes(key), `${name} holds ${key}`);
      }
    }
    asked.length = 0;
    const again = await Supervisor.open({
      store,
      fetch: reach,
      environment: VENDOR,
      apiKey: "key-of-main",
      keys: { [JURY]: "key-of-jury" },
    });
    await again.runUntil({ hypotheses: 1 });
    assert.deepEqual(
      new Set(asked.map(({ headers }) => headers.get("authorization"))),
      new Set(["Bearer key-of-main"]),
    );
    await again.close();
  }));

Deno.test("embeddings go on the tape, and a strict replay asks no embedding server either", () =>
  withStore(async (_, folder) => {
    let embedded = 0;
    const server = createSimulator({ seed: SEED, clock: systemClock, models: { "main-model": {} } });
    const reach: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (!request.url.startsWith("http://embed.test/")) return await server.fetch(request);
      embedded++;
      const body: unknown = await request.json();
      const texts: unknown[] = [Object(body)["input"]].flat();
      return Response.json({
        data: texts.map((text, index) => ({
          index,
          embedding: Array.from(
            { length: 8 },
            (_, i) => Math.sin(String(text).length * (i + 1) + String(text).charCodeAt(i)),
          ),
        })),
        usage: { prompt_tokens: 3, total_tokens: 3 },
      });
    };
    const run = async (mode: "record" | "replay", store: string) => {
      const lab = await Supervisor.create({
        ...options(mode === "record" ? reach : () => Promise.reject(new TypeError("nothing may go out")), {
          baseUrl: MAIN,
          model: "main-model",
        }),
        store,
        settings: {
          ...SMALL,
          vectors: {
            embedder: "openai",
            baseUrl: "http://embed.test/v1",
            model: "e",
            dimensions: 8,
            dedupCosineThreshold: 1,
          },
        },
        tape: { mode, path: `${folder}/tape.jsonl` },
      });
      await lab.runUntil({ hypotheses: 2 });
      const titles = lab.view().hypotheses.map(({ record }) => record.title);
      const failures = lab.events().filter(({ type }) => type === "task_failed");
      await lab.close();
      assert.deepEqual(failures.map(({ payload }) => payload), []);
      return titles;
    };
    const recorded = await run("record", `${folder}/a.db`);
    assert.ok(embedded > 0);
    const before = embedded;
    assert.deepEqual(await run("replay", `${folder}/b.db`), recorded);
    assert.equal(embedded, before);
  }));
