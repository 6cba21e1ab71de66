import fc from "fast-check";
import { recordId, taskId } from "../../lib/domain/ids.ts";
import {
  type AgentName,
  EVOLUTION_STRATEGIES,
  GATE_KINDS,
  HYPOTHESIS_STATES,
  type MarkKind,
  MATCH_MODES,
  MATCH_VERDICTS,
  RESULTS,
  REVIEW_VERDICTS,
  REVISION_KINDS,
  type RevisionKind,
  SAFETY_CATEGORIES,
  SESSION_STATUSES,
  STOP_REASONS,
} from "../../lib/domain/records.ts";
import { textOf } from "../../lib/domain/same_text.ts";
import type { Entry, RecordKind } from "../../lib/store/records.ts";
import { AGENT_NAMES } from "../../lib/store/tables/session.ts";
import type { Store } from "../../lib/store/store.ts";
import type { View } from "../../lib/store/view.ts";
import {
  claimNext,
  draft,
  hypothesis,
  LIMITS,
  match,
  reservation,
  settlement,
  task,
  transcript,
} from "./fixture.ts";

/** One record to come: its kind, and numbers from which its parts are picked. */
export interface Seedling {
  readonly kind: RecordKind;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** One step of a session: a commit with records, work on a task that costs something, or keeping the ratings so far. */
export type Step =
  | { readonly kind: "commit"; readonly progress: -1 | 0 | 1; readonly seedlings: readonly Seedling[] }
  | { readonly kind: "work"; readonly end: "done" | "dead" | "void" | "back"; readonly microUsd: number }
  | { readonly kind: "keep" };

/** How often records of a kind come. Most often comes what changes how others count. */
const SHARES: Readonly<Record<RecordKind, number>> = {
  sessionState: 1,
  plan: 1,
  revision: 3,
  directive: 1,
  hypothesis: 3,
  hypothesisState: 3,
  embedding: 1,
  duplicate: 1,
  review: 3,
  evidence: 2,
  screen: 1,
  mark: 9,
  gate: 1,
  match: 5,
  rejudgement: 1,
  sheet: 1,
  elo: 1,
  eloSnapshot: 1,
  proximity: 1,
  feedback: 1,
  overview: 1,
  task: 2,
  taskState: 1,
};
const KINDS = Object.entries(SHARES).flatMap(([kind, share]) =>
  Array<RecordKind>(share).fill(kind as RecordKind)
);

const small = fc.nat(99);

/** A session's history: commits with records of all kinds in any order, and tasks that are worked on. */
export const steps = (max: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant("commit" as const),
          progress: fc.constantFrom(-1 as const, 0 as const, 1 as const),
          seedlings: fc.array(fc.record({ kind: fc.constantFrom(...KINDS), a: small, b: small, c: small }), {
            maxLength: 8,
          }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("work" as const),
          end: fc.constantFrom("done" as const, "dead" as const, "void" as const, "back" as const),
          microUsd: fc.nat(500),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("keep" as const) }) },
    ),
    { minLength: 1, maxLength: max },
  );

/**
 * What most steering needs to be there before it: a pool in the tournament with matches behind it, a review and a result
 * of each, near-duplicates, a directive and a gate. Two commits.
 */
export function found(store: Store, session: string): void {
  const seedling = (kind: RecordKind, a: number, b = 0, c = 0): Seedling => ({ kind, a, b, c });
  const pool = [0, 1, 2, 3, 4];
  const commit = (seedlings: readonly Seedling[], name: string) =>
    take(store, session, { kind: "commit", progress: 1, seedlings }, name);
  commit([
    ...pool.map((a) => seedling("hypothesis", 2 * a + 1, a)),
    ...pool.map((a) => seedling("hypothesisState", a, 1)),
    ...pool.map((a) => seedling("review", a, 2 * a, 1)),
  ], "pool");
  commit([
    ...pool.map((a) => seedling("match", a, 3 * a, a % 3)),
    ...pool.map((a) => seedling("evidence", a, 1, a)),
    seedling("proximity", 0, 0),
    seedling("directive", 0, 0, 1),
    seedling("gate", 1),
  ], "play");
}

