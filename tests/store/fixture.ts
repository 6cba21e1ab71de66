import type { Clock } from "../../lib/domain/clock.ts";
import { recordId, taskId } from "../../lib/domain/ids.ts";
import type { HypothesisRecord, MatchRecord, TaskRecord } from "../../lib/domain/records.ts";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import type { BudgetLimits } from "../../lib/store/budget.ts";
import type { Reservation, Settlement, TranscriptDraft } from "../../lib/store/calls.ts";
import type { Entry, RecordKind } from "../../lib/store/records.ts";
import type { Claim, CommitDraft, NewSession, Store } from "../../lib/store/store.ts";

/** A clock that stands still until it is told to go on. */
export class ManualClock implements Clock {
  #now: number;

  constructor(now = 1_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number): Promise<void> {
    this.#now += ms;
    return Promise.resolve();
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}

/** A session to be created. */
export function newSession(name: string, more: Partial<NewSession> = {}): NewSession {
  return {
    name,
    goal: "What makes invented cells glow?",
    preferences: "",
    seed: "seed",
    mode: "simulator",
    provider: { name: "simulator", baseUrl: "", models: {} },
    settings: DEFAULT_SETTINGS,
    parentId: null,
    parentSeq: 0,
    ...more,
  };
}

/** A commit of the engine with these records. */
export function draft(entries: readonly Entry[], more: Partial<CommitDraft> = {}): CommitDraft {
  return { kind: "test", author: "engine", progress: 0, entries, ...more };
}

/** The record of one kind, as a commit takes it. */
export type Unlabelled<K extends RecordKind> = Extract<Entry, { kind: K }>["record"];

/** A hypothesis by its name. */
export function hypothesis(
  name: string,
  more: Partial<HypothesisRecord> = {},
): Extract<Entry, { kind: "hypothesis" }> {
  return {
    kind: "hypothesis",
    record: {
      id: recordId("hyp", name),
      version: 1,
      title: `On ${name}`,
      statement: `${name} makes cells glow`,
      mechanism: `${name} binds what dims them`,
      entities: [name],
      anticipatedOutcomes: "Light",
      noveltyArgument: "Nobody looked",
      strategy: "literature",
      parents: [],
      citations: [{ url: "sim:1", title: "A source", year: 2020 }],
      droppedCitations: 0,
      author: "model",
      generation: 0,
      model: "claude-opus-4-7",
      taskId: null,
      ...more,
    },
  };
}

/** The id of a hypothesis by its name. */
export function hypothesisId(name: string): string {
  return recordId("hyp", name);
}

/** A match by its name. */
export function match(
  name: string,
  firstId: string,
  secondId: string,
  more: Partial<MatchRecord & { rationale: string }> = {},
): Extract<Entry, { kind: "match" }> {
  return {
    kind: "match",
    record: {
      id: recordId("mat", name),
      firstId,
      secondId,
      mode: "pairwise",
      verdict: "first",
      bothOrders: null,
      group: null,
      author: "model",
      weight: 1,
      judge: "claude-sonnet-4-6",
      panelist: null,
      promptVersion: "p1",
      revision: 0,
      taskId: null,
      rationale: `Because of ${name}`,
      ...more,
    },
  };
}

/** A task by its key. */
export function task(key: string, more: Partial<TaskRecord> = {}): Extract<Entry, { kind: "task" }> {
  return {
    kind: "task",
    record: {
      id: taskId(key),
      key,
      agent: "ranking",
      action: "match",
      targetId: null,
      payload: {},
      priority: 150,
      maxAttempts: 3,
      ...more,
    },
  };
}

/** Enqueues tasks with these keys. */
export function enqueue(store: Store, session: string, ...entries: readonly Entry[]): void {
  store.commit(session, () => draft(entries, { kind: "enqueue" }));
}

/** Claims the next task for a minute, deciding nothing. */
export function claimNext(store: Store, session: string, owner: string, leaseMs = 60_000): Claim | null {
  return store.claim(session, owner, () => leaseMs, () => ({ kind: "none" }));
}

/** The commit that ends a claimed task as done. */
export function ending(claim: Claim, owner: string, entries: readonly Entry[] = []): CommitDraft {
  return draft(
    [...entries, {
      kind: "taskState",
      record: { taskId: claim.task.id, status: "done", attempts: claim.item.attempts + 1, reason: "" },
    }],
    {
      kind: "match_judged",
      progress: 1,
      task: {
        id: claim.task.id,
        agent: claim.task.agent,
        revision: claim.revision,
        owner,
        then: { kind: "ended", status: "done" },
      },
    },
  );
}

/** A dollar for everybody: shares of 25 % for generation and ranking, 10 % in common, 20 % for the overview. */
export const LIMITS: BudgetLimits = {
  capMicroUsd: 1_000_000,
  capTokens: 1_000_000,
  overviewMicroUsd: 200_000,
  overviewTokens: 0,
  shares: { generation: 0.25, ranking: 0.25 },
  reserve: 0.1,
};

/** A reservation of some micro-dollars. */
export function reservation(microUsd: number, more: Partial<Reservation> = {}): Reservation {
  return { agent: "ranking", taskId: "task", microUsd, tokens: 0, overview: false, ...more };
}

/** A settlement of some micro-dollars. */
export function settlement(microUsd: number, more: Partial<Settlement> = {}): Settlement {
  return { microUsd, inputTokens: 10, outputTokens: 5, unconfirmed: false, ...more };
}

/** A transcript. */
export function transcript(more: Partial<TranscriptDraft> = {}): TranscriptDraft {
  return {
    agent: "ranking",
    route: "ranking.pairwise",
    model: "claude-sonnet-4-6",
    prompt: "ranking.pairwise",
    promptVersion: "p1",
    revision: 0,
    directives: [],
    request: "{}",
    response: "{}",
    stopReason: "end_turn",
    error: "",
    durationMs: 12.5,
    concessions: [],
    ...more,
  };
}
