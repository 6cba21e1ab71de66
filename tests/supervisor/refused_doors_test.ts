/** What `create`, `open` and `list` refuse: said with key, value, nearest and remedy, before a file is made or changed. */
import { DatabaseSync } from "node:sqlite";
import assert from "node:assert/strict";
import { CosciError } from "../../lib/domain/errors.ts";
import { Supervisor } from "../../mod.ts";
import { GOAL, NAME, small, withStore } from "../engine/support/session.ts";
import { assertRefused, filesIn, type Refusal, withFolder } from "./support.ts";

/** One wrong way to make a session, and what is said of it. `{folder}` stands for the folder of the test. */
interface WrongCreate extends Refusal {
  readonly title: string;
  readonly options: unknown;
  readonly environment?: Readonly<Record<string, string>>;
}

const KEY = { ANTHROPIC_API_KEY: "sk-of-the-tests" };
const usd = { budget: { usd: 5 } };

const WRONG_CREATE: readonly WrongCreate[] = [
  {
    title: "no goal",
    options: {},
    code: "input",
    says: ["create: goal", "nothing", "State the research goal"],
  },
  { title: "an empty goal", options: { goal: " \n " }, code: "input", says: ["create: goal", "plain words"] },
  {
    title: "a goal that is no text",
    options: { goal: 5 },
    code: "input",
    says: ["create: goal", "5", "plain words"],
  },
  { title: "nothing at all", options: undefined, code: "input", says: ["create", "nothing", "{ goal:"] },
  { title: "a text for options", options: "a goal", code: "input", says: ["create", '"a goal"', "{ goal:"] },
  {
    title: "an unknown option",
    options: { goal: GOAL, gaol: 1 },
    code: "input",
    says: ['no option "gaol"', 'Did you mean "goal"?', "Options are"],
  },
  {
    title: "an unknown part of the budget",
    options: { goal: GOAL, budget: { usds: 3 } },
    code: "input",
    says: ['"budget.usds"', 'Did you mean "usd"?', /Options are usd, tokens\./],
  },
  {
    title: "a budget of nothing",
    options: { goal: GOAL, budget: { usd: 0 } },
    code: "input",
    says: ["create: budget.usd", "0", "above 0"],
  },
  {
    title: "a budget that is no number",
    options: { goal: GOAL, budget: { usd: NaN } },
    code: "input",
    says: ["create: budget.usd", "above 0"],
  },
  {
    title: "an empty name",
    options: { goal: GOAL, name: " " },
    code: "input",
    says: ["create: name", "1 to 200"],
  },
  {
    title: "preferences that are no text",
    options: { goal: GOAL, preferences: ["oral"] },
    code: "input",
    says: ["create: preferences", "oral", "plain words"],
  },
  {
    title: "a seed of another type",
    options: { goal: GOAL, seed: 1.5 },
    code: "input",
    says: ["create: seed", "1.5", "whole number"],
  },
  {
    title: "a store that is no path",
    options: { goal: GOAL, store: 7 },
    code: "input",
    says: ["create: store", "7", "path of a file"],
  },
  {
    title: "a database that is none",
    options: { goal: GOAL, database: {} },
    code: "input",
    says: ["create: database", "prepare", "DatabaseSync"],
  },
  {
    title: "a fetch that is none",
    options: { goal: GOAL, fetch: 1 },
    code: "input",
    says: ["create: fetch", "1", "function"],
  },
  {
    title: "a clock that is none",
    options: { goal: GOAL, clock: {} },
    code: "input",
    says: ["create: clock", "now", "sleep"],
  },
  {
    title: "an unknown group of settings",
    options: { goal: GOAL, settings: { rankin: {} } },
    code: "input",
    says: ["settings.rankin", 'Did you mean "ranking"?', "Groups are"],
  },
  {
    title: "an unknown setting",
    options: { goal: GOAL, settings: { ranking: { kFactorNw: 40 } } },
    code: "input",
    says: ["settings.ranking.kFactorNw", 'Did you mean "kFactorNew"?', "Settings of"],
  },
  {
    title: "a setting of the wrong type",
    options: { goal: GOAL, settings: { run: { maxIdeas: "many" } } },
    code: "input",
    says: ["settings.run.maxIdeas", '"many"', "number"],
  },
  {
    title: "a setting out of its range",
    options: { goal: GOAL, settings: { run: { keptForEvolution: 2 } } },
    code: "input",
    says: ["settings.run.keptForEvolution", "2", "1"],
  },
  {
    title: "a setting that is none of its words",
    options: { goal: GOAL, settings: { vectors: { index: "hnws" } } },
    code: "input",
    says: ["settings.vectors.index", '"hnws"', 'Did you mean "hnsw"?'],
  },
  {
    title: "an embedder without its key",
    options: { goal: GOAL, settings: { vectors: { embedder: "voyage" } } },
    code: "input",
    says: ["vectors.embedder", '"voyage"', "VOYAGE_API_KEY"],
  },
  {
    title: "an embedder without its address",
    options: { goal: GOAL, settings: { vectors: { embedder: "openai" } } },
    code: "input",
    says: ["vectors.embedder", "vectors.baseUrl"],
  },
  {
    title: "a wrong variable of the environment",
    options: { goal: GOAL },
    environment: { RUN__MAX_IDEA: "5" },
    code: "input",
    says: ["environment variable", "RUN__MAX_IDEA", 'Did you mean "RUN__MAX_IDEAS"?'],
  },
  {
    title: "a wrong value in the environment",
    options: { goal: GOAL },
    environment: { RUN__MAX_IDEAS: "many" },
    code: "input",
    says: ["RUN__MAX_IDEAS", "many"],
  },
  {
    title: "a budget below the smallest call",
    options: { goal: GOAL, budget: { usd: 0.000001 } },
    code: "budget",
    says: ["budget.usd", "0.000001", "smallest overview", "Give more"],
  },
  {
    title: "tokens below the smallest call",
    options: { goal: GOAL, budget: { usd: 5, tokens: 10 } },
    code: "budget",
    says: ["budget.tokens", "10", "smallest overview", "Give more"],
  },
  {
    title: "live models without a budget",
    options: { goal: GOAL, models: "anthropic" },
    environment: KEY,
    code: "input",
    says: ["budget.usd", "live models", "budget: { usd:"],
  },
  {
    title: "a live server without a budget",
    options: { goal: GOAL, models: { baseUrl: "http://127.0.0.1:9/" } },
    code: "input",
    says: ["budget.usd", "live models"],
  },
  {
    title: "live models without a key",
    options: { goal: GOAL, models: "anthropic", ...usd },
    code: "input",
    says: ["models", '"anthropic"', "ANTHROPIC_API_KEY", "simulator"],
  },
  {
    title: "a wrong name of models",
    options: { goal: GOAL, models: "antropic", ...usd },
    code: "input",
    says: ["models", '"antropic"', 'Did you mean "anthropic"?', "simulator, anthropic, current"],
  },
  {
    title: "models of no kind",
    options: { goal: GOAL, models: 3, ...usd },
    code: "input",
    says: ["models", "3", "simulator, anthropic, current", "baseUrl"],
  },
  {
    title: "a server that is no address",
    options: { goal: GOAL, models: { baseUrl: "localhost" }, ...usd },
    code: "input",
    says: ["models.baseUrl", '"localhost"', "http"],
  },
  {
    title: "an unknown key of a server",
    options: { goal: GOAL, models: { baseUrl: "http://127.0.0.1:9/", modle: "m" }, ...usd },
    code: "input",
    says: ["models.modle", 'Did you mean "model"?', "baseUrl, model"],
  },
  {
    title: "an unknown key of a price",
    options: {
      goal: GOAL,
      models: { baseUrl: "http://127.0.0.1:9/", model: "m", price: { inputUsd: 1, outptUsd: 1 } },
      ...usd,
    },
    code: "input",
    says: ["models.price", "outputUsd"],
  },
  {
    title: "a price of no model",
    options: {
      goal: GOAL,
      models: { baseUrl: "http://127.0.0.1:9/", price: { inputUsd: 1, outputUsd: 1 } },
      ...usd,
    },
    code: "input",
    says: ["models.model", "price", "Name the model"],
  },
  {
    title: "a server for an unknown route",
    options: {
      goal: GOAL,
      models: {
        baseUrl: "http://127.0.0.1:9/",
        model: "m",
        routes: { "ranking.pairwse": { baseUrl: "http://127.0.0.1:8/" } },
      },
      ...usd,
    },
    code: "input",
    says: ["models.routes.ranking.pairwse", 'Did you mean "ranking.pairwise"?', "Routes are"],
  },
  {
    title: "a wrong key of a route's server",
    options: {
      goal: GOAL,
      models: { baseUrl: "http://127.0.0.1:9/", model: "m", routes: { ranking: { baseUrl: "nowhere" } } },
      ...usd,
    },
    code: "input",
    says: ["models.routes.ranking.baseUrl", '"nowhere"', "http"],
  },
  {
    title: "a tape of no mode",
    options: { goal: GOAL, tape: { mode: "rewind", path: "t.jsonl" } },
    code: "input",
    says: ["create: tape.mode", '"rewind"', '"record" | "replay"'],
  },
  {
    title: "a tape without a path",
    options: { goal: GOAL, tape: { mode: "replay" } },
    code: "input",
    says: ["create: tape.path", "path"],
  },
  {
    title: "a tape to replay that isn't there",
    options: { goal: GOAL, tape: { mode: "replay", path: "{folder}/none.jsonl" } },
    code: "input",
    says: ["tape", "none.jsonl", "record"],
  },
  {
    title: "a tape to record where no folder is",
    options: { goal: GOAL, tape: { mode: "record", path: "{folder}/none/t.jsonl" } },
    code: "input",
    says: ["tape", "none", "folder"],
  },
  {
    title: "a folder of prompts that isn't there",
    options: { goal: GOAL, promptsFolder: "{folder}/none" },
    code: "input",
    says: ["promptsFolder", "none", "folder"],
  },
  {
    title: "a store in a folder that isn't there",
    options: { goal: GOAL, store: "{folder}/none/cosci.db" },
    code: "store",
    says: ["none/cosci.db", "folder does not exist", "Make the folder"],
  },
  {
    title: "a folder for a store",
    options: { goal: GOAL, store: "{folder}" },
    code: "store",
    says: ["it is no file", "Give the path"],
  },
];

