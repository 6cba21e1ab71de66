import { resolve } from "node:path";
import type { Agent } from "../domain/agent.ts";
import { type Clock, systemClock } from "../domain/clock.ts";
import { CosciError, inputError } from "../domain/errors.ts";
import { canonicalJson, hashOf } from "../domain/ids.ts";
import { clip, oneLine } from "../domain/text.ts";
import { environmentVariables, readEnvironment } from "../config/environment.ts";
import { applyPatch, mergePatches } from "../config/patch.ts";
import { DEFAULT_SETTINGS, type Settings, type SettingsPatch } from "../config/settings.ts";
import { taskEntry } from "../engine/new_task.ts";
import { PromptFolder } from "../llm/prompt_folder.ts";
import { PromptLibrary } from "../llm/prompts.ts";
import type { SessionRow } from "../notebook/displays/sessions.ts";
import type { Comparison } from "../notebook/values/comparison.ts";
import { withOutcome } from "../notebook/forgotten_await.ts";
import { SessionList } from "../notebook/values/session_list.ts";
import { Store } from "../store/store.ts";
import type { SessionRecord, View } from "../store/view.ts";
import { type CompareOptions, compareSessions, requireComparable } from "./compare.ts";
import {
  type CreateOptions,
  type OpenOptions,
  readCreateOptions,
  readOpenOptions,
  type StoreOptions,
} from "./create_options.ts";
import { sessionRatings } from "../tournament/session_ratings.ts";
import { type Models, readModels } from "./models.ts";
import { requireOverviewBudget } from "./overview_budget.ts";
import { embedderFor } from "./embedders.ts";
import { readPrompts } from "./read_prompts.ts";
import { openServices, type Tape } from "./services.ts";
import { SupervisorHandle } from "./supervisor.ts";

/** What the supervisor is put together from: handed in, because agents stand below it in the house. */
export interface Household {
  /** Who does which work. */
  readonly agents: readonly Agent<View>[];
  /** The folder of the shipped prompts. */
  readonly prompts: URL;
}

/** The ways to a supervisor. */
export interface Doors {
  /**
   * Makes a session, or opens the one of that name. Spends nothing and calls nobody.
   *
   * @example The first steps
   * ```ts
   * import assert from "node:assert/strict";
   * import { Supervisor } from "cosci";
   *
   * await using lab = await Supervisor.create({ goal: "What makes fireflies glow?", store: ":memory:" });
   * assert.equal(lab.inspect().status, "created");
   * const { ran } = await lab.tick();
   * assert.equal(ran[0]?.action, "parse_goal");
   * ```
   *
   * @throws CosciError `input` for a wrong option, `budget` for one that allows no overview; before anything is written
   */
  create(options: CreateOptions): Promise<SupervisorHandle>;
  /** Opens a session. @throws CosciError `input` where there is none of that name, or the store is missing */
  open(options: OpenOptions): Promise<SupervisorHandle>;
  /** The sessions of a store, oldest first. @throws CosciError `input` where there is no store */
  list(store: string): SessionList;
  /**
   * Sessions of one goal side by side, such as a session and its forks: leaderboards, what they share and how its places
   * moved, what each has of its own, costs, and all that differs. With `crossMatches` the best of each two play against each
   * other first, in a session of their own.
   *
   * @throws CosciError `input` for fewer than two sessions, one that is named twice, or different goals
   */
  compare(
    sessions: readonly (SupervisorHandle | OpenOptions)[],
    options?: CompareOptions,
  ): Promise<Comparison>;
}

