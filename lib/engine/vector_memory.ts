import type { Settings } from "../config/settings.ts";
import type { View } from "../store/view.ts";
import { cosine } from "../vectors/cosine.ts";
import { ExactIndex } from "../vectors/exact_index.ts";
import { type AsyncVectorIndex, openIndex } from "../vectors/open_index.ts";

/** The hypothesis nearest to a vector. */
export interface Nearest {
  /** Its id. */
  readonly id: string;
  /** How near: 1 is the same direction. */
  readonly cosine: number;
}

/** Neighbours asked of the index, so that some are left when newer ones than a view knows are passed over. */
const CANDIDATES = 16;

/**
 * The vectors of a session's hypotheses, derived from the store: it catches up with a view before each use and could be
 * thrown away at any time.
 */
export class VectorMemory {
  #exact = new ExactIndex();
  #index: AsyncVectorIndex | null = null;
  #versions = new Map<string, number>();
  #kind: Settings["vectors"]["index"] = "exact";
  #efSearch = 0;

  /** Takes in what the view has and the memory lacks. */
  syncTo(view: View): void {
    const { index, efSearch } = view.settings.vectors;
    if (index !== this.#kind || efSearch !== this.#efSearch) {
      this.#index?.close();
      this.#index = null;
      this.#kind = index;
      this.#efSearch = efSearch;
    }
    for (const { record } of view.hypotheses) {
      if (this.#versions.get(record.id) === record.version) continue;
      const vector = view.vector(record.id);
      // Vectors of another embedder, from before a change of settings, can't be compared with these.
      if (vector === undefined || (this.#exact.dimensions ?? vector.length) !== vector.length) continue;
      const door = this.#index ?? this.#exact;
      if (this.#versions.has(record.id)) door.remove(record.id);
      door.add(record.id, vector);
      this.#versions.set(record.id, record.version);
    }
    if (this.#index === null && this.#kind === "hnsw") {
      this.#index = openIndex({ kind: "hnsw", exact: this.#exact, efSearch });
    }
  }

  /** The nearest of all but one, by an exact scan: what a commit decides by. */
  nearestNow(view: View, vector: Float32Array, except?: string): Nearest | null {
    this.syncTo(view);
    if (this.#exact.size === 0 || this.#exact.dimensions !== vector.length) return null;
    return this.#exact.search(vector, 2).find(({ id }) => id !== except) ?? null;
  }

  /** The nearest among those that a view knows, by the index that the settings name. */
  async nearestIn(head: View, view: View, vector: Float32Array, except?: string): Promise<Nearest | null> {
    this.syncTo(head);
    if (this.#index !== null && this.#exact.dimensions === vector.length) {
      const hits = await this.#index.search(vector, CANDIDATES);
      const known = hits.find(({ id }) => id !== except && view.hypothesis(id) !== undefined);
      if (known !== undefined) return known;
    }
    let best: Nearest | null = null;
    for (const { record } of view.hypotheses) {
      const other = record.id === except ? undefined : view.vector(record.id);
      if (other === undefined || other.length !== vector.length) continue;
      const near = cosine(vector, other);
      if (best === null || near > best.cosine) best = { id: record.id, cosine: near };
    }
    return best;
  }

  /** Ends the index's worker. */
  close(): void {
    this.#index?.close();
    this.#index = null;
    this.#exact = new ExactIndex();
    this.#versions = new Map();
    this.#kind = "exact";
  }
}
