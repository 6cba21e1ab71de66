import { afterRecordedChange } from "../config/patch.ts";
import type { Settings } from "../config/settings.ts";
import {
  addCost,
  type AgentName,
  type Cost,
  type DirectiveRecord,
  type DuplicateRecord,
  type EloRecord,
  type EvidenceRecord,
  type FeedbackRecord,
  type GateRecord,
  type HypothesisRecord,
  type HypothesisState,
  type HypothesisText,
  type MarkKind,
  type MarkRecord,
  type MatchRecord,
  NO_COST,
  type OverviewRecord,
  type PlanRecord,
  type ProximityRecord,
  type RejudgementRecord,
  type ReviewRecord,
  type RevisionRecord,
  type ScreenRecord,
  type SessionStatus,
  type SheetRecord,
  type StopReason,
  TASK_STATUSES,
  type TaskRecord,
  type TaskStateRecord,
  type TaskStatus,
} from "../domain/records.ts";
import type { RatingFold, Ratings } from "../domain/ratings.ts";
import { sameText } from "../domain/same_text.ts";
import type { Archive, Summary } from "./archive.ts";
import { better, folded } from "./board_order.ts";
import { rootOf } from "./merged_root.ts";
import { type Around, RatedMatches } from "./rated_matches.ts";
import type { Commit, Effect } from "./records.ts";
import type { EmbeddingRecord } from "./tables/hypotheses.ts";
import type { SavedRatings } from "./remembered_ratings.ts";
import type {
  CountChange,
  EloSnapshot,
  Inherited,
  OpenRatings,
  SessionRecord,
  Standing,
  TaskStanding,
  View,
} from "./view.ts";

/** Tasks that ended leave the queue for good, unless a dead one is revived. */
const ENDED: ReadonlySet<TaskStatus> = new Set<TaskStatus>(["done", "dead", "cancelled", "void"]);

const NO_MARKS: ReadonlyMap<string, unknown> = new Map();
const NO_TEXTS: ReadonlyMap<string, HypothesisText> = new Map();
const NONE: ReadonlySet<string> = new Set();

/** No tasks, by status. */
export function noTasks(): Record<TaskStatus, number> {
  return {
    pending: 0,
    deferred: 0,
    leased: 0,
    in_progress: 0,
    waiting: 0,
    done: 0,
    dead: 0,
    cancelled: 0,
    void: 0,
  };
}

interface MutableStanding extends Standing {
  record: HypothesisRecord;
  state: HypothesisState;
  stateReason: string;
  foldedUnder: string | null;
  elo: number;
  strength: number | null;
  strengthSd: number | null;
  matches: number;
  won: number;
  lost: number;
  tied: number;
  pinned: boolean;
  mergedInto: string | null;
  result: "confirmed" | "refuted" | null;
}

/**
 * The state of a session as a fold over its commits: given the same commits it holds the same state, whether it read
 * them at once or one by one. It is a cache: the store can always rebuild it.
 */
export class Projection implements View {
  readonly session: SessionRecord;
  readonly #archive: Archive;
  /** What the matches come to: those that count, and the ratings. */
  readonly #rated: RatedMatches;
  #seq = 0;
  #status: SessionStatus = "created";
  #stopReason: StopReason | null = null;
  #note = "";
  #plan: PlanRecord | null = null;
  #settings: Settings;
  readonly #prompts = new Map<string, string>();
  readonly #revisions: RevisionRecord[] = [];
  readonly #directives: DirectiveRecord[] = [];
  readonly #standings = new Map<string, MutableStanding>();
  readonly #versions = new Map<string, HypothesisRecord[]>();
  readonly #marks = new Map<MarkKind, Map<string, unknown>>();
  /** The commits that merged those who are. */
  readonly #mergedAt = new Map<string, number>();
  readonly #gates: GateRecord[] = [];
  readonly #rejudgements: RejudgementRecord[] = [];
  readonly #sheets: SheetRecord[] = [];
  readonly #ranked: MutableStanding[] = [];
  #hypotheses: readonly Standing[] | null = null;
  #leaderboard: readonly Standing[] | null = null;
  #drawable: readonly Standing[] | null = null;
  readonly #embeddings = new Map<string, EmbeddingRecord>();
  /** Of versions that are no longer the newest. */
  readonly #earlierEmbeddings: EmbeddingRecord[] = [];
  readonly #duplicates: DuplicateRecord[] = [];
  readonly #reviews: ReviewRecord[] = [];
  readonly #reviewsOf = new Map<string, ReviewRecord[]>();
  readonly #evidence: EvidenceRecord[] = [];
  #evidenceInForce: readonly EvidenceRecord[] | null = null;
  readonly #screens: ScreenRecord[] = [];
  #journal: EloRecord[] = [];
  #epoch = 0;
  #snapshots: EloSnapshot[] = [];
  #proximity: ProximityRecord | null = null;
  readonly #feedback: FeedbackRecord[] = [];
  readonly #overviews: OverviewRecord[] = [];
  readonly #tasks = new Map<
    string,
    { record: TaskRecord; status: TaskStatus; attempts: number; reason: string }
  >();
  #openTasks: readonly TaskStanding[] | null = null;
  readonly #ended = noTasks();
  #enqueued = 0;
  #fruitless = 0;
  readonly #own = noCosts();
  readonly #inherited = noCosts();

