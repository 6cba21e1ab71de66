import { KNOWN_LABEL } from "../../domain/known_ideas.ts";
import { type ColumnsOf, double, integer, text, time } from "./columns.ts";
import { type FrameSource, hypothesisLabel, taskLabels } from "./source.ts";

/** A proposal that was too near to what was there. */
export interface DuplicateRow {
  /** The commit. */
  readonly seq: number;
  /** When. */
  readonly at: string | null;
  /** What was proposed. */
  readonly title: string;
  /** In one sentence. */
  readonly statement: string;
  /** Label of the hypothesis that it resembles. */
  readonly duplicateOf: string | null;
  /** The known idea that it is, if it is one. */
  readonly knownIdea: string | null;
  /** Their similarity. */
  readonly cosine: number;
  /** Label of the task that proposed it. */
  readonly task: string | null;
}

/** The columns of {@linkcode duplicateFrame}. */
export const DUPLICATE_COLUMNS: ColumnsOf<DuplicateRow> = {
  title: text("what was proposed"),
  duplicateOf: text("label of the hypothesis that it resembles; empty for a known idea"),
  knownIdea: text("the idea that the scientist named as known, if it is one"),
  cosine: double(
    "similarity of their embeddings; 1 where a known idea's own words stand in it",
    "from -1 to 1",
  ),
  statement: text("the same in one sentence"),
  task: text("label of the task that proposed it"),
  seq: integer("the commit"),
  at: time("when it was recorded"),
};

/** All proposals that were dropped because they repeat something, in order. */
export function duplicateFrame(source: Pick<FrameSource, "view" | "tasks" | "at">): DuplicateRow[] {
  const taskOf = taskLabels(source);
  return source.view.duplicates.map((each): DuplicateRow => {
    const known = each.duplicateOf.startsWith(KNOWN_LABEL);
    return {
      seq: each.seq,
      at: source.at(each.seq),
      title: each.title,
      statement: each.statement,
      duplicateOf: known ? null : hypothesisLabel(source, each.duplicateOf),
      knownIdea: known ? each.duplicateOf.slice(KNOWN_LABEL.length) : null,
      cosine: each.cosine,
      task: taskOf(each.taskId),
    };
  });
}
