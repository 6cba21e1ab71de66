import { recordId } from "../domain/ids.ts";
import type { RevisionKind, RevisionRecord } from "../domain/records.ts";
import type { Entry } from "../store/records.ts";
import type { Unsaved } from "../store/table.ts";
import type { View } from "../store/view.ts";

/** A change by a person, before it is a record. */
export interface Change {
  /** What it changes. */
  readonly kind: RevisionKind;
  /** Which one: a setting's path, a prompt's name, a label. */
  readonly target: string;
  /** The value so far. */
  readonly before: unknown;
  /** The value from now on. */
  readonly after: unknown;
  /** Who. */
  readonly author: string;
  /** The number of the revision that it undoes. */
  readonly undoes?: number | undefined;
}

/** The revisions that tell of changes, numbered on from the view's newest: for a commit on top of it. */
export function revisionEntries(view: View, changes: readonly Change[]): Entry[] {
  return revisionRecords(view.revision, changes).map((record) => ({ kind: "revision", record }));
}

/** The same as records, numbered on from this one. */
export function revisionRecords(newest: number, changes: readonly Change[]): Unsaved<RevisionRecord>[] {
  return changes.map(({ kind, target, before, after, author, undoes = null }, i) => {
    const number = newest + 1 + i;
    return {
      id: recordId("rvn", `revision ${number}`),
      number,
      kind,
      target,
      before: before ?? null,
      after: after ?? null,
      author,
      undoes,
    };
  });
}
