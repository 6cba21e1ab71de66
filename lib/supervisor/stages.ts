import { CosciError, inputError } from "../domain/errors.ts";
import {
  EVOLUTION_STRATEGIES,
  type EvolutionStrategy,
  type HypothesisRecord,
  REVIEW_KINDS,
  type ReviewKind,
} from "../domain/records.ts";
import { firstFreeNumber, generationTask } from "../engine/next_steps.ts";
import type { NewTask } from "../engine/new_task.ts";
import type { View } from "../store/view.ts";
import { hypothesisOf } from "./labels.ts";

/** The tasks of one stage that a person asks for, as a view has it. A pure function: asked again inside the commit. */
export type Stage = (view: View) => readonly NewTask[];

/** `n` generations. @throws CosciError `input` */
export function generations(n: number): Stage {
  requireCount("generate", n);
  return (view) => {
    let from = 0;
    return Array.from({ length: n }, () => {
      const number = firstFreeNumber(view, from);
      from = number + 1;
      return generationTask(view, number);
    });
  };
}

/** Reviews of the hypotheses named. @throws CosciError `input` */
export function reviewsOf(labels: unknown, kind: ReviewKind): Stage {
  if (!REVIEW_KINDS.includes(kind)) {
    throw inputError("reflect: kind", kind, `Kinds are ${REVIEW_KINDS.join(", ")}.`, REVIEW_KINDS);
  }
  return (view) =>
    hypothesesOf(view, listOf(labels, "reflect"), "reflect").map((record) => ({
      key: `review/${record.id}/${record.version}/${kind}/${view.seq}`,
      action: "review",
      targetId: record.id,
      payload: { kind },
    }));
}

/** `n` matches. @throws CosciError `input`; from the stage `state` where there are too few hypotheses */
export function matches(n: number): Stage {
  requireCount("rank", n);
  return (view) => {
    if (view.drawable.length < 2) {
      throw new CosciError(
        "state",
        `rank: a match needs two hypotheses in the tournament, and there are ${view.drawable.length}. ` +
          "Run on, or reflect() on drafts.",
      );
    }
    return Array.from({ length: n }, (_, i) => ({ key: `match/${view.seq}/asked/${i}`, action: "match" }));
  };
}

/** One evolution, of the leaders or of the hypotheses named. @throws CosciError `input` */
export function evolutionOf(strategy: EvolutionStrategy, labels: unknown): Stage {
  if (!EVOLUTION_STRATEGIES.includes(strategy)) {
    throw inputError(
      "evolve: strategy",
      strategy,
      `Strategies are ${EVOLUTION_STRATEGIES.join(", ")}.`,
      EVOLUTION_STRATEGIES,
    );
  }
  return (view) => {
    const named = Array.isArray(labels) && labels.length === 0 ? [] : listOf(labels, "evolve");
    const parents = hypothesesOf(view, named, "evolve").map(({ id }) => id);
    return [{
      key: `evolve/asked/${view.seq}/${strategy}`,
      action: "evolve",
      payload: { strategy, ...(parents.length === 0 ? {} : { parents }) },
    }];
  };
}

/** A synthesis of system feedback. */
export const feedback: Stage = (view) => [{ key: `feedback/asked/${view.seq}`, action: "system_feedback" }];

function requireCount(verb: string, n: number): void {
  if (!Number.isInteger(n) || n < 1 || n > 1000) {
    throw inputError(verb, n, "Give a whole number from 1 to 1000.");
  }
}

/** One label or several, as a list. @throws CosciError `input` where none is given */
function listOf(labels: unknown, verb: string): readonly unknown[] {
  const given: readonly unknown[] = Array.isArray(labels) ? labels : [labels];
  if (given.length === 0) throw inputError(verb, labels, 'Give a label such as "H7", or several.');
  return given;
}

/** The hypotheses that are meant, each once. @throws CosciError `input` for a label that is none's */
function hypothesesOf(view: View, labels: readonly unknown[], verb: string): HypothesisRecord[] {
  return [...new Set(labels.map((label) => hypothesisOf(view, label, verb).record))];
}
