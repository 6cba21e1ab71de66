import type { Clock } from "../domain/clock.ts";
import { messageOf } from "../domain/errors.ts";
import { usd } from "../domain/money.ts";
import type { StartedRunData } from "../notebook/displays/started_run.ts";
import type { Run } from "../notebook/values/run.ts";
import type { SqlCallLedger } from "../store/budget.ts";
import { newestEvent, noticesSince } from "./budget_notices.ts";
import { inHandText, tasksInHand } from "./in_hand.ts";
import { originOf } from "./look.ts";
import type { Steered } from "./steer.ts";

/** A look at a run in the background, from now on. */
export interface RunLook {
  /** How far it has come. */
  now(): StartedRunData;
  /** To be told its end. */
  ended(run: Run): void;
  /** To be told what it failed of. */
  failed(error: unknown): void;
}

/** Looks at a run that begins now. What it came to stays as it was at its end, whatever the session does later. */
export function lookAtRun(
  { store, session, view }: Steered,
  clock: Clock,
  ledger: Pick<SqlCallLedger, "spending">,
  expectedMicroUsd: number | null,
): RunLook {
  const started = clock.now();
  const before = newestEvent(store.log, session);
  const spentBefore = ledger.spending().microUsd;
  let last: StartedRunData | null = null;
  const look = (endedBy: StartedRunData["endedBy"], error: string | null): StartedRunData => {
    const now = view();
    const spent = ledger.spending().microUsd;
    return {
      ...originOf(now),
      endedBy,
      error,
      durationMs: clock.now() - started,
      inHand: tasksInHand(now, store.queue(session)).map(inHandText),
      hypotheses: now.hypotheses.length,
      reviews: now.reviews.length,
      matches: now.validMatches,
      usd: usd(Math.max(0, spent - spentBefore)),
      expectedUsd: expectedMicroUsd === null ? null : usd(expectedMicroUsd),
      spentUsd: usd(spent),
      budgetUsd: now.settings.run.budgetUsd,
      notices: noticesSince(store.log, session, before),
    };
  };
  const first = look(null, null);
  /** The handle may be closed by now; then what was seen last is told. */
  const attempt = (endedBy: StartedRunData["endedBy"], error: string | null): StartedRunData => {
    try {
      return look(endedBy, error);
    } catch {
      return { ...(last ?? first), endedBy, error };
    }
  };
  return {
    now: () => last ?? attempt(null, null),
    ended: (run) => {
      last = attempt(run.endedBy, null);
    },
    failed: (error) => {
      last = attempt("error", messageOf(error));
    },
  };
}
