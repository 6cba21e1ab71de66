import assert from "node:assert/strict";
import { DEFAULT_SETTINGS, type Settings } from "../../lib/config/settings.ts";
import type {
  Agent,
  Context,
  Decision,
  Outcome,
  PromptCall,
  Prose,
  RecordCall,
  SeenSource,
} from "../../lib/domain/agent.ts";
import { CosciError } from "../../lib/domain/errors.ts";
import { taskId } from "../../lib/domain/ids.ts";
import {
  type DirectiveRecord,
  type DuplicateRecord,
  type EvidenceRecord,
  type FeedbackRecord,
  type HypothesisRecord,
  type MatchRecord,
  NO_COST,
  type PlanRecord,
  type ReviewRecord,
  type ScreenRecord,
  type TaskAction,
  type TaskPayload,
  type TaskRecord,
} from "../../lib/domain/records.ts";
import type { Ratings } from "../../lib/domain/ratings.ts";
import { rng } from "../../lib/domain/rng.ts";
import { sameText } from "../../lib/domain/same_text.ts";
import { PromptLibrary } from "../../lib/llm/prompts.ts";
import { unrated } from "../../lib/store/unrated.ts";
import type { SessionRecord, Standing, View } from "../../lib/store/view.ts";

/** The shipped prompts. */
export const PROMPTS = await PromptLibrary.load(new URL("../../prompts/", import.meta.url));

/** A hypothesis in the tournament, named by its number: `H3` has the id `hyp_3` and was recorded at seq 3. */
export function hypothesis(
  n: number,
  text: Partial<HypothesisRecord> = {},
  standing: Partial<Omit<Standing, "record">> = {},
): Standing {
  return {
    record: {
      seq: n,
      id: `hyp_${n}`,
      label: `H${n}`,
      version: 1,
      title: `Title ${n}`,
      statement: `Statement ${n}.`,
      mechanism: `Mechanism ${n}.`,
      entities: [`entity ${n}`],
      anticipatedOutcomes: `Outcome ${n}.`,
      noveltyArgument: `Novelty ${n}.`,
      strategy: "literature",
      parents: [],
      citations: [],
      droppedCitations: 0,
      author: "model",
      generation: 0,
      model: "claude-opus-4-7",
      taskId: null,
      ...text,
    },
    state: "in_tournament",
    stateReason: "",
    foldedUnder: null,
    elo: 1200,
    strength: null,
    strengthSd: null,
    matches: 0,
    won: 0,
    lost: 0,
    tied: 0,
    bornSeq: n,
    pinned: false,
    mergedInto: null,
    result: null,
    ...standing,
  };
}

/** A full review of `H<of>`. */
export function review(n: number, of: number, fields: Partial<ReviewRecord> = {}): ReviewRecord {
  return {
    seq: 1000 + n,
    id: `rev_${n}`,
    label: `V${n}`,
    hypothesisId: `hyp_${of}`,
    hypothesisVersion: 1,
    kind: "full",
    verdict: "neutral",
    scores: { novelty: 0.83 },
    assumptions: [],
    evidence: [],
    droppedEvidence: 0,
    notes: `Note ${n}.`,
    author: "model",
    weight: 1,
    amends: null,
    taskId: null,
    ...fields,
  };
}

/** A match that its first side won. */
export function match(
  n: number,
  first: number,
  second: number,
  fields: Partial<MatchRecord> = {},
): MatchRecord {
  return {
    seq: 2000 + n,
    id: `mat_${n}`,
    label: `M${n}`,
    firstId: `hyp_${first}`,
    secondId: `hyp_${second}`,
    mode: "pairwise",
    verdict: "first",
    bothOrders: null,
    group: null,
    author: "model",
    weight: 1,
    judge: "judge",
    panelist: null,
    promptVersion: "v1",
    revision: 0,
    taskId: null,
    ...fields,
  };
}

/** A finding about `H<of>`. */
export function evidence(n: number, of: number, fields: Partial<EvidenceRecord> = {}): EvidenceRecord {
  return {
    seq: 3000 + n,
    id: `evd_${n}`,
    label: `E${n}`,
    hypothesisId: `hyp_${of}`,
    kind: "literature",
    claim: `Claim ${n}`,
    stance: "supports",
    source: `https://example.org/${n}`,
    excerpt: `Excerpt ${n}`,
    origin: "rev_1",
    outcome: null,
    weight: 1,
    ...fields,
  };
}

