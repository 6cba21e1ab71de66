import type { SupervisorHandle } from "cosci";
import { recordId, taskId } from "../../../lib/domain/ids.ts";
import { rng } from "../../../lib/domain/rng.ts";
import type { Entry } from "../../../lib/store/records.ts";
import type { Store } from "../../../lib/store/store.ts";

/** Length of a vector, as the default embedder makes them. */
const DIMENSIONS = 1024;

/** The id of a hypothesis of the pool. */
export function poolId(i: number): string {
  return recordId("hyp", `h${i}`);
}

/** A hypothesis of the length that models write, reviewed once and in the tournament. */
export function poolEntries(i: number): Entry[] {
  const id = poolId(i);
  const chance = rng("bench", "pool", `h${i}`);
  return [
    {
      kind: "hypothesis",
      record: {
        id,
        version: 1,
        title: `Hypothesis number ${i} about what makes invented cells glow`,
        statement: "A statement of about the length that models like to write. ".repeat(3),
        mechanism: "First this binds that, which then lets a third thing go. ".repeat(12),
        entities: ["one", "two", "three"],
        anticipatedOutcomes: "Light where there was none. ".repeat(6),
        noveltyArgument: "Nobody looked at this before. ".repeat(6),
        strategy: "literature",
        parents: [],
        citations: [{ url: "sim:1", title: "A source", excerpt: "Some words of it", year: 2020 }],
        droppedCitations: 0,
        author: "model",
        generation: 0,
        model: "claude-opus-4-7",
        taskId: null,
      },
    },
    {
      kind: "embedding",
      record: { hypothesisId: id, version: 1, model: "hash", vector: unitVector(() => chance.next() - 0.5) },
    },
    { kind: "hypothesisState", record: { hypothesisId: id, state: "in_tournament", reason: "reviewed" } },
    {
      kind: "review",
      record: {
        id: recordId("rev", `h${i}`),
        hypothesisId: id,
        hypothesisVersion: 1,
        kind: "full",
        verdict: "neutral",
        scores: { novelty: 0.5, correctness: 0.6 },
        assumptions: [{ assumption: "It holds", plausibility: "plausible", rationale: "It does" }],
        evidence: [{ claim: "A claim", url: "sim:1", excerpt: "Some words" }],
        droppedEvidence: 0,
        notes: "Notes of a review that says this and that. ".repeat(20),
        author: "model",
        weight: 1,
        amends: null,
        taskId: null,
      },
    },
  ];
}

function unitVector(draw: () => number): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, draw);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Gives a fresh session its plan and a pool, so that what follows are matches and nothing else. */
export function fillPool(lab: SupervisorHandle, hypotheses: number): void {
  const session = lab.view().session.id;
  lab.store.commit(session, () => ({
    kind: "parse_goal",
    author: "engine",
    progress: 1,
    task: {
      id: taskId("plan"),
      agent: "planning",
      revision: 0,
      owner: null,
      then: { kind: "ended", status: "done" },
    },
    entries: [
      {
        kind: "plan",
        record: {
          id: recordId("pln", "plan"),
          objective: "What makes invented cells glow?",
          preferences: ["measurable"],
          constraints: ["invented cells only"],
          ideaAttributes: ["testable", "novel"],
        },
      },
      { kind: "taskState", record: { taskId: taskId("plan"), status: "done", attempts: 0, reason: "plan" } },
    ],
  }));
  fillHypotheses(lab.store, session, hypotheses);
}

/** Adds hypotheses to a session until it has so many, a commit each, as the engine does. */
export function fillHypotheses(store: Store, session: string, hypotheses: number, from = 0): void {
  for (let i = from; i < hypotheses; i++) {
    store.commit(
      session,
      () => ({ kind: "generate", author: "engine", progress: 1, entries: poolEntries(i) }),
    );
  }
}
