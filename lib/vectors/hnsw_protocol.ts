import { z } from "zod";

/** What the main thread asks of the worker that holds the HNSW graph. Requests are done in the order in which they come. */
export type HnswRequest =
  & {
    /** The number that the answer repeats. */
    readonly id: number;
  }
  & HnswOperation;

/** The operations of the worker. Labels are whole numbers that name points. */
export type HnswOperation =
  | {
    /** Makes an empty graph; comes first. */
    readonly op: "open";
    /** How many numbers each vector has. */
    readonly dimensions: number;
    /** For how many points to make room at first. */
    readonly capacity: number;
    /** Links a point keeps on each level. */
    readonly m: number;
    /** Candidates weighed while a point is linked. */
    readonly efConstruction: number;
    /** Candidates weighed in a search. */
    readonly efSearch: number;
  }
  | {
    /** Links points in. */
    readonly op: "add";
    /** Their labels, never used before. */
    readonly labels: readonly number[];
    /** Their vectors one after the other; may be longer than the labels need. */
    readonly vectors: Float32Array<ArrayBuffer>;
  }
  | {
    /** Hides points from searches. */
    readonly op: "remove";
    /** Their labels. */
    readonly labels: readonly number[];
  }
  | {
    /** Looks for the nearest points. */
    readonly op: "search";
    /** Near which vector. */
    readonly vector: Float32Array<ArrayBuffer>;
    /** How many, at least 1. */
    readonly k: number;
  };

/** The worker's answer to the request of the same id. */
export interface HnswReply {
  /** The number of the request. */
  readonly id: number;
  /** The labels that a search found, best first; otherwise none. */
  readonly labels: readonly number[];
  /** What failed, or null. */
  readonly error: string | null;
}

const id = z.int().nonnegative();
const labels = z.array(z.int().nonnegative());
const count = z.int().positive();
const floats = z.instanceof(Float32Array<ArrayBuffer>);

const Request: z.ZodType<HnswRequest> = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("open"),
    id,
    dimensions: count,
    capacity: count,
    m: count,
    efConstruction: count,
    efSearch: count,
  }),
  z.object({ op: z.literal("add"), id, labels, vectors: floats }),
  z.object({ op: z.literal("remove"), id, labels }),
  z.object({ op: z.literal("search"), id, vector: floats, k: count }),
]);

const Reply: z.ZodType<HnswReply> = z.object({ id, labels, error: z.string().nullable() });

/** A message as a request. Throws `ZodError` if it is none. */
export function parseRequest(message: unknown): HnswRequest {
  return Request.parse(message);
}

/** A message as an answer. Throws `ZodError` if it is none. */
export function parseReply(message: unknown): HnswReply {
  return Reply.parse(message);
}