/** A synthesis. */
export function feedback(narrative: string): FeedbackRecord {
  return {
    seq: 4000,
    id: "fbk_1",
    label: "F1",
    narrative,
    weaknesses: ["vague steps"],
    strengths: [],
    focusAreas: ["boundary cases"],
    matchesSeen: 10,
    taskId: null,
  };
}

/** A directive for some agents; for all when none is named. */
export function directive(n: number, text: string, to: DirectiveRecord["to"] = []): DirectiveRecord {
  return {
    seq: 5000 + n,
    id: `dir_${n}`,
    label: `D${n}`,
    kind: "directive",
    text,
    to,
    until: null,
    author: "scientist",
  };
}

/** What a view is built from. */
export interface ViewParts {
  readonly session?: Partial<SessionRecord>;
  readonly settings?: Settings;
  readonly plan?: PlanRecord | null;
  readonly hypotheses?: readonly Standing[];
  readonly reviews?: readonly ReviewRecord[];
  readonly matches?: readonly MatchRecord[];
  readonly rationales?: Readonly<Record<string, string>>;
  readonly feedback?: readonly FeedbackRecord[];
  readonly directives?: readonly DirectiveRecord[];
  readonly evidence?: readonly EvidenceRecord[];
  readonly duplicates?: readonly DuplicateRecord[];
  readonly vectors?: Readonly<Record<string, readonly number[]>>;
  readonly tasks?: readonly TaskRecord[];
  readonly ratings?: Ratings;
  /** Earlier versions of hypotheses. */
  readonly versions?: readonly HypothesisRecord[];
  /** Ids of what is void. */
  readonly voided?: readonly string[];
}

/** A view made of plain lists, with the derivations that agents rely on. */
export function makeView(parts: ViewParts = {}): View {
  const hypotheses = parts.hypotheses ?? [];
  const matches = parts.matches ?? [];
  const valid = matches.filter((m) => m.verdict !== "invalid");
  const inPlay = hypotheses.filter((h) => h.state === "in_tournament");
  const versionsOf = (id: string) =>
    [...(parts.versions ?? []), ...hypotheses.map((h) => h.record)].filter((record) => record.id === id);
  const versionAt = (id: string, seq: number) =>
    versionsOf(id).findLast((version) => version.seq <= seq) ?? versionsOf(id)[0];
  return {
    seq: 9999,
    session: {
      id: "ses",
      name: "test",
      goal: "How can wear of bearings be halved?",
      preferences: "",
      seed: "seed",
      mode: "live",
      provider: { name: "anthropic", baseUrl: "", models: {} },
      settings: DEFAULT_SETTINGS,
      parentId: null,
      parentSeq: 0,
      createdAt: 0,
      ...parts.session,
    },
    status: "running",
    stopReason: null,
    note: "",
    plan: parts.plan ?? null,
    settings: parts.settings ?? DEFAULT_SETTINGS,
    revision: 0,
    revisions: [],
    prompts: new Map(),
    hypotheses,
    hypothesis: (id) => hypotheses.find((h) => h.record.id === id),
    versionsOf,
    versionAt,
    changedSince: (id, seq) => {
      const then = versionAt(id, seq), now = versionsOf(id).at(-1);
      return then !== undefined && now !== undefined && !sameText(then, now);
    },
    leaderboard: [...inPlay].sort((a, b) => b.elo - a.elo || a.bornSeq - b.bornSeq),
    drawable: inPlay.filter((h) => h.foldedUnder === null),
    duplicates: parts.duplicates ?? [],
    reviews: parts.reviews ?? [],
    reviewsOf: (id) => (parts.reviews ?? []).filter((r) => r.hypothesisId === id),
    matches,
    counted: matches,
    countedIf: () => matches,
    // deno-lint-ignore require-yield -- there is nothing to fold
    *foldIf() {
      return parts.ratings ?? unrated();
    },
    validMatches: valid.length,
    matchCount: matches.length,
    met: (a, b) => {
      const met = valid.filter((m) =>
        (m.firstId === a && m.secondId === b) || (m.firstId === b && m.secondId === a)
      );
      return { total: met.length, firstShown: met.filter((m) => m.firstId === a).length };
    },
    rationale: (id) => parts.rationales?.[id] ?? "",
    ratings: parts.ratings ?? unrated(),
    epoch: 0,
    eloJournal: [],
    eloSnapshots: [],
    feedback: parts.feedback ?? [],
    directives: parts.directives ?? [],
    inForce: () => true,
    directivesFor: (agent) =>
      (parts.directives ?? []).filter((d) => d.to.length === 0 || d.to.includes(agent)),
    evidence: parts.evidence ?? [],
    allEvidence: parts.evidence ?? [],
    marked: (mark, id) => (mark === "void" && parts.voided?.includes(id) === true ? true : null),
    gates: [],
    openGate: null,
    rejudgements: [],
    sheets: [],
    proximity: null,
    screens: [],
    overviews: [],
    vector: (id) => {
      const vector = parts.vectors?.[id];
      return vector === undefined ? undefined : Float32Array.from(vector);
    },
    embedding: () => undefined,
    openTasks: [],
    deadTasks: [],
    endedTasks: {
      pending: 0,
      deferred: 0,
      leased: 0,
      in_progress: 0,
      waiting: 0,
      done: 0,
      dead: 0,
      cancelled: 0,
      void: 0,
    },
    task: (id) => {
      const record = parts.tasks?.find((t) => t.id === id);
      return record === undefined ? undefined : { record, status: "done", attempts: 0, reason: "" };
    },
    taskLabelled: () => undefined,
    hasTask: () => false,
    fruitless: 0,
    cost: NO_COST,
    costByAgent: new Map(),
    inherited: { cost: NO_COST, byAgent: new Map() },
  };
}