  /**
   * A session before its first commit.
   *
   * @param session what was fixed at the start
   * @param archive what stays in the store
   * @param openRatings how ratings are computed
   */
  constructor(session: SessionRecord, archive: Archive, openRatings: OpenRatings) {
    this.session = session;
    this.#archive = archive;
    this.#settings = session.settings;
    this.#rated = new RatedMatches(this.#around(), archive, openRatings);
  }

  /** What the ratings read of the rest. */
  #around(): Around {
    return {
      seq: () => this.#seq,
      settings: () => this.#settings,
      marks: (mark) => this.#marks.get(mark),
      version: (id, seq) => this.versionAt(id, seq),
      state: (id) => this.#standings.get(id)?.state,
      reviewsOf: (id) => this.reviewsOf(id),
      reviewOf: (id) => this.#reviews.find((review) => review.id === id),
      isResult: (id) => this.#evidence.some((evidence) => evidence.id === id),
      changedSince: (id, seq, texts, merged) => this.#changedSince(id, seq, texts, merged),
      moved: () => this.#stale(),
    };
  }

  /** Starts from sums over the tasks and commits so far; their other records follow by {@linkcode apply}. */
  begin(summary: Summary): void {
    for (const task of summary.tasks) this.#tasks.set(task.record.id, { ...task });
    for (const status of TASK_STATUSES) this.#ended[status] = summary.ended[status];
    this.#fruitless = summary.fruitless;
    this.#enqueued = summary.enqueued;
    this.#rated.begin(summary);
    for (const { agent, cost, inherited } of summary.costs) {
      addTo(inherited ? this.#inherited : this.#own, agent, cost);
    }
  }

  /**
   * Goes from an ancestor's commits to those of its fork. The fork is ready to run on, whatever a person did to the ancestor:
   * one that was finished or aborted is stopped for the reason that it had, or goes on where it had none. What was at work
   * stays so, since a fork without changes makes no commit of its own before the next task's.
   */
  branch(): void {
    switch (this.#status) {
      case "created":
      case "running":
      case "stopped":
        return;
      case "done":
        this.#status = this.#stopReason === null ? "running" : "stopped";
        break;
      case "paused":
      case "aborted":
        this.#status = "running";
        this.#stopReason = null;
        break;
      default:
        this.#status satisfies never;
    }
    this.#note = "";
  }

  /** Moves on by one commit. `counted`: its tasks and cost are in the summary already. */
  apply(seq: number, saved: readonly Effect[], commit: Commit | null): void {
    this.#seq = seq;
    for (const item of saved) this.#record(item);
    this.#rated.follow(seq, saved);
    if (commit !== null) {
      addTo(this.#own, commit.agent, commit.cost);
      if (commit.progress > 0) this.#fruitless = 0;
      else if (commit.progress < 0) this.#fruitless++;
    }
  }

  /** Moves on to a seq without records of its own. */
  reach(seq: number): void {
    this.#seq = Math.max(this.#seq, seq);
  }

  /** How many labels with this letter were given. */
  labelled(letter: string): number {
    switch (letter) {
      case "H":
        return this.#standings.size;
      case "V":
        return this.#reviews.length;
      case "M":
        return this.#rated.matchCount;
      case "D":
        return this.#directives.length;
      case "R":
        return this.#revisions.length;
      case "F":
        return this.#feedback.length;
      case "O":
        return this.#overviews.length;
      case "T":
        return this.#enqueued;
      case "E":
        return this.#evidence.length;
      case "G":
        return this.#gates.length;
      default:
        throw new RangeError(`Cannot count labels with the letter "${letter}"`);
    }
  }

  #record(item: Effect): void {
    switch (item.kind) {
      case "sessionState":
        this.#status = item.record.status;
        this.#stopReason = item.record.reason;
        this.#note = item.record.note;
        return;
      case "plan":
        this.#plan = item.record;
        return;
      case "revision":
        this.#revise(item.record);
        return;
      case "directive":
        this.#directives.push(item.record);
        return;
      case "hypothesis":
        this.#hypothesisVersion(item.record);
        return;
      case "hypothesisState": {
        const standing = this.#standings.get(item.record.hypothesisId);
        if (standing === undefined) return;
        standing.state = item.record.state;
        standing.stateReason = item.record.reason;
        this.#stale();
        return;
      }
      case "embedding":
        this.#embedded(item.record);
        return;
      case "duplicate":
        this.#duplicates.push(item.record);
        return;
      case "review": {
        this.#reviews.push(item.record);
        const list = this.#reviewsOf.get(item.record.hypothesisId);
        if (list === undefined) this.#reviewsOf.set(item.record.hypothesisId, [item.record]);
        else list.push(item.record);
        return;
      }
      case "evidence":
        this.#evidence.push(item.record);
        this.#evidenceInForce = null;
        if (item.record.outcome !== null) this.#results();
        return;
      case "screen":
        this.#screens.push(item.record);
        return;
      case "mark":
        this.#mark(item.record);
        return;
      case "gate":
        this.#gates.push(item.record);
        return;
      case "rejudgement":
        this.#rejudgements.push(item.record);
        return;
      case "sheet":
        this.#sheets.push(item.record);
        return;
      case "match":
        this.#rated.add(item.record);
        return;
      case "elo":
        this.#rate(item.record);
        return;
      case "eloSnapshot":
        this.#snapshots.push(item.record);
        return;
      case "proximity":
        this.#proximity = item.record;
        this.#stale();
        return;
      case "feedback":
        this.#feedback.push(item.record);
        return;
      case "overview":
        this.#overviews.push(item.record);
        return;
      case "task":
        this.#tasks.set(item.record.id, { record: item.record, status: "pending", attempts: 0, reason: "" });
        this.#enqueued++;
        this.#openTasks = null;
        return;
      case "taskState":
        this.#taskState(item.record);
        return;
      default:
        item satisfies never;
    }
  }

  #mark({ seq, targetId, mark, value }: MarkRecord): void {
    if (mark === "epoch") return this.#beginEpoch(Number(value));
    let marks = this.#marks.get(mark);
    if (marks === undefined) this.#marks.set(mark, marks = new Map());
    if (value === null) marks.delete(targetId);
    else marks.set(targetId, value);
    if (mark === "merged") this.#mergedAt.set(targetId, seq);
    const standing = this.#standings.get(targetId);
    if (standing !== undefined) {
      if (mark === "pinned") standing.pinned = value === true;
      if (mark === "merged") {
        standing.mergedInto = typeof value === "string" ? value : null;
        this.#results();
      }
      this.#stale();
    }
    if (mark !== "void") return;
    const result = this.#evidence.find(({ id }) => id === targetId);
    if (result === undefined) return;
    this.#evidenceInForce = null;
    this.#results();
  }

  /** What all results together say of each hypothesis, by their weights; those of merged ones count for the one that stays. */
  #results(): void {
    const sums = new Map<string, number>();
    for (const { hypothesisId, outcome, weight } of this.evidence) {
      if (outcome === null) continue;
      const by = outcome === "confirmed" ? weight : outcome === "refuted" ? -weight : 0;
      for (const id of new Set([hypothesisId, rootOf(hypothesisId, this.#marks.get("merged"))])) {
        sums.set(id, (sums.get(id) ?? 0) + by);
      }
    }
    for (const standing of this.#standings.values()) {
      const sum = sums.get(standing.record.id) ?? 0;
      standing.result = sum > 0 ? "confirmed" : sum < 0 ? "refuted" : null;
    }
    this.#stale();
  }

  #embedded(embedding: EmbeddingRecord): void {
    const earlier = this.#embeddings.get(embedding.hypothesisId);
    if (earlier !== undefined) this.#earlierEmbeddings.push(earlier);
    this.#embeddings.set(embedding.hypothesisId, embedding);
  }

  #beginEpoch(epoch: number): void {
    this.#epoch = epoch;
    this.#journal = [];
    this.#snapshots = [];
    for (const standing of this.#standings.values()) {
      Object.assign(standing, {
        elo: this.#settings.ranking.eloInitial,
        matches: 0,
        won: 0,
        lost: 0,
        tied: 0,
      });
    }
    this.#stale();
  }

  #rate(row: EloRecord): void {
    this.#journal.push(row);
    const first = this.#standings.get(row.firstId), second = this.#standings.get(row.secondId);
    if (first === undefined || second === undefined) return;
    first.elo = row.firstBefore + row.delta;
    second.elo = row.secondBefore - row.delta;
    first.matches++;
    second.matches++;
    if (row.score === 1) {
      first.won++;
      second.lost++;
    } else if (row.score === 0) {
      first.lost++;
      second.won++;
    } else {
      first.tied++;
      second.tied++;
    }
    this.#stale();
  }

  #revise(revision: RevisionRecord): void {
    this.#revisions.push(revision);
    if (revision.kind === "configure") {
      this.#settings = afterRecordedChange(this.#settings, revision.target, revision.after);
      this.#rated.settingChanged(revision);
      this.#stale();
    } else if (revision.kind === "prompt") {
      if (typeof revision.after === "string") this.#prompts.set(revision.target, revision.after);
      else this.#prompts.delete(revision.target);
    }
  }

  #hypothesisVersion(record: HypothesisRecord): void {
    const standing = this.#standings.get(record.id);
    const versions = this.#versions.get(record.id);
    if (versions === undefined) this.#versions.set(record.id, [record]);
    else versions.push(record);
    if (standing !== undefined) {
      standing.record = record;
    } else {
      const born: MutableStanding = {
        record,
        state: "draft",
        stateReason: "",
        foldedUnder: null,
        elo: this.#settings.ranking.eloInitial,
        strength: null,
        strengthSd: null,
        matches: 0,
        won: 0,
        lost: 0,
        tied: 0,
        bornSeq: record.seq,
        pinned: false,
        mergedInto: null,
        result: null,
      };
      this.#standings.set(record.id, born);
      this.#ranked.push(born);
    }
    this.#hypotheses = null;
    this.#stale();
  }

  #taskState(state: TaskStateRecord): void {
    this.#openTasks = null;
    const task = this.#tasks.get(state.taskId);
    if (task === undefined) return;
    if (task.status === "dead") this.#ended.dead--;
    task.status = state.status;
    task.attempts = state.attempts;
    task.reason = state.reason;
    if (!ENDED.has(state.status)) return;
    this.#ended[state.status]++;
    // Dead tasks stay, to be listed and revived; of the others the store keeps the history.
    if (state.status !== "dead") this.#tasks.delete(state.taskId);
  }

  #stale(): void {
    this.#leaderboard = null;
    this.#drawable = null;
  }

  /** Sorts the tournament and folds near-duplicates under the best of their cluster. */
  #rank(): { leaderboard: readonly Standing[]; drawable: readonly Standing[] } {
    const { ratings } = this;
    for (const standing of this.#ranked) {
      const strength = ratings.strength(standing.record.id);
      standing.strength = strength?.mean ?? null;
      standing.strengthSd = strength?.sd ?? null;
    }
    const order = better(this.#settings.ranking.rating);
    // A match moves few: sorting what was sorted before takes one pass.
    this.#ranked.sort(order);
    const { clusters = [], seq: clusteredAt = 0 } = this.#proximity ?? {};
    // What was edited since is no near-duplicate of what its old text was near to.
    const alike = (id: string) => this.changedSince(id, clusteredAt) ? undefined : this.#standings.get(id);
    const under = folded(clusters, alike, order);
    for (const standing of this.#ranked) standing.foldedUnder = under.get(standing.record.id) ?? null;
    const drawable: Standing[] = [];
    for (const standing of this.#standings.values()) {
      if (standing.state === "in_tournament" && standing.foldedUnder === null) drawable.push(standing);
    }
    return { leaderboard: this.#ranked.filter((standing) => standing.state === "in_tournament"), drawable };
  }

  get seq(): number {
    return this.#seq;
  }
  get status(): SessionStatus {
    return this.#status;
  }
  get stopReason(): StopReason | null {
    return this.#stopReason;
  }
  get note(): string {
    return this.#note;
  }
  get plan(): PlanRecord | null {
    return this.#plan;
  }
  get settings(): Settings {
    return this.#settings;
  }
  get revision(): number {
    return this.#revisions.at(-1)?.number ?? 0;
  }
  get revisions(): readonly RevisionRecord[] {
    return this.#revisions;
  }
  get prompts(): ReadonlyMap<string, string> {
    return this.#prompts;
  }
  get hypotheses(): readonly Standing[] {
    if (this.#leaderboard === null) this.#refresh();
    return this.#hypotheses ??= [...this.#standings.values()];
  }
  hypothesis(id: string): Standing | undefined {
    if (this.#leaderboard === null) this.#refresh();
    return this.#standings.get(id);
  }
  get leaderboard(): readonly Standing[] {
    return this.#leaderboard ?? this.#refresh().leaderboard;
  }
  get drawable(): readonly Standing[] {
    if (this.#leaderboard === null) this.#refresh();
    return this.#drawable ?? [];
  }
  #refresh() {
    const ranked = this.#rank();
    this.#leaderboard = ranked.leaderboard;
    this.#drawable = ranked.drawable;
    return ranked;
  }
  get duplicates(): readonly DuplicateRecord[] {
    return this.#duplicates;
  }
  get reviews(): readonly ReviewRecord[] {
    return this.#reviews;
  }
  reviewsOf(hypothesisId: string): readonly ReviewRecord[] {
    const all = this.#reviewsOf.get(hypothesisId) ?? [];
    const isVoid = this.#marks.get("void");
    return isVoid === undefined ? all : all.filter(({ id }) => !isVoid.has(id));
  }
  versionsOf(id: string): readonly HypothesisRecord[] {
    return this.#versions.get(id) ?? [];
  }
  versionAt(id: string, seq: number): HypothesisRecord | undefined {
    const versions = this.#versions.get(id) ?? [];
    return versions.findLast((version) => version.seq <= seq) ?? versions[0];
  }
  changedSince(id: string, seq: number): boolean {
    return this.#changedSince(id, seq, NO_TEXTS, this.#marks.get("merged") ?? NO_MARKS);
  }
  #changedSince(
    id: string,
    seq: number,
    texts: ReadonlyMap<string, HypothesisText>,
    merged: ReadonlyMap<string, unknown>,
    passed: ReadonlySet<string> = NONE,
  ): boolean {
    const then = this.versionAt(id, seq);
    const newest = texts.get(id) ?? this.#versions.get(id)?.at(-1);
    if (then !== undefined && newest !== undefined && !sameText(then, newest)) return true;
    const into = merged.get(id);
    if (typeof into !== "string" || passed.has(into)) return false;
    // One that is being merged by the commit in question is merged from now on.
    const since = this.#marks.get("merged")?.get(id) === into
      ? this.#mergedAt.get(id) ?? this.#seq
      : this.#seq;
    return this.#changedSince(into, Math.max(seq, since), texts, merged, new Set([...passed, id]));
  }
  marked(mark: MarkKind, id: string): unknown {
    return this.#marks.get(mark)?.get(id) ?? null;
  }
  get gates(): readonly GateRecord[] {
    return this.#gates;
  }
  get openGate(): GateRecord | null {
    return this.#gates.find(({ id }) => this.marked("answered", id) === null) ?? null;
  }
  get rejudgements(): readonly RejudgementRecord[] {
    return this.#rejudgements;
  }
  get sheets(): readonly SheetRecord[] {
    return this.#sheets;
  }
  get matches(): readonly MatchRecord[] {
    return this.#rated.matches;
  }
  get matchCount(): number {
    return this.#rated.matchCount;
  }
  get validMatches(): number {
    return this.#rated.validMatches;
  }
  get counted(): readonly MatchRecord[] {
    return this.#rated.counted;
  }
  countedIf(change: CountChange): readonly MatchRecord[] {
    return this.#rated.countedIf(change);
  }
  met(a: string, b: string): { readonly total: number; readonly firstShown: number } {
    return this.#rated.met(a, b);
  }
  foldIf(change: CountChange, ranking: Settings["ranking"]): Generator<void, RatingFold> {
    return this.#rated.foldIf(change, ranking);
  }
  rationale(matchId: string): string {
    return this.#archive.rationale(matchId);
  }
  get ratings(): Ratings {
    return this.#rated.ratings;
  }
  /** The ratings as they are to be kept in the store. */
  saveRatings(): SavedRatings {
    return this.#rated.save();
  }
  get epoch(): number {
    return this.#epoch;
  }
  get eloJournal(): readonly EloRecord[] {
    return this.#journal;
  }
  get eloSnapshots(): readonly EloSnapshot[] {
    return this.#snapshots;
  }
  get feedback(): readonly FeedbackRecord[] {
    return this.#feedback;
  }
  get directives(): readonly DirectiveRecord[] {
    return this.#directives;
  }
  inForce({ id, until }: DirectiveRecord): boolean {
    if (this.marked("withdrawn", id) !== null) return false;
    if (until === null) return true;
    return this.#rated.validMatches < (until.matches ?? Infinity) &&
      this.#standings.size < (until.hypotheses ?? Infinity) &&
      this.#reviews.length < (until.reviews ?? Infinity);
  }
  directivesFor(agent: AgentName): readonly DirectiveRecord[] {
    return this.#directives.filter((directive) =>
      (directive.to.length === 0 || directive.to.includes(agent)) && this.inForce(directive)
    );
  }
  get evidence(): readonly EvidenceRecord[] {
    const isVoid = this.#marks.get("void");
    return this.#evidenceInForce ??= isVoid === undefined
      ? this.#evidence
      : this.#evidence.filter(({ id }) => !isVoid.has(id));
  }
  get allEvidence(): readonly EvidenceRecord[] {
    return this.#evidence;
  }
  get proximity(): ProximityRecord | null {
    return this.#proximity;
  }
  get screens(): readonly ScreenRecord[] {
    return this.#screens;
  }
  get overviews(): readonly OverviewRecord[] {
    return this.#overviews;
  }
  vector(hypothesisId: string): Float32Array | undefined {
    return this.#embeddings.get(hypothesisId)?.vector;
  }
  embedding(hypothesisId: string, version: number): EmbeddingRecord | undefined {
    const newest = this.#embeddings.get(hypothesisId);
    if (newest?.version === version) return newest;
    return this.#earlierEmbeddings.find((each) =>
      each.hypothesisId === hypothesisId && each.version === version
    );
  }
  get openTasks(): readonly TaskStanding[] {
    return this.#openTasks ??= [...this.#tasks.values()].filter((task) => !ENDED.has(task.status)).sort((
      a,
      b,
    ) =>
      a.record.priority - b.record.priority || a.record.seq - b.record.seq ||
      order(a.record.label, b.record.label)
    );
  }
  get deadTasks(): readonly TaskStanding[] {
    return [...this.#tasks.values()].filter((task) => task.status === "dead");
  }
  get endedTasks(): Readonly<Record<TaskStatus, number>> {
    return this.#ended;
  }
  task(id: string): TaskStanding | undefined {
    return this.#tasks.get(id) ?? this.#archive.endedTask(id);
  }
  taskLabelled(label: string): TaskStanding | undefined {
    const id = this.#archive.taskLabelled(label);
    return id === undefined ? undefined : this.task(id);
  }
  hasTask(key: string): boolean {
    return this.#archive.hasTask(key);
  }
  get fruitless(): number {
    return this.#fruitless;
  }
  get cost(): Cost {
    return this.#own.cost;
  }
  get costByAgent(): ReadonlyMap<AgentName, Cost> {
    return this.#own.byAgent;
  }
  get inherited(): Inherited {
    return this.#inherited;
  }
}

/** A sum of costs that grows. */
interface Costs extends Inherited {
  cost: Cost;
  readonly byAgent: Map<AgentName, Cost>;
}

function noCosts(): Costs {
  return { cost: NO_COST, byAgent: new Map() };
}

function addTo(costs: Costs, agent: AgentName | null, cost: Cost): void {
  if (cost.calls === 0) return;
  costs.cost = addCost(costs.cost, cost);
  if (agent !== null) costs.byAgent.set(agent, addCost(costs.byAgent.get(agent) ?? NO_COST, cost));
}

/** Labels of one letter by their number. */
function order(a: string, b: string): number {
  return Number(a.slice(1)) - Number(b.slice(1));
}
