import { formatUsd } from "../domain/money.ts";
import type { EventLog } from "../store/event_log.ts";
import type { SessionEvent } from "../telemetry/events.ts";

/** The number of a session's newest event. */
export function newestEvent(log: EventLog, session: string): number {
  return log.read(session, { last: 1 })[0]?.n ?? 0;
}

/** What was told of the budget since an event, a line each. */
export function noticesSince(log: EventLog, session: string, after: number): string[] {
  return log.read(session, { after, type: "budget_notice" }).map(noticeLine);
}

/** What an event `budget_notice` tells. */
export function noticeLine({ payload: { part, spentUsd, capUsd } }: SessionEvent): string {
  const money = (usd: unknown) => formatUsd(Math.round(Number(usd) * 1e6));
  return `${Math.round(100 * Number(part))} % of the budget is spent: ${money(spentUsd)} of ${
    money(capUsd)
  }.`;
}