/** A task. */
export function makeTask(
  agent: TaskRecord["agent"],
  action: TaskAction,
  payload: TaskPayload = {},
  targetId: string | null = null,
  key = `${agent}::${action}`,
): TaskRecord {
  return {
    seq: 1,
    id: taskId(key),
    label: "T1",
    key,
    agent,
    action,
    targetId,
    payload,
    priority: 100,
    maxAttempts: 3,
  };
}

/** What a scripted context does. */
export interface Script {
  /** Records in the order in which they are handed over; one that is reconsidered is followed by the next. */
  readonly records?: readonly unknown[];
  /** Answers in prose, in order. */
  readonly prose?: readonly string[];
  /** Thrown by the n-th call (from 0), whatever its kind. */
  readonly fails?: { readonly call: number; readonly error: Error };
  readonly seen?: readonly SeenSource[];
  /** Vectors by text; others are embedded as a constant. */
  readonly vectors?: Readonly<Record<string, readonly number[]>>;
  readonly nearest?: (
    vector: Float32Array,
  ) => { readonly id: string; readonly title: string; readonly cosine: number } | null;
  readonly screen?: ScreenRecord["result"];
  readonly concessions?: readonly string[];
}

/** A call as it reached the model. */
export interface SentCall {
  readonly call: PromptCall;
  /** The rendered prompt. */
  readonly text: string;
  /** The rendered session block. */
  readonly session: string;
  /** Tools that could be used, and whether a record was asked for. */
  readonly tools: readonly string[] | null;
  readonly maxTurns: number | null;
}

/** A context that answers from a script and renders each call with the shipped prompts, strictly. */
export class ScriptedContext implements Context {
  readonly task: TaskRecord;
  readonly signal: AbortSignal;
  readonly sent: SentCall[] = [];
  readonly screened: { target: string; text: string }[] = [];
  readonly reconsidered: string[] = [];
  readonly embedded: string[] = [];
  readonly #script: Script;
  readonly #records: unknown[];
  readonly #prose: string[];

  constructor(task: TaskRecord, script: Script = {}, signal = new AbortController().signal) {
    this.task = task;
    this.signal = signal;
    this.#script = script;
    this.#records = [...script.records ?? []];
    this.#prose = [...script.prose ?? []];
  }

