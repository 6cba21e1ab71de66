import { CosciError } from "../lib/domain/errors.ts";
import type { Decision } from "../lib/domain/agent.ts";
import type { TaskRecord } from "../lib/domain/records.ts";
import type { Standing, View } from "../lib/store/view.ts";

/** The hypothesis with this id as it stands in the view. Throws `CosciError("state")` where there is none. */
export function standingOf(view: View, id: string): Standing {
  const standing = view.hypothesis(id);
  if (standing === undefined) {
    throw new CosciError(
      "state",
      `No hypothesis ${id} at seq ${view.seq}: enqueue the task again with the label of one that exists.`,
    );
  }
  return standing;
}

/** The fault of preparing a task with a decision that its agent never makes. */
export function wrongDecision(task: TaskRecord, decision: Decision): CosciError {
  return new CosciError(
    "internal",
    `Task ${task.label} (${task.agent}, ${task.action}) came with the decision "${decision.kind}", ` +
      "which its agent doesn't make: please report this as a fault of cosci.",
  );
}
