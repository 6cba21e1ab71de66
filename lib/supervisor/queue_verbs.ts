import { CosciError } from "../domain/errors.ts";
import { recordId } from "../domain/ids.ts";
import type { TaskStatus } from "../domain/records.ts";
import { QueueList } from "../notebook/values/queue_list.ts";
import type { Store } from "../store/store.ts";
import type { View } from "../store/view.ts";
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
    this.#change("cancel", label, (view, id) => {
      const task = view.openTasks.find(({ record }) => record.id === id);
      if (task === undefined) throw new CosciError("state", `queue.cancel: ${label} is not open.`);
      return {
        entries: [{
          kind: "taskState",
          record: { taskId: id, status: "cancelled", attempts: task.attempts, reason },
        }],
        event: "task_cancelled",
        then: { kind: "ended", status: "cancelled" },
      };
    });
  }

  /** Moves an open task to the front. */
  promote(label: string): void {
    const view = this.#view();
    const id = taskOf(view, label, "queue.promote");
    if (!view.openTasks.some(({ record }) => record.id === id)) {
      throw new CosciError("state", `queue.promote: ${label} is not open.`);
    }
    this.#store.write(() => this.#store.queue(this.#session).promote(id));
  }

  /** Gives a dead task another set of tries. */
  revive(label: string): void {
    this.#change("revive", label, (view, id) => {
      if (!view.deadTasks.some(({ record }) => record.id === id)) {
        const dead = view.deadTasks.map(({ record }) => record.label).join(", ") || "none";
        throw new CosciError("state", `queue.revive: ${label} is not dead. Dead tasks: ${dead}.`);
      }
      return {
        entries: [{
          kind: "taskState",
          record: { taskId: id, status: "pending", attempts: 0, reason: "revived by a person" },
        }],
        event: "task_revived",
        then: { kind: "revived" },
      };
    });
  }

  #change(
    verb: string,
    label: string,
    decide: (view: View, id: string) => {
      readonly entries: readonly [
        {
          readonly kind: "taskState";
          readonly record: { taskId: string; status: TaskStatus; attempts: number; reason: string };
        },
      ];
      readonly event: "task_cancelled" | "task_revived";
      readonly then: { readonly kind: "ended"; readonly status: TaskStatus } | { readonly kind: "revived" };
    },
  ): void {
    const id = taskOf(this.#view(), label, `queue.${verb}`);
    this.#store.commit(this.#session, (view) => {
      const task = view.task(id);
      const { entries, event, then } = decide(view, id);
      const number = view.revision + 1;
      return {
        kind: `queue.${verb}`,
        author: "person",
        progress: 0,
        entries: [...entries, {
          kind: "revision",
          record: {
            id: recordId("rvn", `revision ${number}`),
            number,
            kind: "queue",
            target: label,
            before: task?.status ?? null,
            after: verb,
            author: "person",
          },
        }],
        events: [{ type: event, payload: { task: task?.record.label ?? label } }],
        ...(then.kind === "ended" && task !== undefined
          ? { task: { id, agent: task.record.agent, revision: view.revision, owner: null, then } }
          : {}),
      };
    });
  }
}