/** The doors of a household. */
export function doorsOf(house: Household): Doors {
  let shipped: Promise<PromptLibrary> | null = null;

  /** The shipped prompts, and the folder of the person's own; that one is checked here, before anything is written. */
  const promptsFor = async (folder: string | undefined) => {
    shipped ??= PromptLibrary.shipped(house.prompts);
    const prompts = await shipped;
    if (folder === undefined) return { prompts };
    await requirePromptFolder(prompts, folder);
    return { prompts, promptFolder: new PromptFolder(resolve(folder)) };
  };

  const handle = async (
    store: Store,
    session: SessionRecord,
    options: StoreOptions,
    keys: Pick<Models, "apiKey" | "keys">,
    variables: Readonly<Record<string, string>>,
    notes: readonly string[],
  ): Promise<SupervisorHandle> => {
    const services = openServices(session, {
      agents: house.agents,
      ...await promptsFor(options.promptsFolder),
      clock: options.clock ?? systemClock,
      credentials: readEnvironment(variables).credentials,
      ...keys,
      fetch: options.fetch,
      tape: options.tape,
    });
    // A long session is read here, so that looking at it is quick from the first time on.
    store.view(session.id);
    return new SupervisorHandle(store, session, services, notes, options.progress);
  };

  const doors: Doors = {
    async create(given) {
      const options = readCreateOptions(given);
      const variables = options.environment ?? await environmentVariables(folderOf(options.store));
      const { patch: fromEnvironment, mainModel, credentials } = readEnvironment(variables);
      const models = readModels(options.models, mainModel);
      const settings = settingsFor(options, models, fromEnvironment);
      requireBudget(options, models, settings);
      requireKey(options, models, credentials.anthropicApiKey);
      // What is wrong with the outside must be said before the session is written.
      embedderFor(settings.vectors, credentials, options.fetch ?? globalThis.fetch);
      requireTape(options.tape);
      await promptsFor(options.promptsFolder);
      const goal = options.goal.trim();
      const name = options.name?.trim() ?? nameFor(goal, options.preferences ?? "", models.provider.name);
      const store = openStore(options);
      try {
        const known = store.findSession(name);
        const session = known ?? begin(store, {
          name,
          goal,
          preferences: options.preferences?.trim() ?? "",
          seed: String(options.seed ?? hashOf("seed", goal).slice(0, 12)),
          mode: models.mode,
          provider: models.provider,
          settings,
          parentId: null,
          parentSeq: 0,
        });
        const notes = differences(
          session,
          goal,
          options.preferences ?? "",
          models,
          settings,
          options.seed,
          store,
        );
        if (models.mode === "simulator" && credentials.anthropicApiKey !== undefined) {
          notes.push(
            'A key for live models is in the environment; this session doesn\'t use it (models: "anthropic" would).',
          );
        }
        // A session keeps its server: a key that was given for another one must not go there.
        const keys = session.provider.baseUrl === models.provider.baseUrl && session.mode === models.mode
          ? models
          : { apiKey: null, keys: models.keys };
        return await handle(store, session, options, keys, variables, notes);
      } catch (error) {
        store.close();
        throw error;
      }
    },

    async open(given) {
      const options = readOpenOptions(given);
      if (options.database === undefined) requireStore("open: store", options.store ?? DEFAULT_STORE);
      requireTape(options.tape);
      const variables = options.environment ?? await environmentVariables(folderOf(options.store));
      const store = openStore(options);
      try {
        const session = find(store, options.session);
        return await handle(
          store,
          session,
          options,
          { apiKey: options.apiKey ?? null, keys: new Map(Object.entries(options.keys ?? {})) },
          variables,
          [],
        );
      } catch (error) {
        store.close();
        throw error;
      }
    },

    list(path) {
      requireStore("list: store", path);
      const store = new Store({ database: path, ratings: sessionRatings });
      try {
        const sessions = store.sessions();
        const rows = sessions.map((session): SessionRow => {
          const view = store.view(session.id);
          return {
            name: session.name,
            goal: session.goal,
            status: view.status,
            simulated: session.mode === "simulator",
            seq: view.seq,
            hypotheses: view.hypotheses.length,
            matches: view.validMatches,
            usd: view.cost.microUsd / 1e6,
            createdAt: session.createdAt,
            parent: sessions.find(({ id }) => id === session.parentId)?.name ?? null,
          };
        });
        return new SessionList({ store: store.name, rows });
      } finally {
        store.close();
      }
    },

    async compare(sessions, options = {}) {
      requireComparable(sessions, options);
      const opened: SupervisorHandle[] = [];
      try {
        const labs: SupervisorHandle[] = [];
        for (const session of sessions) {
          if (session instanceof SupervisorHandle) {
            labs.push(session);
            continue;
          }
          const lab = await doors.open(session);
          opened.push(lab);
          labs.push(lab);
        }
        return await compareSessions(labs, options);
      } finally {
        for (const lab of opened) await lab.close();
      }
    },
  };
  return {
    create: (options) => withOutcome(doors.create(options)),
    open: (options) => withOutcome(doors.open(options)),
    list: (store) => doors.list(store),
    compare: (sessions, options) => withOutcome(doors.compare(sessions, options)),
  };
}

