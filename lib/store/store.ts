import { storedSettings } from "../config/patch.ts";
import type { Clock } from "../domain/clock.ts";
import { systemClock } from "../domain/clock.ts";
import type { Decision } from "../domain/agent.ts";
import { CosciError, inputError, messageOf } from "../domain/errors.ts";
import { hashOf } from "../domain/ids.ts";
import {
  type AgentName,
  NO_COST,
  type RevisionRecord,
  type TaskRecord,
  type TaskStateRecord,
  type TaskStatus,
} from "../domain/records.ts";
import { EventBus } from "../telemetry/bus.ts";
import type { EventDraft, SessionEvent } from "../telemetry/events.ts";
import { logEvents } from "../telemetry/log_events.ts";
import { z } from "zod";
import { type BudgetLimits, SqlCallLedger } from "./budget.ts";
import { type Database, json, number, type Row, Sql, text, textOrNull, word } from "./database.ts";
import { onNetwork, openDatabase } from "./driver.ts";
import { EventLog } from "./event_log.ts";
import { type ForkPoint, forkPointOf, readForkPoint } from "./fork_point.ts";
import { catchUp, loadProjection } from "./load.ts";
import { migrate } from "./migrate.ts";
import { Owners } from "./owners.ts";
import type { Projection } from "./projection.ts";
import { Queue, type QueueItem } from "./queue.ts";
import { type Commit, decodeCost, effectsOf, type Entry, type Saved, TABLES } from "./records.ts";
import { writeRatings } from "./remembered_ratings.ts";
import { RunningClock } from "./running_clock.ts";
import { insert, type Stretch, type Table, type Unsaved } from "./table.ts";
import { unrated } from "./unrated.ts";
import type { OpenRatings, ProviderRecord, SessionRecord, View } from "./view.ts";

/** What a commit says of itself. */
export interface CommitMeta {
  /** What it is: a task's outcome, `enqueue`, a person's verb. */
  readonly kind: string;
  /** `engine`, or a person's name. */
  readonly author: string;
  /** Whether it added to the session, or a task ended for nothing. */
  readonly progress: -1 | 0 | 1;
  /** The task whose attempt ends with it. */
  readonly task?: EndingTask | undefined;
  /** What to tell the world, besides. */
  readonly events?: readonly EventDraft[] | undefined;
}

/** A task's attempt that ends with a commit. */
export interface EndingTask {
  /** Which. */
  readonly id: string;
  /** Whose. */
  readonly agent: AgentName;
  /** The revision that it worked under. */
  readonly revision: number;
  /** Who must hold it; `null` for a person's verb. */
  readonly owner: string | null;
  /** Where it goes from here: out of the queue, or back into it. */
  readonly then:
    | { readonly kind: "ended"; readonly status: TaskStatus }
    | {
      readonly kind: "back";
      readonly status: "pending" | "deferred";
      readonly notBefore: number;
      readonly attempts: number;
      readonly callsBase: number;
      /** Forget what the first claim decided: no call was made yet, so the next claim may decide afresh. */
      readonly unpin?: boolean | undefined;
    };
}

/** A commit to be made: decided on the newest view, inside the transaction. */
export interface CommitDraft extends CommitMeta {
  /** Its records. */
  readonly entries: readonly Entry[];
}

/** A commit as made. */
export interface Committed extends Commit {
  /** Its records. */
  readonly saved: readonly Saved[];
  /** Its events. */
  readonly events: readonly SessionEvent[];
}

/** A task in hand. */
export interface Claim {
  /** The task. */
  readonly task: TaskRecord;
  /** Its place in the queue. */
  readonly item: QueueItem;
  /** What was decided at its first claim. */
  readonly decision: Decision;
  /** The records as they stood then; where that is the newest view, it moves on with the session. */
  readonly view: View;
  /** The commit that they stood at. */
  readonly claimSeq: number;
  /** The revision then. */
  readonly revision: number;
}

/** What a fork is given beside its history. */
export interface ForkDraft {
  /** Its name. */
  readonly name: string;
  /** What it changes: numbered on from the point's newest revision. */
  readonly revisions: readonly Unsaved<RevisionRecord>[];
  /** Who made it. */
  readonly author: string;
  /** What is told of it. */
  readonly events: readonly EventDraft[];
}

/** A session's identity, as handed in. */
export type NewSession = Omit<SessionRecord, "id" | "createdAt">;

