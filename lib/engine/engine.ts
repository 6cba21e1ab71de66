import { setImmediate } from "node:timers";
import { setImmediate as eventLoopTurn } from "node:timers/promises";
import type { Decision, Outcome } from "../domain/agent.ts";
import { CosciError, messageOf } from "../domain/errors.ts";
import type { AgentName, TaskAction, TaskRecord } from "../domain/records.ts";
import { addCost, NO_COST, TASK_ACTIONS } from "../domain/records.ts";
import { Deferred } from "../llm/afford.ts";
import type { CallEvent } from "../llm/call_event.ts";
import { ProviderError } from "../llm/model_call.ts";
import type { BudgetLimits, SqlCallLedger } from "../store/budget.ts";
import { UNTIL_MONEY } from "../store/queue.ts";
import { readTranscripts } from "../store/transcripts.ts";
import type { Claim, Committed, Store } from "../store/store.ts";
import type { View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { clusterInWorker } from "../vectors/cluster_in_worker.ts";
import { clusterByCosine } from "../vectors/clustering.ts";
import { budgetLimits, type LeastCall, leastCalls } from "./affordability.ts";
import { type NewTask, taskEntry } from "./new_task.ts";
import { generationQuota, nextSteps, type Situation } from "./next_steps.ts";
import { failed, reclusterDue, settle, type Settled, type Work } from "./outcome_records.ts";
import type { RunReport, StepReport, TaskReport } from "./report.ts";
import {
  HEALTHY,
  mustStop,
  type Progress,
  type ProviderHealth,
  type Stop,
  whyNothingLeft,
} from "./termination.ts";
import { VectorMemory } from "./vector_memory.ts";
import { type Services, workContext } from "./work_context.ts";

/** What is in hand at the moment, by action, whoever has it. */
export type InHand = Readonly<Record<TaskAction, number>>;

/** How a run goes on. */
export interface RunOptions {
  /**
   * Whether the condition is reached: `yes` ends the run; `wait` claims no more, because what is in hand may reach it;
   * `no` goes on.
   */
  readonly reached: (view: View, inHand: InHand) => "yes" | "wait" | "no";
  /**
   * Whether it counts what is in hand: then it is asked again inside each claim's transaction, where no other process can
   * claim meanwhile, and must be quick.
   */
  readonly countsInHand?: boolean | undefined;
  /** Tasks side by side. */
  readonly concurrency: number;
  /** Ends the run at once: calls in flight are cut and their tasks go back into the queue. */
  readonly signal: AbortSignal;
  /** Ends the run when what is in hand is done. */
  readonly stop?: AbortSignal | undefined;
  /** Only these tasks, and nothing new. */
  readonly only?: readonly string[] | undefined;
  /** Told after each task. */
  readonly onTask?: ((report: TaskReport) => void) | undefined;
}

/** How often leases are renewed, dead owners looked for and the running clock beaten, in milliseconds. */
const HEARTBEAT_MS = 1_000;

/** From how many vectors on clustering goes to a worker, so that the main thread is never held for long. */
const CLUSTER_IN_WORKER = 100;

/** How long a task waits for money that others have reserved: doubled each time, unless some comes free before. */
const MONEY_WAIT_MS = 250;
const LONGEST_MONEY_WAIT_MS = 30_000;

/** How many of those that wait for money are let in when a task ends: its money may be enough for some. */
const LET_IN = 2;

const LAST_FAILURES = 5;

/** For how long the loop may keep the event loop to itself, in milliseconds of the machine. */
const KEEP_MS = 50;

/** Parts of the budget whose spending is told. */
const NOTICE_AT = [0.5, 0.8];

/**
 * The loop over one session: claim, run, commit. It decides nothing by itself: what to do next, when to stop and what an
 * outcome becomes are pure functions of the view; it keeps nothing that the store doesn't know.
 */
export class Engine {
  readonly #store: Store;
  readonly #session: string;
  readonly #services: Services;
  readonly #owner: string;
  readonly #ledger: SqlCallLedger;
  readonly #memory = new VectorMemory();
  readonly #inHand = new Map<string, TaskRecord>();
  #limits: {
    readonly view: View;
    readonly revision: number;
    readonly limits: BudgetLimits;
    readonly least: ReadonlyMap<AgentName, LeastCall>;
  } | null = null;
  #lastBeat = 0;
  #clustering = false;
  #provider: ProviderHealth = HEALTHY;
  #wake: (() => void) | null = null;
  /** The part of the budget that was told as spent last; `null`: not looked at since the budget was set. */
  #noticed: number | null = null;
  /** Until when agents wait for money that others have reserved: meanwhile nothing new is enqueued for them. */
  readonly #moneyWaits = new Map<AgentName, number>();
  /** Tasks that wait for money that others have reserved, with how often they did in a row; the longest waiting first. */
  readonly #moneyWaiters = new Map<string, number>();
  #cut = new AbortController();
  /** Since when the event loop has not turned; `null` where that is not known to be so. */
  #keptSince: number | null = null;

  /** @param store where the session is @param session its id @param services everything from outside */
  constructor(store: Store, session: string, services: Services) {
    this.#store = store;
    this.#session = session;
    this.#services = services;
    this.#owner = store.owners.enter();
    this.#ledger = store.calls(session, this.#owner, () => this.#budget().limits);
  }

  /** Journal, transcripts and budget of the session. */
  get ledger(): SqlCallLedger {
    return this.#ledger;
  }

  /** Tasks that this engine is working on. */
  get inHand(): readonly TaskRecord[] {
    return [...this.#inHand.values()];
  }

  /**
   * What the next step would do, without doing it: the ready task that comes first, or what would be enqueued. `afresh`:
   * for a person who goes on, what failed before being forgotten.
   */
  peek(afresh = false): {
    readonly stop: Stop | null;
    readonly ready: readonly TaskRecord[];
    readonly next: readonly NewTask[];
  } {
    const view = this.#view();
    const stop = this.#mustStop(view, afresh);
    const now = this.#services.clock.now();
    const queue = this.#store.queue(this.#session);
    const ready = queue.list()
      .filter((item) => item.status === "pending" || (item.status === "deferred" && item.notBefore <= now))
      .flatMap((item) => view.task(item.taskId)?.record ?? [])
      .filter((task) => task.action !== "overview");
    const next = ready.length > 0 || stop !== null ? [] : nextSteps(view, this.#situation(view, 1));
    const { inProgress, nextDue } = queue.counts(now);
    const over = ready.length + next.length + inProgress === 0 && nextDue === null;
    return { stop: stop ?? (over ? this.#whyNothingLeft(view) : null), ready, next };
  }

  /** One step: up to `tasks` tasks, side by side. */
  async step(tasks: number, signal: AbortSignal, only?: readonly string[]): Promise<StepReport> {
    return await this.#working(async () => {
      const claims: Claim[] = [];
      let stop: Stop | null = null, waiting: string | null = null;
      while (claims.length < tasks) {
        const next = this.#next(tasks - claims.length, only);
        if (next.kind === "claim") {
          claims.push(next.claim);
          continue;
        }
        if (claims.length === 0) {
          if (next.kind === "stop") stop = next.stop;
          else waiting = next.why;
        }
        break;
      }
      const cuttable = AbortSignal.any([signal, this.#cut.signal]);
      const ran = await Promise.all(claims.map((claim) => this.#execute(claim, cuttable)));
      await this.#giveWay();
      if (stop !== null && only === undefined) this.#recordStop(stop);
      return { ran, stop, waiting };
    });
  }

  /** Steps until a condition is reached, nothing is left to do, or the caller ends it. */
  async run(options: RunOptions): Promise<RunReport> {
    const started = this.#services.clock.now();
    const tasks = Object.fromEntries(TASK_ACTIONS.map((action) => [action, 0])) as Record<TaskAction, number>;
    let cost = NO_COST, failures = 0;
    const lastFailures: TaskReport[] = [];
    const active = new Set<Promise<void>>();
    const launch = (claim: Claim, signal: AbortSignal) => {
      const work: Promise<void> = this.#execute(claim, signal).then((report) => {
        cost = addCost(cost, report.cost);
        if (report.status !== "interrupted" && report.status !== "lost" && report.status !== "deferred") {
          tasks[report.action]++;
        }
        if (report.error !== null) {
          failures++;
          lastFailures.push(report);
          if (lastFailures.length > LAST_FAILURES) lastFailures.shift();
        }
        options.onTask?.(report);
      }).finally(() => active.delete(work));
      active.add(work);
    };
    const end = (endedBy: RunReport["endedBy"], stop: Stop | null): RunReport => ({
      endedBy,
      stop,
      tasks,
      failures,
      lastFailures,
      cost,
      durationMs: this.#services.clock.now() - started,
    });
    const reach = () => options.reached(this.#view(), this.#counts());
    const enough = options.countsInHand === true ? () => reach() !== "no" : undefined;
    return await this.#working(async () => {
      const cuttable = AbortSignal.any([options.signal, this.#cut.signal]);
      try {
        for (;;) {
          if (options.signal.aborted) return end("interrupted", null);
          const reached = reach();
          const soft = options.stop?.aborted === true;
          let ending: { by: RunReport["endedBy"]; stop: Stop | null } | null = reached === "yes"
            ? { by: "until", stop: null }
            : soft
            ? { by: "interrupted", stop: null }
            : null;
          let sleepUntil: number | null = null;
          while (ending === null && reached === "no" && active.size < options.concurrency) {
            const next = this.#next(options.concurrency - active.size, options.only, enough);
            if (next.kind === "claim") {
              launch(next.claim, cuttable);
            } else if (next.kind === "wait") {
              sleepUntil = next.until;
              break;
            } else if (next.kind === "halt") {
              ending = { by: next.status === "paused" ? "paused" : "stopped", stop: next.stop };
            } else {
              ending = { by: "stopped", stop: next.stop };
            }
          }
          if (active.size > 0) {
            await this.#raceWithWake(active, sleepUntil, options);
            continue;
          }
          if (ending !== null) {
            if (ending.stop !== null && options.only === undefined) this.#recordStop(ending.stop);
            return end(ending.by, ending.stop);
          }
          const now = this.#services.clock.now();
          // Other processes end tasks, pause and abort without waking this one: it looks again before a far time comes.
          await this.#sleep(Math.min(sleepUntil ?? now + MONEY_WAIT_MS, now + HEARTBEAT_MS), options);
        }
      } finally {
        // An interrupted run still waits for its tasks to be put back, so that nothing is left in hand.
        await Promise.all(active);
      }
    });
  }

  /** Enqueues tasks on a person's or a verb's behalf, in one commit. Returns the records of those that are new. */
  enqueue(kind: string, author: string, tasks: (view: View) => readonly NewTask[]): TaskRecord[] {
    const committed = this.#store.commit(this.#session, (view) => {
      const entries = tasks(view).map((task) => taskEntry(task, view.settings.lease.maxAttempts));
      return entries.length === 0 ? null : { kind, author, progress: 0, entries, events: [] };
    });
    return committed === null
      ? []
      : committed.saved.flatMap((item) => (item.kind === "task" ? [item.record] : []));
  }

  /** Gives tasks back to the queue whose process is gone, or whose lease ran out. */
  takeBack(): void {
    this.#store.write(() => this.#reclaim());
  }

  /** Takes a task out of the queue that was not finished, and that nobody works on. */
  withdraw(taskId: string, reason: string): void {
    this.takeBack();
    this.#store.commit(this.#session, (view) => {
      const task = view.openTasks.find(({ record }) => record.id === taskId);
      const item = this.#store.queue(this.#session).item(taskId);
      if (task === undefined || item === undefined || item.status === "in_progress") return null;
      const { record, attempts } = task;
      return {
        kind: "withdraw",
        author: "engine",
        progress: 0,
        entries: [{ kind: "taskState", record: { taskId, status: "cancelled", attempts, reason } }],
        events: [{ type: "task_cancelled", payload: { task: record.label, reason } }],
        task: {
          id: taskId,
          agent: record.agent,
          revision: view.revision,
          owner: null,
          then: { kind: "ended", status: "cancelled" },
        },
      };
    });
  }

  /** Forgets that the model's service failed. Call it when a person goes on after a stop. */
  forgive(): void {
    this.#provider = HEALTHY;
  }

  /** Looks again at tasks that wait for money, after a limit was raised. */
  budgetChanged(): void {
    this.#noticed = null;
    this.#store.write(() => this.#store.queue(this.#session).releaseBudgetWaits());
  }

  /** Cuts calls in flight; their tasks go back into the queue. */
  cut(): void {
    this.#cut.abort(new DOMException("The session was aborted", "AbortError"));
  }

  /** Ends the engine: its owner, its workers. Nothing may be in hand. */
  close(): void {
    this.#memory.close();
    this.#store.owners.leave(this.#owner);
  }

  #view(): View {
    return this.#store.view(this.#session);
  }

  #counts(): InHand {
    const counts = {
      parse_goal: 0,
      generate: 0,
      review: 0,
      match: 0,
      evolve: 0,
      system_feedback: 0,
      overview: 0,
    };
    const view = this.#view();
    for (const id of this.#store.queue(this.#session).inProgress()) {
      const task = view.task(id)?.record;
      if (task !== undefined) counts[task.action]++;
    }
    return counts;
  }

  /** Keeps leases, the running clock and dead owners' tasks in order while work goes on. */
  async #working<T>(work: () => Promise<T>): Promise<T> {
    const clock = this.#store.runningClock(this.#session);
    if (this.#cut.signal.aborted) this.#cut = new AbortController();
    this.#noticed ??= this.#partSpent();
    this.#store.write(() => {
      clock.beat();
      this.#reclaim();
    });
    // A timer must never throw: what fails here fails again, visibly, at the next commit.
    const timer = setInterval(() => {
      try {
        this.#beat();
      } catch (error) {
        this.#tellQuietly([{ type: "fault", payload: { where: "heartbeat", error: messageOf(error) } }]);
      }
    }, HEARTBEAT_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      // Whoever else is at work goes on counting from here.
      if (this.#store.queue(this.#session).inProgress().length === 0) clock.rest();
      else clock.beat();
    }
  }

  #beat(): void {
    this.#lastBeat = this.#services.clock.now();
    this.#store.write(() => {
      this.#store.runningClock(this.#session).beat();
      const queue = this.#store.queue(this.#session);
      for (const task of this.#inHand.values()) {
        queue.renew([task.id], this.#owner, this.#lastBeat + this.#leaseMs(task));
      }
      this.#reclaim();
    });
    if (this.#view().status === "aborted") this.cut();
    this.#wake?.();
  }

  #reclaim(): void {
    const lost = this.#store.queue(this.#session).reclaim(
      this.#services.clock.now(),
      (owner) => owner === this.#owner || this.#store.owners.alive(owner),
    ).filter((item) => !this.#inHand.has(item.taskId));
    if (lost.length === 0) return;
    this.#ledger.loseReservations(lost.map((item) => item.taskId));
    const view = this.#view();
    this.#store.tell(
      this.#session,
      lost.map((item) => ({
        type: "task_reclaimed",
        payload: { task: view.task(item.taskId)?.record.label ?? item.taskId, crashes: item.crashes + 1 },
      })),
    );
  }

  #leaseMs(task: TaskRecord): number {
    const { lease } = this.#view().settings;
    const seconds = task.action === "review"
      ? lease.reflectionSeconds
      : task.action === "overview"
      ? lease.overviewSeconds
      : lease.defaultSeconds;
    return seconds * 1000;
  }

  #budget() {
    const view = this.#view();
    const known = this.#limits;
    if (known !== null && known.view === view && known.revision === view.revision) return known;
    const made = {
      view,
      revision: view.revision,
      limits: budgetLimits(view),
      least: leastCalls(view.settings, view.session.provider),
    };
    this.#limits = made;
    return made;
  }

  /** Whether an agent can pay for its smallest call, and has no task that was refused for good at these limits. */
  #affordable(agent: AgentName): boolean {
    const least = this.#budget().least.get(agent);
    if (least === undefined) return true;
    const room = this.#ledger.headroom(agent);
    if (room.microUsdLater < least.microUsd || room.tokens < least.tokens) return false;
    if ((this.#moneyWaits.get(agent) ?? 0) > this.#services.clock.now()) return false;
    const view = this.#view();
    return !this.#store.queue(this.#session).waitingForMoney().some((id) =>
      view.task(id)?.record.agent === agent
    );
  }

  #situation(
    _view: View,
    freeWorkers: number,
    affordable = (agent: AgentName) => this.#affordable(agent),
  ): Situation {
    const known = new Map<AgentName, boolean>();
    return {
      freeWorkers,
      busyPairs: pairsOf(this.#store.queue(this.#session).decisions()),
      affordable: (agent) => {
        const answer = known.get(agent) ?? affordable(agent);
        known.set(agent, answer);
        return answer;
      },
    };
  }

  #mustStop(view: View, afresh = false): Stop | null {
    const spent = this.#ledger.spending();
    const quota = generationQuota(view);
    const progress: Progress = {
      ranMs: this.#store.runningClock(this.#session).ranMs(),
      spentMicroUsd: spent.microUsd,
      spentTokens: spent.tokens,
      fruitless: afresh ? 0 : view.fruitless,
      provider: afresh ? HEALTHY : this.#provider,
      moreIdeasAffordable: (quota > 0 && this.#affordable("generation")) || this.#affordable("evolution"),
    };
    return mustStop(view, progress);
  }

  /** The next thing to do: a task that was claimed, or why there is none. */
  #next(freeWorkers: number, only?: readonly string[], enough: () => boolean = () => false):
    | { readonly kind: "claim"; readonly claim: Claim }
    | { readonly kind: "wait"; readonly until: number | null; readonly why: string }
    | { readonly kind: "halt"; readonly status: string; readonly stop: Stop | null; readonly why: string }
    | { readonly kind: "stop"; readonly stop: Stop } {
    const view = this.#view();
    const { status } = view;
    if (status === "paused" || status === "aborted" || (status === "done" && only === undefined)) {
      const { stopReason, note } = view;
      const stop: Stop | null = status === "aborted"
        ? { reason: "external", note: "The session was aborted." }
        : status === "done" && stopReason !== null
        ? { reason: stopReason, note }
        : null;
      const verb = status === "paused" ? "resume" : "reopen";
      return { kind: "halt", status, stop, why: `The session is ${status}: ${verb}() goes on.` };
    }
    if (only === undefined) {
      const stop = this.#mustStop(view);
      if (stop !== null) return { kind: "stop", stop };
    }
    // Asked again inside the claim's transaction, where no other process can move what the answer depends on.
    let held = false;
    const hold = (now: View) => held = now.status !== status || enough();
    let claim = this.#claim(hold, only);
    if (claim === null && !held && only === undefined) {
      const enqueued = this.#store.commit(this.#session, (now) => {
        const steps = nextSteps(now, this.#situation(now, freeWorkers));
        if (steps.length === 0) return null;
        return {
          kind: "enqueue",
          author: "engine",
          progress: 0,
          entries: steps.map((task) => taskEntry(task, now.settings.lease.maxAttempts)),
        };
      });
      if (enqueued !== null && enqueued.saved.length > 0) claim = this.#claim(hold, only);
    }
    if (claim !== null) return { kind: "claim", claim };
    if (held) {
      return { kind: "wait", until: null, why: "What is in hand may be enough, or the session was changed." };
    }
    const counts = this.#store.queue(this.#session).counts(this.#services.clock.now());
    if (this.#inHand.size > 0 || counts.inProgress > 0) {
      return { kind: "wait", until: counts.nextDue, why: "Other work is in hand." };
    }
    if (counts.nextDue !== null) {
      return { kind: "wait", until: counts.nextDue, why: "A task waits for its next try." };
    }
    return { kind: "stop", stop: this.#whyNothingLeft(view) };
  }

  #whyNothingLeft(view: View): Stop {
    const refused = this.#store.queue(this.#session).waitingForMoney().length > 0 ||
      nextSteps(view, this.#situation(view, 1, () => true)).length > 0;
    return whyNothingLeft(view, refused);
  }

  #claim(hold: (now: View) => boolean, only?: readonly string[]): Claim | null {
    const claim = this.#store.claim(
      this.#session,
      this.#owner,
      (task) => this.#leaseMs(task),
      (view, task, busy) => this.#agent(task).decide(view, task, busy),
      only ?? this.#allButOverviews(),
      hold,
    );
    if (claim !== null) this.#inHand.set(claim.task.id, claim.task);
    return claim;
  }

  /** What a run may take, or `undefined` for all: an overview is written by the verb that asks for it, never on the way. */
  #allButOverviews(): string[] | undefined {
    const ids = this.#view().openTasks.map(({ record }) => record.action === "overview" ? null : record.id);
    return ids.includes(null) ? ids.flatMap((id) => id ?? []) : undefined;
  }

  #agent(task: TaskRecord) {
    const agent = this.#services.agents.find((candidate) =>
      candidate.name === task.agent && candidate.actions.includes(task.action)
    );
    if (agent === undefined) throw new CosciError("internal", `No agent does ${task.agent}/${task.action}`);
    return agent;
  }

  /** Works on a task and commits what came of it. Never throws for what a task can do wrong. */
  async #execute(claim: Claim, signal: AbortSignal): Promise<TaskReport> {
    const { clock } = this.#services;
    const started = clock.now();
    // The view may move on with the session; what a task works under is what was in force when it was claimed.
    const { settings } = claim.view;
    let callsMade = claim.item.callsBase;
    try {
      const agent = this.#agent(claim.task);
      let outcome: Outcome;
      if (claim.decision.kind === "nothing") {
        outcome = { kind: "nothing", reason: claim.decision.reason };
      } else {
        const work = workContext(
          claim,
          this.#services,
          this.#ledger,
          this.#memory,
          () => this.#view(),
          signal,
          (event) => this.#onCall(claim.task, event),
        );
        try {
          outcome = await agent.run(agent.prepare(claim.view, claim.task, claim.decision), work.context);
        } finally {
          callsMade = work.callsMade();
        }
      }
      const clusters = outcome.kind === "match_judged" ? await this.#clusters(signal) : null;
      const report = this.#commit(
        claim,
        started,
        (view) => settle(outcome, this.#work(claim, settings, outcome, view, clusters), view),
        callsMade,
      );
      this.#provider = HEALTHY;
      this.#letIn(claim.task.id);
      return report;
    } catch (error) {
      const report = this.#fail(claim, started, error, callsMade, signal);
      if (!(error instanceof Deferred)) this.#letIn(claim.task.id);
      return report;
    } finally {
      this.#inHand.delete(claim.task.id);
    }
  }

  /** A task has ended and gives back what it had reserved: those that waited longest for that may try again. */
  #letIn(ended: string): void {
    this.#moneyWaiters.delete(ended);
    this.#moneyWaits.clear();
    const next = [...this.#moneyWaiters.keys()].slice(0, LET_IN);
    if (next.length > 0) this.#store.write(() => this.#store.queue(this.#session).hasten(next));
  }

  #work(
    claim: Claim,
    settings: Work["settings"],
    outcome: Outcome,
    view: View,
    clusters: Work["clusters"],
  ): Work {
    return {
      task: claim.task,
      decision: claim.decision,
      attempts: claim.item.attempts,
      settings,
      revision: claim.revision,
      nearest: outcome.kind === "hypothesis_proposed"
        ? this.#memory.nearestNow(view, outcome.proposal.vector)
        : null,
      clusters,
      embedder: this.#services.embedder({ settings }).embedder.name,
    };
  }

  /** Clusters for the commit that is to renew them; computed before it, since it may take longer than a transaction may. */
  async #clusters(signal: AbortSignal): Promise<Work["clusters"]> {
    const view = this.#view();
    const items = view.hypotheses.flatMap(({ record, state }) => {
      const vector = view.vector(record.id);
      return vector === undefined || state === "quarantined" || state === "rejected"
        ? []
        : [{ id: record.id, vector }];
    });
    if (this.#clustering || !reclusterDue(view, view.validMatches + 1, items.length)) return null;
    this.#clustering = true;
    try {
      const { clusterThreshold } = view.settings.vectors;
      const clusters = items.length < CLUSTER_IN_WORKER
        ? clusterByCosine(items, clusterThreshold)
        : await clusterInWorker(items, clusterThreshold, signal);
      return { clusters, vectors: items.length };
    } finally {
      this.#clustering = false;
    }
  }

  #commit(
    claim: Claim,
    started: number,
    settled: (view: View) => Settled,
    callsMade: number,
    notBefore = 0,
  ): TaskReport {
    let result: Settled | null = null;
    const committed = this.#store.write(() => {
      const made = this.#store.commit(this.#session, (view) => {
        result = settled(view);
        const { status, progress, entries, events } = result;
        return {
          kind: claim.task.action,
          author: "engine",
          progress,
          entries,
          events: this.#withNotice(view, events),
          task: {
            id: claim.task.id,
            agent: claim.task.agent,
            revision: claim.revision,
            owner: this.#owner,
            then: status === "deferred"
              ? { kind: "back", status, notBefore, attempts: claim.item.attempts + 1, callsBase: callsMade }
              : { kind: "ended", status },
          },
        };
      });
      this.#span(claim, started, result?.status === "deferred" || result?.status === "dead");
      return made;
    });
    return this.#report(claim, started, result, committed);
  }

  /** A notice when the spending passes 50 or 80 % of the budget. */
  #withNotice(view: View, events: readonly EventDraft[]): readonly EventDraft[] {
    const part = this.#partSpent();
    const known = this.#noticed;
    this.#noticed = Math.max(part, known ?? 0);
    if (known === null || part <= known) return events;
    const spentUsd = this.#ledger.spending().microUsd / 1e6;
    return [...events, {
      type: "budget_notice",
      payload: { part, spentUsd, capUsd: view.settings.run.budgetUsd },
    }];
  }

  /** Which of the parts that are worth a notice the spending has reached. */
  #partSpent(): number {
    const spent = this.#ledger.spending().microUsd;
    const cap = this.#budget().limits.capMicroUsd;
    return NOTICE_AT.findLast((part) => spent >= part * cap) ?? 0;
  }

  /** Gives the calls of a task that ended while they were under way, cancelled by a person, a commit: cost is kept. */
  #settleLate({ task, revision }: Claim): void {
    this.#store.commit(this.#session, (view) => {
      const status = view.task(task.id)?.status;
      // Still queued, it is somebody else's, or is tried again: that attempt's commit takes the cost.
      if (status === undefined || this.#store.queue(this.#session).item(task.id) !== undefined) return null;
      const calls = readTranscripts(this.#store.sql, this.#session, { taskId: task.id });
      if (calls.every((call) => call.seq !== null)) return null;
      return {
        kind: "late_calls",
        author: "engine",
        progress: 0,
        entries: [],
        task: { id: task.id, agent: task.agent, revision, owner: null, then: { kind: "ended", status } },
      };
    });
  }

  #report(claim: Claim, started: number, settled: Settled | null, committed: Committed | null): TaskReport {
    if (committed === null) this.#settleLate(claim);
    const view = this.#view();
    const { task } = claim;
    const status = committed === null ? "lost" : settled?.status ?? "lost";
    return {
      label: task.label,
      agent: task.agent,
      action: task.action,
      target: task.targetId === null ? null : view.hypothesis(task.targetId)?.record.label ?? null,
      status,
      gist: committed === null
        ? "Another process had taken the task over; this result was dropped."
        : settled?.gist ?? "",
      error: settled !== null && (status === "deferred" || status === "dead") ? settled.gist : null,
      cost: committed?.cost ?? NO_COST,
      durationMs: this.#services.clock.now() - started,
      seq: committed?.seq ?? null,
    };
  }

  #fail(claim: Claim, started: number, error: unknown, callsMade: number, signal: AbortSignal): TaskReport {
    const { task, item } = claim;
    const base = { attempts: item.attempts, callsBase: item.callsBase };
    const untouched = callsMade === item.callsBase && item.callsBase === 0;
    const putBack = (
      change: { status: "pending" | "deferred"; notBefore: number; attempts?: number; unpin?: boolean },
      status: TaskReport["status"],
      why: string,
      event: EventDraft | null,
    ): TaskReport => {
      this.#store.write(() => {
        const queue = this.#store.queue(this.#session);
        if (queue.holds(task.id, this.#owner)) queue.putBack(task.id, { ...base, ...change });
        this.#span(claim, started, status !== "interrupted");
      });
      if (event !== null) this.#store.tell(this.#session, [event]);
      return {
        ...this.#report(claim, started, null, null),
        status,
        gist: why,
        error: status === "interrupted" ? null : why,
      };
    };
    const why = messageOf(error);
    if (signal.aborted) {
      return putBack(
        { status: "pending", notBefore: 0 },
        "interrupted",
        "Stopped in the middle; it goes on later.",
        null,
      );
    }
    if (error instanceof Deferred) {
      const times = this.#moneyWaiters.get(task.id) ?? 0;
      const notBefore = this.#services.clock.now() +
        Math.min(LONGEST_MONEY_WAIT_MS, MONEY_WAIT_MS * 2 ** times);
      this.#moneyWaiters.delete(task.id);
      this.#moneyWaiters.set(task.id, times + 1);
      this.#moneyWaits.set(task.agent, notBefore);
      const report = putBack({ status: "deferred", notBefore, unpin: untouched }, "deferred", why, {
        type: "task_deferred",
        payload: { task: task.label, reason: why },
      });
      return { ...report, error: null };
    }
    if (error instanceof CosciError && error.code === "budget") {
      return putBack({ status: "deferred", notBefore: UNTIL_MONEY, unpin: untouched }, "deferred", why, {
        type: "task_deferred",
        payload: { task: task.label, reason: why, until: "more budget" },
      });
    }
    if (error instanceof ProviderError) {
      const failures = this.#provider.failures + 1;
      // A refused key is refused for every task, and nothing dies of an outage: trying on would only burn attempts.
      const gone = error.status === 401 || error.status === 403 ||
        (item.attempts + 1 >= task.maxAttempts && failures >= task.maxAttempts);
      this.#provider = { failures, gone: gone || this.#provider.gone, error: why };
      if (gone) {
        return putBack({ status: "pending", notBefore: 0, attempts: 0 }, "deferred", why, {
          type: "fault",
          payload: { task: task.label, error: why },
        });
      }
    }
    const { backoffSeconds } = claim.view.settings.lease;
    const notBefore = this.#services.clock.now() + backoffSeconds * 1000 * 2 ** item.attempts;
    return this.#commit(
      claim,
      started,
      () => failed({ task, attempts: item.attempts }, why),
      callsMade,
      notBefore,
    );
  }

  #onCall(task: TaskRecord, event: CallEvent): void {
    switch (event.kind) {
      case "retried":
        return this.#tellQuietly([{
          type: "call_retried",
          payload: {
            task: task.label,
            route: event.route,
            model: event.model,
            failure: event.failure,
            waitMs: event.waitMs,
          },
        }]);
      case "degraded":
        return this.#tellQuietly([{
          type: "call_degraded",
          payload: {
            task: task.label,
            route: event.route,
            from: event.from,
            to: event.to,
            failure: event.failure,
          },
        }]);
      case "failed":
        return this.#tellQuietly([{
          type: "call_failed",
          payload: { task: task.label, route: event.route, model: event.model, failure: event.failure },
        }]);
      case "corrected":
        return this.#tellQuietly([{
          type: "fault",
          payload: { task: task.label, route: event.route, error: event.problem },
        }]);
      case "tool_used":
        if (event.ok) return;
        return this.#tellQuietly([{
          type: "fault",
          payload: { task: task.label, tool: event.tool, error: event.detail },
        }]);
      case "answered":
        return;
    }
  }

  #tellQuietly(events: readonly EventDraft[]): void {
    try {
      this.#store.tell(this.#session, events);
    } catch {
      // Telling is not worth failing for: the next commit meets the same store and says what is wrong with it.
    }
  }

  /** The span of one attempt, in the transaction that ends it. */
  #span({ task }: Claim, startedAt: number, failed: boolean): void {
    this.#store.log.span(this.#session, {
      taskId: task.id,
      name: `${task.agent}.${task.action}`,
      startedAt,
      durationMs: this.#services.clock.now() - startedAt,
      status: failed ? "error" : "ok",
      attributes: { task: task.label },
    });
  }

  #recordStop(stop: Stop): void {
    this.#store.commit(this.#session, (view) => {
      if (view.status !== "running" && view.status !== "created") return null;
      return {
        kind: "stop",
        author: "engine",
        progress: 0,
        entries: [{
          kind: "sessionState",
          record: { status: "stopped", reason: stop.reason, note: stop.note },
        }],
        events: [{ type: "session_stopped", payload: { reason: stop.reason, note: stop.note } }],
      };
    });
  }

  /** Waits until a task in hand ends, something wakes the loop, or a time is reached. */
  async #raceWithWake(
    active: ReadonlySet<Promise<void>>,
    until: number | null,
    options: RunOptions,
  ): Promise<void> {
    const woken = Promise.withResolvers<void>();
    const wake = () => woken.resolve();
    const nap = new AbortController();
    this.#wake = wake;
    options.stop?.addEventListener("abort", wake, { once: true });
    try {
      await Promise.race([
        ...active,
        woken.promise,
        ...(until === null ? [] : [this.#sleep(until, options, nap.signal)]),
      ]);
      await this.#giveWay();
    } finally {
      this.#wake = null;
      options.stop?.removeEventListener("abort", wake);
      nap.abort();
    }
  }

  /**
   * Lets timers, interrupts and displays have their turn where nothing else did for a while: tasks whose calls answer at
   * once would never let go of the event loop. Not each time: a free worker claims before the answers of others are
   * looked at, so that workers don't fall into step.
   */
  async #giveWay(): Promise<void> {
    const now = performance.now();
    if (this.#keptSince === null) {
      this.#keptSince = now;
      setImmediate(() => {
        this.#keptSince = null;
      });
    } else if (now - this.#keptSince > KEEP_MS) await eventLoopTurn();
  }

  async #sleep(
    until: number,
    options: Pick<RunOptions, "signal" | "stop">,
    ...others: readonly AbortSignal[]
  ): Promise<void> {
    const signals = [
      options.signal,
      this.#cut.signal,
      ...(options.stop === undefined ? [] : [options.stop]),
      ...others,
    ];
    try {
      await this.#services.clock.sleep(
        Math.max(0, until - this.#services.clock.now()),
        AbortSignal.any(signals),
      );
    } catch (error) {
      if (!signals.some((signal) => signal.aborted)) throw error;
    }
  }
}

function pairsOf(decisions: readonly Decision[]): [string, string][] {
  return decisions.flatMap((decision): [string, string][] =>
    decision.kind === "match" ? [[decision.firstId, decision.secondId]] : []
  );
}
