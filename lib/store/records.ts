import type { AgentName, Cost, MatchRecord } from "../domain/records.ts";
import { NO_COST } from "../domain/records.ts";
import { number, type Row, text, textOrNull } from "./database.ts";
import type { Table, Unsaved } from "./table.ts";
import { embeddings, hypotheses, hypothesisStates } from "./tables/hypotheses.ts";
import { eloJournal, eloSnapshots, matches, proximity } from "./tables/matches.ts";
import { duplicates, evidence, reviews, screens } from "./tables/reviews.ts";
import {
  AGENT_NAMES,
  directives,
  feedback,
  overviews,
  plans,
  revisions,
  sessionStates,
} from "./tables/session.ts";
import { gates, marks, rejudgements, sheets } from "./tables/steering.ts";
import { tasks, taskStates } from "./tables/tasks.ts";

/** Every kind of record with its repository, in the order in which a commit's records take effect. */
export const TABLES = {
  sessionState: sessionStates,
  plan: plans,
  revision: revisions,
  directive: directives,
  hypothesis: hypotheses,
  hypothesisState: hypothesisStates,
  embedding: embeddings,
  duplicate: duplicates,
  review: reviews,
  evidence,
  screen: screens,
  mark: marks,
  gate: gates,
  match: matches,
  rejudgement: rejudgements,
  sheet: sheets,
  elo: eloJournal,
  eloSnapshot: eloSnapshots,
  proximity,
  feedback,
  overview: overviews,
  task: tasks,
  taskState: taskStates,
} as const;

/** A kind of record. */
export type RecordKind = keyof typeof TABLES;

/** The record of a kind. */
export type RecordOf<K extends RecordKind> = (typeof TABLES)[K] extends Table<infer T> ? T : never;

/** A record to be committed. */
export type Entry = {
  [K in RecordKind]: { readonly kind: K; readonly record: Unsaved<RecordOf<K>> };
}[RecordKind];

/** A record as committed. */
export type Saved = { [K in RecordKind]: { readonly kind: K; readonly record: RecordOf<K> } }[RecordKind];

/** A record as it takes effect: of matches, views hold everything but the rationale, which is most of a store's text. */
export type Effect = Exclude<Saved, { kind: "match" }> | {
  readonly kind: "match";
  readonly record: MatchRecord;
};

/** A commit's records as they take effect: in the order of their kinds, however they were handed in. */
export function effectsOf(saved: readonly Saved[]): Effect[] {
  return saved.map((item): Effect => {
    if (item.kind !== "match") return item;
    const { rationale: _, ...record } = item.record;
    return { kind: "match", record };
  }).sort((a, b) => (KIND_ORDER.get(a.kind) ?? 0) - (KIND_ORDER.get(b.kind) ?? 0));
}

const KIND_ORDER: ReadonlyMap<string, number> = new Map(Object.keys(TABLES).map((kind, i) => [kind, i]));

/** One transaction of a session. */
export interface Commit {
  /** Its number: 1, 2, 3 … */
  readonly seq: number;
  /** When: milliseconds since 1970. */
  readonly at: number;
  /** What it was: a task's outcome, `enqueue`, a person's verb. */
  readonly kind: string;
  /** The task whose end it is. */
  readonly taskId: string | null;
  /** Whose task. */
  readonly agent: AgentName | null;
  /** `engine`, or a person's name. */
  readonly author: string;
  /** The revision that the work was done under. */
  readonly revision: number;
  /** 1: it added to the session; -1: a task ended for nothing; 0: neither. */
  readonly progress: -1 | 0 | 1;
  /** What its calls cost. */
  readonly cost: Cost;
}

/** A commit from its row. */
export function decodeCommit(row: Row): Commit {
  const progress = number(row, "progress");
  const agent = textOrNull(row, "agent");
  return {
    seq: number(row, "seq"),
    at: number(row, "at"),
    kind: text(row, "kind"),
    taskId: textOrNull(row, "task_id"),
    agent: AGENT_NAMES.find((name) => name === agent) ?? null,
    author: text(row, "author"),
    revision: number(row, "revision"),
    progress: progress > 0 ? 1 : progress < 0 ? -1 : 0,
    cost: decodeCost(row),
  };
}

/** The cost columns of a row; NULL sums (of no rows) are no cost. */
export function decodeCost(row: Row | undefined): Cost {
  if (row === undefined || row["calls"] === null || number(row, "calls") === 0) return NO_COST;
  return {
    microUsd: number(row, "micro_usd"),
    inputTokens: number(row, "input_tokens"),
    outputTokens: number(row, "output_tokens"),
    calls: number(row, "calls"),
    unconfirmedMicroUsd: number(row, "unconfirmed_micro_usd"),
  };
}
