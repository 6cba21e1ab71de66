import type { Agent, Context } from "../domain/agent.ts";
import type { Clock } from "../domain/clock.ts";
import type { TaskRecord } from "../domain/records.ts";
import { rng } from "../domain/rng.ts";
import { type CallerDeps, createCaller } from "../llm/caller.ts";
import type { CallEvent } from "../llm/call_event.ts";
import type { ModelClient } from "../llm/client.ts";
import type { PromptFolder } from "../llm/prompt_folder.ts";
import type { PromptLibrary } from "../llm/prompts.ts";
import { type ResearchSource, researchTools } from "../llm/research_tools.ts";
import { screenText } from "../llm/screen.ts";
import type { CallLedger, CallOrigin } from "../store/calls.ts";
import type { Claim } from "../store/store.ts";
import type { View } from "../store/view.ts";
import type { Embedder } from "../vectors/embedder.ts";
import { REJUDGING_PROMPT } from "./rejudging.ts";
import type { VectorMemory } from "./vector_memory.ts";
import { embed } from "./embedding.ts";
import type { KnownVectors } from "./known_vectors.ts";

/** Everything from outside that a session's work goes through. Handed in by the supervisor. */
export interface Services {
  /** Who does which work. */
  readonly agents: readonly Agent<View>[];
  /** The model's server: the network, the simulator or a tape. */
  readonly client: ModelClient;
  /** Where research tools get their results; `null` where there are none. */
  readonly research: ResearchSource | null;
  /** The shipped prompts. */
  readonly prompts: PromptLibrary;
  /** Where a person keeps prompts as files; absent where nobody does. */
  readonly promptFolder?: PromptFolder | undefined;
  /** Who makes vectors, by the settings in force; `remote` if that costs money and time. */
  embedder(view: Pick<View, "settings">): { readonly embedder: Embedder; readonly remote: boolean };
  /** The clock. */
  readonly clock: Clock;
}

/** The context of one attempt, and how many outside calls it has made so far. */
export interface WorkContext {
  /** What the agent gets. */
  readonly context: Context;
  /** Outside calls so far, those of earlier failed attempts included. */
  callsMade(): number;
}

/** The prompts in force; for a match that is judged again with another prompt, that one. */
function promptsFor({ payload }: TaskRecord, view: View, shipped: PromptLibrary): PromptLibrary {
  const inForce = shipped.with(view.prompts);
  const text = payload.rejudge?.prompt;
  return text === undefined ? inForce : inForce.with({ [REJUDGING_PROMPT]: text });
}

/** The work that a caller asks models for. */
export interface CallerWork extends Pick<Claim, "task" | "view" | "revision"> {
  /** The commit on which the task was first claimed, and what was decided then. */
  readonly claim: CallOrigin["claim"];
  /** Outside calls that earlier, failed attempts used up. */
  readonly callsBase: number;
  /** The prompts in force; those of the view by default. */
  readonly prompts?: PromptLibrary | undefined;
}

/** What asks models on behalf of a task: settings, prompts and tools as the work's view has them. */
export function callerDeps(
  { task, view, revision, claim, callsBase, prompts }: CallerWork,
  services: Pick<Services, "client" | "clock" | "prompts" | "research">,
  ledger: CallLedger,
  signal: AbortSignal,
  onCall?: (event: CallEvent) => void,
): CallerDeps {
  const { settings, session } = view;
  return {
    task,
    revision,
    settings,
    provider: session.provider,
    ledger,
    client: services.client,
    clock: services.clock,
    seed: session.seed,
    signal,
    claim,
    onCall,
    prompts: prompts ?? services.prompts.with(view.prompts),
    tools: services.research === null
      ? []
      : researchTools(services.research, settings.toolLoop.searchResults),
    ordinalBase: callsBase,
  };
}

/** Builds the context of one attempt: settings, prompts and records as they stood at the task's first claim. */
export function workContext(
  claim: Claim,
  services: Services,
  ledger: CallLedger,
  memory: VectorMemory,
  known: KnownVectors,
  head: () => View,
  signal: AbortSignal,
  onCall: (event: CallEvent) => void,
): WorkContext {
  const { task, view, item, revision, decision } = claim;
  const { settings, session } = view;
  const pinned = { seq: item.claimSeq ?? view.seq, decision };
  const prompts = promptsFor(task, view, services.prompts);
  const work = { task, view, revision, claim: pinned, callsBase: item.callsBase, prompts };
  const caller = createCaller(callerDeps(work, services, ledger, signal, onCall));
  const { embedder, remote } = services.embedder(view);
  const embedded = (texts: readonly string[]) =>
    embed(texts, {
      embedder,
      remote,
      task,
      revision,
      settings,
      ledger,
      clock: services.clock,
      seed: session.seed,
      signal,
    });
  return {
    callsMade: () => caller.callsMade,
    context: {
      task,
      signal,
      rng: (purpose) => rng(session.seed, task.key, purpose),
      ask: (call) => caller.ask(call),
      record: (call) => caller.record(call),
      embed: embedded,
      embedKnown: (ideas) => known.of(ideas, embedder.name, embedded, signal),
      nearest: async (vector) => {
        const near = await memory.nearestIn(head(), view, vector, task.payload.remakes);
        if (near === null) return null;
        return { ...near, title: view.hypothesis(near.id)?.record.title ?? "" };
      },
      screen: (target, text) => screenText(caller, settings.safety, target, text),
    },
  };
}
