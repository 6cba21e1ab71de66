import {
  type Cost,
  type GateRecord,
  NO_COST,
  type RevisionRecord,
  type TaskRecord,
} from "../domain/records.ts";
import { flatten, valueAt } from "../config/patch.ts";
import { DEFAULT_SETTINGS } from "../config/settings.ts";
import { worstOfAction } from "../engine/estimate.ts";
import { nextBatch } from "../engine/next_batch.ts";
import { usd } from "../domain/money.ts";
import { agentFor, type NewTask } from "../engine/new_task.ts";
import { firstGenerations } from "../engine/next_steps.ts";
import { costRow, type NowData } from "../engine/snapshot.ts";
import type { Stop } from "../engine/termination.ts";
import type { ChangeListData } from "../notebook/displays/changes.ts";
import type { CostTableData } from "../notebook/displays/costs.ts";
import type { PeekData } from "../notebook/displays/peek.ts";
import type { QueueRow } from "../notebook/displays/queue.ts";
import type { SettingRow } from "../notebook/displays/settings.ts";
import type { TranscriptData } from "../notebook/displays/transcript.ts";
import type { TranscriptRow } from "../notebook/displays/transcripts.ts";
import { words } from "../notebook/displays/wording.ts";
import type { Spending } from "../store/budget.ts";
import { type Queue, UNTIL_MONEY } from "../store/queue.ts";
import type { Store } from "../store/store.ts";
import { resentCall } from "../store/resent_call.ts";
import { costsBy, costsByCommit, costsByVersion, type TranscriptRecord } from "../store/transcripts.ts";
import type { View } from "../store/view.ts";
import type { SessionEvent } from "../telemetry/events.ts";
import { inHandText, tasksInHand } from "./in_hand.ts";

/** Whose a value is, as every display says it. */
export function originOf(view: View): { readonly session: string; readonly simulated: boolean } {
  return { session: view.session.name, simulated: view.session.mode === "simulator" };
}

/** What the engine would do next, as it tells it. */
export interface Ahead {
  /** Why it would stop instead. */
  readonly stop: Stop | null;
  /** Tasks that are ready, in order. */
  readonly ready: readonly TaskRecord[];
  /** Tasks that would be enqueued, if none is ready. */
  readonly next: readonly NewTask[];
  /** The gate that is open. */
  readonly gate: GateRecord | null;
  /** Whether those tasks would wait at a gate. */
  readonly opensGate: boolean;
}

/** Tasks that a peek names. */
const PEEKED = 5;

/** What the next tick would do, why, and what it may cost at most. */
export function peekData(view: View, ahead: Ahead): PeekData {
  const ended = endedLine(view);
  if (ended !== null) return { ...originOf(view), lines: [ended], maxUsd: 0, worth: null, stop: null };
  const { stop, ready, next } = ahead;
  if (ahead.gate !== null || ahead.opensGate) {
    return { ...originOf(view), lines: linesOf(view, ahead), maxUsd: 0, worth: null, stop };
  }
  const [first] = ready.length > 0 ? ready : next;
  return {
    ...originOf(view),
    lines: linesOf(view, ahead),
    maxUsd: stop !== null || first === undefined ? null : maxUsd(view, first),
    worth: first?.action === "match" || stop?.reason === "top_k_settled" ? worthOf(view) : null,
    stop,
  };
}

function worthOf(view: View): PeekData["worth"] {
  const batch = nextBatch(view);
  if (batch === null) return null;
  const { microUsd, ...told } = batch;
  return { ...told, usd: usd(microUsd) };
}

/** The same in one line. */
export function nextLine(view: View, ahead: Ahead): string {
  const ended = endedLine(view);
  if (ended !== null) return ended;
  if (ahead.stop !== null) return `It would stop (${ahead.stop.reason}): ${ahead.stop.note}`;
  return linesOf(view, ahead)[0] ?? "Nothing is left to do.";
}

/** What is said of a session that has ended, or `null` for one that hasn't. */
function endedLine({ status }: View): string | null {
  if (status === "done") return "The session is finished. reopen() takes it up again.";
  return status === "aborted" ? "The session was aborted. reopen() takes it up again." : null;
}

