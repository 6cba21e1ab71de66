import { TASK_ACTIONS } from "../../domain/records.ts";
import type { NowData, SnapshotData, TaskRow } from "../../engine/snapshot.ts";
import { card, type Content, type Html, markup } from "../html.ts";
import type { Display } from "./display.ts";
import { afterStop, atGate } from "./going_on.ts";
import { facts, grid } from "./grid.ts";
import { leadersHtml, leadersText } from "./leaders.ts";
import { meter, part, percent } from "./meter.ts";
import { blocks, fit, headline, lines, textTable, wrapped } from "./plain.ts";
import { alarming, excerpt, faint, fold, line, paragraph, prose, section, short } from "./prose.ts";
import { costLine, counted, dollars, duration, tokens, words } from "./wording.ts";

/** Where a session stands, with what goes on at the moment. */
export interface SnapshotContent extends SnapshotData {
  /** What goes on right now. */
  readonly now: NowData;
}

/** Rows of each list of trouble. */
const TROUBLE = 8;
/** Hypotheses outside the tournament that are listed. */
const OUTSIDE = 120;

/** How to go on; nothing for a session that is at work. A finished one has nothing left to raise or to finish. */
function goingOn({ status, stopReason, gate }: SnapshotContent): string[] {
  if (status === "done" || status === "aborted") return ["lab.reopen() takes it up again."];
  if (gate !== null) return [`${gate.label} (${words(gate.kind)}) waits for your yes. ${atGate()}`];
  return stopReason === null ? [] : [afterStop(stopReason)];
}

/** How a snapshot is shown. */
export const snapshotDisplay: Display<SnapshotContent> = {
  html: (data) =>
    card({
      title: data.session,
      simulated: data.simulated,
      body: [
        markup`<div><b>${words(data.phase)}</b> · ${state(data)}</div>`,
        data.note === "" ? null : paragraph(line(data.note, 400)),
        goingOn(data).map((text) => paragraph(markup`<b>To go on:</b> ${text}`)),
        section("Goal", excerpt(data.goal, 280)),
        data.objective === null || data.objective === data.goal
          ? null
          : fold(faint("The research question as parsed"), prose(data.objective)),
        paragraph(faint(counts(data))),
        troubleHtml(data),
        section("Leaderboard", leadersHtml(data)),
        outsideHtml(data),
        data.feedback === null
          ? null
          : fold(`System feedback ${data.feedback.label}`, prose(data.feedback.narrative)),
        overviewsHtml(data),
        section("Spent", limitsHtml(data)),
        agentsHtml(data),
        activityHtml(data),
      ],
    }),
  text: (data) =>
    blocks(
      lines(
        headline(data.session, data.simulated),
        wrapped(`${words(data.phase)} · ${state(data)}`),
        data.note === "" ? null : wrapped(data.note, "", 400),
        ...goingOn(data).map((text) => wrapped(text, "To go on: ")),
        wrapped(data.goal, "Goal: ", 280),
        wrapped(counts(data), "Has:  "),
      ),
      troubleText(data),
      leadersText(data),
      outsideText(data),
      data.feedback === null
        ? null
        : wrapped(data.feedback.narrative, `System feedback ${data.feedback.label}: `, 500),
      lines(
        ...limits(data).map(({ name, used, note, share }) =>
          wrapped(
            `${used}${share === null ? "" : ` (${percent(share)})`}${note === "" ? "" : `; ${note}`}`,
            name.padEnd(7),
          )
        ),
        data.overviews.length === 0 ? null : `Overviews: ${overviews(data)}`,
        ...activity(data).map(([name, text]) => wrapped(text, `${name}: `, 500)),
      ),
    ),
};

function state(data: SnapshotContent): string {
  return [
    words(data.status),
    data.stopReason === null ? null : words(data.stopReason),
    `commit ${data.seq}`,
    data.revision === 0 ? null : `revision ${data.revision}`,
    data.now.parent === null
      ? null
      : `forked from ${fit(data.now.parent, 40)} at commit ${data.forkedAt ?? 0}`,
  ].filter((word) => word !== null && word !== words(data.phase)).join(" · ");
}

