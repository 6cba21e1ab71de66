import { z } from "zod";
import {
  type DuplicateRecord,
  type EvidenceRecord,
  RESULTS,
  REVIEW_KINDS,
  REVIEW_VERDICTS,
  type ReviewRecord,
  SAFETY_CATEGORIES,
  type ScreenRecord,
} from "../../domain/records.ts";
import { json, number, text, textOrNull, word } from "../database.ts";
import type { Table } from "../table.ts";

const scores = z.object({
  novelty: z.number().optional(),
  correctness: z.number().optional(),
  testability: z.number().optional(),
  feasibility: z.number().optional(),
  criteria: z.record(z.string(), z.number()).optional(),
});
const assumptions = z.array(z.object({
  assumption: z.string(),
  plausibility: z.enum(["plausible", "uncertain", "implausible"]),
  rationale: z.string(),
}));
const reviewEvidence = z.array(z.object({ claim: z.string(), url: z.string(), excerpt: z.string() }));
const categories = z.array(z.enum(SAFETY_CATEGORIES));

/** Reviews. */
export const reviews: Table<ReviewRecord> = {
  name: "reviews",
  letter: "V",
  columns: [
    "id",
    "label",
    "hypothesis_id",
    "hypothesis_version",
    "kind",
    "verdict",
    "scores",
    "assumptions",
    "evidence",
    "dropped_evidence",
    "notes",
    "author",
    "weight",
    "amends",
    "task_id",
  ],
  encode: (r) => [
    r.id,
    r.label,
    r.hypothesisId,
    r.hypothesisVersion,
    r.kind,
    r.verdict,
    JSON.stringify(r.scores),
    JSON.stringify(r.assumptions),
    JSON.stringify(r.evidence),
    r.droppedEvidence,
    r.notes,
    r.author,
    r.weight,
    r.amends,
    r.taskId,
  ],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    label: text(row, "label"),
    hypothesisId: text(row, "hypothesis_id"),
    hypothesisVersion: number(row, "hypothesis_version"),
    kind: word(row, "kind", REVIEW_KINDS),
    verdict: word(row, "verdict", REVIEW_VERDICTS),
    scores: scores.parse(json(row, "scores")),
    assumptions: assumptions.parse(json(row, "assumptions")),
    evidence: reviewEvidence.parse(json(row, "evidence")),
    droppedEvidence: number(row, "dropped_evidence"),
    notes: text(row, "notes"),
    author: text(row, "author"),
    weight: number(row, "weight"),
    amends: textOrNull(row, "amends"),
    taskId: textOrNull(row, "task_id"),
  }),
};

/** Findings with provenance. */
export const evidence: Table<EvidenceRecord> = {
  name: "evidence",
  letter: "E",
  columns: [
    "id",
    "label",
    "hypothesis_id",
    "kind",
    "claim",
    "stance",
    "source",
    "excerpt",
    "origin",
    "outcome",
    "weight",
  ],
  encode: (
    e,
  ) => [
    e.id,
    e.label,
    e.hypothesisId,
    e.kind,
    e.claim,
    e.stance,
    e.source,
    e.excerpt,
    e.origin,
    e.outcome,
    e.weight,
  ],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    label: text(row, "label"),
    hypothesisId: text(row, "hypothesis_id"),
    kind: word(row, "kind", ["literature", "computation", "experiment", "expert"]),
    claim: text(row, "claim"),
    stance: word(row, "stance", ["supports", "contradicts", "neutral"]),
    source: text(row, "source"),
    excerpt: text(row, "excerpt"),
    origin: text(row, "origin"),
    outcome: textOrNull(row, "outcome") === null ? null : word(row, "outcome", RESULTS),
    weight: number(row, "weight"),
  }),
};

/** Proposals that were too near to others. */
export const duplicates: Table<DuplicateRecord> = {
  name: "duplicates",
  columns: ["id", "title", "statement", "duplicate_of", "cosine", "task_id"],
  encode: (d) => [d.id, d.title, d.statement, d.duplicateOf, d.cosine, d.taskId],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    title: text(row, "title"),
    statement: text(row, "statement"),
    duplicateOf: text(row, "duplicate_of"),
    cosine: number(row, "cosine"),
    taskId: text(row, "task_id"),
  }),
};

/** What the safety screen said. */
export const screens: Table<ScreenRecord> = {
  name: "safety_screens",
  columns: ["id", "target", "result", "categories", "confidence", "rationale"],
  encode: (s) => [s.id, s.target, s.result, JSON.stringify(s.categories), s.confidence, s.rationale],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    target: text(row, "target"),
    result: word(row, "result", ["clear", "warned", "blocked", "failed"]),
    categories: categories.parse(json(row, "categories")),
    confidence: number(row, "confidence"),
    rationale: text(row, "rationale"),
  }),
};
