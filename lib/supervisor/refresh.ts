import { CosciError, inputError } from "../domain/errors.ts";
import { countActions } from "../domain/count_actions.ts";
import { addCost, NO_COST, TASK_ACTIONS, type TaskAction } from "../domain/records.ts";
import type { NewTask } from "../engine/new_task.ts";
import type { RunReport } from "../engine/report.ts";
import { type StaleItem, staleItems, standsFor } from "../engine/staleness.ts";
import type { View } from "../store/view.ts";
import { resolveLabel } from "./labels.ts";
import { parentsOf, redoOf, staleOf } from "./stale.ts";

/** What is to be done again. */
export interface Selection {
  /** Ids of what is stale and will be done again. */
  readonly ids: ReadonlySet<string>;
  /** What is left alone, and why; one line each. */
  readonly notes: readonly string[];
}

/**
 * What a person wants done again: everything that is stale, or what the labels name. A hypothesis's label stands for all
 * that was said of it or made from it, and for itself, if it was made from another.
 *
 * @throws CosciError `input` for an unknown label or one of a kind that can't be stale; `state` for one that no model can
 * do again
 */
export function selectStale(view: View, labels: unknown): Selection {
  const everything = labels === undefined;
  const given: readonly unknown[] = everything ? [] : Array.isArray(labels) ? labels : [labels];
  if (!everything && given.length === 0) {
    throw inputError("refresh", labels, 'Give a label such as "V3" or "H7", or several; nothing for all.');
  }
  const all = staleItems(view);
  const ids = new Set<string>(), notes: string[] = [];
  const take = (item: StaleItem, named: boolean) => {
    const redo = redoOf(view, item);
    if (redo.kind === "refresh" || (redo.kind === "named" && named)) ids.add(item.id);
    else notes.push(`${item.label} is left as it is: ${redo.why}.`);
  };
  if (everything) { for (const item of all) take(item, false); }
  for (const label of given) {
    const found = resolveLabel(view, label, "refresh");
    switch (found.kind) {
      case "hypothesis": {
        const of = staleOf(view, found.id);
        for (const item of of) take(item, item.id === found.id);
        if (of.length === 0) notes.push(`Nothing of ${labelOf(view, found.id)} is stale.`);
        break;
      }
      case "review":
      case "match":
      case "overview": {
        const item = all.find(({ id }) => id === found.id);
        if (item === undefined) {
          notes.push(`${String(label).trim()} is not stale.`);
          break;
        }
        const redo = redoOf(view, item);
        if (redo.kind === "not") {
          throw new CosciError("state", `refresh: ${item.label} can't be done again: ${redo.why}.`);
        }
        ids.add(item.id);
        break;
      }
      default:
        throw new CosciError(
          "input",
          `refresh: "${String(label)}" is a ${found.kind}, which is never stale. ` +
            "Give the label of a review, a match, an overview, or a hypothesis; lab.stale lists what is stale.",
        );
    }
  }
  if (everything && all.length === 0) notes.push("Nothing is stale.");
  return { ids, notes: [...new Set(notes)] };
}

/**
 * What of a selection is done next, as the records stand by now: children first, the older generation before the younger,
 * since what is said of them is to be said of their new text; then reviews and matches, side by side; the overview last.
 * Empty once nothing is left of it.
 */
export function nextToRedo(view: View, { ids }: Selection, tried: ReadonlySet<string>): readonly StaleItem[] {
  const left = staleItems(view).filter(({ id }) => ids.has(id) && !tried.has(id));
  const children = left.filter(({ kind }) => kind === "child");
  if (children.length > 0) {
    const generation = (item: StaleItem) => view.hypothesis(item.id)?.record.generation ?? 0;
    const first = Math.min(...children.map(generation));
    return children.filter((item) => generation(item) === first);
  }
  const said = left.filter(({ kind }) => kind === "review" || kind === "match");
  return said.length > 0 ? said : left;
}

/** The tasks that do something again. Two reviews of a kind of one hypothesis are one task. */
export function redoTasks(view: View, items: readonly StaleItem[]): NewTask[] {
  const tasks = new Map<string, NewTask>();
  for (const item of items) {
    const task = redoTask(view, item);
    if (task !== null) tasks.set(task.key, task);
  }
  return [...tasks.values()];
}

function redoTask(view: View, item: StaleItem): NewTask | null {
  switch (item.kind) {
    case "review": {
      const { hypothesisId, kind } = item.record;
      const version = view.hypothesis(hypothesisId)?.record.version ?? item.record.hypothesisVersion;
      return {
        key: `review/${hypothesisId}/${version}/${kind}/${view.seq}`,
        action: "review",
        targetId: hypothesisId,
        payload: { kind },
      };
    }
    case "match": {
      const { id, firstId, secondId } = item.record;
      return {
        key: `match/${id}/again/${view.seq}`,
        action: "match",
        payload: { pair: [standsFor(view, firstId), standsFor(view, secondId)], replaces: id },
      };
    }
    case "child": {
      const { id, strategy, parents } = item.record;
      if (strategy === "literature" || strategy === "debate" || strategy === "human") return null;
      return {
        key: `evolve/${id}/again/${view.seq}`,
        action: "evolve",
        targetId: id,
        payload: { strategy, parents: parentsOf(view, parents).map(({ record }) => record.id), remakes: id },
      };
    }
    case "overview":
      return { key: `overview/draft/${view.seq}`, action: "overview", payload: { final: false } };
  }
}

/** What is stale since a `refresh` made its children anew, in a line; none where nothing is. */
export function staleSince(view: View, before: ReadonlySet<string>, { ids }: Selection): string[] {
  const fresh = staleItems(view).filter(({ id }) => !before.has(id) && !ids.has(id));
  if (fresh.length === 0) return [];
  return [
    `${fresh.map(({ label }) => label).join(", ")} ${
      fresh.length === 1 ? "is" : "are"
    } stale since what was made anew; lab.stale tells what it would cost to do that again as well.`,
  ];
}

/** A run in which nothing was to be done. */
const NO_RUN: RunReport = {
  endedBy: "until",
  stop: null,
  tasks: countActions([]),
  failures: 0,
  lastFailures: [],
  cost: NO_COST,
  durationMs: 0,
  changes: [],
};

/** Several runs, one after the other, as one. */
export function joined(reports: readonly RunReport[]): RunReport {
  const [first, ...rest] = reports;
  if (first === undefined) return NO_RUN;
  return rest.reduce((sum, next): RunReport => ({
    endedBy: next.endedBy,
    stop: next.stop,
    tasks: sumOf(sum.tasks, next.tasks),
    failures: sum.failures + next.failures,
    lastFailures: [...sum.lastFailures, ...next.lastFailures].slice(-5),
    cost: addCost(sum.cost, next.cost),
    durationMs: sum.durationMs + next.durationMs,
    changes: [...sum.changes, ...next.changes],
  }), first);
}

function sumOf(
  a: RunReport["tasks"],
  b: RunReport["tasks"],
): Readonly<Record<TaskAction, number>> {
  const sum = { ...a };
  for (const action of TASK_ACTIONS) sum[action] += b[action];
  return sum;
}

function labelOf(view: View, id: string): string {
  return view.hypothesis(id)?.record.label ?? id;
}