function counts({ counts: n }: SnapshotContent): string {
  const more = (count: number, text: string) => count === 0 ? null : `${count} ${text}`;
  const inside = [
    `${n.inTournament} in the tournament`,
    more(n.mature, "mature"),
    more(n.folded, "folded"),
  ].filter((text) => text !== null).join(", ");
  return [
    `${counted(n.hypotheses, "hypothesis", "hypotheses")} (${inside})`,
    n.duplicates === 0
      ? null
      : `${counted(n.duplicates, "duplicate refused", "duplicates refused")}${
        (n.knownIdeas ?? 0) === 0 ? "" : ` (${n.knownIdeas} known before)`
      }`,
    counted(n.reviews, "review"),
    `${counted(n.matches, "match", "matches")}${
      n.invalidMatches === 0 ? "" : ` and ${n.invalidMatches} invalid`
    }`,
    n.feedback === 0 ? null : counted(n.feedback, "system feedback", "system feedbacks"),
    n.overviews === 0 ? null : counted(n.overviews, "overview"),
    n.stale === 0 ? null : `${n.stale} stale (lab.stale)`,
    n.droppedCitations === 0 ? null : counted(
      n.droppedCitations,
      "source dropped: no tool had returned it",
      "sources dropped: no tool had returned them",
    ),
  ].filter((text) => text !== null).join(" · ");
}

/** What went wrong: tasks, faults and screens, newest last. */
function trouble(data: SnapshotContent): { heading: string; rows: string[] }[] {
  const faults = data.now.faults;
  return [
    {
      heading: counted(data.troubled.length, "task in trouble", "tasks in trouble"),
      rows: data.troubled.map(taskLine),
    },
    {
      heading: counted(faults.length, "recent fault"),
      rows: faults.map((fault) => `${words(fault.type)}: ${fault.text}`),
    },
    {
      heading: counted(data.screens.length, "remark of the safety screen", "remarks of the safety screen"),
      rows: data.screens.map((screen) => `${screen.target} ${screen.result}: ${screen.rationale}`),
    },
  ].filter(({ rows }) => rows.length > 0);
}

function taskLine(task: TaskRow): string {
  const target = task.target === null ? "" : ` ${task.target}`;
  return `${task.label} ${words(task.action)}${target}: ${words(task.status)} after ${
    counted(task.attempts, "failed attempt")
  }, ${task.reason}`;
}

function troubleHtml(data: SnapshotContent): Html | null {
  const lists = trouble(data);
  if (lists.length === 0) return null;
  const row = (text: string) => markup`<div style="margin:1px 0">${line(text, 300)}</div>`;
  const list = ({ heading, rows }: { heading: string; rows: string[] }) => {
    const older = rows.slice(0, -TROUBLE);
    return markup`<div style="margin:2px 0">${alarming(markup`<b>${heading}</b>`)}${
      older.length === 0 ? null : fold(`${older.length} older`, older.slice(-60).map(row))
    }${rows.slice(-TROUBLE).map(row)}</div>`;
  };
  return markup`<div style="margin:8px 0;padding:5px 10px;border-inline-start:3px solid #b3261e;background:#fdf3f2">${
    lists.map(list)
  }</div>`;
}

function troubleText(data: SnapshotContent): string {
  return blocks(
    ...trouble(data).map(({ heading, rows }) =>
      lines(
        `! ${heading}${rows.length > TROUBLE ? `, the last ${TROUBLE}` : ""}`,
        ...rows.slice(-TROUBLE).map((row) => wrapped(row, "  ", 300)),
      )
    ),
  );
}

function outsideSummary(data: SnapshotContent): string {
  const states = [...Map.groupBy(data.outside, (row) => row.state)]
    .map(([name, rows]) => `${rows.length} ${words(name)}`);
  return `Outside the tournament: ${states.join(", ")}`;
}

function outsideHtml(data: SnapshotContent): Html | null {
  if (data.outside.length === 0) return null;
  const further = data.outside.length - OUTSIDE;
  return fold(outsideSummary(data), [
    grid(
      3,
      data.outside.slice(0, OUTSIDE).map((row) => [
        short(row.label),
        short(words(row.state)),
        markup`<bdi>${fit(row.title, 90)}</bdi> ${faint(markup`<bdi>${fit(row.reason, 140)}</bdi>`)}`,
      ]),
    ),
    further > 0 ? faint(`${further} more: lab.view().hypotheses`) : null,
  ]);
}

function outsideText(data: SnapshotContent): string | null {
  if (data.outside.length === 0) return null;
  const shown = data.outside.slice(-10);
  return lines(
    outsideSummary(data) + (shown.length < data.outside.length ? "; the newest:" : ""),
    textTable([
      { head: "", cell: (row) => row.label },
      { head: "state", cell: (row) => words(row.state) },
      { head: "title", cell: (row) => row.title },
      { head: "why", cell: (row) => row.reason },
    ], shown),
  );
}