for (const { title, options, environment = {}, ...refusal } of WRONG_CREATE) {
  Deno.test(`create refuses ${title}, and makes no file`, () =>
    withFolder(async (folder) => {
      const text = JSON.stringify(options);
      const given: unknown = text === undefined || text.includes("null")
        ? options
        : JSON.parse(text.replaceAll("{folder}", folder));
      const whole = typeof given === "object" && given !== null
        ? { store: `${folder}/cosci.db`, environment, ...given }
        : given;
      await assertRefused(() => Reflect.apply(Supervisor.create, Supervisor, [whole]), refusal);
      assert.deepEqual(filesIn(folder), []);
    }));
}

Deno.test("create refuses a folder of prompts with a file that is no prompt's, and makes no store", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/prompts`);
    await Deno.writeTextFile(`${folder}/prompts/ranking.pairwse.md`, "Judge.");
    await assertRefused(
      () =>
        Supervisor.create({
          goal: GOAL,
          store: `${folder}/a.db`,
          environment: {},
          promptsFolder: `${folder}/prompts`,
        }),
      { code: "input", says: ["promptsFolder", "ranking.pairwse.md", 'Did you mean "ranking.pairwise"?'] },
    );
    assert.deepEqual(filesIn(folder), ["prompts"]);
  }));

Deno.test("create refuses a folder of prompts with a broken template, and makes no store", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/prompts`);
    const broken: readonly [string, RegExp][] = [
      ["Compare {{ hypothesis_1 ", /Prompt "ranking.pairwise"/],
      [
        "---\ninputs: hypothesis\n---\nCompare {{ hypothesis }}.",
        /"hypothesis".*Did you mean "hypothesis_1"/,
      ],
      [
        "---\ninputs: hypothesis_1\n---\nCompare {{ hypothesis_l }}.",
        /"hypothesis_l".*Did you mean "hypothesis_1"/,
      ],
    ];
    for (const [template, says] of broken) {
      await Deno.writeTextFile(`${folder}/prompts/ranking.pairwise.md`, template);
      await assertRefused(
        () =>
          Supervisor.create({
            goal: GOAL,
            store: `${folder}/a.db`,
            environment: {},
            promptsFolder: `${folder}/prompts`,
          }),
        { code: "prompt", says: [says] },
      );
      assert.deepEqual(filesIn(folder), ["prompts"]);
    }
  }));

