import { z } from "zod";
import type { Agent, Decision, Outcome } from "../domain/agent.ts";
import { CosciError, inputError } from "../domain/errors.ts";
import {
  type MatchVerdict,
  REVIEW_VERDICTS,
  type ReviewVerdict,
  type TaskRecord,
} from "../domain/records.ts";
import { type Fenced, fences } from "../domain/text.ts";
import { settle, whyOvertaken } from "../engine/outcome_records.ts";
import type { Settled, Work } from "../engine/settled.ts";
import type { ShownSide, TakenTaskData } from "../notebook/displays/taken_task.ts";
import type { Entry } from "../store/records.ts";
import type { Queue, QueueItem } from "../store/queue.ts";
import type { EndingTask } from "../store/store.ts";
import type { TaskStanding, View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { hypothesisOf, taskOf } from "./labels.ts";
import { originOf } from "./look.ts";
import { type OptionsRule, requireOptions } from "./wrong_option.ts";

/** A person's verdict on a match that they took. */
export interface VerdictAnswer {
  /** The label of the better one, or `tie`. */
  readonly winner?: string | undefined;
  /** Of a group: the labels of all, best first. */
  readonly ranking?: readonly string[] | undefined;
  /** Why. */
  readonly rationale?: string | undefined;
}

/** A person's review of a hypothesis whose review they took. Scores are from 0 to 1. */
export interface ReviewAnswer {
  /** What it says. */
  readonly verdict: ReviewVerdict;
  /** Is it new? */
  readonly novelty?: number | undefined;
  /** Is it right? */
  readonly correctness?: number | undefined;
  /** Can it be tested? */
  readonly testability?: number | undefined;
  /** Can it be done? */
  readonly feasibility?: number | undefined;
  /** What it takes to be assumed. */
  readonly assumptions?:
    | readonly {
      readonly assumption: string;
      readonly plausibility: "plausible" | "uncertain" | "implausible";
      readonly rationale?: string | undefined;
    }[]
    | undefined;
  /** Its sources. */
  readonly evidence?:
    | readonly { readonly claim: string; readonly url: string; readonly excerpt?: string | undefined }[]
    | undefined;
  /** Free text. */
  readonly notes?: string | undefined;
}

/** A task in a person's hands. */
export interface Taken {
  /** The task. */
  readonly task: TaskRecord;
  /** Its place in the queue. */
  readonly item: QueueItem;
  /** Who took it. */
  readonly owner: string;
  /** What was decided when it was taken. */
  readonly decision: Decision;
  /** The commit that it was decided at. */
  readonly claimSeq: number;
}

/** The end of a task that a person took, for the commit with their record of it. */
export interface Answering extends Taken {
  /** Ends it as done, or as void where what it is about was changed meanwhile. */
  readonly ending: EndingTask;
  /** The records of its end. */
  readonly entries: readonly Entry[];
  /** What to tell the world. */
  readonly events: readonly EventDraft[];
  /** Why the answer can't be used, if it can't: then it ends as void, and no record of the answer may be made. */
  readonly overtaken: string | null;
}

/**
 * What may be taken: an open review or match that nobody works on, with what it decides.
 *
 * @throws CosciError `state` for a task in progress or ended, or one that has nothing to judge; `input` for other work
 */
export function takeable(
  view: View,
  queue: Queue,
  label: unknown,
  agents: readonly Agent<View>[],
): {
  readonly task: TaskStanding;
  readonly item: QueueItem;
  readonly decision: Decision;
  readonly claimSeq: number;
} {
  const verb = "queue.take";
  const task = standingOf(view, label, verb);
  const { record } = task;
  if (record.action !== "review" && record.action !== "match") {
    throw new CosciError(
      "input",
      `${verb}: ${record.label} is ${record.action} and can't be done by hand. Reviews and matches can be taken: ${
        takeableLabels(view, queue)
      }.`,
    );
  }
  const item = queue.item(record.id);
  if (item === undefined) {
    throw new CosciError(
      "state",
      `${verb}: ${record.label} is ${task.status} and not open. Open reviews and matches: ${
        takeableLabels(view, queue)
      }.`,
    );
  }
  if (item.status !== "pending" && item.status !== "deferred") {
    const held = item.status === "waiting" ? `with ${item.owner ?? "a person"}` : "in progress";
    throw new CosciError("state", `${verb}: ${record.label} is ${held} already.`);
  }
  // Pinned with the commit of the taking itself, so that what a claim pinned before it can be told apart.
  const claimSeq = item.claimSeq ?? view.seq + 1;
  const decision = item.decision ?? agentOf(agents, record).decide(view, record, queue.decisions());
  const why = decision.kind === "nothing"
    ? decision.reason
    : whyOvertaken({ task: record, decision, claimSeq }, view);
  if (why !== null) {
    throw new CosciError("state", `${verb}: there is nothing to judge in ${record.label}: ${why}`);
  }
  return { task, item, decision, claimSeq };
}

/**
 * The end of a task that a person took, done with a record of theirs.
 *
 * @param action what they answer with
 * @param author who answers, if they said so
 * @throws CosciError `state` for a task that they have not taken; `input` for one of other work
 */
export function answerTask(
  view: View,
  queue: Queue,
  label: unknown,
  verb: string,
  action: "review" | "match" | null,
  author: string | null = null,
): Answering {
  const taken = takenTask(view, queue, label, verb, author);
  const { task, item } = taken;
  if (action !== null && task.action !== action) {
    throw new CosciError(
      "input",
      `${verb}: ${task.label} is a ${task.action}, and is not answered by a ${action}.`,
    );
  }
  const overtaken = whyOvertaken(taken, view);
  const status = overtaken === null ? "done" : "void";
  const reason = overtaken ?? `answered by ${author ?? taken.owner}`;
  return {
    ...taken,
    overtaken,
    ending: {
      id: task.id,
      agent: task.agent,
      revision: view.revision,
      owner: null,
      then: { kind: "ended", status },
    },
    entries: [{
      kind: "taskState",
      record: { taskId: task.id, status, attempts: item.attempts, reason },
    }],
    events: [
      overtaken === null
        ? {
          type: "task_completed",
          payload: { task: task.label, agent: task.agent, action: task.action, result: reason },
        }
        : { type: "task_void", payload: { task: task.label, reason } },
    ],
  };
}

/** What is told of a task that its taker's verdict or review ends. */
export interface Answered {
  /** The records of its end. */
  readonly entries: readonly Entry[];
  /** The revision that tells of it. */
  readonly changes: readonly {
    readonly kind: "queue";
    readonly target: string;
    readonly before: string;
    readonly after: string;
  }[];
  /** What to tell the world. */
  readonly events: readonly EventDraft[];
  /** The task's end. */
  readonly task?: EndingTask | undefined;
}

const NOTHING: Answered = { entries: [], changes: [], events: [] };

/**
 * The end of the task that somebody took and now answers by a verdict or a review of their own; nothing where they took none
 * that is about this.
 *
 * @param about whether a task in their hands is what they speak of
 */
export function answeredBy(
  view: View,
  queue: Queue,
  author: string,
  about: (task: TaskRecord, decision: Decision) => boolean,
): Answered {
  const item = queue.list().find(({ status, owner, decision, taskId }) => {
    const task = view.task(taskId)?.record;
    return status === "waiting" && owner === author && decision !== null && task !== undefined &&
      about(task, decision);
  });
  const label = item === undefined ? undefined : view.task(item.taskId)?.record.label;
  if (label === undefined) return NOTHING;
  const { task, ending, entries, events } = answerTask(view, queue, label, "queue.answer", null, author);
  return {
    entries,
    changes: [{ kind: "queue", target: task.label, before: "take", after: "answer" }],
    events,
    task: ending,
  };
}

/** A task that a person has in their hands. @throws CosciError `state` where it isn't, or somebody else has it */
export function takenTask(
  view: View,
  queue: Queue,
  label: unknown,
  verb: string,
  author: string | null,
): Taken {
  const { record, status } = standingOf(view, label, verb);
  const item = queue.item(record.id);
  if (item?.status !== "waiting" || item.decision === null || item.claimSeq === null || item.owner === null) {
    const now = item === undefined ? status : item.status;
    throw new CosciError(
      "state",
      `${verb}: ${record.label} is ${now} and in nobody's hands. queue.take("${record.label}") takes an open review or match.`,
    );
  }
  if (author !== null && author !== item.owner) {
    throw new CosciError(
      "state",
      `${verb}: ${record.label} is with ${item.owner}, not with ${author}. queue.giveBack("${record.label}") gives it back.`,
    );
  }
  const { owner, decision, claimSeq } = item;
  return { task: record, item, owner, decision, claimSeq };
}

/** Everything that the commit of an answer holds, by the rules for what an agent answers. */
export function settleAnswer(
  view: View,
  taken: Taken,
  answer: unknown,
  author: string,
  weight: number,
): Settled {
  const { task, decision, item, claimSeq } = taken;
  const work: Work = {
    task,
    decision,
    attempts: item.attempts,
    settings: view.settings,
    revision: view.revision,
    claimSeq,
    nearest: null,
    clusters: null,
    embedder: "",
    person: { author, weight },
  };
  return settle(outcomeOf(view, taken, answer), work, view);
}

const verdictShape = z.strictObject({
  winner: z.string().trim().min(1).optional(),
  ranking: z.array(z.string()).optional(),
  rationale: z.string().trim().max(20_000).optional(),
});
const VERDICT: OptionsRule = {
  shape: verdictShape,
  example: '{ winner: "H3", rationale: "…" }',
  remedies: {
    winner: 'Give the label of the better one, or "tie".',
    ranking: "Give the labels of the group, best first.",
    rationale: "Say why in at most 20,000 characters.",
  },
};
const score = z.number().min(0).max(1).optional();
const reviewShape = z.strictObject({
  verdict: z.enum(REVIEW_VERDICTS),
  novelty: score,
  correctness: score,
  testability: score,
  feasibility: score,
  assumptions: z.array(z.strictObject({
    assumption: z.string().trim().min(1),
    plausibility: z.enum(["plausible", "uncertain", "implausible"]),
    rationale: z.string().default(""),
  })).default([]),
  evidence: z.array(z.strictObject({
    claim: z.string().trim().min(1),
    url: z.string().trim().min(1),
    excerpt: z.string().default(""),
  })).default([]),
  notes: z.string().trim().max(20_000).default(""),
});
const SCORE = "Give a number from 0 to 1.";
const REVIEW: OptionsRule = {
  shape: reviewShape,
  example: '{ verdict: "neutral", notes: "…" }',
  remedies: {
    verdict: `Verdicts are ${REVIEW_VERDICTS.join(", ")}.`,
    novelty: SCORE,
    correctness: SCORE,
    testability: SCORE,
    feasibility: SCORE,
    assumptions:
      'Give { assumption, plausibility: "plausible" | "uncertain" | "implausible", rationale? } each.',
    evidence: "Give { claim, url, excerpt? } each.",
    notes: "Give a text of at most 20,000 characters.",
  },
};

function outcomeOf(view: View, { task, decision }: Taken, answer: unknown): Outcome {
  const verb = "queue.answer";
  if (task.action === "review") {
    requireOptions(verb, answer, REVIEW);
    const { evidence, ...review } = reviewShape.parse(answer);
    const standing = hypothesisOf(view, task.targetId, verb);
    return {
      kind: "review_completed",
      hypothesisId: standing.record.id,
      hypothesisVersion: standing.record.version,
      reviewKind: task.payload.kind ?? "full",
      review: { ...review, evidence },
      evidence,
      droppedEvidence: 0,
      screen: null,
    };
  }
  requireOptions(verb, answer, VERDICT);
  const { winner, ranking, rationale = "" } = verdictShape.parse(answer);
  const judged = { rationale, judge: null, promptVersion: null };
  switch (decision.kind) {
    case "match": {
      const { firstId, secondId, mode } = decision;
      const verdict = verdictOf(view, [firstId, secondId], winner);
      return { kind: "match_judged", firstId, secondId, mode, verdict, bothOrders: null, ...judged };
    }
    case "group": {
      const ids = (ranking ?? []).map((label) => hypothesisOf(view, label, `${verb}: ranking`).record.id);
      const all = decision.ids.length === ids.length && decision.ids.every((id) => ids.includes(id));
      if (!all) {
        throw inputError(
          `${verb}: ranking`,
          ranking,
          `Give each of ${labelsOf(view, decision.ids)} once, best first.`,
        );
      }
      return { kind: "group_judged", ids: decision.ids, ranking: ids, ...judged };
    }
    default:
      throw new CosciError(
        "internal",
        `${task.label} was taken with a decision that is no pair: ${decision.kind}`,
      );
  }
}

function verdictOf(view: View, ids: readonly [string, string], winner: string | undefined): MatchVerdict {
  const labels = ids.map((id) => view.hypothesis(id)?.record.label ?? id);
  const word = winner?.trim();
  if (word?.toLowerCase() === "tie") return "tie";
  const at = labels.findIndex((label, i) => label === word?.toUpperCase() || ids[i] === word);
  if (at === 0) return "first";
  if (at === 1) return "second";
  const words = [...labels, "tie"];
  throw inputError("queue.answer: winner", winner, `Give one of ${words.join(", ")}.`, words);
}

const shownInput = z.union([
  z.object({ variables: z.record(z.string(), z.string()) }),
  z.object({ hypotheses: z.string() }),
]);

/** A taken task as a person sees it: the very texts that the model would be shown, in that order. */
export function takenData(view: View, taken: Taken, agents: readonly Agent<View>[]): TakenTaskData {
  const { task, decision, owner } = taken;
  const input = shownInput.parse(agentOf(agents, task).prepare(view, task, decision));
  const texts = "variables" in input ? Object.values(input.variables) : [input.hypotheses];
  return {
    ...originOf(view),
    label: task.label,
    action: task.action,
    kind: task.action === "review" ? task.payload.kind ?? "full" : null,
    by: owner,
    sides: sidesOf(texts.flatMap((each) => fences(each))),
    answer: howToAnswer(view, task, decision),
  };
}

/** Each hypothesis begins a side; what follows is about it. */
function sidesOf(fenced: readonly Fenced[]): ShownSide[] {
  const sides: { label: string; texts: ShownSide["texts"][number][] }[] = [];
  for (const { tag, attributes, text } of fenced) {
    if (tag === "HYPOTHESIS") sides.push({ label: attributes["label"] ?? "", texts: [] });
    const about = Object.entries(attributes)
      .filter(([name]) => name !== "label" && name !== "slot" && name !== "of")
      .map(([name, value]) => `${name} ${value}`).join(", ");
    sides.at(-1)?.texts.push({ what: tag.toLowerCase(), about, text });
  }
  return sides;
}

function howToAnswer(view: View, { label, action }: TaskRecord, decision: Decision): string {
  if (action === "review") {
    return `lab.queue.answer("${label}", { verdict: "neutral", novelty: 0.5, notes: "…" })`;
  }
  if (decision.kind === "group") {
    return `lab.queue.answer("${label}", { ranking: ["…"], rationale: "…" }) with each of ${
      labelsOf(view, decision.ids)
    }, best first`;
  }
  const ids = decision.kind === "match" ? [decision.firstId, decision.secondId] : [];
  return `lab.queue.answer("${label}", { winner: "…", rationale: "…" }) with ${labelsOf(view, ids)} or tie`;
}

function labelsOf(view: View, ids: readonly string[]): string {
  return ids.map((id) => view.hypothesis(id)?.record.label ?? id).join(", ");
}

function standingOf(view: View, label: unknown, verb: string): TaskStanding {
  const task = view.task(taskOf(view, label, verb));
  if (task === undefined) throw new CosciError("input", `${verb}: there is no task ${String(label)}.`);
  return task;
}

function agentOf(agents: readonly Agent<View>[], task: TaskRecord): Agent<View> {
  const agent = agents.find(({ name, actions }) => name === task.agent && actions.includes(task.action));
  if (agent === undefined) throw new CosciError("internal", `No agent does ${task.agent}/${task.action}`);
  return agent;
}

function takeableLabels(view: View, queue: Queue): string {
  const open = queue.list().flatMap(({ taskId, status }) => {
    const task = view.task(taskId)?.record;
    const fits = (task?.action === "review" || task?.action === "match") &&
      (status === "pending" || status === "deferred");
    return fits ? [task.label] : [];
  });
  return open.length === 0 ? "there is none now" : open.join(", ");
}
