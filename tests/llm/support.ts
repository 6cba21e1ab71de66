import type { Clock } from "../../lib/domain/clock.ts";
import { NO_COST } from "../../lib/domain/records.ts";
import { DEFAULT_SETTINGS, type Settings, type SettingsPatch } from "../../lib/config/settings.ts";
import { applyPatch } from "../../lib/config/patch.ts";
import type {
  Admission,
  CallLedger,
  Headroom,
  JournalledCall,
  Reservation,
  Settlement,
  TranscriptDraft,
} from "../../lib/store/calls.ts";
import type { ProviderRecord } from "../../lib/store/view.ts";
import { type Caller, type CallerDeps, createCaller } from "../../lib/llm/caller.ts";
import type { CallEvent } from "../../lib/llm/call_event.ts";
import { createModelClient } from "../../lib/llm/client.ts";
import { PromptLibrary } from "../../lib/llm/prompts.ts";

/** A clock that moves only when somebody sleeps, at once. */
export class FakeClock implements Clock {
  readonly sleeps: number[] = [];
  time = Date.UTC(2026, 0, 1);
  now(): number {
    return this.time;
  }
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.sleeps.push(ms);
    this.time += ms;
    return Promise.resolve();
  }
}

export interface Settled {
  readonly reservation: Reservation;
  readonly settlement: Settlement;
  readonly transcript: TranscriptDraft;
  readonly journal: JournalledCall | null;
}

/** A ledger in memory with one cap for all. */
export class MemoryLedger implements CallLedger {
  readonly journalled = new Map<string, JournalledCall>();
  readonly settled: Settled[] = [];
  readonly asked: Reservation[] = [];
  readonly open = new Map<string, Reservation>();
  spent = NO_COST.microUsd;
  #ids = 0;
  constructor(readonly capMicroUsd = Infinity, public reservedByOthers = 0) {}

  find(key: string): JournalledCall | null {
    return this.journalled.get(key) ?? null;
  }
  admit(reservation: Reservation): Admission {
    this.asked.push(reservation);
    const left = this.capMicroUsd - this.spent;
    if (reservation.microUsd > left) return { kind: "never", left, limit: "usd" };
    if (reservation.microUsd > left - this.reservedByOthers) return { kind: "later", left, limit: "usd" };
    const id = `r${++this.#ids}`;
    this.open.set(id, reservation);
    return { kind: "admitted", id };
  }
  settle(
    id: string,
    settlement: Settlement,
    transcript: TranscriptDraft,
    journal: JournalledCall | null,
  ): void {
    const reservation = this.open.get(id);
    if (reservation === undefined) throw new Error(`No open reservation ${id}`);
    this.open.delete(id);
    this.spent += settlement.microUsd;
    this.settled.push({ reservation, settlement, transcript, journal });
    if (journal !== null) this.journalled.set(journal.key, journal);
  }
  journal(_taskId: string, call: JournalledCall): void {
    this.journalled.set(call.key, call);
  }
  headroom(): Headroom {
    const left = this.capMicroUsd - this.spent;
    return { microUsd: left - this.reservedByOthers, microUsdLater: left, tokens: Infinity };
  }
}

export interface Received {
  readonly url: string;
  readonly headers: Headers;
  readonly body: {
    readonly model: string;
    readonly max_tokens: number;
    readonly stream?: boolean;
    readonly thinking?: unknown;
    readonly tool_choice?: { readonly type: string; readonly name?: string };
    readonly tools?: readonly { readonly name: string }[];
    readonly system?: readonly { readonly text: string }[];
    readonly messages: readonly {
      readonly role: string;
      readonly content: readonly Readonly<Record<string, unknown>>[];
    }[];
  };
}

/** One answer of the scripted server. */
export type Reply =
  | { readonly content?: unknown; readonly stop_reason?: string; readonly usage?: unknown }
  | { readonly status: number; readonly error?: string; readonly headers?: Record<string, string> }
  | { readonly raw: string }
  | { readonly throws: unknown }
  | { readonly hangs: true };

/** A server that answers by a script and remembers what it was asked. Streams whatever was asked to be streamed. */
export class ScriptedServer {
  readonly received: Received[] = [];
  readonly #replies: (Reply | ((asked: Received) => Reply))[];
  constructor(replies: readonly (Reply | ((asked: Received) => Reply))[]) {
    this.#replies = [...replies];
  }
  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = await request.json();
    const asked: Received = { url: request.url, headers: request.headers, body };
    this.received.push(asked);
    const next = this.#replies.shift();
    if (next === undefined) throw new Error("The script has no more replies");
    const reply = typeof next === "function" ? next(asked) : next;
    if ("throws" in reply) throw reply.throws;
    if ("hangs" in reply) {
      return await new Promise((_, reject) =>
        init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")))
      );
    }
    if ("raw" in reply) return new Response(reply.raw, { headers: { "content-type": "application/json" } });
    if ("status" in reply) {
      return Response.json(
        { type: "error", error: { type: "some_error", message: reply.error ?? "no" } },
        { status: reply.status, headers: reply.headers ?? {} },
      );
    }
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: body.model,
      content: reply.content ?? [],
      stop_reason: reply.stop_reason ?? "end_turn",
      stop_sequence: null,
      ...("usage" in reply ? { usage: reply.usage } : { usage: { input_tokens: 100, output_tokens: 10 } }),
    };
    return body.stream === true ? streamed(message) : Response.json(message);
  };
}

