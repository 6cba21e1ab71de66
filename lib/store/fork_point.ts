import { afterRecordedChange } from "../config/patch.ts";
import type { Settings } from "../config/settings.ts";
import type { RevisionRecord } from "../domain/records.ts";
import { number, type Sql } from "./database.ts";
import { readOpenTasks } from "./load.ts";
import { select, type Stretch } from "./table.ts";
import { revisions as revisionTable } from "./tables/session.ts";
import type { SessionRecord, TaskStanding, View } from "./view.ts";

/**
 * What a fork begins with, as the records say at its commit: little enough to be read without building a view of a long
 * session.
 */
export interface ForkPoint {
  /** The commit. */
  readonly seq: number;
  /** Settings with all revisions applied. */
  readonly settings: Settings;
  /** Prompt texts that replace the shipped ones, by name. */
  readonly prompts: ReadonlyMap<string, string>;
  /** The number of the newest revision; 0 for none. */
  readonly revision: number;
  /** Whether there is a hypothesis. */
  readonly begun: boolean;
  /** Open tasks, oldest first. */
  readonly open: readonly OpenTask[];
  /** Labels of tasks that a person moved to the front, in the order in which they were. */
  readonly promoted: readonly string[];
}

/** An open task, as a fork takes it over. */
export interface OpenTask extends TaskStanding {
  /** Calls that failed attempts used up: the next attempt counts on from there. */
  readonly callsBase: number;
}

/** The point where a view stands. */
export function forkPointOf(sql: Sql, view: View, stretches: readonly Stretch[]): ForkPoint {
  const { seq, settings, prompts, revision, revisions, hypotheses } = view;
  // As they were enqueued: within a commit labels are counted on.
  const open = [...view.openTasks].sort((a, b) =>
    a.record.seq - b.record.seq || Number(a.record.label.slice(1)) - Number(b.record.label.slice(1))
  );
  return {
    seq,
    settings,
    prompts: new Map(prompts),
    revision,
    begun: hypotheses.length > 0,
    open: open.map((task) => withCalls(sql, stretches, task)),
    promoted: promotedBy(revisions),
  };
}

/** Reads the point at the end of the last stretch. */
export function readForkPoint(
  sql: Sql,
  session: Pick<SessionRecord, "settings">,
  stretches: readonly Stretch[],
): ForkPoint {
  const revisions = stretches.flatMap((stretch) => select(sql, revisionTable, stretch));
  return {
    seq: stretches.at(-1)?.to ?? 0,
    settings: settingsAfter(session.settings, revisions),
    prompts: promptsAfter(revisions),
    revision: revisions.at(-1)?.number ?? 0,
    begun: stretches.some(({ session, from, to }) =>
      sql.get(
        "SELECT 1 AS found FROM hypotheses WHERE session = ? AND seq > ? AND seq <= ? LIMIT 1",
        session,
        from,
        to,
      ) !== undefined
    ),
    open: readOpenTasks(sql, stretches).map((task) => withCalls(sql, stretches, task)),
    promoted: promotedBy(revisions),
  };
}

function promotedBy(revisions: readonly RevisionRecord[]): string[] {
  return revisions.flatMap(({ kind, target, after }) =>
    kind === "queue" && after === "promote" ? [target] : []
  );
}

function withCalls(sql: Sql, stretches: readonly Stretch[], task: TaskStanding): OpenTask {
  return { ...task, callsBase: task.attempts === 0 ? 0 : callsOf(sql, stretches, task.record.id) };
}

function settingsAfter(settings: Settings, revisions: readonly RevisionRecord[]): Settings {
  return revisions.filter(({ kind }) => kind === "configure").reduce(
    (sum, { target, after }) => afterRecordedChange(sum, target, after),
    settings,
  );
}

function promptsAfter(revisions: readonly RevisionRecord[]): ReadonlyMap<string, string> {
  const prompts = new Map<string, string>();
  for (const { kind, target, after } of revisions) {
    if (kind !== "prompt") continue;
    if (typeof after === "string") prompts.set(target, after);
    else prompts.delete(target);
  }
  return prompts;
}

/** Calls that a task's attempts had made by then: they ended with commits of their own. */
function callsOf(sql: Sql, stretches: readonly Stretch[], taskId: string): number {
  return stretches.reduce((sum, { session, from, to }) => {
    const row = sql.get(
      "SELECT count(*) AS n FROM transcripts WHERE session = ? AND task_id = ? AND seq > ? AND seq <= ?",
      session,
      taskId,
      from,
      to,
    );
    return sum + (row === undefined ? 0 : number(row, "n"));
  }, 0);
}
