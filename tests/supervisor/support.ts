import assert from "node:assert/strict";
import { CosciError, type ErrorCode } from "../../lib/domain/errors.ts";
import type { Supervisor } from "../../mod.ts";

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
