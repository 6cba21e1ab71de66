import { z } from "zod";
import { CosciError, inputError } from "../domain/errors.ts";
import type { TaskRecord } from "../domain/records.ts";
import { type Change, revisionEntries } from "../engine/revision_entry.ts";
import type { Entry } from "../store/records.ts";
import type { Committed, EndingTask, Store } from "../store/store.ts";
import { readTranscripts } from "../store/transcripts.ts";
import type { TaskStanding, View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";

/** What a verb of steering needs of the handle that it belongs to. */
export interface Steered {
  /** The store. */
  readonly store: Store;
  /** The session's id. */
  readonly session: string;
  /** The newest view. @throws CosciError `state` once the handle is closed */
  view(): View;
  /** Told after each change that is made: what had stopped the session may be over. */
  changed(): void;
}

/** What a person's verb does, decided on the newest view inside its transaction. */
export interface Steering {
  /** The records. */
  readonly entries: readonly Entry[];
  /** What is told of it: one revision each. */
  readonly changes: readonly Omit<Change, "author">[];
  /** What to tell the world. */
  readonly events?: readonly EventDraft[] | undefined;
  /** A task that ends with it. */
  readonly task?: EndingTask | undefined;
  /** Open tasks that nobody works on and that are cancelled with it; what they cost so far is kept. */
  readonly cancels?: { readonly tasks: readonly TaskStanding[]; readonly reason: string } | undefined;
}

/** Who a change is by where nobody was named. */
export const SOMEBODY = "person";

/**
 * Makes a person's change: its records and the revisions that tell of it, in one commit. `decide` may throw, and then
 * nothing is written; `null` changes nothing.
 *
 * @throws CosciError `state` for a finished or aborted session
 */
export function steer(
  on: Steered,
  verb: string,
  author: string,
  decide: (view: View) => Steering | null,
): Committed | null {
  requireSteerable(on.view(), verb);
  const committed = on.store.write(() => {
    let cancelled: readonly TaskStanding[] = [];
    const made = on.store.commit(on.session, (view) => {
      requireSteerable(view, verb);
      const steering = decide(view);
      if (steering === null) return null;
      const { entries, changes, events = [], task, cancels } = steering;
      cancelled = cancels?.tasks ?? [];
      return {
        kind: verb,
        author,
        // It may be what a stalled session lacked: the next tasks get their own tries.
        progress: 1,
        entries: [
          ...revisionEntries(view, changes.map((change) => ({ ...change, author }))),
          ...entries,
          ...cancelled.map(({ record, attempts }): Entry => ({
            kind: "taskState",
            record: { taskId: record.id, status: "cancelled", attempts, reason: cancels?.reason ?? "" },
          })),
        ],
        events: [
          ...events,
          ...cancelled.map(({ record }): EventDraft => ({
            type: "task_cancelled",
            payload: { task: record.label, reason: cancels?.reason ?? "" },
          })),
        ],
        ...(task === undefined ? {} : { task }),
      };
    });
    for (const { record } of cancelled) leaveQueue(on, record, author);
    return made;
  });
  if (committed !== null) on.changed();
  return committed;
}

/** Takes a cancelled task out of the queue; calls that it made already get a commit, so that their cost is kept. */
function leaveQueue({ store, session }: Steered, { id, agent }: TaskRecord, author: string): void {
  const item = store.queue(session).item(id);
  const unbooked = readTranscripts(store.sql, session, { taskId: id }).some(({ seq }) => seq === null);
  if (!unbooked) return store.queue(session).remove(id);
  store.commit(session, (view) => ({
    kind: "late_calls",
    author,
    progress: 0,
    entries: [],
    task: {
      id,
      agent,
      revision: item?.revision ?? view.revision,
      owner: null,
      then: { kind: "ended", status: "cancelled" },
    },
  }));
}

/**
 * The open tasks that are about a hypothesis and that nobody works on: its reviews, matches that were to be with it,
 * evolutions from it. Those that somebody works on end void by themselves.
 */
export function idleTasksAbout({ store, session }: Steered, view: View, id: string): TaskStanding[] {
  const queue = store.queue(session);
  return view.openTasks.filter(({ record: { id: taskId, targetId, payload } }) => {
    const item = queue.item(taskId);
    if (item?.status === "in_progress") return false;
    const decided = item?.decision?.kind === "match"
      ? [item.decision.firstId, item.decision.secondId]
      : item?.decision?.kind === "evolve"
      ? item.decision.parents
      : [];
    return targetId === id || payload.focus === id || payload.remakes === id ||
      [...payload.pair ?? [], ...payload.parents ?? [], ...decided].includes(id);
  });
}

/** Refuses to change a session that is over. @throws CosciError `state` */
export function requireSteerable({ status }: View, verb: string): void {
  if (status !== "done" && status !== "aborted") return;
  throw new CosciError("state", `${verb}: the session is ${status}. reopen() goes on; then change it.`);
}

const authorShape = z.string().trim().min(1).max(80).refine((name) =>
  name !== "model" && name !== "engine" && name !== "file"
);

/** The author that a person named, or somebody. @throws CosciError `input` */
export function readAuthor(verb: string, author: unknown): string {
  if (author === undefined) return SOMEBODY;
  const parsed = authorShape.safeParse(author);
  if (parsed.success) return parsed.data;
  throw inputError(
    `${verb}: author`,
    author,
    'Give a name of 1 to 80 characters, but not "model", "engine" or "file".',
  );
}

/** How much something counts. @throws CosciError `input` */
export function readWeight(verb: string, weight: unknown): number {
  if (weight === undefined) return 1;
  if (typeof weight === "number" && weight > 0 && weight <= 100) return weight;
  throw inputError(
    `${verb}: weight`,
    weight,
    "Give a number above 0, at most 100; 1 is what a model's counts.",
  );
}
