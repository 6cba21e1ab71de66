import type { DirectiveUntil } from "../../domain/records.ts";
import { boolean, type ColumnsOf, integer, json, list, text, time } from "./columns.ts";
import type { FrameSource } from "./source.ts";

/** A person's instruction or preference. */
export interface DirectiveFrameRow {
  /** `D1`. */
  readonly label: string;
  /** The commit. */
  readonly seq: number;
  /** When. */
  readonly at: string | null;
  /** Which kind. */
  readonly kind: "directive" | "preference";
  /** What it says. */
  readonly text: string;
  /** For which agents; none means all. */
  readonly recipients: readonly string[];
  /** Totals at which it ends by itself. */
  readonly until: DirectiveUntil | null;
  /** Who gave it. */
  readonly author: string;
  /** Whether a person ended it. */
  readonly withdrawn: boolean;
  /** Whether later prompts carry it. */
  readonly inForce: boolean;
  /** Calls that carried it. */
  readonly calls: number;
}

/** The columns of {@linkcode directiveFrame}. */
export const DIRECTIVE_COLUMNS: ColumnsOf<DirectiveFrameRow> = {
  label: text("the directive"),
  kind: text("directive or preference"),
  text: text("what it says"),
  recipients: list("the agents that it is for; an empty list means all"),
  inForce: boolean("whether later prompts carry it"),
  withdrawn: boolean("whether a person ended it"),
  calls: integer("model calls that carried it"),
  until: json("totals of the session at which it ends by itself"),
  author: text("who gave it"),
  seq: integer("the commit"),
  at: time("when it was given"),
};

/** All directives, in order. */
export function directiveFrame(source: Pick<FrameSource, "view" | "calls" | "at">): DirectiveFrameRow[] {
  const { view } = source;
  const carried = new Map<string, number>();
  for (const { directives } of source.calls) {
    for (const id of directives) carried.set(id, (carried.get(id) ?? 0) + 1);
  }
  return view.directives.map((directive): DirectiveFrameRow => ({
    label: directive.label,
    seq: directive.seq,
    at: source.at(directive.seq),
    kind: directive.kind,
    text: directive.text,
    recipients: directive.to,
    until: directive.until,
    author: directive.author,
    withdrawn: view.marked("withdrawn", directive.id) !== null,
    inForce: view.inForce(directive),
    calls: carried.get(directive.id) ?? 0,
  }));
}