/** Takes one step on a session. `name` makes its records' ids unique. */
export function take(store: Store, session: string, step: Step, name: string): void {
  if (step.kind === "work") return work(store, session, step);
  if (step.kind === "keep") return store.keepRatings(session);
  store.write(() => {
    const made = store.commit(
      session,
      (view) => draft(grow(view, step.seedlings, name), { progress: step.progress }),
    );
    // What a person does to a task is done to the queue in the same transaction.
    const queue = store.queue(session);
    for (const item of made?.saved ?? []) {
      if (item.kind !== "taskState") continue;
      const standing = store.view(session).task(item.record.taskId);
      if (standing === undefined) throw new Error("no such task");
      queue.remove(item.record.taskId);
      if (item.record.status === "pending") queue.add(standing.record, item.record.attempts);
    }
  });
}

function work(store: Store, session: string, step: Extract<Step, { kind: "work" }>): void {
  const claim = claimNext(store, session, "me");
  if (claim === null) return;
  const calls = store.calls(session, "me", () => ({ ...LIMITS, capMicroUsd: 1e9, capTokens: 1e9 }));
  const admission = calls.admit(reservation(step.microUsd, { taskId: claim.task.id, overview: true }));
  if (admission.kind !== "admitted") throw new Error("not admitted");
  calls.settle(admission.id, settlement(step.microUsd), transcript(), null);
  const attempts = claim.item.attempts + 1;
  store.commit(session, () =>
    draft([{
      kind: "taskState",
      record: {
        taskId: claim.task.id,
        status: step.end === "back" ? "deferred" : step.end,
        attempts,
        reason: step.end,
      },
    }], {
      progress: step.end === "done" ? 1 : -1,
      task: {
        id: claim.task.id,
        agent: claim.task.agent,
        revision: claim.revision,
        owner: "me",
        then: step.end === "back"
          ? { kind: "back", status: "deferred", notBefore: 0, attempts, callsBase: 1 }
          : { kind: "ended", status: step.end },
      },
    }));
}

