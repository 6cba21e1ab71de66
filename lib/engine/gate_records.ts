import type { Decision } from "../domain/agent.ts";
import { type GateProposal, proposalOf } from "../domain/gate_proposal.ts";
import { recordId } from "../domain/ids.ts";
import type { GateKind, TaskRecord } from "../domain/records.ts";
import type { Entry } from "../store/records.ts";
import type { View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { type NewTask, taskEntry } from "./new_task.ts";

/** What a commit writes that opens a gate. */
export interface Opened {
  /** Its record. */
  readonly entries: readonly Entry[];
  /** What to tell the world. */
  readonly events: readonly EventDraft[];
}

/**
 * Whether this kind of step waits for a person's yes. By the settings of the moment, not by those that a task works
 * under: what is asked is whether something shall take effect now.
 */
export function isGated(view: View, kind: GateKind): boolean {
  return view.settings.run.gates.includes(kind);
}

/** Opens a gate. @param key of the task or round whose step waits: its gate is the only one of that key */
export function openGate(key: string, proposal: GateProposal, taskId: string | null): Opened {
  return {
    entries: [{ kind: "gate", record: { id: recordId("gat", key), kind: proposal.kind, proposal, taskId } }],
    events: [{ type: "gate_opened", payload: { kind: proposal.kind } }],
  };
}

/** The round that tasks of evolution belong to: what their keys begin with. */
function roundOf({ key }: NewTask): string {
  return key.slice(0, key.lastIndexOf("/"));
}

/** Whether a round of evolution was proposed before: then it is not proposed again, whatever the answer was. */
export function wasProposed(view: View, round: string): boolean {
  const id = recordId("gat", round);
  return view.gates.some((gate) => gate.id === id);
}

/**
 * The gate that a round of evolution waits at, with the parents that each strategy would take now. `null` where no round
 * is among the steps, where no gate is asked for, and where no strategy has anything to work from: then there is nothing
 * to say yes to.
 *
 * @param decide which parents a task takes, beside decisions that are taken
 */
export function evolutionGate(
  view: View,
  steps: readonly NewTask[],
  decide: (view: View, task: TaskRecord, busy: readonly Decision[]) => Decision,
  busy: readonly Decision[],
): Opened | null {
  const round = isGated(view, "evolution") ? steps.filter(({ action }) => action === "evolve") : [];
  const [first] = round;
  if (first === undefined) return null;
  const taken: Decision[] = [...busy];
  const tasks = [], leftOut = [];
  for (const step of round) {
    const strategy = step.payload?.strategy;
    if (strategy === undefined) continue;
    const decision = decide(view, asRecord(view, step), taken);
    if (decision.kind === "evolve") {
      taken.push(decision);
      tasks.push({ strategy, parents: [...decision.parents] });
    } else leftOut.push({ strategy, why: decision.kind === "nothing" ? decision.reason : "" });
  }
  if (tasks.length === 0) return null;
  return openGate(roundOf(first), { kind: "evolution", round: roundOf(first), tasks, leftOut }, null);
}

/** A task as its record would be, to ask what it would decide. */
export function asRecord(view: View, task: NewTask): TaskRecord {
  const { record } = taskEntry(task, view.settings.lease.maxAttempts);
  return { ...record, seq: view.seq + 1, label: task.key };
}

/** How many valid matches the synthesis had seen that came last, whether it was accepted, refused, or waits. */
export function matchesSynthesised(view: View): number {
  const proposed = view.gates.flatMap((gate) => {
    if (gate.kind !== "feedback") return [];
    const proposal = proposalOf(gate);
    return proposal.kind === "feedback" ? [proposal.matchesSeen] : [];
  });
  return Math.max(view.feedback.at(-1)?.matchesSeen ?? 0, ...proposed);
}
