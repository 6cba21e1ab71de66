import { CosciError } from "../domain/errors.ts";
import type { SessionStatus, StopReason } from "../domain/records.ts";
import type { Store } from "../store/store.ts";
import type { View } from "../store/view.ts";
import type { EventType } from "../telemetry/events.ts";

/** Commits a change of the session's status; does nothing where `from` doesn't hold the status any more. */
function change(
  store: Store,
  session: string,
  from: readonly SessionStatus[],
  to: { readonly status: SessionStatus; readonly reason: StopReason | null; readonly note: string },
  event: EventType,
  more: (view: View) => Readonly<Record<string, unknown>> = () => ({}),
): void {
  store.commit(session, (view) => {
    if (!from.includes(view.status)) return null;
    return {
      kind: event,
      author: "person",
      // Who goes on after a stall gets new tries, in whatever process.
      progress: to.status === "running" ? 1 : 0,
      entries: [{ kind: "sessionState", record: to }],
      events: [{ type: event, payload: { status: to.status, before: view.status, ...more(view) } }],
    };
  });
}

function refuse(view: View, verb: string): never {
  const remedy = view.status === "done"
    ? "reopen() goes on after finish()."
    : view.status === "aborted"
    ? "reopen() takes it up again."
    : view.status === "paused"
    ? "resume() goes on."
    : "Nothing has to be done.";
  throw new CosciError("state", `${verb}: the session is ${view.status}. ${remedy}`);
}

/** Makes sure that work may begin, and records that it does. @throws CosciError `state` for a finished or aborted session */
export function beginWork(store: Store, session: string, verb: string): void {
  const view = store.view(session);
  if (view.status === "done" || view.status === "aborted") refuse(view, verb);
  if (view.status !== "created" && view.status !== "stopped") return;
  change(
    store,
    session,
    ["created", "stopped"],
    { status: "running", reason: null, note: "" },
    view.status === "created" ? "session_started" : "session_resumed",
    ({ session: { goal }, settings: { run } }) => ({
      goal,
      initialIdeas: run.initialIdeas,
      budgetUsd: run.budgetUsd,
      budgetTokens: run.budgetTokens,
    }),
  );
}

/** Refuses a verb that would leave work behind it, since none begins. @throws CosciError `state` for a paused session */
export function refusePaused(view: View, verb: string): void {
  if (view.status === "paused") refuse(view, verb);
}

/** Pauses: runs end when what is in hand is done, and none begins. */
export function pause(store: Store, session: string): void {
  const view = store.view(session);
  if (view.status === "done" || view.status === "aborted") refuse(view, "pause");
  change(store, session, ["created", "running", "stopped"], {
    status: "paused",
    reason: null,
    note: "paused by a person",
  }, "session_paused");
}

/** Ends a pause. */
export function resume(store: Store, session: string): void {
  const view = store.view(session);
  if (view.status === "done" || view.status === "aborted") refuse(view, "resume");
  change(
    store,
    session,
    ["paused", "stopped"],
    { status: "running", reason: null, note: "" },
    "session_resumed",
  );
}

/** Aborts: no further call is made, and none for an overview. */
export function abort(store: Store, session: string): void {
  const view = store.view(session);
  if (view.status === "done") refuse(view, "abort");
  change(
    store,
    session,
    ["created", "running", "paused", "stopped"],
    { status: "aborted", reason: "external", note: "aborted by a person" },
    "session_aborted",
  );
}

/** Takes a finished or aborted session up again. Its overviews stay. */
export function reopen(store: Store, session: string): void {
  const view = store.view(session);
  if (view.status !== "done" && view.status !== "aborted") refuse(view, "reopen");
  change(
    store,
    session,
    ["done", "aborted"],
    { status: "running", reason: null, note: "reopened" },
    "session_reopened",
  );
}
