/** Makes vectors of texts. */
export type Embed = (texts: readonly string[]) => Promise<Float32Array[]>;

/**
 * Vectors of known ideas, each made once in a process: what is known is the same for all tasks. All that are asked for
 * together are one call of the same texts whichever task comes first, so that a replay finds it on the tape. A memory: it
 * could be thrown away at any time.
 */
export class KnownVectors {
  readonly #made = new Map<string, Promise<Float32Array[]>>();

  /** Vectors of ideas, by the embedder of this name. */
  async of(
    ideas: readonly string[],
    embedder: string,
    embed: Embed,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    if (ideas.length === 0) return [];
    const key = JSON.stringify([embedder, ...ideas]);
    const begun = this.#made.get(key);
    if (begun !== undefined) {
      try {
        return await begun;
      } catch (error) {
        // What ended the task that asked first needn't end this one.
        if (signal.aborted) throw error;
        return await this.of(ideas, embedder, embed, signal);
      }
    }
    const making = embed(ideas);
    this.#made.set(key, making);
    making.catch(() => {
      if (this.#made.get(key) === making) this.#made.delete(key);
    });
    return await making;
  }
}
