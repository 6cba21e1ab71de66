import { z } from "zod";
import { inputError } from "../domain/errors.ts";
import type { TranscriptFilter } from "../store/transcripts.ts";
import type { View } from "../store/view.ts";
import { hypothesisOf, taskOf } from "./labels.ts";
import { type OptionsRule, requireOptions } from "./wrong_option.ts";

/** Which model calls are meant; all conditions must hold. */
export interface TranscriptQuery {
  /** Only the newest so many. */
  readonly last?: number | undefined;
  /** Of this prompt, such as `ranking.pairwise`. */
  readonly prompt?: string | undefined;
  /** Of this version of a prompt: its first digits are enough. */
  readonly version?: string | undefined;
  /** That carried this directive, by label. */
  readonly directive?: string | undefined;
  /** Of this task, by label. */
  readonly task?: string | undefined;
  /** Of the tasks that made or reviewed this hypothesis, or judged its matches, by label. */
  readonly hypothesis?: string | undefined;
  /** Only those that failed (`true`) or didn't (`false`). */
  readonly failed?: boolean | undefined;
}

const QUERY: OptionsRule = {
  shape: z.strictObject({
    last: z.number().int().positive().optional(),
    prompt: z.string().optional(),
    version: z.string().regex(/^[0-9a-f]{4,16}$/).optional(),
    directive: z.string().optional(),
    task: z.string().optional(),
    hypothesis: z.string().optional(),
    failed: z.boolean().optional(),
  }),
  example: "{ last: 5 }",
  remedies: {
    last: "Give a whole number above 0.",
    prompt: "Give the name of a prompt.",
    version: "Give a version as prompts.list() shows it: 16 hex digits, or the first few.",
    directive: 'Give a label such as "D1".',
    task: 'Give a label such as "T5".',
    hypothesis: 'Give a label such as "H7".',
    failed: "Give true or false.",
  },
};

/**
 * The query as the store understands it. `prompts`: the names that there are.
 *
 * @throws CosciError `input` for an unknown key, prompt or label
 */
export function transcriptFilter(
  view: View,
  query: TranscriptQuery,
  prompts: readonly string[],
): TranscriptFilter {
  requireOptions("transcripts", query, QUERY);
  const { last, prompt, version, failed } = query;
  if (prompt !== undefined && !prompts.includes(prompt)) {
    throw inputError("transcripts: prompt", prompt, `Prompts are ${prompts.join(", ")}.`, prompts);
  }
  return {
    last,
    prompt,
    version,
    failed,
    ...(query.directive === undefined ? {} : { directive: directiveOf(view, query.directive) }),
    ...(query.task === undefined ? {} : { taskId: taskOf(view, query.task, "transcripts") }),
    ...(query.hypothesis === undefined ? {} : { taskIds: tasksAbout(view, query.hypothesis) }),
  };
}

function directiveOf(view: View, label: string): string {
  const word = label.trim();
  const found = view.directives.find((each) => each.id === word || each.label === word.toUpperCase());
  if (found !== undefined) return found.id;
  const labels = view.directives.map((each) => each.label);
  throw inputError(
    "transcripts: directive",
    label,
    labels.length === 0 ? "No directive was given yet." : `Directives are ${labels.join(", ")}.`,
    labels,
  );
}

function tasksAbout(view: View, label: string): string[] {
  const { record } = hypothesisOf(view, label, "transcripts");
  const tasks = [
    record.taskId,
    ...view.reviewsOf(record.id).map((review) => review.taskId),
    ...view.matches.filter((match) => match.firstId === record.id || match.secondId === record.id).map((
      match,
    ) => match.taskId),
  ];
  return tasks.flatMap((id) => (id === null ? [] : [id]));
}
