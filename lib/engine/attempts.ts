import type { Agent, Outcome } from "../domain/agent.ts";
import { CosciError, messageOf } from "../domain/errors.ts";
import type { TaskRecord } from "../domain/records.ts";
import { NO_COST } from "../domain/records.ts";
import { Deferred } from "../llm/afford.ts";
import { ProviderError } from "../llm/model_call.ts";
import { UNTIL_MONEY } from "../store/queue.ts";
import type { Claim, Committed, Store } from "../store/store.ts";
import { readTranscripts } from "../store/transcripts.ts";
import type { View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { openTelemetry, span } from "../telemetry/spans.ts";
import { clusterInWorker } from "../vectors/cluster_in_worker.ts";
import { clusterByCosine } from "../vectors/clustering.ts";
import { callEvents } from "./call_events.ts";
import { matchesMade, reclusterDue } from "./match_records.ts";
import { settle, whyOvertaken } from "./outcome_records.ts";
import { KnownVectors } from "./known_vectors.ts";
import { failed, type Settled, type Work } from "./settled.ts";
import type { Purse } from "./purse.ts";
import { rateInSteps } from "./rate_in_steps.ts";
import type { TaskReport } from "./report.ts";
import { tellQuietly } from "./tell_quietly.ts";
import { ServiceWatch } from "./service_watch.ts";
import type { ProviderHealth } from "./termination.ts";
import { VectorMemory } from "./vector_memory.ts";
import { type Services, workContext } from "./work_context.ts";

/** From how many vectors on clustering goes to a worker, so that the main thread is never held for long. */
const CLUSTER_IN_WORKER = 100;

const TRACER = openTelemetry();

/**
 * Works on claimed tasks: runs the agent, commits what came of it, and where something failed puts the task where it
 * belongs: back for another try, off until money comes, or among the dead.
 */
export class Attempts {
  readonly #store: Store;
  readonly #session: string;
  readonly #owner: string;
  readonly #services: Services;
  readonly #purse: Purse;
  readonly #memory = new VectorMemory();
  readonly #known = new KnownVectors();
  #clustering = false;
  readonly #service = new ServiceWatch();

  /** @param owner who holds the claims @param purse who pays */
  constructor(store: Store, session: string, owner: string, services: Services, purse: Purse) {
    this.#store = store;
    this.#session = session;
    this.#owner = owner;
    this.#services = services;
    this.#purse = purse;
  }

  /** How the model's service did lately, as this process saw it. */
  get provider(): ProviderHealth {
    return this.#service.health;
  }

  /** Forgets that the model's service failed. */
  forgive(): void {
    this.#service.forgive();
  }

  /** Ends workers. */
  close(): void {
    this.#memory.close();
  }

  /** Who does a task. */
  agentOf(task: TaskRecord): Agent<View> {
    const agent = this.#services.agents.find((candidate) =>
      candidate.name === task.agent && candidate.actions.includes(task.action)
    );
    if (agent === undefined) throw new CosciError("internal", `No agent does ${task.agent}/${task.action}`);
    return agent;
  }

  /** Works on a task and commits what came of it. Never throws for what a task can do wrong. */
  async execute(claim: Claim, signal: AbortSignal): Promise<TaskReport> {
    const { task } = claim;
    const port = { clock: this.#services.clock, taskId: task.id, write: null, tracer: TRACER };
    return await span(port, `${task.agent}.${task.action}`, { "cosci.task": task.label }, async (add) => {
      const report = await this.#attempt(claim, signal);
      add({ "cosci.status": report.status, "cosci.usd": report.cost.microUsd / 1e6 });
      return report;
    });
  }

  async #attempt(claim: Claim, signal: AbortSignal): Promise<TaskReport> {
    const { clock } = this.#services;
    const started = clock.now();
    // The view may move on with the session; what a task works under is what was in force when it was claimed.
    const { settings } = claim.view;
    let callsMade = claim.item.callsBase;
    try {
      const agent = this.agentOf(claim.task);
      let outcome: Outcome;
      // A task that failed before is tried again on what it read then: in vain, if a person has changed that since.
      const { decision } = claim;
      const overtaken = whyOvertaken(claim, this.#view());
      if (decision.kind === "nothing" || overtaken !== null) {
        outcome = {
          kind: "nothing",
          reason: overtaken ?? (decision.kind === "nothing" ? decision.reason : ""),
        };
      } else {
        const work = workContext(
          claim,
          this.#services,
          this.#purse.ledger,
          this.#memory,
          this.#known,
          () => this.#view(),
          signal,
          (event) => tellQuietly(this.#store, this.#session, callEvents(claim.task, event)),
        );
        try {
          outcome = await agent.run(agent.prepare(claim.view, claim.task, claim.decision), work.context);
        } finally {
          callsMade = work.callsMade();
        }
      }
      const made = matchesMade(outcome);
      const clusters = made === 0 ? null : await this.#clusters(made, signal);
      await rateInSteps(this.#view());
      const report = this.#commit(
        claim,
        started,
        (view) => settle(outcome, this.#work(claim, settings, outcome, view, clusters), view),
        callsMade,
      );
      this.#service.answered();
      this.#purse.letIn(claim.task.id);
      return report;
    } catch (error) {
      const report = this.#fail(claim, started, error, callsMade, signal);
      if (!(error instanceof Deferred)) this.#purse.letIn(claim.task.id);
      return report;
    }
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
      claimSeq: claim.claimSeq,
      nearest: outcome.kind === "hypothesis_proposed"
        ? this.#memory.nearestNow(view, outcome.proposal.vector, claim.task.payload.remakes)
        : null,
      clusters,
      embedder: this.#services.embedder({ settings }).embedder.name,
    };
  }

  /** Clusters for the commit that is to renew them; computed before it, since it may take longer than a transaction may. */
  async #clusters(matches: number, signal: AbortSignal): Promise<Work["clusters"]> {
    const view = this.#view();
    const items = view.hypotheses.flatMap(({ record, state }) => {
      const vector = view.vector(record.id);
      return vector === undefined || state === "quarantined" || state === "rejected" || state === "merged"
        ? []
        : [{ id: record.id, vector }];
    });
    if (this.#clustering || !reclusterDue(view, view.validMatches + matches, items.length)) return null;
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
    // What others' matches mean for the ratings is computed before the transaction and not in it.
    void this.#view().leaderboard;
    const committed = this.#store.write(() => {
      const made = this.#store.commit(this.#session, (view) => {
        result = settled(view);
        const { status, progress, entries, events } = result;
        return {
          kind: claim.task.action,
          author: "engine",
          progress,
          entries,
          events: this.#purse.withNotice(view, events),
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
    const again = () => {
      const waits = item.attempts + Math.max(0, this.#service.inARow(task.id) - 1);
      return this.#services.clock.now() + claim.view.settings.lease.backoffSeconds * 1000 * 2 ** waits;
    };
    if (signal.aborted) {
      return putBack(
        { status: "pending", notBefore: 0 },
        "interrupted",
        "Stopped in the middle; it goes on later.",
        null,
      );
    }
    if (error instanceof Deferred) {
      const notBefore = this.#purse.putOff(task);
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
      const { id: taskId, maxAttempts } = task;
      const verdict = this.#service.failed({ taskId, maxAttempts, status: error.status, error: why });
      const fault = { type: "fault", payload: { task: task.label, error: why } } as const;
      if (verdict === "gone") {
        return putBack({ status: "pending", notBefore: 0, attempts: 0 }, "deferred", why, fault);
      }
      if (verdict === "outage") {
        return putBack({ status: "deferred", notBefore: again() }, "deferred", why, fault);
      }
    }
    return this.#commit(
      claim,
      started,
      () => failed({ task, attempts: item.attempts }, why),
      callsMade,
      again(),
    );
  }

  /** The newest view that this process has seen: what a commit decides is asked again inside its transaction. */
  #view(): View {
    return this.#store.known(this.#session);
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
}