Deno.test("create refuses a name that another goal has, and changes nothing", () =>
  withStore(async (store) => {
    await (await Supervisor.create({ goal: GOAL, name: NAME, store, environment: {} })).close();
    const before = await Deno.readFile(store);
    await assertRefused(
      () => Supervisor.create({ goal: "Another one?", name: NAME, store, environment: {} }),
      {
        code: "input",
        says: [`"${NAME}"`, "another goal", GOAL, "Choose another name"],
      },
    );
    assert.deepEqual(await Deno.readFile(store), before);
  }));

Deno.test("a failing create leaves the database that was handed in as it was", async () => {
  const database = new DatabaseSync(":memory:");
  await assertRefused(
    () => Supervisor.create({ goal: GOAL, database, environment: {}, settings: { run: { maxIdeas: 0 } } }),
    { code: "input", says: ["run.maxIdeas"] },
  );
  assert.equal(database.prepare("SELECT count(*) AS n FROM sqlite_master").get()?.["n"], 0);
  database.close();
});

Deno.test("open refuses a store that isn't there, and makes none", () =>
  withFolder(async (folder) => {
    await assertRefused(() => Supervisor.open({ store: `${folder}/none.db`, environment: {} }), {
      code: "input",
      says: ["store", "none.db", "Supervisor.create"],
    });
    await assertRefused(() => Supervisor.list(`${folder}/none.db`), {
      code: "input",
      says: ["store", "none.db", "Supervisor.create"],
    });
    assert.deepEqual(filesIn(folder), []);
  }));

