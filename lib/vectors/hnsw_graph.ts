import { CosciError, messageOf } from "../domain/errors.ts";
import type { ExactIndex } from "./exact_index.ts";
import { type HnswOperation, type HnswReply, type HnswRequest, parseReply } from "./hnsw_protocol.ts";

/** How an HNSW graph is built and searched (Malkov and Yashunin 2018 give the meaning of each). */
export interface HnswParameters {
  /** Links a point keeps on each level. */
  readonly m: number;
  /** Candidates weighed while a point is linked. */
  readonly efConstruction: number;
  /** Candidates weighed in a search: more of them cost time and find more of the true neighbours. */
  readonly efSearch: number;
}

/** Vectors in one message while the graph is built: copying them takes the main thread about a millisecond. */
const CHUNK = 256;

/**
 * An approximate index of what an {@linkcode ExactIndex} holds: hnswlib in WASM, in a worker of its own, so that
 * neither building nor searching holds up the main thread. It follows the exact index by `add` and `remove`.
 *
 * A graph that fails once is given up: its worker ends, and `failure` says why.
 */
export class HnswGraph {
  readonly #worker: Worker;
  readonly #dimensions: number;
  readonly #labels = new Map<string, number>();
  readonly #ids = new Map<number, string>();
  readonly #waiting = new Map<number, PromiseWithResolvers<readonly number[]>>();
  #labelsGiven = 0;
  #requests = 0;
  #built = false;
  #failure: CosciError | null = null;
  /** Resolves when the graph can answer; rejects with `failure` when it never will. Nobody has to listen. */
  readonly ready: Promise<void>;

  /** Starts a worker and begins to fill it. `dimensions` is the length of the vectors of `exact`. */
  constructor(exact: ExactIndex, dimensions: number, parameters: HnswParameters) {
    this.#dimensions = dimensions;
    this.#worker = new Worker(new URL("./hnsw_worker.ts", import.meta.url), { type: "module" });
    this.#worker.onmessage = (event: MessageEvent<unknown>) => {
      try {
        this.#settle(parseReply(event.data));
      } catch (error) {
        this.#fail(
          new CosciError("internal", `The HNSW worker's answer makes no sense: ${messageOf(error)}`),
        );
      }
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new CosciError("internal", `The HNSW worker failed: ${event.message}`));
    };
    this.ready = this.#build(exact, parameters);
    this.ready.catch(() => {});
  }

  /** Whether the graph holds everything and can be searched. */
  get isReady(): boolean {
    return this.#built && this.#failure === null;
  }

  /** Why the graph was given up, or null. Closing counts. */
  get failure(): CosciError | null {
    return this.#failure;
  }

  /** Puts a vector in, in place of one of the same id. */
  add(id: string, vector: Float32Array): void {
    this.remove(id);
    this.#send([id], vector.slice()).catch(() => {});
  }

  /** Takes a vector out. hnswlib keeps the point as a way to others, but no longer finds it. */
  remove(id: string): void {
    const label = this.#labels.get(id);
    if (label === undefined) return;
    this.#labels.delete(id);
    this.#ids.delete(label);
    this.#call({ op: "remove", labels: [label] }).catch(() => {});
  }

  /** Ids of about the `k` nearest, fewer if some were removed meanwhile. Rejects with `failure`. */
  async search(vector: Float32Array, k: number): Promise<string[]> {
    const labels = await this.#call({ op: "search", vector: vector.slice(), k });
    return labels.flatMap((label) => this.#ids.get(label) ?? []);
  }

  /** Ends the worker. What is under way is rejected. */
  close(): void {
    this.#fail(new CosciError("aborted", "The vector index was closed."));
  }

  /**
   * Hands over the vectors chunk by chunk, each after the one before is linked, so that no more than one is copied at a
   * time. Vectors that come or go meanwhile are told to the worker as they do: the ids are looked up afresh.
   */
  async #build(exact: ExactIndex, parameters: HnswParameters): Promise<void> {
    const ids = exact.ids();
    await this.#call({ op: "open", dimensions: this.#dimensions, capacity: ids.length, ...parameters });
    for (let start = 0; start < ids.length; start += CHUNK) {
      const present: string[] = [];
      const vectors = new Float32Array(CHUNK * this.#dimensions);
      for (const id of ids.slice(start, start + CHUNK)) {
        const vector = this.#labels.has(id) ? undefined : exact.vectorOf(id);
        if (vector !== undefined) vectors.set(vector, (present.push(id) - 1) * this.#dimensions);
      }
      await this.#send(present, vectors);
    }
    this.#built = true;
  }

  #send(ids: readonly string[], vectors: Float32Array<ArrayBuffer>): Promise<readonly number[]> {
    const labels = ids.map((id) => {
      const label = this.#labelsGiven++;
      this.#labels.set(id, label);
      this.#ids.set(label, id);
      return label;
    });
    return this.#call({ op: "add", labels, vectors }, [vectors.buffer]);
  }

  #call(operation: HnswOperation, transfer: Transferable[] = []): Promise<readonly number[]> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const id = this.#requests++;
    const answer = Promise.withResolvers<readonly number[]>();
    this.#waiting.set(id, answer);
    this.#worker.postMessage({ ...operation, id } satisfies HnswRequest, transfer);
    return answer.promise;
  }

  #settle(reply: HnswReply): void {
    if (reply.error !== null) {
      this.#fail(new CosciError("internal", `The HNSW index failed: ${reply.error}`));
    }
    this.#waiting.get(reply.id)?.resolve(reply.labels);
    this.#waiting.delete(reply.id);
  }

  #fail(failure: CosciError): void {
    if (this.#failure !== null) return;
    this.#failure = failure;
    this.#worker.terminate();
    for (const answer of this.#waiting.values()) answer.reject(failure);
    this.#waiting.clear();
  }
}