/** The records of a commit: valid for the view, in the order of the seedlings. */
function grow(view: View, seedlings: readonly Seedling[], name: string): Entry[] {
  const entries: Entry[] = [];
  const hypotheses = new Map(view.hypotheses.map((h) => [h.record.id, h.record.version]));
  const touched = new Set<string>();
  const matches = view.matches.map(({ id }) => id), reviews = view.reviews.map(({ id }) => id);
  const evidence = view.allEvidence.map(({ id }) => id), directives = view.directives.map(({ id }) => id);
  const gates = view.gates.map(({ id }) => id);
  const mark = (targetId: string | undefined, mark: MarkKind, value: unknown) => {
    if (targetId !== undefined) entries.push({ kind: "mark", record: { targetId, mark, value } });
  };
  // Now and then all matches are rated again, in an epoch of their own; those of the same commit belong to it.
  const again = seedlings.find(({ kind, a }) => kind === "elo" && a % 3 === 0);
  const epoch = view.epoch + (again === undefined ? 0 : 1);
  const rate = (
    m: Extract<Entry, { kind: "match" }>["record"],
    { a, b, c }: Pick<Seedling, "a" | "b" | "c">,
  ) => {
    if (m.verdict === "invalid") return;
    entries.push({
      kind: "elo",
      record: {
        epoch,
        matchId: m.id,
        firstId: m.firstId,
        secondId: m.secondId,
        k: 32,
        weight: m.weight,
        score: m.verdict === "first" ? 1 : m.verdict === "second" ? 0 : 0.5,
        firstBefore: 1200 + a / 7,
        secondBefore: 1200 - b / 7,
        delta: c / 3,
      },
    });
  };
  if (again !== undefined) {
    mark("elo", "epoch", epoch);
    for (const m of view.counted) rate({ ...m, rationale: "" }, again);
  }
  let revision = view.revision, version = view.overviews.length;
  const states = new Set<string>();
  for (const [i, { kind, a, b, c }] of seedlings.entries()) {
    const key = `${name}.${i}`;
    const ids = [...hypotheses.keys()];
    const pick = <T>(items: readonly T[], n: number): T | undefined => items[n % Math.max(1, items.length)];
    const one = pick(ids, a), other = pick(ids.filter((id) => id !== one), b);
    const agent: AgentName = pick(AGENT_NAMES, a) ?? "ranking";
    switch (kind) {
      case "sessionState":
        entries.push({
          kind,
          record: {
            status: pick(SESSION_STATUSES, a) ?? "running",
            reason: b % 2 === 0 ? null : pick(STOP_REASONS, b) ?? null,
            note: key,
          },
        });
        break;
      case "plan":
        entries.push({
          kind,
          record: {
            id: recordId("pln", key),
            objective: key,
            preferences: ["p"],
            constraints: [],
            ideaAttributes: ["new"],
            ...(a % 2 === 0 ? {} : { domainHint: "light" }),
          },
        });
        break;
      case "revision": {
        const base = { author: "Ada", before: null, undoes: c % 3 === 0 && revision > 0 ? revision : null };
        const changes: { kind: RevisionKind; target: string; after: unknown }[] = a % 6 === 0
          // Each is only right with the other one.
          ? [
            { kind: "configure", target: "budgetShares.generation", after: 0.5 },
            { kind: "configure", target: "budgetShares.reflection", after: 0 },
            { kind: "configure", target: "budgetShares.ranking", after: 0.1 },
          ]
          : a % 6 === 1
          ? [{ kind: "configure", target: "ranking.eloInitial", after: 1000 + b }]
          : a % 6 === 2
          ? [{ kind: "prompt", target: `p${b % 3}`, after: c % 3 === 0 ? null : key }]
          : a % 6 === 3
          ? [{
            kind: "configure",
            target: "ranking.staleMatches",
            after: b % 3 === 0 ? "count" : "leave_out",
          }]
          : a % 6 === 4
          ? [
            { kind: "configure", target: "ranking.rating", after: b % 2 === 0 ? "elo" : "bradley_terry" },
            { kind: "configure", target: "run.gates", after: c % 2 === 0 ? [] : ["feedback", "finish"] },
          ]
          : [{
            kind: pick(REVISION_KINDS.filter((kind) => kind !== "configure" && kind !== "prompt"), b) ??
              "pin",
            target: "T1",
            after: { status: "cancelled" },
          }];
        for (const change of changes) {
          revision++;
          entries.push({
            kind,
            record: { ...base, ...change, id: recordId("rvn", key, revision), number: revision },
          });
        }
        break;
      }
      case "directive":
        directives.push(recordId("dir", key));
        entries.push({
          kind,
          record: {
            id: recordId("dir", key),
            kind: a % 2 === 0 ? "directive" : "preference",
            text: key,
            to: b % 2 === 0 ? [] : [agent],
            until: c % 2 === 0 ? null : {
              [pick(["matches", "hypotheses", "reviews"], b) ?? "matches"]: c % 12,
              ...(c % 5 === 0 ? { reviews: 9 } : {}),
            },
            author: "Ada",
          },
        });
        break;
      case "hypothesis": {
        const again = a % 2 === 0 && one !== undefined && !touched.has(one);
        const id = again ? one : recordId("hyp", key);
        const next = again ? (hypotheses.get(id) ?? 0) + 1 : 1;
        hypotheses.set(id, next);
        touched.add(id);
        const first = view.versionsOf(id)[0];
        entries.push(
          hypothesis(key, {
            // Some edits go back to how it was.
            ...(first !== undefined && c % 2 === 0 ? textOf(first) : {}),
            id,
            version: next,
            parents: other === undefined ? [] : [other],
            generation: b % 4,
          }),
        );
        break;
      }
      case "hypothesisState":
        if (one === undefined) break;
        entries.push({
          kind,
          record: {
            hypothesisId: one,
            state: b % 3 > 0 ? "in_tournament" : pick(HYPOTHESIS_STATES, c) ?? "draft",
            reason: key,
          },
        });
        break;
      case "embedding":
        if (one === undefined) break;
        entries.push({
          kind,
          record: {
            hypothesisId: one,
            version: hypotheses.get(one) ?? 1,
            model: key,
            vector: Float32Array.of(a / 100, b / 100, c / 100),
          },
        });
        break;
      case "duplicate":
        if (one === undefined) break;
        entries.push({
          kind,
          record: {
            id: recordId("dup", key),
            title: key,
            statement: key,
            duplicateOf: one,
            cosine: 0.9 + a / 1000,
            taskId: "t",
          },
        });
        break;
      case "review": {
        if (one === undefined) break;
        const person = c % 2 === 0;
        const amends = person && a % 3 === 0 ? pick(reviews, b) ?? null : null;
        if (amends !== null) mark(amends, "void", true);
        reviews.push(recordId("rev", key));
        entries.push({
          kind,
          record: {
            id: recordId("rev", key),
            hypothesisId: one,
            hypothesisVersion: 1,
            kind: b % 2 === 0 ? "full" : "verification",
            verdict: pick(REVIEW_VERDICTS, c) ?? "neutral",
            scores: a % 3 === 0 ? {} : {
              novelty: a / 100,
              feasibility: 1 / 3,
              ...(c % 3 === 0 ? { criteria: { cheap: b / 100 } } : {}),
            },
            assumptions: [{ assumption: key, plausibility: "uncertain", rationale: "" }],
            evidence: [{ claim: "c", url: "sim:1", excerpt: "e" }],
            droppedEvidence: b,
            notes: key,
            author: person ? "Ada" : "model",
            weight: person ? (1 + b) / 10 : 1,
            amends,
            taskId: null,
          },
        });
        break;
      }
      case "evidence": {
        if (one === undefined) break;
        const outcome = b % 3 === 0 ? null : pick(RESULTS, c) ?? null;
        evidence.push(recordId("evd", key));
        entries.push({
          kind,
          record: {
            id: recordId("evd", key),
            hypothesisId: one,
            kind: outcome === null ? "literature" : "experiment",
            claim: key,
            stance: outcome === "refuted" ? "contradicts" : "supports",
            source: "sim:1",
            excerpt: "",
            origin: outcome === null ? "V1" : "Ada",
            outcome,
            weight: outcome === null ? 1 : (1 + b) / 10,
          },
        });
        break;
      }
      case "screen":
        entries.push({
          kind,
          record: {
            id: recordId("scr", key),
            target: one ?? "goal",
            result: a % 2 === 0 ? "clear" : "failed",
            categories: [pick(SAFETY_CATEGORIES, b) ?? "none"],
            confidence: c / 100,
            rationale: key,
          },
        });
        break;
      case "match": {
        if (one === undefined || other === undefined) break;
        const entry = match(key, one, other, {
          mode: pick(MATCH_MODES, b) ?? "pairwise",
          verdict: pick(MATCH_VERDICTS, c) ?? "first",
          weight: 1 / (1 + a),
          judge: a % 2 === 0 ? null : "judge",
          panelist: b % 3 === 0 ? "judge" : null,
          group: b % 2 === 0 ? null : recordId("grp", key),
          bothOrders: a % 3 === 0
            ? [pick(MATCH_VERDICTS, a) ?? "tie", pick(MATCH_VERDICTS, b) ?? "tie"]
            : null,
        });
        matches.push(entry.record.id);
        entries.push(entry);
        rate(entry.record, { a, b, c });
        break;
      }
      case "mark":
        switch (a % 7) {
          case 0:
            mark(one, "pinned", c % 3 === 0 ? null : true);
            break;
          case 1:
            mark(pick(directives, b), "withdrawn", c % 3 === 0 ? null : true);
            break;
          case 2:
            mark(pick([...reviews, ...evidence], b), "void", c % 3 === 0 ? null : true);
            break;
          case 3:
            mark(pick(matches, b), "void", c % 3 === 0 ? null : true);
            break;
          case 4:
            mark(pick(matches, b), "weight", c % 3 === 0 ? null : c % 7 / 2);
            break;
          case 5:
            if (one === undefined || other === undefined) break;
            // Nothing keeps a history from merging two into each other.
            mark(one, "merged", c % 3 === 0 ? null : other);
            if (c % 3 > 0) {
              entries.push({
                kind: "hypothesisState",
                record: { hypothesisId: one, state: "merged", reason: key },
              });
            }
            break;
          case 6:
            mark(pick(gates, b), "answered", c % 4 === 0 ? null : { yes: c % 2 === 0, note: key });
        }
        break;
      case "gate":
        gates.push(recordId("gat", key));
        entries.push({
          kind,
          record: {
            id: recordId("gat", key),
            kind: pick(GATE_KINDS, a) ?? "plan",
            proposal: b % 3 === 0 ? null : { objective: key, ids },
            taskId: c % 2 === 0 ? null : taskId(`task ${c % 20}`),
          },
        });
        break;
      case "rejudgement": {
        const matchId = pick(matches, a);
        if (matchId === undefined) break;
        const verdict = pick(MATCH_VERDICTS, b) ?? "tie";
        entries.push({
          kind,
          record: {
            id: recordId("rjd", key),
            batch: c % 3,
            matchId,
            verdict,
            bothOrders: c % 2 === 0 ? null : [verdict, pick(MATCH_VERDICTS, c) ?? "tie"],
            judge: a % 2 === 0 ? null : "judge",
            promptVersion: b % 2 === 0 ? null : "p2",
            rationale: key,
            taskId: taskId(`task ${c % 20}`),
          },
        });
        break;
      }
      case "sheet": {
        const firstId = pick(ids, a), secondId = pick(ids, b);
        if (firstId === undefined || secondId === undefined) break;
        entries.push({
          kind,
          record: {
            id: recordId("sht", key),
            code: key,
            pairs: [{ firstId, firstVersion: 1, secondId, secondVersion: 1 + c % 2 }],
            recipient: c % 2 === 0 ? null : "Ada",
            author: "Grace",
          },
        });
        break;
      }
      case "elo":
        break;
      case "eloSnapshot":
        entries.push({
          kind,
          record: { matches: a, ids: ids.slice(0, 3), elos: [1200 + a / 3], pool: ids.length },
        });
        break;
      case "proximity":
        entries.push({
          kind,
          record: {
            id: recordId("prx", key),
            clusters: one === undefined || other === undefined ? [] : [[one, other]],
            matchesSeen: a,
            vectors: b,
          },
        });
        break;
      case "feedback":
        entries.push({
          kind,
          record: {
            id: recordId("fbk", key),
            narrative: key,
            weaknesses: ["w"],
            strengths: [],
            focusAreas: [],
            matchesSeen: a,
            taskId: null,
          },
        });
        break;
      case "overview":
        entries.push({
          kind,
          record: {
            id: recordId("ovw", key),
            version: ++version,
            source: a % 2 === 0 ? "model" : "fallback",
            markdown: `# ${key}`,
            final: b % 2 === 0,
            notes: [],
            model: null,
            readSeq: 1 + c % 9,
          },
        });
        break;
      case "task":
        entries.push(task(`task ${a % 20}`, {
          agent,
          priority: 100 + b,
          targetId: one ?? null,
          action: c % 2 === 0 ? "match" : "evolve",
          payload: c % 2 === 0 ? { focus: one } : { strategy: pick(EVOLUTION_STRATEGIES, c), final: false },
        }));
        break;
      case "taskState": {
        // A person cancels an open task, or revives a dead one.
        const open = view.openTasks[a % Math.max(1, view.openTasks.length)]?.record;
        const dead = view.deadTasks[b % Math.max(1, view.deadTasks.length)]?.record;
        const of = c % 2 === 0 ? open : dead;
        if (of === undefined || states.has(of.id)) break;
        states.add(of.id);
        entries.push({
          kind,
          record: {
            taskId: of.id,
            status: of === open ? (b % 3 === 0 ? "cancelled" : "dead") : "pending",
            attempts: a,
            reason: key,
          },
        });
        break;
      }
    }
  }
  return entries;
}

/** All tasks that a history may have enqueued. */
export const historyTasks = Array.from(
  { length: 20 },
  (_, i) => ({ key: `task ${i}`, id: taskId(`task ${i}`) }),
);
