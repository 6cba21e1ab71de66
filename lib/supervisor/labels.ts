import { CosciError, inputError } from "../domain/errors.ts";
import type { Standing, View } from "../store/view.ts";

/** What a label stands for. */
export type Labelled =
  | { readonly kind: "hypothesis"; readonly id: string }
  | { readonly kind: "review"; readonly id: string }
  | { readonly kind: "match"; readonly id: string }
  | { readonly kind: "task"; readonly id: string }
  | { readonly kind: "feedback"; readonly id: string }
  | { readonly kind: "overview"; readonly id: string }
  | { readonly kind: "revision"; readonly id: string }
  | { readonly kind: "directive"; readonly id: string }
  | { readonly kind: "result"; readonly id: string }
  | { readonly kind: "gate"; readonly id: string };

const LABEL = /^[A-Z]\d+$/;

/** Finds what a label or an id stands for. @throws CosciError `input`, naming the labels that there are */
export function resolveLabel(view: View, label: unknown, verb: string): Labelled {
  if (typeof label !== "string") throw inputError(verb, label, 'Give a label such as "H7", or an id.');
  const word = label.trim();
  const upper = LABEL.test(word.toUpperCase()) ? word.toUpperCase() : word;
  const is = (record: { readonly id: string; readonly label: string }) =>
    record.label === upper || record.id === word;
  const hypothesis = view.hypotheses.find(({ record }) => is(record));
  if (hypothesis !== undefined) return { kind: "hypothesis", id: hypothesis.record.id };
  const lists = {
    review: view.reviews,
    match: view.matches,
    feedback: view.feedback,
    overview: view.overviews,
    revision: view.revisions,
    directive: view.directives,
    result: view.allEvidence,
    gate: view.gates,
  } as const;
  for (const [kind, list] of Object.entries(lists)) {
    const found = list.find(is);
    if (found !== undefined) return { kind, id: found.id } as Labelled;
  }
  const task = [...view.openTasks, ...view.deadTasks].find(({ record }) => is(record)) ??
    view.taskLabelled(upper) ?? view.task(word);
  if (task !== undefined) return { kind: "task", id: task.record.id };
  throw new CosciError("input", `${verb}: there is no "${label}". ${labelsOf(view)}`);
}

/** The hypothesis with this label or id. @throws CosciError `input`, naming the labels that there are */
export function hypothesisOf(view: View, label: unknown, verb: string): Standing {
  const found = resolveLabel(view, label, verb);
  const standing = found.kind === "hypothesis" ? view.hypothesis(found.id) : undefined;
  if (standing === undefined) {
    throw new CosciError(
      "input",
      `${verb}: "${label}" is ${article(found.kind)}, not a hypothesis. ${labelsOf(view)}`,
    );
  }
  return standing;
}

/** What the labels of each kind are called, and how they look. */
const KINDS = {
  review: "Reviews are V1, V2, …",
  match: "Matches are M1, M2, …",
  directive: "Directives are D1, D2, …",
  result: "Results and findings are E1, E2, …",
} as const;

/** The id of the record of a kind with this label or id. @throws CosciError `input` */
export function idOf(view: View, label: unknown, verb: string, kind: keyof typeof KINDS): string {
  const found = resolveLabel(view, label, verb);
  if (found.kind === kind) return found.id;
  throw new CosciError(
    "input",
    `${verb}: "${label}" is ${article(found.kind)}, not ${article(kind)}. ${KINDS[kind]}`,
  );
}

/** The record of a kind with this label or id. @throws CosciError `input` */
export function recordOf<T extends { readonly id: string }>(
  view: View,
  label: unknown,
  verb: string,
  kind: keyof typeof KINDS,
  list: readonly T[],
): T {
  const id = idOf(view, label, verb, kind);
  const found = list.find((record) => record.id === id);
  if (found === undefined) throw new CosciError("internal", `${verb}: there is no ${kind} ${id}`);
  return found;
}

/** The task with this label or id. @throws CosciError `input` */
export function taskOf(view: View, label: unknown, verb: string): string {
  const found = resolveLabel(view, label, verb);
  if (found.kind !== "task") {
    throw new CosciError(
      "input",
      `${verb}: "${label}" is ${article(found.kind)}, not a task. Tasks are T1, T2, …`,
    );
  }
  return found.id;
}

function article(kind: Labelled["kind"]): string {
  return kind === "feedback" ? "system feedback" : kind === "overview" ? "an overview" : `a ${kind}`;
}

function labelsOf(view: View): string {
  const ranges = [
    ["hypotheses", view.hypotheses.map(({ record }) => record.label)],
    ["reviews", view.reviews.map(({ label }) => label)],
    ["matches", view.matches.map(({ label }) => label)],
    ["feedback", view.feedback.map(({ label }) => label)],
    ["overviews", view.overviews.map(({ label }) => label)],
    ["directives", view.directives.map(({ label }) => label)],
    ["results and findings", view.allEvidence.map(({ label }) => label)],
  ] as const;
  const there = ranges.flatMap(([name, labels]) => {
    const last = labels.at(-1);
    return last === undefined
      ? []
      : [labels.length === 1 ? `${name} ${last}` : `${name} ${labels[0]} to ${last}`];
  });
  return there.length === 0
    ? "There is nothing yet but tasks (T1, T2, …)."
    : `There are ${there.join(", ")}, and tasks (T1, T2, …).`;
}
