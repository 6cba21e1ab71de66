import type { EvidenceRecord, ResultOutcome } from "../../domain/records.ts";
import { boolean, type ColumnsOf, double, integer, text, time } from "./columns.ts";
import { type FrameSource, hypothesisLabel, taskLabels } from "./source.ts";

/** A finding about a hypothesis. */
export interface EvidenceRow {
  /** `E3`. */
  readonly label: string;
  /** The commit. */
  readonly seq: number;
  /** When. */
  readonly at: string | null;
  /** Label of the hypothesis. */
  readonly hypothesis: string;
  /** Where it comes from. */
  readonly kind: EvidenceRecord["kind"];
  /** What was found. */
  readonly claim: string;
  /** For or against. */
  readonly stance: EvidenceRecord["stance"];
  /** What a result says of the hypothesis; `null` for findings that are read, not made. */
  readonly outcome: ResultOutcome | null;
  /** How much it counts. */
  readonly weight: number;
  /** Where it can be seen again. */
  readonly source: string;
  /** In the source's words. */
  readonly excerpt: string;
  /** Label of the review or task that it came with, or a person's name. */
  readonly origin: string;
  /** Whether a person took it out of account. */
  readonly void: boolean;
}

/** The columns of {@linkcode evidenceFrame}. */
export const EVIDENCE_COLUMNS: ColumnsOf<EvidenceRow> = {
  label: text("the finding"),
  hypothesis: text("label of the hypothesis"),
  kind: text("literature, computation, experiment or expert"),
  stance: text("supports, contradicts or neutral"),
  outcome: text("of a result: confirmed, refuted or inconclusive; empty for findings that are read"),
  weight: double("how much it counts; 1 unless said otherwise"),
  claim: text("what was found"),
  source: text("where it can be seen again"),
  excerpt: text("in the source's words"),
  origin: text("label of the review or task that it came with, or a person's name"),
  void: boolean("whether a person took it out of account"),
  seq: integer("the commit"),
  at: time("when it was recorded"),
};

/** All findings and results, in order, void ones too. */
export function evidenceFrame(source: Pick<FrameSource, "view" | "tasks" | "at">): EvidenceRow[] {
  const { view } = source;
  const taskOf = taskLabels(source);
  const reviews = new Map(view.reviews.map(({ id, label }) => [id, label]));
  return view.allEvidence.map((item): EvidenceRow => ({
    label: item.label,
    seq: item.seq,
    at: source.at(item.seq),
    hypothesis: hypothesisLabel(source, item.hypothesisId),
    kind: item.kind,
    claim: item.claim,
    stance: item.stance,
    outcome: item.outcome,
    weight: item.weight,
    source: item.source,
    excerpt: item.excerpt,
    origin: reviews.get(item.origin) ?? taskOf(item.origin) ?? item.origin,
    void: view.marked("void", item.id) !== null,
  }));
}