/** The store's file where none is named: beside the notebook. */
const DEFAULT_STORE = "cosci.db";

function openStore(options: StoreOptions): Store {
  const clock: Clock | undefined = options.clock;
  return new Store({
    database: options.database ?? options.store ?? DEFAULT_STORE,
    clock,
    ratings: sessionRatings,
  });
}

function folderOf(store: string | undefined): string {
  return store === undefined || store === ":memory:" ? "." : resolve(store, "..");
}

function requireStore(key: string, path: unknown): void {
  if (typeof path !== "string" || path === "") {
    throw inputError(key, path, 'Give the path of a store, such as "cosci.db".');
  }
  if (path === ":memory:" || exists(path)) return;
  throw new CosciError(
    "input",
    `${key}: there is no file "${path}". Give the path of a store, or make one with Supervisor.create.`,
  );
}

/** A tape that can't be read, or can't be written, would only be found out by the first call. */
function requireTape(tape: Tape | undefined): void {
  if (tape === undefined) return;
  if (tape.mode === "replay" && !exists(tape.path)) {
    throw inputError("tape.path", tape.path, 'There is no such file to replay; mode: "record" makes one.');
  }
  const folder = resolve(tape.path, "..");
  if (!exists(folder)) {
    throw inputError("tape.path", tape.path, `There is no folder "${folder}". Make the folder first.`);
  }
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
    throw error;
  }
}

/**
 * Later ones win: defaults, environment, the choice of models, `settings`, `known`, `criteria` and `gates`, `budget`.
 */
function settingsFor(options: CreateOptions, models: Models, fromEnvironment: SettingsPatch): Settings {
  const { usd, tokens } = options.budget ?? {};
  const budget: SettingsPatch = {
    run: {
      ...(usd === undefined ? {} : { budgetUsd: usd }),
      ...(tokens === undefined ? {} : { budgetTokens: tokens }),
    },
  };
  const gates: SettingsPatch = options.gates === undefined ? {} : { run: { gates: [...options.gates] } };
  const asked = applyPatch(DEFAULT_SETTINGS, mergePatches(fromEnvironment, models.patch));
  const scope: SettingsPatch = {
    scope: {
      ...(options.known === undefined ? {} : { known: [...options.known] }),
      ...(options.criteria === undefined ? {} : { criteria: options.criteria.map((each) => ({ ...each })) }),
    },
  };
  // Each option has been checked by itself; what is wrong only together is found here.
  const scoped = applyPatch(applyPatch(asked, options.settings), mergePatches(scope, gates), "create");
  return applyPatch(scoped, budget, "budget");
}

function requireBudget(options: CreateOptions, models: Models, settings: Settings): void {
  if (models.mode === "live" && options.budget?.usd === undefined) {
    throw new CosciError(
      "input",
      `budget.usd: live models cost money, and no limit was given. Add budget: { usd: 5 }, or use models: "simulator".`,
    );
  }
  requireOverviewBudget(settings, models.provider);
}