function streamed(message: Readonly<Record<string, unknown>>): Response {
  const blocks = Array.isArray(message.content) ? message.content : [];
  const events: Record<string, unknown>[] = [{
    type: "message_start",
    message: { ...message, content: [], stop_reason: null },
  }];
  for (const [index, block] of blocks.entries()) {
    const start = block.type === "tool_use"
      ? { ...block, input: {} }
      : block.type === "text"
      ? { ...block, text: "" }
      : block;
    events.push({ type: "content_block_start", index, content_block: start });
    if (block.type === "text") {
      events.push({ type: "content_block_delta", index, delta: { type: "text_delta", text: block.text } });
    }
    if (block.type === "tool_use") {
      events.push({
        type: "content_block_delta",
        index,
        delta: { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
      });
    }
    events.push({ type: "content_block_stop", index });
  }
  events.push(
    {
      type: "message_delta",
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: message.usage,
    },
    { type: "message_stop" },
  );
  return new Response(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
    { headers: { "content-type": "text/event-stream" } },
  );
}

export const text = (words: string) => ({ type: "text", text: words });
export const thinking = (words: string) => ({ type: "thinking", thinking: words, signature: `sig-${words}` });
let uses = 0;
export const use = (name: string, input: unknown, id = `toolu_${++uses}`) => ({
  type: "tool_use",
  id,
  name,
  input,
});

export const PROMPTS = PromptLibrary.of({
  "system": "---\ninputs: agent, step\n---\nYou are {{ agent }}.\nStep: {{ step }}",
  "session":
    "---\ninputs: goal, plan, known, criteria, feedback, directives\n---\nGoal: {{ goal }}\n{{ plan }}{{ known }}{{ criteria }}{{ feedback }}" +
    "{% for directive in directives %}\n{{ directive }}{% endfor %}",
  "ranking.pairwise":
    "---\ninputs: hypothesis_1, hypothesis_2\n---\n{{ hypothesis_1 }} or {{ hypothesis_2 }}?",
  "generation.literature": "---\ninputs: angle\n---\nPropose one from {{ angle }}.",
  "metareview.final": "---\ninputs: hypotheses\n---\nWrite about {{ hypotheses }}.",
  "safety.screen": "---\ninputs: text\n---\nIs this safe?\n{{ text }}",
});

export const PROVIDER: ProviderRecord = { name: "anthropic", baseUrl: "", models: {} };

export const SESSION = {
  goal: "cure",
  plan: "",
  known: "",
  criteria: "",
  feedback: "",
  directives: [{ id: "dir_1", text: "prefer oral drugs" }],
};

export function settingsWith(patch: SettingsPatch = {}): Settings {
  return applyPatch(DEFAULT_SETTINGS, patch);
}

export interface Bench {
  readonly caller: Caller;
  readonly server: ScriptedServer;
  readonly ledger: MemoryLedger;
  readonly clock: FakeClock;
  readonly events: CallEvent[];
  /** Another caller over the same ledger, as after a crash or a failed attempt. */
  again(replies: readonly Reply[], deps?: Partial<CallerDeps>): Bench;
}

export function bench(
  replies: readonly (Reply | ((asked: Received) => Reply))[],
  deps: Partial<CallerDeps> = {},
  ledger = new MemoryLedger(),
): Bench {
  const server = new ScriptedServer(replies);
  const clock = new FakeClock();
  const events: CallEvent[] = [];
  const caller = createCaller({
    task: { key: "task-key", id: "tsk_1" },
    ordinalBase: 0,
    revision: 3,
    settings: settingsWith(),
    provider: PROVIDER,
    prompts: PROMPTS,
    ledger,
    client: createModelClient({
      baseUrl: "http://models.test",
      apiKey: "sk-secret",
      clock,
      fetch: server.fetch,
    }),
    tools: [],
    clock,
    seed: "seed",
    signal: new AbortController().signal,
    onCall: (event) => events.push(event),
    ...deps,
  });
  return {
    caller,
    server,
    ledger,
    clock,
    events,
    again: (more, other = {}) => bench(more, { ...deps, ...other }, ledger),
  };
}
