import type { HypothesisRecord } from "./records.ts";

/**
 * The version that a hypothesis's newest one goes back to: as it was proposed, or made anew. Edits since then, which keep
 * the task, made it no other way.
 *
 * @param versions all of one hypothesis, oldest first
 */
export function madeVersion(versions: readonly HypothesisRecord[]): HypothesisRecord | undefined {
  const newest = versions.at(-1);
  return newest === undefined ? undefined : versions.find(({ taskId }) => taskId === newest.taskId);
}
