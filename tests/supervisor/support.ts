import assert from "node:assert/strict";
import { CosciError, type ErrorCode } from "../../lib/domain/errors.ts";
import type { AgentName } from "../../lib/domain/records.ts";
import { readTranscripts } from "../../lib/store/transcripts.ts";
import type { Supervisor } from "../../mod.ts";
import { type Wire, wire } from "../engine/support/session.ts";

/** What an error of use must say: its code, and everything that its message names. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly says: readonly (string | RegExp)[];
}

/** Asserts that something is refused as it should be. */
export async function assertRefused(act: () => unknown, { code, says }: Refusal): Promise<void> {
  let error: unknown;
  try {
    await act();
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error instanceof CosciError, `a CosciError was expected, not ${String(error)}`);
  assert.equal(error.code, code, error.message);
  for (const part of says) {
    const named = typeof part === "string" ? error.message.includes(part) : part.test(error.message);
    assert.ok(named, `"${error.message}" should say ${part}`);
  }
}

/** How often each table of the session's store was written to: two that are equal saw no write between them. */
export function writesOf(lab: Supervisor): Readonly<Record<string, unknown>> {
  const { sql } = lab.store;
  const count = (table: string) => Number(sql.get(`SELECT count(*) AS n FROM ${table}`)?.["n"]);
  return {
    seq: lab.view().seq,
    changes: Number(sql.get("SELECT total_changes() AS n")?.["n"]),
    commits: count("commits"),
    tasks: count("tasks"),
    events: count("events"),
    sessions: count("sessions"),
    status: lab.view().status,
  };
}

/** A folder for the files of one test, removed afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "cosci_supervisor_" });
  try {
    return await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The names of everything in a folder. */
export function filesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** A wire that holds one call back, from when it is told to. */
export interface Held {
  readonly over: Wire;
  /** Holds the next call back. */
  hold(): void;
  /** Comes when a call is held back. */
  readonly reached: Promise<void>;
  /** Lets it go on, and all that follow. */
  letGo(): void;
}

/** A wire that holds one call back, from when it is told to. */
export function held(): Held {
  const reached = Promise.withResolvers<void>(), free = Promise.withResolvers<void>();
  let hold = false;
  const over = wire({
    before: async () => {
      if (!hold) return;
      reached.resolve();
      await free.promise;
    },
  });
  return {
    over,
    hold: () => {
      hold = true;
    },
    reached: reached.promise,
    letGo: () => {
      hold = false;
      free.resolve();
    },
  };
}

/** A model call as it was sent. */
export interface Sent {
  readonly n: number;
  readonly agent: AgentName;
  readonly prompt: string;
  /** Label of its task. */
  readonly task: string;
  /** Every text of the request, one after the other. */
  readonly text: string;
}

/** The model calls of a session, oldest first, with what the model read. */
export function sent(lab: Supervisor, after = 0): Sent[] {
  const view = lab.view();
  return readTranscripts(lab.store.sql, view.session.id).filter(({ n }) => n > after)
    .map(({ n, agent, prompt, taskId, request }) => ({
      n,
      agent,
      prompt,
      task: view.task(taskId)?.record.label ?? taskId,
      text: textsIn(JSON.parse(request)).join("\n"),
    }));
}

/** The number of the newest model call. */
export function lastCall(lab: Supervisor): number {
  return sent(lab).at(-1)?.n ?? 0;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
