import { type ActionCounts, countActions } from "../domain/count_actions.ts";
import type { AgentName, GateRecord, TaskRecord } from "../domain/records.ts";
import { addCost, NO_COST } from "../domain/records.ts";
import type { SqlCallLedger } from "../store/budget.ts";
import type { Claim, Store } from "../store/store.ts";
import type { View } from "../store/view.ts";
import { pairsOf } from "../tournament/group.ts";
import { Attempts } from "./attempts.ts";
import { evolutionGate, type Opened } from "./gate_records.ts";
import { howSure } from "./how_sure.ts";
import { HEARTBEAT_MS, Keeper } from "./keeper.ts";
import { type NewTask, taskEntry } from "./new_task.ts";
import { generationQuota, nextSteps, reviewsDue, type Situation } from "./next_steps.ts";
import { whyOvertaken } from "./outcome_records.ts";
import { type PromptChange, PromptFiles } from "./prompt_files.ts";
import { Purse } from "./purse.ts";
import { rateInSteps } from "./rate_in_steps.ts";
import type { RunReport, StepReport, TaskReport } from "./report.ts";
import { HEALTHY, mustStop, type Progress, type Stop, whyNothingLeft } from "./termination.ts";
import { Waiting } from "./waiting.ts";
import type { Services } from "./work_context.ts";

/** How a run goes on. */
export interface RunOptions {
  /**
   * Whether the condition is reached: `yes` ends the run; `wait` claims no more, because what is in hand may reach it;
   * `no` goes on.
   */
  readonly reached: (view: View, inHand: ActionCounts) => "yes" | "wait" | "no";
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

/** How long the loop waits when it can't tell what for, in milliseconds. */
const IDLE_WAIT_MS = 250;

/** For so many workers one decision about next steps enqueues a match ahead. */
const WORKERS_A_DECISION = 4;

const LAST_FAILURES = 5;

/** Hypotheses in the tournament from which on rating them anew would be felt. */
const RATINGS_KEPT_FROM = 150;

/**
 * The loop over one session: claim, run, commit. It decides nothing by itself: what to do next, when to stop and what an
 * outcome becomes are pure functions of the view; it keeps nothing that the store doesn't know.
 */
export class Engine {
  readonly #store: Store;
  readonly #session: string;
  readonly #services: Services;
  readonly #owner: string;
  readonly #purse: Purse;
  readonly #keeper: Keeper;
  /** The number of matches at which ratings were kept last. */
  #ratingsKeptAt = -1;
  #worked = false;
  readonly #attempts: Attempts;
  readonly #inHand = new Map<string, TaskRecord>();
  readonly #waiting: Waiting;
  readonly #promptFiles: PromptFiles | null;
  #cut = new AbortController();

  /** @param store where the session is @param session its id @param services everything from outside */
  constructor(store: Store, session: string, services: Services) {
    this.#store = store;
    this.#session = session;
    this.#services = services;
    this.#owner = store.owners.enter();
    this.#waiting = new Waiting(services.clock);
    const { prompts, promptFolder } = services;
    this.#promptFiles = promptFolder === undefined
      ? null
      : new PromptFiles(store, session, prompts, promptFolder);
    this.#purse = new Purse(store, session, this.#owner, () => services.clock.now());
    this.#attempts = new Attempts(store, session, this.#owner, services, this.#purse);
    this.#keeper = new Keeper({
      store,
      session,
      owner: this.#owner,
      clock: services.clock,
      ledger: this.#purse.ledger,
      inHand: this.#inHand,
      onBeat: () => {
        if (this.#view().status === "aborted") this.cut();
        this.#waiting.wake();
      },
    });
  }

  /** Journal, transcripts and budget of the session. */
  get ledger(): SqlCallLedger {
    return this.#purse.ledger;
  }

