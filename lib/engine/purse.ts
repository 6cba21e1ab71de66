import type { AgentName, TaskRecord } from "../domain/records.ts";
import type { BudgetLimits, SqlCallLedger } from "../store/budget.ts";
import type { Store } from "../store/store.ts";
import type { View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { budgetLimits, type LeastCall, leastCalls } from "./affordability.ts";

/** How long a task waits for money that others have reserved: doubled each time, unless some comes free before. */
const MONEY_WAIT_MS = 250;
const LONGEST_MONEY_WAIT_MS = 30_000;

/** How many of those that wait for money are let in when a task ends: its money may be enough for some. */
const LET_IN = 2;

/** Parts of the budget whose spending is told. */
const NOTICE_AT = [0.5, 0.8];

/** The money of a session as its engine sees it: limits, who can pay for what, who waits, and what is worth a notice. */
export class Purse {
  /** Journal, transcripts and budget of the session. */
  readonly ledger: SqlCallLedger;
  readonly #store: Store;
  readonly #session: string;
  readonly #now: () => number;
  #limits: {
    readonly view: View;
    readonly revision: number;
    readonly limits: BudgetLimits;
    readonly least: ReadonlyMap<AgentName, LeastCall>;
  } | null = null;
  /** The part of the budget that was told as spent last; `null`: not looked at since the budget was set. */
  #noticed: number | null = null;
  /** Until when agents wait for money that others have reserved: meanwhile nothing new is enqueued for them. */
  readonly #agentsWait = new Map<AgentName, number>();
  /** Tasks that wait for money that others have reserved, with how often they did in a row; the longest waiting first. */
  readonly #tasksWait = new Map<string, number>();

  /** @param owner who makes the calls @param now the time */
  constructor(store: Store, session: string, owner: string, now: () => number) {
    this.#store = store;
    this.#session = session;
    this.#now = now;
    this.ledger = store.calls(session, owner, () => this.#budget().limits);
  }

  /** Whether an agent can pay for its smallest call, and has no task that was refused for good at these limits. */
  affordable(agent: AgentName): boolean {
    const least = this.#budget().least.get(agent);
    if (least === undefined) return true;
    const room = this.ledger.headroom(agent);
    if (room.microUsdLater < least.microUsd || room.tokens < least.tokens) return false;
    if ((this.#agentsWait.get(agent) ?? 0) > this.#now()) return false;
    const view = this.#store.known(this.#session);
    return !this.#store.queue(this.#session).waitingForMoney().some((id) =>
      view.task(id)?.record.agent === agent
    );
  }

  /** Puts a task off until money may have come free. Returns the time of its next try. */
  putOff(task: TaskRecord): number {
    const times = this.#tasksWait.get(task.id) ?? 0;
    const notBefore = this.#now() + Math.min(LONGEST_MONEY_WAIT_MS, MONEY_WAIT_MS * 2 ** times);
    this.#tasksWait.delete(task.id);
    this.#tasksWait.set(task.id, times + 1);
    this.#agentsWait.set(task.agent, notBefore);
    return notBefore;
  }

  /** A task has ended and gives back what it had reserved: those that waited longest for that may try again. */
  letIn(ended: string): void {
    this.#tasksWait.delete(ended);
    this.#agentsWait.clear();
    const next = [...this.#tasksWait.keys()].slice(0, LET_IN);
    if (next.length > 0) this.#store.write(() => this.#store.queue(this.#session).hasten(next));
  }

  /** Looks at the spending before work begins, so that what was spent before is not told as news. */
  look(): void {
    this.#noticed ??= this.#partSpent();
  }

  /** Looks again at tasks that wait for money, after a limit was raised. */
  limitsChanged(): void {
    this.#noticed = null;
    this.#store.write(() => this.#store.queue(this.#session).releaseBudgetWaits());
  }

  /** The events with a notice behind them when the spending has passed 50 or 80 % of the budget since the last look. */
  withNotice(view: View, events: readonly EventDraft[]): readonly EventDraft[] {
    const part = this.#partSpent();
    const known = this.#noticed;
    this.#noticed = Math.max(part, known ?? 0);
    if (known === null || part <= known) return events;
    const spentUsd = this.ledger.spending().microUsd / 1e6;
    return [...events, {
      type: "budget_notice",
      payload: { part, spentUsd, capUsd: view.settings.run.budgetUsd },
    }];
  }

  /** Which of the parts that are worth a notice the spending has reached. */
  #partSpent(): number {
    const spent = this.ledger.spending().microUsd;
    const cap = this.#budget().limits.capMicroUsd;
    return NOTICE_AT.findLast((part) => spent >= part * cap) ?? 0;
  }

  #budget() {
    const view = this.#store.known(this.#session);
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
}