  rng(purpose: string) {
    return rng("seed", this.task.key, purpose);
  }

  ask(call: PromptCall): Promise<Prose> {
    this.#send(call, null, null);
    const text = this.#prose.shift();
    assert.notEqual(text, undefined, `no answer in the script for ${call.prompt}`);
    return Promise.resolve({
      text: text ?? "",
      model: "model",
      promptVersion: "v1",
      concessions: this.#script.concessions ?? [],
    });
  }

  async record<T>(call: RecordCall<T>) {
    this.#send(call, call.tools, call.maxTurns);
    for (;;) {
      const value = call.record.schema.parse(this.#records.shift());
      const objection = this.#records.length > 0 ? await call.reconsider?.(value) ?? null : null;
      if (objection === null) {
        return { value, seen: this.#script.seen ?? [], model: "model", promptVersion: "v1" };
      }
      this.reconsidered.push(objection);
    }
  }

  embedKnown(ideas: readonly string[]) {
    return this.embed(ideas);
  }

  embed(texts: readonly string[]) {
    this.embedded.push(...texts);
    return Promise.resolve(texts.map((text) => Float32Array.from(this.#script.vectors?.[text] ?? [1, 0])));
  }

  nearest(vector: Float32Array) {
    return Promise.resolve(this.#script.nearest?.(vector) ?? null);
  }

  screen(target: string, text: string) {
    this.screened.push({ target, text });
    return Promise.resolve({
      target,
      result: this.#script.screen ?? "clear",
      categories: ["none" as const],
      confidence: 0.9,
      rationale: "",
    });
  }

  #send(call: PromptCall, tools: readonly string[] | null, maxTurns: number | null) {
    const { goal, plan, known, criteria, feedback, directives } = call.session;
    this.sent.push({
      call,
      text: PROMPTS.render(call.prompt, call.variables),
      session: PROMPTS.render("session", {
        goal,
        plan,
        known,
        criteria,
        feedback,
        directives: directives.map((directive) => directive.text),
      }),
      tools,
      maxTurns,
    });
    if (this.#script.fails?.call === this.sent.length - 1) throw this.#script.fails.error;
  }
}

/** What a task comes to: its decision, its outcome and the context in which it ran. */
export interface Ran {
  readonly decision: Decision;
  readonly outcome: Outcome;
  readonly context: ScriptedContext;
}

/** Runs a task as the engine does: decide, prepare, run. */
export async function runTask<I>(
  agent: Agent<View, I>,
  view: View,
  task: TaskRecord,
  script: Script = {},
  busy: readonly Decision[] = [],
): Promise<Ran> {
  const decision = agent.decide(view, task, busy);
  if (decision.kind === "nothing") throw new Error(`nothing: ${decision.reason}`);
  const input = agent.prepare(view, task, decision);
  const context = new ScriptedContext(task, script);
  return { decision, outcome: await agent.run(structuredClone(input), context), context };
}

/** A hypothesis as a model hands it over. */
export function draft(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    title: "New title",
    statement: "New statement.",
    mechanism: "New mechanism.",
    entities: [],
    anticipated_outcomes: "New outcome.",
    novelty_argument: "New novelty.",
    citations: [],
    ...fields,
  };
}

/** Settings with some replaced. */
export function settingsWith(patch: { [G in keyof Settings]?: Partial<Settings[G]> }): Settings {
  return {
    ...DEFAULT_SETTINGS,
    ...Object.fromEntries(
      Object.entries(patch).map((
        [group, values],
      ) => [group, { ...Object.entries(DEFAULT_SETTINGS).find(([name]) => name === group)?.[1], ...values }]),
    ),
  };
}

/** An outcome of the kind that is expected. */
export function outcomeOf<K extends Outcome["kind"]>(
  outcome: Outcome,
  kind: K,
): Extract<Outcome, { kind: K }> {
  assert.equal(outcome.kind, kind);
  if (!isKind(outcome, kind)) throw new CosciError("internal", `expected ${kind}, got ${outcome.kind}`);
  return outcome;
}

function isKind<K extends Outcome["kind"]>(
  outcome: Outcome,
  kind: K,
): outcome is Extract<Outcome, { kind: K }> {
  return outcome.kind === kind;
}