Deno.test("open, create and list refuse a file that is no store, and leave it untouched", () =>
  withFolder(async (folder) => {
    const store = `${folder}/notes.txt`;
    await Deno.writeTextFile(store, "Notes of mine, and no store.");
    const refusal: Refusal = {
      code: "store",
      says: ["notes.txt", "not a SQLite database", "untouched", "another path"],
    };
    await assertRefused(() => Supervisor.open({ store, environment: {} }), refusal);
    await assertRefused(() => Supervisor.create({ goal: GOAL, store, environment: {} }), refusal);
    await assertRefused(() => Supervisor.list(store), refusal);
    assert.equal(await Deno.readTextFile(store), "Notes of mine, and no store.");
    assert.deepEqual(filesIn(folder), ["notes.txt"]);
  }));

Deno.test("open refuses another program's database, and leaves it untouched", () =>
  withFolder(async (folder) => {
    const store = `${folder}/other.db`;
    const other = new DatabaseSync(store);
    other.exec("CREATE TABLE birds (name TEXT)");
    other.close();
    const before = await Deno.readFile(store);
    await assertRefused(() => Supervisor.open({ store, environment: {} }), {
      code: "store",
      says: ["another program", "untouched"],
    });
    await assertRefused(() => Supervisor.list(store), {
      code: "store",
      says: ["another program", "untouched"],
    });
    assert.deepEqual(await Deno.readFile(store), before);
  }));

Deno.test("open names the sessions that there are", () =>
  withStore(async (store) => {
    const make = async (name: string) =>
      await (await Supervisor.create({ goal: GOAL, name, store, environment: {} })).close();
    await make("glow");
    await assertRefused(() => Supervisor.open({ store, session: "glwo", environment: {} }), {
      code: "input",
      says: ["session", '"glwo"', 'Did you mean "glow"?', "Sessions are glow"],
    });
    await make("shine");
    await assertRefused(() => Supervisor.open({ store, environment: {} }), {
      code: "input",
      says: ["several", "glow, shine", "Name one"],
    });
    const before = await Deno.readFile(store);
    await assertRefused(() => Supervisor.open({ store, session: "sun", environment: {} }), {
      code: "input",
      says: ["session", '"sun"', "Sessions are glow, shine"],
    });
    assert.deepEqual(await Deno.readFile(store), before);
  }));

Deno.test("open refuses wrong options with the nearest one", () =>
  withStore(async (store) => {
    await (await Supervisor.create({ goal: GOAL, store, environment: {} })).close();
    const open = (options: unknown) => () => Reflect.apply(Supervisor.open, Supervisor, [options]);
    await assertRefused(open({ store, sesion: "a" }), {
      code: "input",
      says: ['"sesion"', 'Did you mean "session"?'],
    });
    await assertRefused(open({ store, session: 4 }), { code: "input", says: ["open: session", "4", "name"] });
    await assertRefused(open({ store, apiKey: "" }), { code: "input", says: ["open: apiKey", "key"] });
    await assertRefused(open(store), { code: "input", says: ["open", "{ store:"] });
    await assertRefused(open({ store, promptsFolder: `${store}.none`, environment: {} }), {
      code: "input",
      says: ["promptsFolder", "none"],
    });
    await assertRefused(open({ store, tape: { mode: "replay", path: `${store}.none` }, environment: {} }), {
      code: "input",
      says: ["tape", "none"],
    });
    await assertRefused(() => Reflect.apply(Supervisor.list, Supervisor, [5]), {
      code: "input",
      says: ["list", "5", "path"],
    });
  }));

Deno.test("an error of use is an Error with a stable code", async () => {
  const error = await Supervisor.create({ goal: "", environment: {}, settings: small(1) }).catch((thrown) =>
    thrown
  );
  assert.ok(error instanceof CosciError && error instanceof Error);
  assert.deepEqual([error.name, error.code], ["CosciError", "input"]);
});