  /** What the files of prompts say that is not in force yet: the next claim takes it over. */
  get pendingPrompts(): readonly PromptChange[] {
    return this.#promptFiles?.pending(this.#view()) ?? [];
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
    readonly gate: GateRecord | null;
    readonly opensGate: boolean;
  } {
    const view = this.#view();
    const gate = view.openGate;
    if (gate !== null) return { stop: null, ready: [], next: [], gate, opensGate: false };
    const stop = this.#mustStop(view, afresh);
    const now = this.#services.clock.now();
    const queue = this.#store.queue(this.#session);
    const ready = queue.list()
      .filter((item) => item.status === "pending" || (item.status === "deferred" && item.notBefore <= now))
      .flatMap((item) => view.task(item.taskId)?.record ?? [])
      .filter((task) => task.action !== "overview");
    const next = ready.length > 0 || stop !== null ? [] : nextSteps(view, this.#situation(1));
    const { inProgress, nextDue } = queue.counts(now);
    const over = ready.length + next.length + inProgress === 0 && nextDue === null;
    const opensGate = this.#evolutionGate(view, next) !== null;
    return {
      stop: stop ?? (over ? this.#whyNothingLeft(view) : null),
      ready,
      next: opensGate ? next.filter(({ action }) => action === "evolve") : next,
      gate,
      opensGate,
    };
  }

  /** One step: up to `tasks` tasks, side by side. */
  async step(tasks: number, signal: AbortSignal, only?: readonly string[]): Promise<StepReport> {
    return await this.#working(async () => {
      const claims: Claim[] = [];
      let stop: Stop | null = null, waiting: string | null = null;
      const changes = this.#adoptFiles();
      await rateInSteps(this.#view());
      while (claims.length < tasks) {
        const next = this.#next(tasks - claims.length, only);
        if (next.kind === "claim") {
          claims.push(next.claim);
          continue;
        }
        if (claims.length === 0) {
          if (next.kind === "stop") stop = next.stop;
          else if (next.kind !== "gate") waiting = next.why;
        }
        break;
      }
      const cuttable = AbortSignal.any([signal, this.#cut.signal]);
      const ran = await Promise.all(claims.map((claim) => this.#execute(claim, cuttable)));
      await this.#waiting.giveWay();
      if (stop !== null && only === undefined) this.#recordStop(stop);
      const gate = only === undefined ? this.#view().openGate : null;
      return {
        ran,
        stop,
        gate: gate === null ? null : { label: gate.label, kind: gate.kind },
        waiting: gate === null ? waiting : null,
        changes,
      };
    });
  }

  /** Steps until a condition is reached, nothing is left to do, or the caller ends it. */
  async run(options: RunOptions): Promise<RunReport> {
    const started = this.#services.clock.now();
    const tasks = { ...countActions([]) };
    let cost = NO_COST, failures = 0;
    const lastFailures: TaskReport[] = [], changes: string[] = [];
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
      changes,
      cost,
      durationMs: this.#services.clock.now() - started,
    });
    const waitSignals = () => [
      options.signal,
      this.#cut.signal,
      ...(options.stop === undefined ? [] : [options.stop]),
    ];
    // With many workers some matches are enqueued ahead, since each decision takes a commit; pairs are chosen when claimed.
    const ahead = Math.ceil(options.concurrency / WORKERS_A_DECISION);
    const reach = () => options.reached(this.#view(), this.#counts());
    const enough = options.countsInHand === true ? () => reach() !== "no" : undefined;
    return await this.#working(async () => {
      const cuttable = AbortSignal.any([options.signal, this.#cut.signal]);
      try {
        for (;;) {
          if (options.signal.aborted) return end("interrupted", null);
          await rateInSteps(this.#view());
          const reached = reach();
          const soft = options.stop?.aborted === true;
          let ending: { by: RunReport["endedBy"]; stop: Stop | null } | null = reached === "yes"
            ? { by: "until", stop: null }
            : soft
            ? { by: "interrupted", stop: null }
            : null;
          let sleepUntil: number | null = null;
          while (ending === null && reached === "no" && active.size < options.concurrency) {
            changes.push(...this.#adoptFiles());
            const next = this.#next(Math.max(options.concurrency - active.size, ahead), options.only, enough);
            if (next.kind === "claim") {
              launch(next.claim, cuttable);
            } else if (next.kind === "wait") {
              sleepUntil = next.until;
              break;
            } else if (next.kind === "halt") {
              ending = { by: next.status === "paused" ? "paused" : "stopped", stop: next.stop };
            } else if (next.kind === "gate") {
              ending = { by: "gate", stop: null };
            } else {
              ending = { by: "stopped", stop: next.stop };
            }
          }
          if (active.size > 0) {
            await this.#waiting.race(active, sleepUntil, options.stop);
            continue;
          }
          if (ending !== null) {
            if (ending.stop !== null && options.only === undefined) this.#recordStop(ending.stop);
            return end(ending.by, ending.stop);
          }
          const now = this.#services.clock.now();
          // Other processes end tasks, pause and abort without waking this one: it looks again before a far time comes.
          await this.#waiting.sleep(
            Math.min(sleepUntil ?? now + IDLE_WAIT_MS, now + HEARTBEAT_MS),
            waitSignals(),
          );
        }
      } finally {
        // An interrupted run still waits for its tasks to be put back, so that nothing is left in hand.
        await Promise.all(active);
        this.#keepRatings();
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
    this.#keeper.takeBack();
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
    this.#attempts.forgive();
  }

  /** Looks again at tasks that wait for money, after a limit was raised. */
  budgetChanged(): void {
    this.#purse.limitsChanged();
  }

  /** Cuts calls in flight; their tasks go back into the queue. */
  cut(): void {
    this.#cut.abort(new DOMException("The session was aborted", "AbortError"));
  }

  /** Ends the engine: its owner, its workers. Nothing may be in hand. */
  close(): void {
    this.#keepRatings();
    this.#attempts.close();
    this.#store.owners.leave(this.#owner);
  }

  #view(): View {
    return this.#store.view(this.#session);
  }

  /** Takes over what was edited in the files of prompts, right before a claim. Returns what there is to tell of it. */
  #adoptFiles(): string[] {
    if (this.#promptFiles === null) return [];
    const { status } = this.#view();
    return status === "created" || status === "running" ? this.#promptFiles.adopt() : [];
  }

  /** Keeps the ratings of a large session, so that whoever opens it next need not compute them. */
  #keepRatings(): void {
    // A fork that was only made, or looked at, has its parent's ratings: they would be most of what it adds to the file.
    if (!this.#worked && this.#store.known(this.#session).session.parentId !== null) return;
    const view = this.#view();
    if (view.leaderboard.length < RATINGS_KEPT_FROM || this.#ratingsKeptAt === view.validMatches) return;
    howSure(view);
    this.#store.keepRatings(this.#session);
    this.#ratingsKeptAt = view.validMatches;
  }

  #counts(): ActionCounts {
    const view = this.#store.known(this.#session);
    const inProgress = this.#store.queue(this.#session).inProgress();
    return countActions(inProgress.flatMap((id) => view.task(id)?.record.action ?? []));
  }

  async #working<T>(work: () => Promise<T>): Promise<T> {
    if (this.#cut.signal.aborted) this.#cut = new AbortController();
    this.#worked = true;
    this.#purse.look();
    return await this.#keeper.during(work);
  }

  /** Works on a task that was claimed. */
  async #execute(claim: Claim, signal: AbortSignal): Promise<TaskReport> {
    try {
      return await this.#attempts.execute(claim, signal);
    } finally {
      this.#inHand.delete(claim.task.id);
    }
  }

  #situation(
    freeWorkers: number,
    affordable = (agent: AgentName) => this.#purse.affordable(agent),
  ): Situation {
    const known = new Map<AgentName, boolean>();
    const queue = this.#store.queue(this.#session);
    return {
      freeWorkers,
      busyPairs: pairsOf(queue.decisions()),
      taken: new Set(queue.taken().map(({ taskId }) => taskId)),
      affordable: (agent) => {
        const answer = known.get(agent) ?? affordable(agent);
        known.set(agent, answer);
        return answer;
      },
    };
  }

  #mustStop(view: View, afresh = false): Stop | null {
    const spent = this.#purse.ledger.spending();
    const affordable = (agent: AgentName) => this.#purse.affordable(agent);
    const due = () => reviewsDue(view, this.#situation(1)).length > 0;
    const progress: Progress = {
      ranMs: this.#store.runningClock(this.#session).ranMs(),
      spentMicroUsd: spent.microUsd,
      spentTokens: spent.tokens,
      fruitless: afresh ? 0 : view.fruitless,
      provider: afresh ? HEALTHY : this.#attempts.provider,
      // Asked for when it matters: it takes several questions to the store, and this is looked at before each claim.
      get moreIdeasAffordable() {
        return (generationQuota(view) > 0 && affordable("generation")) || affordable("evolution");
      },
      // Who came to lead with the last matches isn't verified yet.
      get reviewsToCome() {
        return due() && affordable("reflection");
      },
    };
    return mustStop(view, progress);
  }

  /** The next thing to do: a task that was claimed, or why there is none. */
  #next(freeWorkers: number, only?: readonly string[], enough: () => boolean = () => false):
    | { readonly kind: "claim"; readonly claim: Claim }
    | { readonly kind: "wait"; readonly until: number | null; readonly why: string }
    | { readonly kind: "halt"; readonly status: string; readonly stop: Stop | null; readonly why: string }
    | { readonly kind: "gate" }
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
      if (view.openGate !== null) return { kind: "gate" };
      const stop = this.#mustStop(view);
      if (stop !== null) return { kind: "stop", stop };
    }
    // What is left to be rated is rated now, so that it need not be inside a transaction.
    if (view.drawable.length > 1) view.ratings.belief();
    // Asked again inside the claim's transaction, where no other process can move what the answer depends on.
    let held = false;
    const hold = (now: View) =>
      held = now.status !== status || (only === undefined && now.openGate !== null) || enough();
    let claim = this.#claim(hold, only);
    if (claim === null && !held && only === undefined) {
      const enqueued = this.#store.commit(this.#session, (now) => {
        if (now.openGate !== null) return null;
        const steps = nextSteps(now, this.#situation(freeWorkers));
        if (steps.length === 0) return null;
        const gate = this.#evolutionGate(now, steps);
        // Nothing else is begun beside it: what is to be done may be another thing after the answer.
        if (gate !== null) return { kind: "gate", author: "engine", progress: 0, ...gate };
        return {
          kind: "enqueue",
          author: "engine",
          progress: 0,
          entries: steps.map((task) => taskEntry(task, now.settings.lease.maxAttempts)),
        };
      });
      if (enqueued?.kind === "gate") return { kind: "gate" };
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
    this.#voidOvertaken();
    return { kind: "stop", stop: this.#whyNothingLeft(this.#view()) };
  }

  #whyNothingLeft(view: View): Stop {
    const queue = this.#store.queue(this.#session);
    const refused = queue.waitingForMoney().length > 0 ||
      nextSteps(view, this.#situation(1, () => true)).length > 0;
    const taken = queue.taken().flatMap(({ taskId, owner }) => {
      const task = view.task(taskId)?.record;
      return task === undefined ? [] : [`${task.label} (${task.action}) waits for ${owner ?? "a person"}`];
    });
    return whyNothingLeft(view, refused, taken);
  }

  #evolutionGate(view: View, steps: readonly NewTask[]): Opened | null {
    return evolutionGate(
      view,
      steps,
      (now, task, busy) => this.#attempts.agentOf(task).decide(now, task, busy),
      this.#store.queue(this.#session).decisions(),
    );
  }

  /** Ends the tasks that a person took and whose hypothesis was changed since: whoever answered them would do so in vain. */
  #voidOvertaken(): void {
    for (const { taskId } of this.#store.queue(this.#session).taken()) {
      this.#store.commit(this.#session, (view) => {
        const task = view.task(taskId)?.record;
        const item = this.#store.queue(this.#session).item(taskId);
        if (task === undefined || item?.status !== "waiting") return null;
        const { decision, claimSeq, attempts } = item;
        const reason = decision === null
          ? null
          : whyOvertaken({ task, decision, claimSeq: claimSeq ?? view.seq }, view);
        if (reason === null) return null;
        return {
          kind: "void",
          author: "engine",
          progress: 0,
          entries: [{ kind: "taskState", record: { taskId, status: "void", attempts, reason } }],
          events: [{ type: "task_void", payload: { task: task.label, reason } }],
          task: {
            id: taskId,
            agent: task.agent,
            revision: view.revision,
            owner: null,
            then: { kind: "ended", status: "void" },
          },
        };
      });
    }
  }

  #claim(hold: (now: View) => boolean, only?: readonly string[]): Claim | null {
    const claim = this.#store.claim(
      this.#session,
      this.#owner,
      (task) => this.#keeper.leaseMs(task),
      (view, task, busy) => this.#attempts.agentOf(task).decide(view, task, busy),
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
}
