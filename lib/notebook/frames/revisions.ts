import type { RevisionKind } from "../../domain/records.ts";
import { type ColumnsOf, integer, json, text, time } from "./columns.ts";
import type { FrameSource } from "./source.ts";

/** A change by a person. */
export interface RevisionRow {
  /** `R3`. */
  readonly label: string;
  /** What tasks, calls and matches carry. */
  readonly number: number;
  /** The commit. */
  readonly seq: number;
  /** When. */
  readonly at: string | null;
  /** What kind of change. */
  readonly kind: RevisionKind;
  /** Of what: a setting's path, a prompt's name, a label. */
  readonly target: string;
  /** The value before. */
  readonly before: unknown;
  /** The value from now on. */
  readonly after: unknown;
  /** Who. */
  readonly author: string;
  /** The number of the revision that it undoes. */
  readonly undoes: number | null;
}

/** The columns of {@linkcode revisionFrame}. */
export const REVISION_COLUMNS: ColumnsOf<RevisionRow> = {
  label: text("the revision"),
  number: integer("what tasks, calls and matches carry as revision"),
  kind: text("what kind of change: configure, prompt, hypothesis, verdict …"),
  target: text("of what: a setting's path, a prompt's name, a label"),
  before: json("the value before"),
  after: json("the value from then on"),
  author: text("who"),
  undoes: integer("number of the revision that it undoes"),
  seq: integer("the commit"),
  at: time("when it was made"),
};

/** All that people changed, in order. */
export function revisionFrame({ view, at }: Pick<FrameSource, "view" | "at">): RevisionRow[] {
  return view.revisions.map(({ label, number, seq, kind, target, before, after, author, undoes }) => ({
    label,
    number,
    seq,
    at: at(seq),
    kind,
    target,
    before,
    after,
    author,
    undoes,
  }));
}
