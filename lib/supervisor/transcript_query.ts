import { inputError } from "../domain/errors.ts";
import type { TranscriptFilter } from "../store/transcripts.ts";
import type { View } from "../store/view.ts";
import { hypothesisOf, taskOf } from "./labels.ts";

/** Which model calls are meant; all conditions must hold. */
export interface TranscriptQuery {
  /** Only the newest so many. */
  readonly last?: number | undefined;
  /** Of this prompt, such as `ranking.pairwise`. */
  readonly prompt?: string | undefined;
  /** Of this task, by label. */
  readonly task?: string | undefined;
  /** Of the tasks that made or reviewed this hypothesis, or judged its matches, by label. */
  readonly hypothesis?: string | undefined;
  /** Only those that failed (`true`) or didn't (`false`). */
  readonly failed?: boolean | undefined;
}

const KEYS = ["last", "prompt", "task", "hypothesis", "failed"] as const;

/** The query as the store understands it. @throws CosciError `input` for an unknown key or label */
export function transcriptFilter(view: View, query: TranscriptQuery): TranscriptFilter {
  for (const key of Object.keys(query)) {
    if (!KEYS.some((known) => known === key)) {
      throw inputError(`transcripts: ${key}`, key, `Give some of ${KEYS.join(", ")}.`, KEYS);
    }
  }
  const { last, prompt, failed } = query;
  if (last !== undefined && !(Number.isInteger(last) && last > 0)) {
    throw inputError("transcripts: last", last, "Give a whole number above 0.");
  }
  return {
    last,
    prompt,
    failed,
    ...(query.task === undefined ? {} : { taskId: taskOf(view, query.task, "transcripts") }),
    ...(query.hypothesis === undefined ? {} : { taskIds: tasksAbout(view, query.hypothesis) }),
  };
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
