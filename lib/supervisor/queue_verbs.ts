import { z } from "zod";
import type { Agent } from "../domain/agent.ts";
import { CosciError } from "../domain/errors.ts";
import type { TaskRecord } from "../domain/records.ts";
import { ChangeList } from "../notebook/values/change_list.ts";
import { QueueList } from "../notebook/values/queue_list.ts";
import { ReviewCard } from "../notebook/values/review_card.ts";
import { MatchCard } from "../notebook/values/match_card.ts";
import { TakenTask } from "../notebook/values/taken_task.ts";
import { TaskCard } from "../notebook/values/task_card.ts";
import type { Queue } from "../store/queue.ts";
import type { Committed } from "../store/store.ts";
import type { TaskStanding, View } from "../store/view.ts";
import { matchCard, reviewCard, taskCard } from "./cards.ts";
import { taskOf } from "./labels.ts";
import { changesOf, originOf, queueRows } from "./look.ts";
import { readAuthor, readWeight, steer, type Steered, type Steering } from "./steer.ts";
import {
  answerTask,
  type ReviewAnswer,
  settleAnswer,
  takeable,
  takenData,
  takenTask,
  type VerdictAnswer,
} from "./taken_tasks.ts";
import { requireSteeringOptions } from "./verb_options.ts";
import { type OptionsRule, requireOptions } from "./wrong_option.ts";

/** What verbs of the queue take besides. */
export interface QueueOptions {
  /** Who does it. */
  readonly author?: string | undefined;
}

/** What an answer takes besides. */
export interface TakenAnswerOptions extends QueueOptions {
  /** How much it counts: 1 is what a model's counts. */
  readonly weight?: number | undefined;
}

const ANSWER: OptionsRule = {
  shape: z.strictObject({ author: z.unknown().optional(), weight: z.unknown().optional() }),
  example: '{ author: "Ada", weight: 2 }',
  remedies: {},
};
const REASON = z.string().trim().min(1).max(2000);

/** The open tasks, by hand. */
export class QueueVerbs {
  readonly #on: Steered;
  readonly #agents: readonly Agent<View>[];

  /** Made by the handle. @param on the handle's session @param agents who decides what a match is between */
  constructor(on: Steered, agents: readonly Agent<View>[]) {
    this.#on = on;
    this.#agents = agents;
  }

