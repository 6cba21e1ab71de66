import type { Clock } from "../domain/clock.ts";
import { messageOf } from "../domain/errors.ts";
import type { TaskRecord } from "../domain/records.ts";
import type { SqlCallLedger } from "../store/budget.ts";
import type { Store } from "../store/store.ts";
import { tellQuietly } from "./tell_quietly.ts";

/** How often leases are renewed, dead owners looked for and the running clock beaten, in milliseconds. */
export const HEARTBEAT_MS = 1_000;

/** What a keeper looks after. */
export interface Kept {
  /** The store. */
  readonly store: Store;
  /** The session. */
  readonly session: string;
  /** Who works. */
  readonly owner: string;
  /** The time. */
  readonly clock: Clock;
  /** Where reservations of lost tasks are settled. */
  readonly ledger: SqlCallLedger;
  /** Tasks in the owner's hand, by id. */
  readonly inHand: ReadonlyMap<string, TaskRecord>;
  /** Called after each beat. */
  readonly onBeat: () => void;
}

/** Keeps leases, the running clock and dead owners' tasks in order while work goes on. */
export class Keeper {
  readonly #kept: Kept;

  /** @param kept what it looks after */
  constructor(kept: Kept) {
    this.#kept = kept;
  }

  /** Does a piece of work under its care. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const { store, session } = this.#kept;
    const clock = store.runningClock(session);
    store.write(() => {
      clock.beat();
      this.#reclaim();
    });
    // A timer must never throw: what fails here fails again, visibly, at the next commit.
    const timer = setInterval(() => {
      try {
        this.#beat();
      } catch (error) {
        tellQuietly(store, session, [
          { type: "fault", payload: { where: "heartbeat", error: messageOf(error) } },
        ]);
      }
    }, HEARTBEAT_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      // Whoever else is at work goes on counting from here.
      if (store.queue(session).inProgress().length === 0) clock.rest();
      else clock.beat();
    }
  }

  /** Gives tasks back to the queue whose process is gone, or whose lease ran out. */
  takeBack(): void {
    this.#kept.store.write(() => this.#reclaim());
  }

  /** How long a claim of this task holds, in milliseconds. */
  leaseMs(task: TaskRecord): number {
    const { lease } = this.#kept.store.known(this.#kept.session).settings;
    const seconds = task.action === "review"
      ? lease.reflectionSeconds
      : task.action === "overview"
      ? lease.overviewSeconds
      : lease.defaultSeconds;
    return seconds * 1000;
  }

  #beat(): void {
    const { store, session, owner, clock, inHand, onBeat } = this.#kept;
    const now = clock.now();
    store.write(() => {
      store.runningClock(session).beat();
      const queue = store.queue(session);
      for (const task of inHand.values()) queue.renew([task.id], owner, now + this.leaseMs(task));
      this.#reclaim();
    });
    onBeat();
  }

  #reclaim(): void {
    const { store, session, owner, clock, ledger, inHand } = this.#kept;
    ledger.loseResends((holder) => holder === owner || store.owners.alive(holder));
    const lost = store.queue(session).reclaim(
      clock.now(),
      (holder) => holder === owner || store.owners.alive(holder),
    ).filter((item) => !inHand.has(item.taskId));
    if (lost.length === 0) return;
    ledger.loseReservations(lost.map((item) => item.taskId));
    const view = store.view(session);
    store.tell(
      session,
      lost.map((item) => ({
        type: "task_reclaimed",
        payload: { task: view.task(item.taskId)?.record.label ?? item.taskId, crashes: item.crashes + 1 },
      })),
    );
  }
}
