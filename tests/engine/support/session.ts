import type { SettingsPatch } from "../../../lib/config/settings.ts";
import type { NowData } from "../../../lib/engine/snapshot.ts";
import { type Clock, systemClock } from "../../../lib/domain/clock.ts";
import { CALL_HEADER } from "../../../lib/net/tape.ts";
import { createSimulator, type Simulator } from "../../../lib/simulator/server.ts";
import { Supervisor } from "../../../mod.ts";

/** Whether the full counts are wanted that the issues name (`deno task test:long`). */
export const LONG = Deno.env.get("COSCI_LONG") === "1";

/** The session that these tests run. */
export const GOAL = "What makes invented cells glow?";
/** Its name in its store. */
export const NAME = "glow";
/** Its seed, and the simulator's. */
export const SEED = "engine tests";

/**
 * A session small enough to run to its end a hundred times, with everything in it that an ordinary one has: generation
 * by both modes, all reviews, matches of both modes, clusters, evolution, system feedback, rating snapshots.
 */
export const SMALL: SettingsPatch = {
  run: { maxIdeas: 6, initialIdeas: 2, maxMatchesPerIdea: 3, concurrency: 1 },
  generation: { debateEvery: 2, debateTurns: 2 },
  evolution: { minMature: 2, everyMatches: 6 },
  metareview: { everyMatches: 6 },
  vectors: { reclusterEveryMatches: 4, dimensions: 256 },
  termination: { matchSnapshotEvery: 3 },
};

/** The same, so many tasks side by side. */
export function small(concurrency: number, more: SettingsPatch = {}): SettingsPatch {
  return { ...SMALL, ...more, run: { ...SMALL.run, concurrency, ...more.run } };
}

/** A simulator behind a counter: which calls were sent, and hooks around each of them. */
export interface Wire {
  /** The server. */
  readonly simulator: Simulator;
  /** Keys of the calls sent, in order; a retry has its call's key again. */
  readonly sent: string[];
  /** The `fetch` to hand in. */
  readonly fetch: typeof fetch;
}

/** What happens around a call. */
export interface WireHooks {
  /** Before the server gets it. */
  readonly before?: (key: string) => void | Promise<void>;
  /** After the server answered, before the client knows. */
  readonly after?: (key: string) => void;
  /** How long an answer takes, in milliseconds. */
  readonly latencyMs?: number | ((call: number) => number);
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** A simulator with hooks. */
export function wire(hooks: WireHooks = {}): Wire {
  const simulator = createSimulator({
    seed: SEED,
    clock: hooks.clock ?? systemClock,
    latencyMs: hooks.latencyMs ?? 0,
  });
  const sent: string[] = [];
  return {
    simulator,
    sent,
    fetch: async (input, init) => {
      const key = new Headers(init?.headers).get(CALL_HEADER) ?? "";
      await hooks.before?.(key);
      sent.push(key);
      const response = await simulator.fetch(input, init);
      hooks.after?.(key);
      return response;
    },
  };
}

/** Creates the session in a store, or opens it there; with its own simulator unless a wire is given. */
export async function enter(
  store: string,
  options: { settings?: SettingsPatch; over?: Wire; clock?: Clock; usd?: number } = {},
): Promise<Supervisor> {
  return await Supervisor.create({
    goal: GOAL,
    name: NAME,
    seed: SEED,
    store,
    environment: {},
    settings: options.settings ?? SMALL,
    ...(options.over === undefined ? {} : { fetch: options.over.fetch }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.usd === undefined ? {} : { budget: { usd: options.usd } }),
  });
}

/** What goes on in a session at the moment. */
export function nowOf(lab: Supervisor): NowData {
  const { now } = lab.inspect();
  if (now === null) throw new TypeError("The session's state right now is not shown");
  return now;
}

/** A folder for the store of one test, removed afterwards. */
export async function withStore<T>(work: (store: string, folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "cosci_engine_" });
  try {
    return await work(`${folder}/store.db`, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
