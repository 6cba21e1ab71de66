import { z } from "zod";
import {
  GATE_KINDS,
  type GateRecord,
  type MarkRecord,
  MARKS,
  MATCH_VERDICTS,
  type RejudgementRecord,
  type SheetRecord,
} from "../../domain/records.ts";
import { json, number, text, textOrNull, word } from "../database.ts";
import type { Table } from "../table.ts";

/** What people put on records, or took off again. */
export const marks: Table<MarkRecord> = {
  name: "marks",
  columns: ["target_id", "mark", "value"],
  encode: (m) => [m.targetId, m.mark, JSON.stringify(m.value ?? null)],
  decode: (row) => ({
    seq: number(row, "seq"),
    targetId: text(row, "target_id"),
    mark: word(row, "mark", MARKS),
    value: json(row, "value"),
  }),
};

/** Steps that wait, or waited, for a person's yes. */
export const gates: Table<GateRecord> = {
  name: "gates",
  letter: "G",
  columns: ["id", "label", "kind", "proposal", "task_id"],
  encode: (g) => [g.id, g.label, g.kind, JSON.stringify(g.proposal ?? null), g.taskId],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    label: text(row, "label"),
    kind: word(row, "kind", GATE_KINDS),
    proposal: json(row, "proposal"),
    taskId: textOrNull(row, "task_id"),
  }),
};

/** What judges said of stored matches when asked again. */
export const rejudgements: Table<RejudgementRecord> = {
  name: "rejudgements",
  columns: [
    "id",
    "batch",
    "match_id",
    "verdict",
    "as_shown",
    "swapped",
    "judge",
    "prompt_version",
    "rationale",
    "task_id",
  ],
  encode: (r) => [
    r.id,
    r.batch,
    r.matchId,
    r.verdict,
    r.bothOrders?.[0] ?? null,
    r.bothOrders?.[1] ?? null,
    r.judge,
    r.promptVersion,
    r.rationale,
    r.taskId,
  ],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    batch: number(row, "batch"),
    matchId: text(row, "match_id"),
    verdict: word(row, "verdict", MATCH_VERDICTS),
    bothOrders: textOrNull(row, "as_shown") === null
      ? null
      : [word(row, "as_shown", MATCH_VERDICTS), word(row, "swapped", MATCH_VERDICTS)],
    judge: textOrNull(row, "judge"),
    promptVersion: textOrNull(row, "prompt_version"),
    rationale: text(row, "rationale"),
    taskId: text(row, "task_id"),
  }),
};

const sheetPairs = z.array(z.object({
  firstId: z.string(),
  firstVersion: z.number(),
  secondId: z.string(),
  secondVersion: z.number(),
}));

/** The keys of blind sheets. */
export const sheets: Table<SheetRecord> = {
  name: "sheets",
  columns: ["id", "code", "pairs", "recipient", "author"],
  encode: (s) => [s.id, s.code, JSON.stringify(s.pairs), s.recipient, s.author],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    code: text(row, "code"),
    pairs: sheetPairs.parse(json(row, "pairs")),
    recipient: textOrNull(row, "recipient"),
    author: text(row, "author"),
  }),
};
