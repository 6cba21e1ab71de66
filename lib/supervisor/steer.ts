import { z } from "zod";
import { CosciError, inputError } from "../domain/errors.ts";
import { type Change, revisionEntries } from "../engine/revision_entry.ts";
import type { Entry } from "../store/records.ts";
import type { Committed, EndingTask, Store } from "../store/store.ts";
import type { View } from "../store/view.ts";
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
  const committed = on.store.commit(on.session, (view) => {
    requireSteerable(view, verb);
    const steering = decide(view);
    if (steering === null) return null;
    const { entries, changes, events = [], task } = steering;
    return {
      kind: verb,
      author,
      // It may be what a stalled session lacked: the next tasks get their own tries.
      progress: 1,
      entries: [...revisionEntries(view, changes.map((change) => ({ ...change, author }))), ...entries],
      events,
      ...(task === undefined ? {} : { task }),
    };
  });
  if (committed !== null) on.changed();
  return committed;
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
