import type { TaskAction } from "./records.ts";

/** How many tasks there are of each action. */
export type ActionCounts = Readonly<Record<TaskAction, number>>;

/** Counts actions; those that don't occur count 0. */
export function countActions(actions: Iterable<TaskAction>): ActionCounts {
  const counts = {
    parse_goal: 0,
    generate: 0,
    review: 0,
    match: 0,
    rejudge: 0,
    evolve: 0,
    system_feedback: 0,
    overview: 0,
  };
  for (const action of actions) counts[action]++;
  return counts;
}