function linesOf(view: View, { stop, ready, next, gate, opensGate }: Ahead): string[] {
  if (gate !== null) return gateLines(view, gate);
  if (stop !== null) return [];
  if (opensGate) {
    const how = next.flatMap(({ payload }) => payload?.strategy ?? []);
    return [`A gate opens: a round of evolution (${how.join(", ")}) waits for your yes.`];
  }
  const named = (task: Pick<NewTask, "action" | "targetId" | "payload">) => {
    const target = typeof task.targetId === "string"
      ? view.hypothesis(task.targetId)?.record.label
      : undefined;
    const focus = task.payload?.focus === undefined
      ? undefined
      : view.hypothesis(task.payload.focus)?.record.label;
    const how = task.payload?.strategy ?? task.payload?.mode ?? task.payload?.kind;
    const about = target ?? (focus === undefined ? undefined : `with ${focus}`);
    return `${agentFor(task.action)}: ${words(task.action)}${how === undefined ? "" : ` (${words(how)})`}${
      about === undefined ? "" : ` ${about}`
    }`;
  };
  const tasks = ready.length > 0
    ? ready.map((task) => `${task.label} ${named(task)}`)
    : next.map((task) => `new: ${named(task)}`);
  if (tasks.length === 0) return ["Nothing is ready, and there is nothing new to do."];
  const more = tasks.length - PEEKED;
  return [...tasks.slice(0, PEEKED), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** What waits, and what comes after either answer. */
function gateLines(view: View, { label, kind }: GateRecord): string[] {
  const waits = `${label} (${kind}) waits for your yes: lab.gate shows what is proposed.`;
  switch (kind) {
    case "plan": {
      const n = firstGenerations(view).length;
      return [
        waits,
        `After lab.accept(): ${
          n === 1 ? "the first hypothesis is" : `the first ${n} hypotheses are`
        } generated.`,
        "After lab.refuse(reason): the goal is read again, with the reason told.",
      ];
    }
    case "feedback":
      return [
        waits,
        "After lab.accept(): later prompts carry it, and the session goes on.",
        "After lab.refuse(reason): it is dropped, and the session goes on.",
      ];
    case "evolution":
      return [
        waits,
        "After lab.accept(): its tasks come next.",
        "After lab.refuse(reason): this round is skipped, and the session goes on.",
      ];
    case "finish":
      return [
        waits,
        "After lab.accept(): the session is finished, without a further call.",
        "After lab.refuse(reason): the session is as it was, and lab.finish() writes anew.",
      ];
  }
}

function maxUsd(view: View, task: Pick<TaskRecord, "action"> | NewTask): number {
  return worstOfAction(view, task.action) / 1e6;
}

/** All settings with value, default, by whom and since when. @param timeOf when a commit was made */
export function settingRows(view: View, timeOf: (seq: number) => number | null): SettingRow[] {
  return flatten(view.settings).map(([path, value]): SettingRow => {
    const revision = view.revisions.findLast((each) => each.kind === "configure" && each.target === path);
    const standard = valueAt(DEFAULT_SETTINGS, path);
    const atCreation = JSON.stringify(valueAt(view.session.settings, path)) !== JSON.stringify(standard);
    return {
      path,
      value,
      default: standard,
      by: revision?.author ?? (atCreation ? "create" : null),
      revision: revision?.label ?? null,
      undoes: typeof revision?.undoes === "number"
        ? view.revisions.find(({ number }) => number === revision.undoes)?.label ?? null
        : null,
      seq: revision?.seq ?? null,
      at: revision === undefined ? (atCreation ? view.session.createdAt : null) : timeOf(revision.seq),
    };
  });
}

/** What revisions changed. @param effects what each changes from when, by its label */
export function changesOf(
  view: View,
  revisions: readonly RevisionRecord[],
  effects: ReadonlyMap<string, string> = new Map(),
): ChangeListData {
  return {
    ...originOf(view),
    rows: revisions.map(({ label, kind, target, before, after, author, seq, undoes }) => ({
      revision: label,
      kind,
      undoes: undoes === null ? null : view.revisions.find(({ number }) => number === undoes)?.label ?? null,
      path: target,
      before,
      after,
      by: author,
      seq,
      ...(effects.has(label) ? { effect: effects.get(label) } : {}),
    })),
  };
}

/** Commits whose cost is told one by one. */
const COMMITS_TOLD = 100;

/** What a session cost: by agent, by model, by prompt and its versions, and by commit, which is what a tick ends with. */
export function costTable(view: View, store: Store): CostTableData {
  const lines = (property: "agent" | "model" | "prompt") =>
    costsBy(store.sql, view.session.id, property).map(({ name, cost }) => ({
      name: name === "" ? "embedding" : name,
      ...costRow(cost),
    }));
  return {
    ...originOf(view),
    total: costRow(costsOf(store, view)),
    inherited: costRow(view.inherited.cost),
    budgetUsd: view.settings.run.budgetUsd,
    byAgent: lines("agent"),
    byModel: lines("model"),
    byPrompt: lines("prompt"),
    byVersion: costsByVersion(store.sql, view.session.id).map(({ prompt, version, cost }) => ({
      name: prompt === "" ? "embedding" : `${prompt} ${version}`,
      prompt,
      version,
      ...costRow(cost),
    })),
    byCommit: costsByCommit(store.sql, view.session.id, COMMITS_TOLD).map(({ seq, taskIds, cost }) => ({
      name: seq === null ? "not ended yet" : `commit ${seq}`,
      seq,
      tasks: taskIds.map((id) => {
        const resent = resentCall(id);
        const task = view.task(id)?.record;
        return resent !== null
          ? `resend of ${resent}`
          : task === undefined
          ? id
          : `${task.label} ${task.action}`;
      }),
      ...costRow(cost),
    })),
  };
}

/** The cost of all calls of a session, those of tasks that have not ended included. */
function costsOf(store: Store, view: View): Cost {
  return costsBy(store.sql, view.session.id, "agent").map(({ cost }) => cost).reduce((sum, cost) => ({
    microUsd: sum.microUsd + cost.microUsd,
    inputTokens: sum.inputTokens + cost.inputTokens,
    outputTokens: sum.outputTokens + cost.outputTokens,
    calls: sum.calls + cost.calls,
    unconfirmedMicroUsd: sum.unconfirmedMicroUsd + cost.unconfirmedMicroUsd,
  }), NO_COST);
}

/** Open tasks in the order in which they will be done, then dead ones. */
export function queueRows(view: View, queue: Queue): QueueRow[] {
  const rowOf = (
    record: TaskRecord,
    rest: Pick<QueueRow, "status" | "attempts" | "notBeforeAt" | "reason">,
  ): QueueRow => ({
    label: record.label,
    agent: record.agent,
    action: record.action,
    target: record.targetId === null ? null : view.hypothesis(record.targetId)?.record.label ?? null,
    priority: record.priority,
    ...rest,
  });
  const open = queue.list().flatMap((item): QueueRow[] => {
    const task = view.task(item.taskId);
    if (task === undefined) return [];
    const waits = item.status === "deferred" && item.notBefore > 0;
    const forMoney = waits && item.notBefore >= UNTIL_MONEY;
    return [rowOf(task.record, {
      status: item.status,
      attempts: task.attempts,
      notBeforeAt: waits && !forMoney ? item.notBefore : null,
      reason: forMoney
        ? "waits for a higher budget"
        : item.status === "waiting"
        ? `with ${item.owner ?? "a person"}`
        : task.reason,
    })];
  });
  const dead = view.deadTasks.map(({ record, status, attempts, reason }) =>
    rowOf(record, { status, attempts, notBeforeAt: null, reason })
  );
  return [...open, ...dead];
}

/** One call as lists and its own display show it. */
export function transcriptData(view: View, call: TranscriptRecord): TranscriptData {
  const { request, response } = call;
  return { ...originOf(view), ...transcriptRow(view, call), request, response };
}

/** One call as a list shows it. */
export function transcriptRow(view: View, call: TranscriptRecord): TranscriptRow {
  const { taskId, directives, request: _request, claim: _claim, response, cost, ...row } = call;
  const resendOf = resentCall(taskId);
  return {
    ...row,
    task: resendOf === null ? view.task(taskId)?.record.label ?? taskId : `resend of ${resendOf}`,
    resendOf,
    directives: directives.map((id) =>
      [...view.directives, ...view.gates].find((given) => given.id === id)?.label ?? id
    ),
    inputTokens: cost.inputTokens,
    outputTokens: cost.outputTokens,
    usd: cost.microUsd / 1e6,
    unconfirmed: cost.unconfirmedMicroUsd > 0,
    gist: gistOf(response),
  };
}

/** The first words of an answer, or the tool that it calls. */
function gistOf(response: string): string {
  if (response === "") return "";
  try {
    const parsed: unknown = JSON.parse(response);
    const content: unknown = Object(parsed)["content"];
    if (!Array.isArray(content)) return "";
    for (const block of content.map(Object)) {
      if (typeof block["text"] === "string" && block["text"].trim() !== "") return block["text"];
      if (typeof block["name"] === "string") {
        return `${block["name"]} ${JSON.stringify(block["input"] ?? {})}`;
      }
    }
    return "";
  } catch {
    return response;
  }
}

/** Events whose text snapshots and live displays show as faults. */
export const FAULTS: ReadonlySet<string> = new Set([
  "task_failed",
  "task_dead",
  "call_retried",
  "call_degraded",
  "call_failed",
  "match_invalid",
  "fault",
]);

/** Newest events that a snapshot looks through for faults, and faults that it shows. */
export const EVENTS_SEARCHED = 200;
const FAULTS_SHOWN = 10;

/** What goes on right now. */
export function nowData(
  view: View,
  parent: string | null,
  queue: Queue,
  spending: Spending,
  ranMs: number,
  now: number,
  events: readonly SessionEvent[],
): NowData {
  const counts = queue.counts(now);
  const { run } = view.settings;
  return {
    parent,
    inHand: tasksInHand(view, queue).map(inHandText),
    ready: counts.ready,
    deferred: counts.deferred,
    spentUsd: spending.microUsd / 1e6,
    lostUsd: spending.lostMicroUsd / 1e6,
    reservedUsd: spending.reservedMicroUsd / 1e6,
    budgetUsd: run.budgetUsd,
    spentTokens: spending.tokens,
    budgetTokens: run.budgetTokens,
    ranSeconds: ranMs / 1000,
    wallClockSeconds: run.wallClockSeconds,
    faults: events.filter((event) => FAULTS.has(event.type)).slice(-FAULTS_SHOWN)
      .map((event) => ({ type: event.type, text: faultText(event) })),
  };
}

/** What went wrong, in a line. */
export function faultText(event: SessionEvent): string {
  const { task, route, model, tool, error, failure, reason, to } = event.payload;
  const where = [task, route, tool, model].filter((part) => typeof part === "string").join(" ");
  const what = [error, failure, reason].find((part) => typeof part === "string") ?? "";
  return `${where}${where === "" ? "" : ": "}${String(what)}${typeof to === "string" ? ` → ${to}` : ""}`;
}
