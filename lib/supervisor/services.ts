import type { Agent } from "../domain/agent.ts";
import type { Clock } from "../domain/clock.ts";
import { CosciError } from "../domain/errors.ts";
import type { Credentials } from "../config/environment.ts";
import type { Services } from "../engine/work_context.ts";
import { createModelClient, type ModelClient, routedClient } from "../llm/client.ts";
import type { PromptFolder } from "../llm/prompt_folder.ts";
import type { PromptLibrary } from "../llm/prompts.ts";
import type { FoundSource, ResearchSource } from "../llm/research_tools.ts";
import { tapeFetch, type TapeMode } from "../net/tape.ts";
import type { Literature } from "../simulator/literature.ts";
import { createSimulator, type Simulator } from "../simulator/server.ts";
import type { SessionRecord, View } from "../store/view.ts";
import { embedderFor, type OpenEmbedder } from "./embedders.ts";

/** A tape on which outside calls are recorded, or from which they are replayed. */
export interface Tape {
  /** What to do with it. */
  readonly mode: TapeMode;
  /** Its file. */
  readonly path: string;
}

/** What a handle is opened with besides the session itself. */
export interface ServiceOptions {
  /** Who does which work. */
  readonly agents: readonly Agent<View>[];
  /** The shipped prompts. */
  readonly prompts: PromptLibrary;
  /** Where a person keeps prompts as files. */
  readonly promptFolder?: PromptFolder | undefined;
  /** The clock. */
  readonly clock: Clock;
  /** Keys from the environment. */
  readonly credentials: Credentials;
  /** The key given in words; wins. */
  readonly apiKey: string | null;
  /** Keys of servers of single routes, by address. */
  readonly keys: ReadonlyMap<string, string>;
  /** Instead of the network or the simulator: for tests, gateways, mocks. */
  readonly fetch?: typeof fetch | undefined;
  /** A tape. */
  readonly tape?: Tape | undefined;
}

/** Builds everything that a session's work goes through, by the session's mode. */
export function openServices(
  session: SessionRecord,
  options: ServiceOptions,
): Services & { readonly simulator: Simulator | null } {
  const simulator = session.mode === "simulator" ? simulatorOf(session, options.clock) : null;
  const network: typeof fetch = options.fetch ??
    (simulator === null ? globalThis.fetch : (input, init) => simulator.fetch(input, init));
  // The vendor's key goes to the vendor alone: another server gets a key only if one was given for it in words.
  const vendor = session.provider.baseUrl === "" ? options.credentials.anthropicApiKey : undefined;
  const apiKey = simulator !== null ? null : options.apiKey ?? vendor ?? null;
  const secrets = [apiKey, ...options.keys.values(), ...Object.values(options.credentials)]
    .flatMap((key) => (typeof key === "string" ? [key] : []));
  const taped = (next: typeof fetch) =>
    options.tape === undefined ? undefined : tapeFetch({ ...options.tape, next, secrets });
  const wire = taped(network);
  // Embeddings have a server of their own, which the simulator is not; they are on the tape all the same.
  const outside = options.fetch ?? globalThis.fetch;
  const embeddings = taped(outside) ?? outside;
  const open = (baseUrl: string, key: string | null): ModelClient =>
    createModelClient({
      baseUrl,
      apiKey: key,
      clock: options.clock,
      ...(wire !== undefined
        ? { fetch: wire }
        : simulator !== null || options.fetch !== undefined
        ? { fetch: network }
        : {}),
    });
  const servers = Object.entries(session.provider.servers ?? {});
  const client = routedClient(
    open(session.provider.baseUrl, apiKey),
    new Map(servers.map(([route, baseUrl]) => [route, open(baseUrl, options.keys.get(baseUrl) ?? null)])),
  );
  const embedders = new Map<string, OpenEmbedder>();
  return {
    agents: options.agents,
    client,
    research: simulator === null ? null : literatureSource(simulator.literatureFor(session.goal)),
    prompts: options.prompts,
    promptFolder: options.promptFolder,
    clock: options.clock,
    simulator,
    embedder: ({ settings: { vectors } }) => {
      const key = JSON.stringify(vectors);
      const known = embedders.get(key);
      if (known !== undefined) return known;
      const made = embedderFor(vectors, options.credentials, embeddings);
      embedders.set(key, made);
      return made;
    },
  };
}

function simulatorOf(session: SessionRecord, clock: Clock): Simulator {
  const { latencyMs, judgeNoise, positionBias, tieWidth } = session.settings.simulator;
  return createSimulator({
    seed: session.seed,
    clock,
    latencyMs,
    judge: { noise: judgeNoise, positionBias, tieWidth },
    models: Object.fromEntries(Object.keys(session.provider.models).map((model) => [model, {}])),
  });
}

/** The simulator's literature as the source of the research tools. */
export function literatureSource(literature: Literature): ResearchSource {
  return {
    search: (tool, query, limit) =>
      Promise.resolve(
        literature.search(tool, query, limit).map((record): FoundSource => ({
          url: record.url,
          title: record.title,
          text: record.abstract,
          year: record.year,
        })),
      ),
    fetch: (url) => {
      const page = literature.fetch(url);
      if (page === null) {
        return Promise.reject(
          new CosciError(
            "input",
            `${url} is not in the simulated literature. Fetch an address that a search returned.`,
          ),
        );
      }
      return Promise.resolve({ url, title: page.title, text: page.text });
    },
  };
}
