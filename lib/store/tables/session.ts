import { z } from "zod";
import {
  type AgentName,
  type DirectiveRecord,
  type FeedbackRecord,
  type OverviewRecord,
  type PlanRecord,
  REVISION_KINDS,
  type RevisionRecord,
  SESSION_STATUSES,
  type SessionStateRecord,
  STOP_REASONS,
} from "../../domain/records.ts";
import { json, number, numberOrNull, text, textOrNull, texts, word } from "../database.ts";
import type { Table } from "../table.ts";

/** All agents, for parsing their names. */
export const AGENT_NAMES = [
  "planning",
  "generation",
  "reflection",
  "ranking",
  "proximity",
  "evolution",
  "metareview",
  "safety",
] as const satisfies readonly AgentName[];

const agents = z.array(z.enum(AGENT_NAMES));
const until = z.object({
  matches: z.number().optional(),
  hypotheses: z.number().optional(),
  reviews: z.number().optional(),
});

/** Research plans. */
export const plans: Table<PlanRecord> = {
  name: "research_plans",
  columns: ["id", "objective", "preferences", "constraints", "idea_attributes", "domain_hint"],
  encode: (p) => [
    p.id,
    p.objective,
    JSON.stringify(p.preferences),
    JSON.stringify(p.constraints),
    JSON.stringify(p.ideaAttributes),
    p.domainHint ?? null,
  ],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    objective: text(row, "objective"),
    preferences: texts(row, "preferences"),
    constraints: texts(row, "constraints"),
    ideaAttributes: texts(row, "idea_attributes"),
    domainHint: textOrNull(row, "domain_hint") ?? undefined,
  }),
};

/** Changes of sessions' statuses. */
export const sessionStates: Table<SessionStateRecord> = {
  name: "session_states",
  columns: ["status", "reason", "note"],
  encode: (s) => [s.status, s.reason, s.note],
  decode: (row) => ({
    seq: number(row, "seq"),
    status: word(row, "status", SESSION_STATUSES),
    reason: textOrNull(row, "reason") === null ? null : word(row, "reason", STOP_REASONS),
    note: text(row, "note"),
  }),
};

/** Syntheses of the meta-review. */
export const feedback: Table<FeedbackRecord> = {
  name: "system_feedback",
  letter: "F",
  columns: ["id", "label", "narrative", "weaknesses", "strengths", "focus_areas", "matches_seen", "task_id"],
  encode: (f) => [
    f.id,
    f.label,
    f.narrative,
    JSON.stringify(f.weaknesses),
    JSON.stringify(f.strengths),
    JSON.stringify(f.focusAreas),
    f.matchesSeen,
    f.taskId,
  ],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    label: text(row, "label"),
    narrative: text(row, "narrative"),
    weaknesses: texts(row, "weaknesses"),
    strengths: texts(row, "strengths"),
    focusAreas: texts(row, "focus_areas"),
    matchesSeen: number(row, "matches_seen"),
    taskId: textOrNull(row, "task_id"),
  }),
};

/** People's directives. */
export const directives: Table<DirectiveRecord> = {
  name: "directives",
  letter: "D",
  columns: ["id", "label", "kind", "body", "recipients", "until", "author"],
  encode: (d) => [
    d.id,
    d.label,
    d.kind,
    d.text,
    JSON.stringify(d.to),
    d.until === null ? null : JSON.stringify(d.until),
    d.author,
  ],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    label: text(row, "label"),
    kind: word(row, "kind", ["directive", "preference"]),
    text: text(row, "body"),
    to: agents.parse(json(row, "recipients")),
    until: textOrNull(row, "until") === null ? null : until.parse(json(row, "until")),
    author: text(row, "author"),
  }),
};

/** People's changes. */
export const revisions: Table<RevisionRecord> = {
  name: "revisions",
  letter: "R",
  columns: ["id", "label", "number", "kind", "target", "before", "after", "author", "undoes"],
  encode: (r) => [
    r.id,
    r.label,
    r.number,
    r.kind,
    r.target,
    JSON.stringify(r.before ?? null),
    JSON.stringify(r.after ?? null),
    r.author,
    r.undoes,
  ],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    label: text(row, "label"),
    number: number(row, "number"),
    kind: word(row, "kind", REVISION_KINDS),
    target: text(row, "target"),
    before: json(row, "before"),
    after: json(row, "after"),
    author: text(row, "author"),
    undoes: numberOrNull(row, "undoes"),
  }),
};

/** Versions of the overview. */
export const overviews: Table<OverviewRecord> = {
  name: "overviews",
  letter: "O",
  columns: ["id", "label", "version", "source", "markdown", "final", "notes", "model", "read_seq"],
  encode: (o) => [
    o.id,
    o.label,
    o.version,
    o.source,
    o.markdown,
    o.final ? 1 : 0,
    JSON.stringify(o.notes),
    o.model,
    o.readSeq,
  ],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    label: text(row, "label"),
    version: number(row, "version"),
    source: word(row, "source", ["model", "fallback"]),
    markdown: text(row, "markdown"),
    final: number(row, "final") === 1,
    notes: texts(row, "notes"),
    model: textOrNull(row, "model"),
    readSeq: number(row, "read_seq"),
  }),
};