const providerSchema: z.ZodType<ProviderRecord> = z.object({
  name: z.string(),
  baseUrl: z.string(),
  models: z.record(
    z.string(),
    z.object({
      inputUsd: z.number().optional(),
      outputUsd: z.number().optional(),
      contextTokens: z.number().optional(),
      maxOutputTokens: z.number().optional(),
    }),
  ),
  servers: z.record(z.string(), z.string()).optional(),
});

/** How a store is opened. */
export interface StoreOptions {
  /** The path of a file, `:memory:`, or a database that is open already. */
  readonly database: string | Database;
  /** The time. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** How Bradley-Terry ratings are computed. @default none are: everybody is unrated, and Elo orders the leaderboard */
  readonly ratings?: OpenRatings | undefined;
}

/**
 * Pages in the write-ahead log before it is copied back into the file: 64 MB. At SQLite's own 1,000 the same few pages,
 * which every task touches, would be copied (and synchronised) far more often: COMMIT takes half as long again.
 */
const CHECKPOINT_PAGES = 16_000;

/**
 * One SQLite file with its sessions. Everything that is written goes through here, each piece in one transaction; what is
 * read comes as views. Several handles, in several processes, may work on one file.
 */
export class Store {
  /** The path, or a word for a database in memory or handed in. */
  readonly name: string;
  /** The path of its file; `null` for a database in memory or handed in. */
  readonly path: string | null;
  /** Events of this process's commits and of calls in flight. */
  readonly bus: EventBus = new EventBus();
  /** Who is at work on it. */
  readonly owners: Owners;
  /** Stored events and spans. */
  readonly log: EventLog;
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #openRatings: OpenRatings;
  /** Sessions whose head was caught up inside the transaction that is open. */
  readonly #caughtUp = new Set<string>();
  readonly #heads = new Map<string, Projection>();
  readonly #unpublished: SessionEvent[] = [];
  readonly #movedOn = new Set<string>();
  /** How many handles work on it. */
  #holders = 1;

  /**
   * Opens or makes a store.
   *
   * @throws CosciError `store` for a file that is none, or that a newer cosci wrote; it is left untouched
   */
  constructor(options: StoreOptions) {
    const { database } = options;
    this.#clock = options.clock ?? systemClock;
    this.#openRatings = options.ratings ?? unrated;
    const path = typeof database === "string" ? database : null;
    this.name = path ?? "(a database handed in)";
    this.path = path === ":memory:" ? null : path;
    this.#sql = new Sql(typeof database === "string" ? openDatabase(database) : database, this.name);
    try {
      this.#sql.exec("PRAGMA foreign_keys = ON");
      this.#sql.exec("PRAGMA busy_timeout = 10000");
      migrateChecked(this.#sql, this.name, this.#clock.now());
      // The shared memory that WAL needs is not to be trusted over a network.
      const journal = path !== null && onNetwork(path) ? "DELETE" : "WAL";
      setJournal(this.#sql, journal);
      this.#sql.exec(`PRAGMA synchronous = ${journal === "WAL" ? "NORMAL" : "FULL"}`);
      this.#sql.get(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    } catch (error) {
      this.#sql.close();
      throw error;
    }
    this.owners = new Owners(this.path);
    this.log = new EventLog(this.#sql, () => this.#clock.now());
  }

  /** Makes a session, or throws where its name is taken. Its first commit sets the status. */
  createSession(session: NewSession): SessionRecord {
    const record: SessionRecord = {
      ...session,
      id: `ses_${hashOf("session", session.name).slice(0, 16)}`,
      createdAt: this.#clock.now(),
    };
    this.#sql.write(() => {
      if (this.findSession(session.name) !== undefined) {
        throw new CosciError(
          "state",
          `There is a session "${session.name}" in ${this.name} already. Open it, or choose another name.`,
        );
      }
      this.#sql.run(
        "INSERT INTO sessions (id, name, goal, preferences, seed, mode, provider, settings, parent_id, parent_seq, created_at) " +
          "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        record.id,
        record.name,
        record.goal,
        record.preferences,
        record.seed,
        record.mode,
        JSON.stringify(record.provider),
        JSON.stringify(record.settings),
        record.parentId,
        record.parentSeq,
        record.createdAt,
      );
      this.#sql.run("INSERT INTO session_clocks (session, ran_ms) VALUES (?, 0)", record.id);
    });
    return record;
  }

