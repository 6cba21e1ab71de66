/** What `create`, `open` and `list` give: the same cell twice, names, stores, settings from everywhere, remarks. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { ROUTES } from "../../lib/domain/agent.ts";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import { PRESETS } from "../../lib/llm/models.ts";
import { type CreateOptions, Supervisor } from "../../mod.ts";
import { GOAL, NAME, SMALL, withStore } from "../engine/support/session.ts";
import { filesIn, withFolder, writesOf } from "./support.ts";

const inMemory = (options: Partial<CreateOptions> = {}) =>
  Supervisor.create({ goal: GOAL, store: ":memory:", environment: {}, ...options });

Deno.test("the same create cell run twice opens the session, writes nothing and has nothing to remark", () =>
  withStore(async (store) => {
    const cell = () =>
      Supervisor.create({
        goal: GOAL,
        name: NAME,
        preferences: "cheap ones",
        seed: 7,
        store,
        settings: SMALL,
        budget: { usd: 3, tokens: 1_000_000 },
        environment: { RANKING__K_FACTOR_NEW: "40" },
      });
    const first = await cell();
    assert.deepEqual(first.notes, []);
    await first.tick();
    const before = writesOf(first);
    const second = await cell();
    assert.deepEqual(second.notes, []);
    assert.equal(second.view().session.id, first.view().session.id);
    assert.deepEqual({ ...writesOf(second), changes: 0 }, { ...before, changes: 0 });
    await second.close();
    await first.close();
  }));

Deno.test("a create that says something else opens the session as it is, and remarks on each difference", () =>
  withStore(async (store) => {
    await (await Supervisor.create({ goal: GOAL, name: NAME, store, environment: {} })).close();
    const notesOf = async (options: Partial<CreateOptions>) => {
      const lab = await Supervisor.create({ goal: GOAL, name: NAME, store, environment: {}, ...options });
      const { notes } = lab;
      assert.equal(lab.view().session.mode, "simulator");
      assert.deepEqual(lab.view().settings, DEFAULT_SETTINGS);
      await lab.close();
      return notes;
    };
    const only = (notes: readonly string[], says: RegExp) => {
      assert.equal(notes.length, 1, notes.join("\n"));
      assert.match(notes[0] ?? "", says);
    };
    assert.deepEqual(await notesOf({}), []);
    only(await notesOf({ settings: { ranking: { kFactorNew: 40 } } }), /Settings .* differ.*lab\.configure/);
    only(await notesOf({ budget: { usd: 3 } }), /Settings .* differ.*lab\.configure/);
    only(await notesOf({ preferences: "oral" }), /keeps the preferences/);
    only(await notesOf({ seed: "another" }), /keeps its seed/);
    const live = await notesOf({
      models: { baseUrl: "http://127.0.0.1:9/", model: "m" },
      budget: { usd: 25 },
    });
    assert.match(live.join("\n"), /keeps its models \(simulator\)/);
  }));

Deno.test("a session of one server remarks on another one, also where only a route's differs", () =>
  withStore(async (store) => {
    const server = { baseUrl: "http://127.0.0.1:9/", model: "m", price: { inputUsd: 1, outputUsd: 2 } };
    const cell = (models: CreateOptions["models"]) =>
      Supervisor.create({ goal: GOAL, name: NAME, store, environment: {}, budget: { usd: 3 }, models });
    await (await cell(server)).close();
    const same = await cell({ ...server });
    assert.deepEqual(same.notes, []);
    await same.close();
    const jury = await cell({ ...server, routes: { ranking: { baseUrl: "http://127.0.0.1:8/" } } });
    assert.match(jury.notes.join("\n"), /keeps its models/);
    await jury.close();
  }));

Deno.test("without a name, one is made from the goal; other preferences or models make another session", async () => {
  const nameOf = async (options: Partial<CreateOptions>) => {
    const lab = await inMemory(options);
    const { name } = lab;
    await lab.close();
    return name;
  };
  const name = await nameOf({});
  assert.match(name, /^what makes invented cells glow [0-9a-f]{6}$/);
  assert.equal(await nameOf({}), name);
  assert.notEqual(await nameOf({ preferences: "cheap ones" }), name);
  assert.notEqual(
    await nameOf({ models: { baseUrl: "http://127.0.0.1:9/", model: "m" }, budget: { usd: 3 } }),
    name,
  );
  assert.match(
    await nameOf({ goal: "/etc/passwd ../../../\u0000 Größe?" }),
    /^etc passwd größe [0-9a-f]{6}$/,
  );
});

Deno.test("without a store, it is cosci.db where the notebook is", () =>
  withFolder(async (folder) => {
    const before = Deno.cwd();
    Deno.chdir(folder);
    try {
      const lab = await Supervisor.create({ goal: GOAL, environment: {} });
      assert.ok(filesIn(folder).includes("cosci.db"));
      await lab.close();
      const again = await Supervisor.open({ environment: {} });
      assert.equal(again.view().session.goal, GOAL);
      await again.close();
      assert.equal(Supervisor.list("cosci.db").length, 1);
    } finally {
      Deno.chdir(before);
    }
  }));

Deno.test("a database that is handed in serves as the store", async () => {
  const database = new DatabaseSync(":memory:");
  const lab = await Supervisor.create({ goal: GOAL, name: NAME, database, environment: {}, settings: SMALL });
  await lab.runUntil({ matches: 1 });
  assert.equal(database.prepare("SELECT name FROM sessions").get()?.["name"], NAME);
  const other = await Supervisor.open({ database, environment: {} });
  assert.equal(other.view().validMatches, 1);
  await lab.close();
});

Deno.test("the environment sets settings; what a call says wins over it, and the budget over both", async () => {
  const environment = { RUN__MAX_IDEAS: "9", RUN__BUDGET_USD: "4", RANKING__ORDER: "fixed", PATH: "/bin" };
  const lab = await inMemory({ environment, settings: { ranking: { order: "coin" } } });
  const { run, ranking } = lab.view().settings;
  assert.deepEqual([run.maxIdeas, run.budgetUsd, ranking.order], [9, 4, "coin"]);
  await lab.close();
  const rich = await inMemory({ environment, settings: { run: { budgetUsd: 5 } }, budget: { usd: 6 } });
  assert.equal(rich.view().settings.run.budgetUsd, 6);
  await rich.close();
});

Deno.test("the .env beside the store is read", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/.env`, "RUN__MAX_IDEAS=11\n");
    const lab = await Supervisor.create({ goal: GOAL, store: `${folder}/a.db` });
    assert.equal(lab.view().settings.run.maxIdeas, 11);
    await lab.close();
  }));

Deno.test("LLM__MAIN_MODEL is every route's model for live models, and nothing to a simulated session", async () => {
  const environment = { LLM__MAIN_MODEL: "claude-haiku-4-5-20251001", ANTHROPIC_API_KEY: "sk-1" };
  const simulated = await inMemory({ environment });
  assert.deepEqual(simulated.view().settings.models, DEFAULT_SETTINGS.models);
  await simulated.close();
  const live = await inMemory({ environment, models: "anthropic", budget: { usd: 3 } });
  assert.deepEqual(
    new Set(Object.values(live.view().settings.models)),
    new Set([environment.LLM__MAIN_MODEL]),
  );
  await live.close();
});

Deno.test("a key in the environment alone changes nothing, and is mentioned without being shown", async () => {
  const key = "sk-ant-secret-of-the-tests";
  const [plain, keyed] = [await inMemory(), await inMemory({ environment: { ANTHROPIC_API_KEY: key } })];
  const of = (lab: Supervisor) => {
    const { id: _, createdAt: __, ...session } = lab.view().session;
    return session;
  };
  assert.deepEqual(of(keyed), of(plain));
  assert.notEqual(keyed.simulator, null);
  assert.deepEqual(plain.notes, []);
  assert.match(keyed.notes.join("\n"), /A key .* is in the environment; this session doesn't use it/);
  assert.ok(!keyed.notes.join("\n").includes(key));
  await plain.close();
  await keyed.close();
});

Deno.test("the current preset gives every route the current model of the seed's strength", async () => {
  const environment = { ANTHROPIC_API_KEY: "sk-1" };
  const lab = await inMemory({ environment, models: "current", budget: { usd: 3 } });
  const { models } = lab.view().settings;
  const strengthOf = (preset: "seed" | "current", model: string) =>
    Object.entries(PRESETS[preset]).find(([, name]) => name === model)?.[0];
  for (const route of ROUTES) {
    const strength = strengthOf("current", models[route]);
    assert.ok(strength !== undefined, `${route}: ${models[route]}`);
    assert.equal(strength, strengthOf("seed", DEFAULT_SETTINGS.models[route]), route);
  }
  assert.equal(lab.simulator, null);
  await lab.close();
});

Deno.test("a created session waits: nothing has run, nothing is spent, nobody was called", async () => {
  let calls = 0;
  const lab = await inMemory({
    fetch: () => {
      calls++;
      return Promise.reject(new TypeError("no network in this test"));
    },
  });
  assert.equal(lab.inspect().status, "created");
  assert.deepEqual([calls, lab.cost().total.usd], [0, 0]);
  await lab.close();
});

Deno.test("list tells what is in a store, and displays itself", () =>
  withStore(async (store) => {
    const lab = await Supervisor.create({ goal: GOAL, name: NAME, store, settings: SMALL, environment: {} });
    await lab.runUntil({ matches: 1 });
    await lab.close();
    const sessions = Supervisor.list(store);
    assert.deepEqual(
      sessions.map(({ name, goal, status, simulated, matches }) => ({
        name,
        goal,
        status,
        simulated,
        matches,
      })),
      [{ name: NAME, goal: GOAL, status: "running", simulated: true, matches: 1 }],
    );
    assert.match(String(sessions), /SIMULATED/);
  }));
