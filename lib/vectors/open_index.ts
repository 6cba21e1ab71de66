import { checkUnitVector, cosine } from "./cosine.ts";
import { byCosine, type ExactIndex, type Hit } from "./exact_index.ts";
import { HnswGraph, type HnswParameters } from "./hnsw_graph.ts";
import type { CosciError } from "../domain/errors.ts";

/** Unit vectors by id, searched by cosine, with the answer when it is there. */
export interface AsyncVectorIndex {
  /** How many vectors it holds. */
  readonly size: number;
  /** What answers a search now: the exact scan, or the HNSW graph once there is one and it is ready. */
  readonly answeredBy: "exact" | "hnsw";
  /**
   * Resolves when the graph under construction can answer, at once if none is; rejects if it failed or was closed
   * before. Searches needn't wait for it.
   */
  readonly ready: Promise<void>;
  /** Why there will be no graph although the size asks for one; the exact scan answers. Null if all is well. */
  readonly failure: CosciError | null;
  /**
   * The `k` nearest (all, if there are fewer), best first, ties by id. Cosines are exact; with `hnsw` a true neighbour
   * may be missing from the list. Rejects with `CosciError("input")` for a vector of another length.
   */
  search(vector: Float32Array, k: number): Promise<Hit[]>;
  /** Puts a vector in, in place of one of the same id: into the exact index, too. Throws like its `add`. */
  add(id: string, vector: Float32Array): void;
  /** Takes a vector out: out of the exact index, too. */
  remove(id: string): void;
  /** Ends the worker, which would keep the process alive. The exact scan goes on answering. */
  close(): void;
}

/** What {@linkcode openIndex} is to open. */
export interface IndexOptions extends Partial<HnswParameters> {
  /** `exact` never starts a worker; `hnsw` builds a graph in one as soon as there are `hnswFrom` vectors. */
  readonly kind: "exact" | "hnsw";
  /** The vectors. From now on change it through the index that comes back; read it as you like. */
  readonly exact: ExactIndex;
  /** How many vectors make a graph worth its while; default 2,000, which an exact scan passes in a few milliseconds. */
  readonly hnswFrom?: number;
}

/** An index over the vectors of an exact one, which answers whatever a graph can't answer yet, any more or in full. */
export function openIndex(options: IndexOptions): AsyncVectorIndex {
  const { kind, exact, hnswFrom = 2000, m = 16, efConstruction = 200, efSearch = 64 } = options;
  return new BackedIndex(exact, kind === "exact" ? Infinity : Math.max(1, hnswFrom), {
    m,
    efConstruction,
    efSearch,
  });
}

class BackedIndex implements AsyncVectorIndex {
  readonly #exact: ExactIndex;
  readonly #graphFrom: number;
  readonly #parameters: HnswParameters;
  #graph: HnswGraph | null = null;
  #closed = false;

  constructor(exact: ExactIndex, graphFrom: number, parameters: HnswParameters) {
    this.#exact = exact;
    this.#graphFrom = graphFrom;
    this.#parameters = parameters;
    this.#buildIfLarge();
  }

  get size(): number {
    return this.#exact.size;
  }

  get answeredBy(): "exact" | "hnsw" {
    return this.#graph?.isReady ? "hnsw" : "exact";
  }

  get ready(): Promise<void> {
    return this.#graph?.ready ?? Promise.resolve();
  }

  get failure(): CosciError | null {
    return this.#closed ? null : this.#graph?.failure ?? null;
  }

  async search(vector: Float32Array, k: number): Promise<Hit[]> {
    const graph = this.#graph;
    // A vector that doesn't fit is the caller's mistake; the worker would take it for a failure of the graph.
    if (this.#exact.dimensions !== null) checkUnitVector(vector, this.#exact.dimensions);
    const complete = Math.min(k, this.#exact.size);
    // A graph has nothing to gain from a list of everything, and hnswlib takes a length of at least 1.
    if (!graph?.isReady || complete < 1 || complete === this.#exact.size) {
      return this.#exact.search(vector, k);
    }
    const near = await graph.search(vector, k).catch(() => []);
    const hits = near.flatMap((id) => {
      const found = this.#exact.vectorOf(id);
      return found === undefined ? [] : { id, cosine: cosine(found, vector) };
    });
    // The graph failed, or lost points to removals while it searched: never a short list.
    if (hits.length < Math.min(k, this.#exact.size)) return this.#exact.search(vector, k);
    return hits.sort(byCosine);
  }

  add(id: string, vector: Float32Array): void {
    this.#exact.add(id, vector);
    if (this.#graph === null) this.#buildIfLarge();
    else this.#graph.add(id, vector);
  }

  remove(id: string): void {
    this.#exact.remove(id);
    this.#graph?.remove(id);
  }

  close(): void {
    this.#closed = true;
    this.#graph?.close();
  }

  #buildIfLarge(): void {
    const { dimensions, size } = this.#exact;
    if (this.#closed || dimensions === null || size < this.#graphFrom) return;
    this.#graph = new HnswGraph(this.#exact, dimensions, this.#parameters);
  }
}