function overviews(data: SnapshotContent): string {
  return data.overviews.map((overview) =>
    `${overview.label} (${overview.source === "model" ? "by a model" : "put together from records"}${
      overview.final ? ", final" : ""
    })`
  ).join(", ");
}

function overviewsHtml(data: SnapshotContent): Html | null {
  const last = data.overviews.at(-1);
  if (last === undefined) return null;
  return paragraph(`Overviews: ${overviews(data)} `, faint(`– lab.inspect("${last.label}") shows it`));
}

/** A limit and how far it is used. */
interface Limit {
  readonly name: string;
  readonly used: string;
  readonly note: string;
  /** From 0 to 1; `null` where there is no limit to compare with. */
  readonly share: number | null;
  readonly bar: Html | null;
}

/** That more than half, or most, of the budget is spent: what a notice tells while it happens. */
function spentNotice({ now }: SnapshotContent): string | null {
  const share = part(now.spentUsd, now.budgetUsd) ?? 0;
  const passed = [0.8, 0.5].find((mark) => share >= mark);
  return passed === undefined ? null : `over ${passed * 100} % of the budget is spent`;
}

function limits(data: SnapshotContent): Limit[] {
  const { now, cost } = data;
  const lost = now.lostUsd > 0 ? `${dollars(now.lostUsd)} booked for calls whose process died` : null;
  const reserved = now.reservedUsd > 0 ? `${dollars(now.reservedUsd)} reserved for calls in flight` : null;
  const unconfirmed = cost.unconfirmedUsd > 0
    ? `${dollars(cost.unconfirmedUsd)} booked without an answer`
    : null;
  const inherited = data.inherited.calls > 0
    ? `${dollars(data.inherited.usd)} inherited, which is no part of it`
    : null;
  // In whole per cents: how long the same work takes is chance, and where that is little, what is shown is the same.
  const ran = Math.round(part(now.ranSeconds, now.wallClockSeconds) * 100) / 100;
  return [
    {
      name: "Money",
      used: `${dollars(now.spentUsd)} of ${dollars(now.budgetUsd)}`,
      note: [spentNotice(data), reserved, unconfirmed, lost, inherited].filter((text) => text !== null).join(
        "; ",
      ),
      share: part(now.spentUsd, now.budgetUsd),
      bar: meter(now.spentUsd, now.budgetUsd, now.reservedUsd),
    },
    {
      name: "Tokens",
      used: `${tokens(now.spentTokens)} of ${tokens(now.budgetTokens)}`,
      note: counted(cost.calls, "call") +
        (data.inherited.calls > 0 ? `; ${counted(data.inherited.calls, "call")} inherited` : ""),
      share: part(now.spentTokens, now.budgetTokens),
      bar: meter(now.spentTokens, now.budgetTokens),
    },
    {
      name: "Time",
      used: `${duration(now.ranSeconds * 1000)} of ${duration(now.wallClockSeconds * 1000)}`,
      note: "",
      share: ran,
      bar: meter(ran, 1),
    },
  ];
}

function limitsHtml(data: SnapshotContent): Html {
  const rows = limits(data).map((limit): [string, Content] => [
    limit.name,
    [
      limit.bar,
      limit.bar === null ? "" : " ",
      limit.used,
      limit.note === "" ? null : faint([" · ", limit.note]),
    ],
  ]);
  return facts(rows);
}

function agentsHtml(data: SnapshotContent): Html | null {
  const agents = Object.entries(data.costByAgent).filter(([, cost]) => cost.calls > 0);
  if (agents.length === 0) return null;
  const costly = agents.toSorted(([, a], [, b]) => b.usd - a.usd);
  return fold("By agent", facts(costly.map(([agent, cost]) => [agent, costLine(cost)] as const)));
}

/** What is at work, ready and to come, as far as there is something. */
function activity(data: SnapshotContent): [string, string][] {
  const open = TASK_ACTIONS.filter((action) => data.open[action] > 0)
    .map((action) => `${data.open[action]} × ${words(action)}`).join(", ");
  const { now } = data;
  const waiting = now.deferred === 0 ? "" : `, ${now.deferred} put off`;
  const ready = ` (${now.ready} ready${waiting})`;
  return [
    ...(now.inHand.length === 0 ? [] : [["In hand", now.inHand.join("; ")] satisfies [string, string]]),
    ...(open === "" ? [] : [["Open tasks", `${open}${ready}`] satisfies [string, string]]),
  ];
}

function activityHtml(data: SnapshotContent): Html | null {
  const rows = activity(data);
  return rows.length === 0
    ? null
    : section("At work", facts(rows.map(([name, text]) => [name, line(text, 500)] as const)));
}
