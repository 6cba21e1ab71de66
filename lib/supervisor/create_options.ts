import { z } from "zod";
import type { Clock } from "../domain/clock.ts";
import { GATE_KINDS, type GateKind } from "../domain/records.ts";
import { criteriaShape, knownShape, type SettingsPatch } from "../config/settings.ts";
import type { Criterion } from "../domain/criteria.ts";
import type { Database } from "../store/database.ts";
import type { ModelsChoice } from "./models.ts";
import { PROGRESS_MODES, type ProgressMode } from "../notebook/progress/mode.ts";
import type { Tape } from "./services.ts";
import { PROGRESS_REMEDY } from "./verb_options.ts";
import { requireOptions } from "./wrong_option.ts";

/** Where a session is, and how its outside is reached. */
export interface StoreOptions {
  /** Path of the store's file. @default {"cosci.db"} */
  readonly store?: string | undefined;
  /** A database that is open already, instead of a path. */
  readonly database?: Database | undefined;
  /** Folder of prompts that replace the shipped ones, file by file. */
  readonly promptsFolder?: string | undefined;
  /** Records outside calls, or replays them. */
  readonly tape?: Tape | undefined;
  /** Instead of the network or the simulator: for gateways, mocks and tests. */
  readonly fetch?: typeof fetch | undefined;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** Where stepping verbs show their progress, unless they are told otherwise: see `StepOptions`. @default {"auto"} */
  readonly progress?: ProgressMode | undefined;
  /** Environment variables; the process's and `.env`'s by default. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** What a session is made from. */
export interface CreateOptions extends StoreOptions {
  /** The goal in plain words. */
  readonly goal: string;
  /** Name in the store: the same name opens the same session. By default one is made from the goal. */
  readonly name?: string | undefined;
  /** What the scientist prefers, in plain words. */
  readonly preferences?: string | undefined;
  /**
   * Ideas that are known or were tested already, such as `"venetoclax + azacitidine"`: generation is told, and a proposal
   * that is one of them is a duplicate. The same as `settings.scope.known`.
   */
  readonly known?: readonly string[] | undefined;
  /**
   * What is asked of every hypothesis: full reviews score it by each, the weighted mean is its review score, and one that
   * fails a criterion with `must` stays out of the tournament. The same as `settings.scope.criteria`.
   */
  readonly criteria?: readonly Readonly<Criterion>[] | undefined;
  /** Where models come from. @default {"simulator"} */
  readonly models?: ModelsChoice | undefined;
  /** What may be spent. Live models need `usd`. */
  readonly budget?: { readonly usd?: number | undefined; readonly tokens?: number | undefined } | undefined;
  /** Kinds of step before which runs stop and wait for a yes: `settings.run.gates`, for short. @default none */
  readonly gates?: readonly GateKind[] | undefined;
  /** Settings that differ from the defaults. */
  readonly settings?: SettingsPatch | undefined;
  /** The seed of all chance. By default one is made from the goal. */
  readonly seed?: string | number | undefined;
}

/** Which session to open. */
export interface OpenOptions extends StoreOptions {
  /** Name or id; may be left out where the store holds one session. */
  readonly session?: string | undefined;
  /** A key for live models, if it is not in the environment. */
  readonly apiKey?: string | undefined;
  /** Keys for servers of single routes, by address. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
}

const passed = z.unknown();

/** Something with these methods: what else it is, is its maker's business. */
function having(...methods: readonly string[]) {
  return z.custom<object>((value) =>
    typeof value === "object" && value !== null &&
    methods.every((method) => typeof Reflect.get(value, method) === "function")
  );
}

const storeShape = {
  store: z.string().min(1).optional(),
  database: having("exec", "prepare", "close").optional(),
  promptsFolder: z.string().min(1).optional(),
  tape: z.strictObject({ mode: z.enum(["record", "replay", "replay_then_live"]), path: z.string().min(1) })
    .optional(),
  fetch: z.custom((value) => typeof value === "function").optional(),
  clock: having("now", "sleep").optional(),
  progress: z.enum(PROGRESS_MODES).optional(),
  environment: z.record(z.string(), z.string()).optional(),
};
const createShape = z.strictObject({
  ...storeShape,
  goal: z.string().trim().min(1).max(20_000),
  name: z.string().trim().min(1).max(200).optional(),
  preferences: z.string().max(20_000).optional(),
  known: knownShape.optional(),
  criteria: criteriaShape.optional(),
  models: passed.optional(),
  budget: z.strictObject({
    usd: z.number().positive().optional(),
    tokens: z.number().int().positive().optional(),
  }).optional(),
  gates: z.array(z.enum(GATE_KINDS)).optional(),
  settings: passed.optional(),
  seed: z.union([z.string().min(1), z.number().int()]).optional(),
});
const openShape = z.strictObject({
  ...storeShape,
  session: z.string().min(1).optional(),
  apiKey: z.string().min(1).optional(),
  keys: z.record(z.string(), z.string()).optional(),
});

/** What to do about a wrong option, by its name. */
const REMEDIES: Readonly<Record<string, string>> = {
  goal: "State the research goal in plain words, in at most 20,000 characters.",
  name: "Give a name of 1 to 200 characters.",
  preferences: "State them in plain words, in at most 20,000 characters.",
  known:
    'Give a list of at most 500 ideas of 2 to 500 characters each, such as ["venetoclax + azacitidine"].',
  criteria:
    'Give at most 12 of { name, weight, must? }, such as [{ name: "oral form", weight: 2, must: true }]; a name has ' +
    "1 to 80 characters on one line, a weight is above 0 and at most 100.",
  budget: "Give { usd, tokens? } with numbers above 0.",
  gates: `Give a list with some of ${GATE_KINDS.join(", ")}.`,
  seed: "Give a text or a whole number.",
  store: 'Give the path of a file, such as "cosci.db".',
  database: "Give an open database with exec, prepare and close, such as node:sqlite's DatabaseSync.",
  promptsFolder: "Give the path of a folder of prompts (*.md).",
  tape: 'Give { mode: "record" | "replay" | "replay_then_live", path }.',
  fetch: "Give a function like the global fetch.",
  clock: "Give a clock with now() and sleep(ms, signal).",
  progress: PROGRESS_REMEDY,
  environment: "Give variables by name, their values as texts.",
  session: "Give the name or the id of a session.",
  apiKey: "Give the key as a text, or leave it out.",
  keys: "Give keys as texts, by the addresses of their servers.",
};

/** Checks what a person gave to `create`. @throws CosciError `input` */
export function readCreateOptions(options: unknown): CreateOptions {
  return check(createShape, options, "create", '{ goal: "…" }') as CreateOptions;
}

/** Checks what a person gave to `open`. @throws CosciError `input` */
export function readOpenOptions(options: unknown): OpenOptions {
  return check(openShape, options, "open", '{ store: "cosci.db" }') as OpenOptions;
}

function check(shape: z.ZodType, options: unknown, verb: string, example: string): unknown {
  requireOptions(verb, options, { shape, example, remedies: REMEDIES });
  return { ...Object(options), ...Object(shape.parse(options)) };
}