  get #queue(): Queue {
    return this.#on.store.queue(this.#on.session);
  }

  /** Open tasks in the order in which they will be done, then dead ones. */
  list(): QueueList {
    const view = this.#on.view();
    return new QueueList({ ...originOf(view), rows: queueRows(view, this.#queue) });
  }

  /** Takes an open task out of the queue for good. One in progress ends without effect. */
  cancel(label: string, reason = "cancelled by a person", options: QueueOptions = {}): ChangeList {
    const why = REASON.safeParse(reason);
    if (!why.success) {
      throw new CosciError(
        "input",
        "queue.cancel: reason: say why in at most 2,000 characters, or leave it out.",
      );
    }
    return this.#change("cancel", label, options, (view, { record, attempts }) => {
      requireTaskOpen(view, record, "cancel");
      return {
        entries: [{
          kind: "taskState",
          record: { taskId: record.id, status: "cancelled", attempts, reason: why.data },
        }],
        events: [{ type: "task_cancelled", payload: { task: record.label } }],
        task: {
          id: record.id,
          agent: record.agent,
          revision: view.revision,
          owner: null,
          then: { kind: "ended", status: "cancelled" },
        },
      };
    });
  }

  /** Moves an open task to the front. One that waits for another try is tried at once. */
  promote(label: string, options: QueueOptions = {}): ChangeList {
    return this.#change("promote", label, options, (view, { record }) => {
      requireTaskOpen(view, record, "promote");
      const item = this.#queue.item(record.id);
      if (item?.status === "waiting") {
        throw new CosciError(
          "state",
          `queue.promote: ${record.label} is with ${item.owner}. queue.giveBack("${record.label}") gives it back.`,
        );
      }
      this.#queue.promote(record.id);
      this.#queue.hasten([record.id]);
      return { entries: [] };
    });
  }

  /** Gives a dead task another set of tries. */
  revive(label: string, options: QueueOptions = {}): ChangeList {
    return this.#change("revive", label, options, (view, { record }) => {
      if (!view.deadTasks.some((dead) => dead.record.id === record.id)) {
        const dead = view.deadTasks.map((task) => task.record.label).join(", ") || "none";
        throw new CosciError("state", `queue.revive: ${record.label} is not dead. Dead tasks: ${dead}.`);
      }
      return {
        entries: [{
          kind: "taskState",
          record: { taskId: record.id, status: "pending", attempts: 0, reason: "revived by a person" },
        }],
        events: [{ type: "task_revived", payload: { task: record.label } }],
      };
    });
  }

  /**
   * Takes a queued review or match upon oneself: no model does it, and runs go on without it. Shows what is to be judged,
   * as a model would be shown it; of a match the pair and the order are fixed from now on. Taking it again shows it again.
   */
  take(label: string, options: QueueOptions = {}): TakenTask {
    requireSteeringOptions("queue.take", options);
    const author = readAuthor("queue.take", options.author);
    const id = taskOf(this.#on.view(), label, "queue.take");
    if (!this.#isWith(id, author)) {
      this.#change("take", label, options, (view) => {
        const { task, decision, claimSeq } = takeable(view, this.#queue, label, this.#agents);
        this.#queue.leaveTo(author, id, { claimSeq, revision: view.revision, decision });
        return {
          entries: [],
          events: [{ type: "task_started", payload: { task: task.record.label, by: author } }],
        };
      });
    }
    const view = this.#on.view();
    return new TakenTask(
      takenData(view, takenTask(view, this.#queue, label, "queue.take", author), this.#agents),
    );
  }

  /**
   * Answers a task that one has taken: by a verdict (`{ winner: "H3" }`) or a review (`{ verdict: "neutral", … }`), which
   * does what a model's would, and is by whoever took it. Where what it is about was changed since, the task is void and
   * the answer not used.
   */
  answer(
    label: string,
    answer: VerdictAnswer | ReviewAnswer,
    options: TakenAnswerOptions = {},
  ): MatchCard | ReviewCard | TaskCard {
    const verb = "queue.answer";
    requireOptions(verb, options, ANSWER);
    const weight = readWeight(verb, options.weight);
    const named = options.author === undefined ? null : readAuthor(verb, options.author);
    const author = takenTask(this.#on.view(), this.#queue, label, verb, named).owner;
    const committed = steer(this.#on, verb, author, (view) => {
      const { task, overtaken, ending, entries, events, ...taken } = answerTask(
        view,
        this.#queue,
        label,
        verb,
        null,
        author,
      );
      const told: Steering["changes"] = [{
        kind: "queue",
        target: task.label,
        before: "take",
        after: "answer",
      }];
      if (overtaken !== null) return { entries, events, task: ending, changes: told };
      const settled = settleAnswer(view, { task, ...taken }, answer, author, weight);
      return {
        entries: settled.entries,
        events: settled.events,
        changes: told,
        task: { ...ending, then: { kind: "ended", status: settled.status } },
      };
    });
    return this.#answered(label, committed);
  }

  /** Gives a task back that one has taken: it is in the queue as before. */
  giveBack(label: string, options: QueueOptions = {}): ChangeList {
    const named = options.author === undefined ? null : readAuthor("queue.giveBack", options.author);
    return this.#change("giveBack", label, options, (view) => {
      const { task, item } = takenTask(view, this.#queue, label, "queue.giveBack", named);
      const taking = view.revisions.findLast((each) =>
        each.kind === "queue" && each.target === task.label && each.after === "take"
      );
      this.#queue.putBack(task.id, {
        status: "pending",
        notBefore: 0,
        attempts: item.attempts,
        callsBase: item.callsBase,
        // What an attempt before it had fixed stays fixed: its calls are answered from the journal.
        unpin: item.claimSeq === taking?.seq,
      });
      return { entries: [], events: [{ type: "task_reclaimed", payload: { task: task.label } }] };
    });
  }

  #isWith(taskId: string, author: string): boolean {
    const item = this.#queue.item(taskId);
    return item?.status === "waiting" && item.owner === author;
  }

  #answered(label: string, committed: Committed | null): MatchCard | ReviewCard | TaskCard {
    const view = this.#on.view();
    const { sql } = this.#on.store;
    for (const item of committed?.saved ?? []) {
      if (item.kind === "match") return new MatchCard(matchCard(view, sql, item.record.id));
      if (item.kind === "review") return new ReviewCard(reviewCard(view, item.record.id));
    }
    const task = view.task(taskOf(view, label, "queue.answer"));
    if (task === undefined) throw new CosciError("internal", `queue.answer: the task ${label} is gone`);
    return new TaskCard(taskCard(view, sql, task));
  }

  /** Makes a change of a task, together with the revision that tells of it. */
  #change(
    verb: string,
    label: string,
    options: QueueOptions,
    decide: (view: View, task: TaskStanding) => Omit<Steering, "changes">,
  ): ChangeList {
    requireSteeringOptions(`queue.${verb}`, options);
    const author = readAuthor(`queue.${verb}`, options.author);
    const id = taskOf(this.#on.view(), label, `queue.${verb}`);
    const committed = steer(this.#on, `queue.${verb}`, author, (view) => {
      const task = view.task(id);
      if (task === undefined) throw new CosciError("input", `queue.${verb}: there is no task ${label}.`);
      return {
        ...decide(view, task),
        changes: [{ kind: "queue", target: task.record.label, before: task.status, after: verb }],
      };
    });
    const view = this.#on.view();
    return new ChangeList(changesOf(view, view.revisions.filter(({ seq }) => seq === committed?.seq)));
  }
}

function requireTaskOpen(view: View, { id, label }: TaskRecord, verb: string): void {
  if (view.openTasks.some(({ record }) => record.id === id)) return;
  throw new CosciError("state", `queue.${verb}: ${label} is not open. queue.list() shows the open tasks.`);
}
