/** What happened in a session, for displays, logs and other processes. Stored with a running number; some belong to a commit. */
export interface SessionEvent {
  /** Running number in the store. */
  readonly n: number;
  /** Which session. */
  readonly session: string;
  /** The commit it belongs to, if it does. */
  readonly seq: number | null;
  /** When: milliseconds since 1970. */
  readonly at: number;
  /** What. */
  readonly type: EventType;
  /** Details, as plain JSON. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** All types of event. The seed's, and those that steering and faults add. */
export const EVENT_TYPES = [
  "session_created",
  "session_started",
  "session_stopped",
  "session_paused",
  "session_resumed",
  "session_aborted",
  "session_reopened",
  "session_done",
  "task_enqueued",
  "task_started",
  "task_completed",
  "task_failed",
  "task_deferred",
  "task_dead",
  "task_cancelled",
  "task_void",
  "task_revived",
  "task_reclaimed",
  "plan_recorded",
  "hypothesis_created",
  "hypothesis_state",
  "hypothesis_duplicate",
  "review_completed",
  "match_complete",
  "group_complete",
  "match_invalid",
  "proximity_updated",
  "system_feedback",
  "overview_written",
  "settings_changed",
  "prompt_changed",
  "directive_given",
  "directive_withdrawn",
  "hypothesis_edited",
  "hypothesis_pinned",
  "hypotheses_merged",
  "review_changed",
  "verdict_given",
  "result_added",
  "gate_opened",
  "gate_answered",
  "rated_anew",
  "rejudged",
  "undone",
  "budget_notice",
  "call_retried",
  "call_degraded",
  "call_failed",
  "fault",
] as const;
/** A type of event. */
export type EventType = (typeof EVENT_TYPES)[number];

/** An event before the store gives it its number. */
export interface EventDraft {
  /** What. */
  readonly type: EventType;
  /** Details, as plain JSON. */
  readonly payload: Readonly<Record<string, unknown>>;
}