/** Without a key every call to the vendor would be refused: better said before a session is made. */
function requireKey(options: CreateOptions, models: Models, key: string | undefined): void {
  const vendor = models.mode === "live" && models.provider.baseUrl === "";
  if (!vendor || key !== undefined || options.fetch !== undefined || options.tape !== undefined) return;
  throw new CosciError(
    "input",
    `models: "${models.provider.name}" needs a key. Set ANTHROPIC_API_KEY in the environment or in .env, or use models: "simulator".`,
  );
}

function nameFor(goal: string, preferences: string, models: string): string {
  const words = oneLine(goal).normalize("NFKC").toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
  return `${clip(words, 40)} ${hashOf("name", goal, preferences, models).slice(0, 6)}`;
}

/** Makes the session, or finds the one that another process made a moment ago. */
function begin(store: Store, fixed: Omit<SessionRecord, "id" | "createdAt">): SessionRecord {
  return store.write(() => {
    const known = store.findSession(fixed.name);
    if (known !== undefined) return known;
    const session = store.createSession(fixed);
    store.commit(session.id, (view) => ({
      kind: "create",
      author: "engine",
      progress: 0,
      entries: [
        { kind: "sessionState", record: { status: "created", reason: null, note: "" } },
        taskEntry({ key: "plan", action: "parse_goal" }, view.settings.lease.maxAttempts),
      ],
      events: [{
        type: "session_created",
        payload: { name: session.name, goal: session.goal, mode: session.mode },
      }],
    }));
    return session;
  });
}

function find(store: Store, nameOrId: string | undefined): SessionRecord {
  const sessions = store.sessions();
  const names = sessions.map((session) => session.name);
  if (nameOrId === undefined) {
    const [only, another] = sessions;
    if (only === undefined) {
      throw new CosciError(
        "input",
        `session: the store ${store.name} holds no session. Make one with Supervisor.create.`,
      );
    }
    if (another !== undefined) {
      throw new CosciError(
        "input",
        `session: the store ${store.name} holds several. Name one of: ${names.join(", ")}.`,
      );
    }
    return only;
  }
  const session = store.findSession(nameOrId);
  if (session === undefined) {
    throw inputError("session", nameOrId, `Sessions are ${names.join(", ") || "none"}.`, names);
  }
  return session;
}

/** What a `create` says that the session of that name was not made with: an error for the goal, remarks for the rest. */
function differences(
  known: SessionRecord,
  goal: string,
  preferences: string,
  models: Models,
  settings: Settings,
  seed: string | number | undefined,
  store: Store,
): string[] {
  if (known.goal !== goal) {
    throw new CosciError(
      "input",
      `name: "${known.name}" is in ${store.name} with another goal ("${
        clip(known.goal, 80)
      }"). Choose another name for this goal.`,
    );
  }
  const notes: string[] = [];
  if (seed !== undefined && known.seed !== String(seed)) {
    notes.push(`The session keeps its seed (${known.seed}); a session of another name can have another.`);
  }
  if (known.preferences !== preferences.trim()) {
    notes.push(
      "The session keeps the preferences it was created with; a session of another name can have others.",
    );
  }
  if (known.mode !== models.mode || canonicalJson(known.provider) !== canonicalJson(models.provider)) {
    notes.push(
      `The session keeps its models (${known.provider.name}); a session of another name can have others.`,
    );
  }
  if (canonicalJson(known.settings) !== canonicalJson(settings)) {
    notes.push(
      "Settings in this call differ from those that the session was created with; use lab.configure to change them.",
    );
  }
  return notes;
}

/** @throws CosciError `input` for a folder that isn't there or a file that is no prompt's, `prompt` for a wrong text */
async function requirePromptFolder(library: PromptLibrary, folder: string): Promise<void> {
  if (!exists(folder)) {
    throw inputError(
      "promptsFolder",
      folder,
      "There is no such folder. Give the path of a folder of prompts (*.md).",
    );
  }
  // An empty folder is one in which prompts may be put later.
  library.with(await readPrompts(library, folder, "promptsFolder"));
}