  /**
   * What a fork at a commit begins with: the newest, or an earlier one, of which no view is built for that.
   *
   * @throws CosciError `input` for a seq that is not there
   */
  forkPoint(sessionId: string, seq?: number): ForkPoint {
    const head = this.#head(sessionId);
    const at = seq ?? head.seq;
    requireSeq(at, head.seq);
    const stretches = this.#stretches(head.session, at);
    return at === head.seq
      ? forkPointOf(this.#sql, head, stretches)
      : readForkPoint(this.#sql, head.session, stretches);
  }

  /**
   * Makes a session that goes on from a commit of another one. Nothing of its history is copied but the open tasks' places in
   * the queue: as pending ones, whoever has them in hand over there. What the fork changes becomes its first commit; without
   * changes it has none, and its own first one is the next task's.
   *
   * @param sessionId whose fork
   * @param point the commit, as {@linkcode forkPoint} gave it
   * @throws CosciError `state` where the name is taken
   */
  fork(sessionId: string, point: ForkPoint, draft: ForkDraft): SessionRecord {
    const { id: _, createdAt: __, ...parent } = this.#session(sessionId);
    return this.write(() => {
      const fork = this.createSession({
        ...parent,
        name: draft.name,
        parentId: sessionId,
        parentSeq: point.seq,
      });
      this.#inheritQueue(fork.id, point);
      const { revisions } = draft;
      const seq = revisions.length === 0 ? null : point.seq + 1;
      if (seq !== null) {
        for (const revision of revisions) {
          insert(this.#sql, TABLES.revision, fork.id, { ...revision, seq, label: `R${revision.number}` });
        }
        this.#insertCommit(fork.id, {
          seq,
          at: this.#clock.now(),
          kind: "fork",
          taskId: null,
          agent: null,
          author: draft.author,
          revision: point.revision,
          // What it changes may be what the parent lacked: the next tasks get their own tries.
          progress: 1,
          cost: NO_COST,
        });
      }
      this.#announce(this.log.append(fork.id, seq, draft.events));
      return fork;
    });
  }

  /** Open tasks stand in a fork's queue in the order of their enqueueing; then those are moved to the front that were. */
  #inheritQueue(sessionId: string, { open, promoted }: ForkPoint): void {
    const queue = new Queue(this.#sql, sessionId);
    const ids = new Map(open.map(({ record }) => [record.label, record.id]));
    for (const { record, attempts, callsBase } of open) queue.add(record, attempts, callsBase);
    for (const label of promoted) {
      const id = ids.get(label);
      if (id !== undefined) queue.promote(id);
    }
  }

  /** The session with this name or id. */
  findSession(nameOrId: string): SessionRecord | undefined {
    const row = this.#sql.get("SELECT * FROM sessions WHERE name = ? OR id = ?", nameOrId, nameOrId);
    return row === undefined ? undefined : decodeSession(row);
  }

  /** All sessions, oldest first. */
  sessions(): SessionRecord[] {
    return this.#sql.all("SELECT * FROM sessions ORDER BY created_at, rowid").map(decodeSession);
  }

  /**
   * A session as its records say: at its newest commit (one shared object that later commits move on), or at an earlier
   * seq (an object of its own).
   *
   * @throws CosciError `input` for a seq that is not there
   */
  view(sessionId: string, seq?: number): View {
    const head = this.#head(sessionId);
    if (seq === undefined || seq === head.seq) return head;
    requireSeq(seq, head.seq);
    return loadProjection(this.#sql, head.session, this.#stretches(head.session, seq), this.#openRatings);
  }

  /**
   * A session's newest view as this handle last saw it, without asking the store whether others have committed since: for
   * what may lag behind by a moment, such as limits and leases.
   */
  known(sessionId: string): View {
    return this.#heads.get(sessionId) ?? this.#head(sessionId);
  }

  /**
   * Keeps a session's ratings as they stand, so that opening it again need not compute them: a cache, in a transaction of
   * its own.
   */
  keepRatings(sessionId: string): void {
    const kept = this.#head(sessionId).saveRatings();
    this.#sql.write(() => writeRatings(this.#sql, sessionId, kept));
  }

  /**
   * Makes one commit: `decide` gets the newest view inside the transaction and returns the records, or `null` for none.
   * Where the commit ends a task that its owner lost meanwhile, nothing is written and `null` returned.
   */
  commit(sessionId: string, decide: (view: View) => CommitDraft | null): Committed | null {
    return this.write(() => {
      const head = this.#head(sessionId);
      const draft = decide(head);
      if (draft === null) return null;
      const { task } = draft;
      const queue = new Queue(this.#sql, sessionId);
      if (task !== undefined && task.owner !== null && !queue.holds(task.id, task.owner)) return null;
      const seq = head.seq + 1;
      const at = this.#clock.now();
      const saved = this.#insert(sessionId, head, seq, draft.entries, queue);
      const commit: Commit = {
        seq,
        at,
        kind: draft.kind,
        taskId: task?.id ?? null,
        agent: task?.agent ?? null,
        author: draft.author,
        revision: task?.revision ?? head.revision,
        progress: draft.progress,
        cost: task === undefined ? decodeCost(undefined) : this.#attribute(sessionId, seq, task.id),
      };
      this.#insertCommit(sessionId, commit);
      if (task !== undefined) this.#endAttempt(sessionId, queue, task);
      const events = this.log.append(sessionId, seq, draft.events ?? []);
      this.#movedOn.add(sessionId);
      head.apply(seq, effectsOf(saved), commit);
      this.#announce(events);
      return { ...commit, saved, events };
    });
  }

  /**
   * Takes the next ready task, if there is one, and pins what its first claim decides. One transaction.
   *
   * @param leaseMs how long a claim of this task holds
   * @param decide what is fixed at the first claim, from the newest view and the decisions of tasks in hand
   * @param only the ids of the tasks that are meant; all by default
   * @param hold asked first, with the newest view: whether nothing is to be claimed now
   */
  claim(
    sessionId: string,
    owner: string,
    leaseMs: (task: TaskRecord) => number,
    decide: (view: View, task: TaskRecord, busy: readonly Decision[]) => Decision,
    only?: readonly string[],
    hold: (view: View) => boolean = () => false,
  ): Claim | null {
    const claimed = this.write(() => {
      const head = this.#head(sessionId);
      if (hold(head)) return null;
      const queue = new Queue(this.#sql, sessionId);
      const now = this.#clock.now();
      const item = queue.take(owner, now, only);
      if (item === null) return null;
      const task = head.task(item.taskId)?.record;
      if (task === undefined) {
        throw new CosciError("internal", `Task ${item.taskId} is queued but not recorded`);
      }
      const decision = item.decision ?? decide(head, task, queue.decisions());
      const pinned = {
        claimSeq: item.claimSeq ?? head.seq,
        revision: item.revision ?? head.revision,
        decision,
      };
      queue.pin(task.id, now + leaseMs(task), pinned);
      const events = this.log.append(sessionId, null, [{
        type: "task_started",
        payload: {
          task: task.label,
          agent: task.agent,
          action: task.action,
          target: task.targetId,
          attempt: item.attempts + 1,
        },
      }]);
      this.#announce(events);
      return { task, item, pinned };
    });
    if (claimed === null) return null;
    const { task, item, pinned } = claimed;
    return {
      task,
      // As it is pinned now: the view moves on with the session, so that its seq says nothing of the claim later.
      item: { ...item, ...pinned },
      decision: pinned.decision,
      view: this.view(sessionId, pinned.claimSeq),
      claimSeq: pinned.claimSeq,
      revision: pinned.revision,
    };
  }

  /** The working queue, for looking at it; change it inside {@linkcode write}. */
  queue(sessionId: string): Queue {
    return new Queue(this.#sql, sessionId);
  }

  /**
   * Runs several verbs in one transaction. A throw undoes all of them; their events are published once it is committed.
   */
  write<T>(work: () => T): T {
    if (this.#sql.inTransaction) return work();
    try {
      let result: T;
      try {
        result = this.#sql.write(work);
      } finally {
        this.#caughtUp.clear();
      }
      this.#movedOn.clear();
      this.#publish(this.#unpublished.splice(0));
      return result;
    } catch (error) {
      this.#unpublished.length = 0;
      // They show commits that are no more; the next look builds them again.
      for (const session of this.#movedOn) this.#heads.delete(session);
      this.#movedOn.clear();
      throw error;
    }
  }

  #announce(events: readonly SessionEvent[]): void {
    if (this.#sql.inTransaction) this.#unpublished.push(...events);
    else this.#publish(events);
  }

  /** Publishes and stores events that belong to no commit. */
  tell(sessionId: string, events: readonly EventDraft[]): void {
    if (events.length === 0) return;
    this.#announce(this.log.append(sessionId, null, events));
  }

  /** Journal, transcripts and budget of a session, for one owner. */
  calls(sessionId: string, owner: string, limits: () => BudgetLimits): SqlCallLedger {
    return new SqlCallLedger(this.#sql, sessionId, owner, limits, () => this.#clock.now());
  }

  /** The running time of a session. */
  runningClock(sessionId: string): RunningClock {
    return new RunningClock(this.#sql, sessionId, () => this.#clock.now());
  }

  /** The database, for exports and for readers of transcripts; read only, by agreement. */
  get sql(): Sql {
    return this.#sql;
  }

  /** A session's commits up to its newest, ancestors first: what its view is made of. */
  stretches(sessionId: string): readonly Stretch[] {
    const head = this.#head(sessionId);
    return this.#stretches(head.session, head.seq);
  }

  #publish(events: readonly SessionEvent[]): void {
    this.bus.publish(events);
    logEvents(events);
  }

  /** Another hold on the store, for a further handle: its file is closed when each holder has closed it. */
  share(): this {
    this.#holders++;
    return this;
  }

  /** Forgets what was kept in memory of a session; whoever looks at it again reads it anew. */
  forget(sessionId: string): void {
    this.#heads.delete(sessionId);
  }

  /** Closes the file, if nobody else holds the store. Views stay readable, except for what they leave in the store. */
  close(): void {
    this.#holders--;
    if (this.#holders > 0) return;
    this.bus.close();
    this.#heads.clear();
    this.#sql.close();
  }

  #head(sessionId: string): Projection {
    const known = this.#heads.get(sessionId);
    if (known !== undefined) {
      // Who holds the write lock needs to look once: nobody else can commit meanwhile.
      if (this.#caughtUp.has(sessionId)) return known;
      const newest = this.#newest(sessionId, known.session.parentSeq);
      if (newest > known.seq) catchUp(this.#sql, known, newest);
      if (this.#sql.inTransaction) this.#caughtUp.add(sessionId);
      return known;
    }
    const session = this.#session(sessionId);
    const newest = this.#newest(session.id, session.parentSeq);
    const head = loadProjection(this.#sql, session, this.#stretches(session, newest), this.#openRatings);
    this.#heads.set(session.id, head);
    return head;
  }

  #session(sessionId: string): SessionRecord {
    const session = this.findSession(sessionId);
    if (session !== undefined) return session;
    throw inputError(
      "session",
      sessionId,
      `Sessions in ${this.name}: ${this.sessions().map((s) => s.name).join(", ") || "none"}.`,
    );
  }

  #newest(sessionId: string, parentSeq: number): number {
    const row = this.#sql.get("SELECT max(seq) AS seq FROM commits WHERE session = ?", sessionId);
    return row === undefined || row["seq"] === null ? parentSeq : number(row, "seq");
  }

  #stretches(session: SessionRecord, to: number): Stretch[] {
    const own: Stretch = { session: session.id, from: session.parentSeq, to };
    if (session.parentId === null) return [own];
    const parent = this.findSession(session.parentId);
    if (parent === undefined) {
      throw new CosciError("store", `The parent of session "${session.name}" is not in ${this.name}`);
    }
    if (to < session.parentSeq) return this.#stretches(parent, to);
    return [...this.#stretches(parent, session.parentSeq), own];
  }

  /** Writes the records, giving labels; a task whose key is known already is left out. */
  #insert(
    sessionId: string,
    head: Projection,
    seq: number,
    entries: readonly Entry[],
    queue: Queue,
  ): Saved[] {
    const counts = new Map<string, number>();
    const saved: Saved[] = [];
    const keys = new Set<string>();
    for (const entry of entries) {
      if (entry.kind === "task") {
        if (keys.has(entry.record.key) || head.hasTask(entry.record.key)) continue;
        keys.add(entry.record.key);
      }
      const table: Table<{ readonly seq: number }> = TABLES[entry.kind];
      let record: { readonly seq: number } = { ...entry.record, seq };
      if (table.letter !== undefined) {
        const known = entry.kind === "hypothesis"
          ? head.hypothesis(entry.record.id)?.record.label
          : undefined;
        const n = (counts.get(table.letter) ?? head.labelled(table.letter)) + (known === undefined ? 1 : 0);
        counts.set(table.letter, n);
        record = Object.assign(record, { label: known ?? `${table.letter}${n}` });
      }
      insert(this.#sql, table, sessionId, record);
      // The entry's kind names its table and so its record's type; the compiler can't follow that through a union.
      const item = { kind: entry.kind, record } as Saved;
      saved.push(item);
      if (item.kind === "task") queue.add(item.record);
      if (item.kind === "taskState" && item.record.status === "pending") {
        this.#requeue(head, queue, item.record);
      }
    }
    return saved;
  }

  /** Puts a revived task back into the queue, which it had left when it died. */
  #requeue(head: Projection, queue: Queue, { taskId, attempts }: TaskStateRecord): void {
    const task = head.task(taskId)?.record;
    if (task !== undefined && queue.item(taskId) === undefined) queue.add(task, attempts);
  }

  /** Ties a task's transcripts to the commit that ends its attempt, and sums their cost. */
  #attribute(sessionId: string, seq: number, taskId: string) {
    const cost = decodeCost(this.#sql.get(
      "SELECT sum(micro_usd) AS micro_usd, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens, count(*) AS calls, " +
        "sum(CASE WHEN unconfirmed = 1 THEN micro_usd ELSE 0 END) AS unconfirmed_micro_usd FROM transcripts " +
        "WHERE session = ? AND task_id = ? AND seq IS NULL",
      sessionId,
      taskId,
    ));
    if (cost.calls > 0) {
      this.#sql.run(
        "UPDATE transcripts SET seq = ? WHERE session = ? AND task_id = ? AND seq IS NULL",
        seq,
        sessionId,
        taskId,
      );
    }
    return cost;
  }

  #insertCommit(sessionId: string, commit: Commit): void {
    this.#sql.run(
      "INSERT INTO commits (session, seq, at, kind, task_id, agent, author, revision, progress, micro_usd, input_tokens, output_tokens, " +
        "calls, unconfirmed_micro_usd) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      sessionId,
      commit.seq,
      commit.at,
      commit.kind,
      commit.taskId,
      commit.agent,
      commit.author,
      commit.revision,
      commit.progress,
      commit.cost.microUsd,
      commit.cost.inputTokens,
      commit.cost.outputTokens,
      commit.cost.calls,
      commit.cost.unconfirmedMicroUsd,
    );
  }

  #endAttempt(sessionId: string, queue: Queue, task: EndingTask): void {
    if (task.then.kind === "back") return queue.putBack(task.id, task.then);
    queue.remove(task.id);
    // The journal is for attempts that are cut short; a task that has ended is never asked again.
    this.#sql.run("DELETE FROM call_journal WHERE session = ? AND task_id = ?", sessionId, task.id);
  }
}

/**
 * Sets the journal mode. The busy timeout doesn't hold for that: while another process reads or makes the same store, it
 * fails at once, and is tried again for some seconds.
 */
function setJournal(sql: Sql, mode: "WAL" | "DELETE"): void {
  for (let tries = 1;; tries++) {
    try {
      if (sql.get("PRAGMA journal_mode")?.["journal_mode"] !== mode.toLowerCase()) {
        sql.get(`PRAGMA journal_mode = ${mode}`);
      }
      return;
    } catch (error) {
      if (tries === 40) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 * tries);
    }
  }
}

function requireSeq(seq: number, newest: number): void {
  if (Number.isInteger(seq) && seq >= 0 && seq <= newest) return;
  throw inputError("seq", seq, `The session has commits 0 to ${newest}.`);
}

function migrateChecked(sql: Sql, name: string, now: number): void {
  try {
    migrate(sql, name, now);
  } catch (error) {
    if (error instanceof CosciError) throw error;
    throw new CosciError(
      "store",
      `Cannot open the store "${name}": ${messageOf(error)}. It may be damaged; restore a copy.`,
      {
        cause: error,
      },
    );
  }
}

function decodeSession(row: Row): SessionRecord {
  return {
    id: text(row, "id"),
    name: text(row, "name"),
    goal: text(row, "goal"),
    preferences: text(row, "preferences"),
    seed: text(row, "seed"),
    mode: word(row, "mode", ["simulator", "live"]),
    provider: providerSchema.parse(json(row, "provider")),
    settings: storedSettings(json(row, "settings")),
    parentId: textOrNull(row, "parent_id"),
    parentSeq: number(row, "parent_seq"),
    createdAt: number(row, "created_at"),
  };
}
