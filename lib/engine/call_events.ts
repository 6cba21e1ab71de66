import type { TaskRecord } from "../domain/records.ts";
import type { CallEvent } from "../llm/call_event.ts";
import type { EventDraft } from "../telemetry/events.ts";

/** What the world is told of a call: faults that were got over, and calls that failed. Answers have their transcripts. */
export function callEvents(task: TaskRecord, event: CallEvent): readonly EventDraft[] {
  switch (event.kind) {
    case "retried":
      return [{
        type: "call_retried",
        payload: {
          task: task.label,
          route: event.route,
          model: event.model,
          failure: event.failure,
          waitMs: event.waitMs,
        },
      }];
    case "degraded":
      return [{
        type: "call_degraded",
        payload: {
          task: task.label,
          route: event.route,
          from: event.from,
          to: event.to,
          failure: event.failure,
        },
      }];
    case "failed":
      return [{
        type: "call_failed",
        payload: { task: task.label, route: event.route, model: event.model, failure: event.failure },
      }];
    case "corrected":
      return [{
        type: "fault",
        payload: { task: task.label, route: event.route, error: event.problem },
      }];
    case "tool_used":
      return event.ok ? [] : [{
        type: "fault",
        payload: { task: task.label, tool: event.tool, error: event.detail },
      }];
    case "answered":
      return [];
  }
}
