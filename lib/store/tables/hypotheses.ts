import { z } from "zod";
import {
  HYPOTHESIS_STATES,
  type HypothesisRecord,
  type HypothesisStateRecord,
  STRATEGIES,
} from "../../domain/records.ts";
import { blob, json, number, text, textOrNull, texts, word } from "../database.ts";
import type { Table } from "../table.ts";

const citations = z.array(z.object({
  url: z.string(),
  title: z.string(),
  excerpt: z.string().optional(),
  doi: z.string().optional(),
  year: z.number().optional(),
}));

/** Versions of hypotheses. */
export const hypotheses: Table<HypothesisRecord> = {
  name: "hypotheses",
  letter: "H",
  columns: [
    "id",
    "label",
    "version",
    "title",
    "statement",
    "mechanism",
    "entities",
    "anticipated_outcomes",
    "novelty_argument",
    "strategy",
    "parents",
    "citations",
    "dropped_citations",
    "author",
    "generation",
    "model",
    "task_id",
  ],
  encode: (h) => [
    h.id,
    h.label,
    h.version,
    h.title,
    h.statement,
    h.mechanism,
    JSON.stringify(h.entities),
    h.anticipatedOutcomes,
    h.noveltyArgument,
    h.strategy,
    JSON.stringify(h.parents),
    JSON.stringify(h.citations),
    h.droppedCitations,
    h.author,
    h.generation,
    h.model,
    h.taskId,
  ],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    label: text(row, "label"),
    version: number(row, "version"),
    title: text(row, "title"),
    statement: text(row, "statement"),
    mechanism: text(row, "mechanism"),
    entities: texts(row, "entities"),
    anticipatedOutcomes: text(row, "anticipated_outcomes"),
    noveltyArgument: text(row, "novelty_argument"),
    strategy: word(row, "strategy", STRATEGIES),
    parents: texts(row, "parents"),
    citations: citations.parse(json(row, "citations")),
    droppedCitations: number(row, "dropped_citations"),
    author: text(row, "author"),
    generation: number(row, "generation"),
    model: textOrNull(row, "model"),
    taskId: textOrNull(row, "task_id"),
  }),
};

/** Changes of hypotheses' states. */
export const hypothesisStates: Table<HypothesisStateRecord> = {
  name: "hypothesis_states",
  columns: ["hypothesis_id", "state", "reason"],
  encode: (s) => [s.hypothesisId, s.state, s.reason],
  decode: (row) => ({
    seq: number(row, "seq"),
    hypothesisId: text(row, "hypothesis_id"),
    state: word(row, "state", HYPOTHESIS_STATES),
    reason: text(row, "reason"),
  }),
};

/** The vector of one version of a hypothesis. */
export interface EmbeddingRecord {
  /** The commit. */
  readonly seq: number;
  /** Of which hypothesis. */
  readonly hypothesisId: string;
  /** Of which version. */
  readonly version: number;
  /** The embedder's name: vectors of different embedders are never compared. */
  readonly model: string;
  /** The unit vector. */
  readonly vector: Float32Array;
}

/** Vectors. The index is rebuilt from here. */
export const embeddings: Table<EmbeddingRecord> = {
  name: "embeddings_meta",
  columns: ["hypothesis_id", "version", "model", "dimensions", "vector"],
  encode: (e) => [
    e.hypothesisId,
    e.version,
    e.model,
    e.vector.length,
    new Uint8Array(e.vector.buffer, e.vector.byteOffset, e.vector.byteLength),
  ],
  decode: (row) => ({
    seq: number(row, "seq"),
    hypothesisId: text(row, "hypothesis_id"),
    version: number(row, "version"),
    model: text(row, "model"),
    vector: floats(blob(row, "vector")),
  }),
};

/** The bytes as numbers: in place where they lie so that they can be read, else copied. */
function floats(bytes: Uint8Array): Float32Array {
  const size = Float32Array.BYTES_PER_ELEMENT;
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return new Float32Array(buffer, byteOffset, byteLength / size);
}
