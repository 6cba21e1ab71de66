import { z } from "zod";
import {
  EVOLUTION_STRATEGIES,
  REVIEW_KINDS,
  TASK_ACTIONS,
  TASK_STATUSES,
  type TaskPayload,
  type TaskRecord,
  type TaskStateRecord,
} from "../../domain/records.ts";
import { json, number, text, textOrNull, word } from "../database.ts";
import type { Table } from "../table.ts";
import { AGENT_NAMES } from "./session.ts";

const payload: z.ZodType<TaskPayload> = z.object({
  mode: z.enum(["literature", "debate"]).optional(),
  angle: z.number().optional(),
  kind: z.enum(REVIEW_KINDS).optional(),
  focus: z.string().optional(),
  strategy: z.enum(EVOLUTION_STRATEGIES).optional(),
  parents: z.array(z.string()).optional(),
  final: z.boolean().optional(),
  pair: z.tuple([z.string(), z.string()]).optional(),
  remakes: z.string().optional(),
  replaces: z.string().optional(),
  rejudge: z.object({
    matchId: z.string(),
    batch: z.number(),
    bothOrders: z.boolean(),
    prompt: z.string().optional(),
    model: z.string().optional(),
  }).optional(),
});

/** Units of work, as enqueued. */
export const tasks: Table<TaskRecord> = {
  name: "tasks",
  letter: "T",
  columns: ["id", "label", "key", "agent", "action", "target_id", "payload", "priority", "max_attempts"],
  encode: (t) => [
    t.id,
    t.label,
    t.key,
    t.agent,
    t.action,
    t.targetId,
    JSON.stringify(t.payload),
    t.priority,
    t.maxAttempts,
  ],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    label: text(row, "label"),
    key: text(row, "key"),
    agent: word(row, "agent", AGENT_NAMES),
    action: word(row, "action", TASK_ACTIONS),
    targetId: textOrNull(row, "target_id"),
    payload: payload.parse(json(row, "payload")),
    priority: number(row, "priority"),
    maxAttempts: number(row, "max_attempts"),
  }),
};

/** Ends of tasks, failed attempts, revivals. */
export const taskStates: Table<TaskStateRecord> = {
  name: "task_states",
  columns: ["task_id", "status", "attempts", "reason"],
  encode: (s) => [s.taskId, s.status, s.attempts, s.reason],
  decode: (row) => ({
    seq: number(row, "seq"),
    taskId: text(row, "task_id"),
    status: word(row, "status", TASK_STATUSES),
    attempts: number(row, "attempts"),
    reason: text(row, "reason"),
  }),
};
