import type { Clock } from "../domain/clock.ts";
import { usd } from "../domain/money.ts";
import { words } from "../notebook/displays/wording.ts";
import type { Count, Moment } from "../notebook/progress/moment.ts";
import { phaseOf } from "../engine/snapshot.ts";
import type { TaskReport } from "../engine/report.ts";
import type { SqlCallLedger } from "../store/budget.ts";
import type { View } from "../store/view.ts";
import { ratingOf } from "../tournament/scale.ts";
import type { SessionEvent } from "../telemetry/events.ts";
import { newestEvent, noticeLine } from "./budget_notices.ts";
import { tasksInHand, workText } from "./in_hand.ts";
import { FAULTS, faultText } from "./look.ts";
import type { Steered } from "./steer.ts";
import { have, type Key, KEYS, type Until } from "./until.ts";

/** What ends some work. */
export type Aim =
  /** Totals, or a question that can't be foreseen. `tasks`: how many are still expected, as a view has it. */
  | { readonly kind: "totals"; readonly until: Until; readonly tasks: (view: View) => number | null }
  /** So many tasks. */
  | { readonly kind: "tasks"; readonly tasks: number };

/** A look at work that goes on, from now on. */
export interface LiveLook {
  /** How far it is. */
  moment(): Moment;
  /** To be told of each task. */
  told(report: TaskReport): void;
}

/** How long a forecast holds, in milliseconds: it counts through all matches to come. */
const FORECAST_HOLDS_MS = 2_000;
/** Tasks whose end is told, and notices. */
const LAST = 3, NOTICES = 2;

/** Looks at work that begins now. */
export function liveLook(
  { store, session }: Steered,
  clock: Clock,
  ledger: Pick<SqlCallLedger, "spending">,
  aim: Aim,
): LiveLook {
  const began = clock.now();
  const spentBefore = ledger.spending().microUsd;
  const startedAt = new Map<string, number>(), notices: string[] = [], last: string[] = [];
  let event = newestEvent(store.log, session);
  let done = 0;
  let forecast: { readonly at: number; readonly done: number; readonly tasks: number | null } | null = null;

  /** Tasks still expected. A forecast is counted down until it is time for another one. */
  const left = (view: View): number | null => {
    if (aim.kind === "tasks") return Math.max(0, aim.tasks - done);
    const now = clock.now();
    if (forecast === null || now - forecast.at >= FORECAST_HOLDS_MS) {
      forecast = { at: now, done, tasks: aim.tasks(view) };
    }
    // What is expected beyond a forecast that was too short is one task at least: it goes on, after all.
    return forecast.tasks === null ? null : Math.max(1, forecast.tasks - (done - forecast.done));
  };

  const listen = () => {
    for (const each of store.log.read(session, { after: event })) {
      event = each.n;
      if (each.type === "task_started") startedAt.set(String(each.payload.task), each.at);
      const notice = noticeOf(each);
      if (notice !== null) notices.push(notice);
    }
    notices.splice(0, notices.length - NOTICES);
  };

  return {
    moment: () => {
      listen();
      const view = store.known(session), spending = ledger.spending(), now = clock.now();
      const inHand = tasksInHand(view, store.queue(session));
      return {
        phase: inHand.some(({ task }) => task.action === "overview") ? "writing the overview" : phaseOf(view),
        ranMs: now - began,
        done,
        left: left(view),
        counts: countsOf(view, aim),
        best: bestOf(view),
        usd: usd(Math.max(0, spending.microUsd - spentBefore)),
        spentUsd: usd(spending.microUsd),
        reservedUsd: usd(spending.reservedMicroUsd),
        budgetUsd: view.settings.run.budgetUsd,
        inHand: inHand.map((each) => {
          const at = startedAt.get(each.task.label);
          return {
            task: each.task.label,
            work: workText(view, each),
            ms: at === undefined ? null : Math.max(0, now - at),
          };
        }),
        last: [...last],
        notices: [...notices],
      };
    },
    told: ({ label, action, status, gist }) => {
      if (status === "interrupted" || status === "lost" || status === "deferred") return;
      done++;
      startedAt.delete(label);
      last.push(`${label} ${words(action)}: ${gist}`);
      if (last.length > LAST) last.shift();
    },
  };
}

function noticeOf(event: SessionEvent): string | null {
  if (event.type === "budget_notice") return noticeLine(event);
  return FAULTS.has(event.type) ? `${words(event.type)}: ${faultText(event)}` : null;
}

function bestOf(view: View): Moment["best"] {
  const [first] = view.leaderboard;
  if (first === undefined) return null;
  const { record: { label, title }, strength } = first;
  return { label, title, rating: strength === null ? null : ratingOf(strength) };
}

/** What everybody wants to know of, and what the work ends at. */
function countsOf(view: View, aim: Aim): Count[] {
  const until = aim.kind === "totals" && typeof aim.until !== "function" ? aim.until : {};
  return KEYS.flatMap((key): Count[] => {
    const goal = until[key] ?? null, [one, many, always] = NAMES[key];
    return always || goal !== null ? [{ one, many, have: have(view, key), goal }] : [];
  });
}

/** Of one, of several, and whether it is told where it is no goal. */
const NAMES: Readonly<Record<Key, readonly [string, string, boolean]>> = {
  hypotheses: ["hypothesis", "hypotheses", true],
  reviews: ["review", "reviews", true],
  matches: ["match", "matches", true],
  evolved: ["evolved hypothesis", "evolved hypotheses", false],
  feedback: ["system feedback", "system feedbacks", false],
  usd: ["dollar", "dollars", false],
};
