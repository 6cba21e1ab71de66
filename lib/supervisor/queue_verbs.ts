import { CosciError } from "../domain/errors.ts";
import type { TaskRecord } from "../domain/records.ts";
import { revisionEntries } from "../engine/revision_entry.ts";
import { QueueList } from "../notebook/values/queue_list.ts";
import type { CommitDraft, Store } from "../store/store.ts";
import type { TaskStanding, View } from "../store/view.ts";
import { taskOf } from "./labels.ts";
import { originOf, queueRows } from "./look.ts";

/** The open tasks, by hand. */
export class QueueVerbs {
  readonly #store: Store;
  readonly #session: string;
  readonly #requireOpen: () => void;

  /** Made by the handle. @param store the store @param session whose queue @param requireOpen throws once it is closed */
  constructor(store: Store, session: string, requireOpen: () => void) {
    this.#store = store;
    this.#session = session;
    this.#requireOpen = requireOpen;
  }

  #view(): View {
    this.#requireOpen();
    return this.#store.view(this.#session);
  }

  /** Open tasks in the order in which they will be done, then dead ones. */
  list(): QueueList {
    const view = this.#view();
    return new QueueList({ ...originOf(view), rows: queueRows(view, this.#store.queue(this.#session)) });
  }

  /** Takes an open task out of the queue for good. One in progress ends without effect. */
  cancel(label: string, reason = "cancelled by a person"): void {
    this.#change("cancel", label, (view, { record, attempts }) => {
      requireTaskOpen(view, record, "cancel");
      return {
        entries: [{
          kind: "taskState",
          record: { taskId: record.id, status: "cancelled", attempts, reason },
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

  /** Moves an open task to the front. */
  promote(label: string): void {
    this.#change("promote", label, (view, { record }) => {
      requireTaskOpen(view, record, "promote");
      this.#store.queue(this.#session).promote(record.id);
      return { entries: [], events: [] };
    });
  }

  /** Gives a dead task another set of tries. */
  revive(label: string): void {
    this.#change("revive", label, (view, { record }) => {
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

  /** Makes a change of a task, together with the revision that tells of it. */
  #change(
    verb: string,
    label: string,
    decide: (view: View, task: TaskStanding) => Pick<CommitDraft, "entries" | "events" | "task">,
  ): void {
    const id = taskOf(this.#view(), label, `queue.${verb}`);
    this.#store.commit(this.#session, (view) => {
      const task = view.task(id);
      if (task === undefined) throw new CosciError("input", `queue.${verb}: there is no task ${label}.`);
      const { entries, ...rest } = decide(view, task);
      return {
        kind: `queue.${verb}`,
        author: "person",
        progress: 0,
        ...rest,
        entries: [
          ...entries,
          ...revisionEntries(view, [{
            kind: "queue",
            target: task.record.label,
            before: task.status,
            after: verb,
            author: "person",
          }]),
        ],
      };
    });
  }
}

function requireTaskOpen(view: View, { id, label }: TaskRecord, verb: string): void {
  if (view.openTasks.some(({ record }) => record.id === id)) return;
  throw new CosciError("state", `queue.${verb}: ${label} is not open. queue.list() shows the open tasks.`);
}
