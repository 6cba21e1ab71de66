/** How often each unordered pair was asked for, and each hypothesis; the pool may grow. */
export class PairCounts {
  /** Hypotheses. */
  size = 0;
  /** Matches of each hypothesis. */
  matches: Uint16Array = new Uint16Array(0);
  #met: Uint16Array = new Uint16Array(0);

  /** Takes `count` more hypotheses in. */
  grow(count: number): void {
    const before = this.size, after = before + count;
    const met = new Uint16Array(after * after), matches = new Uint16Array(after);
    for (let i = 0; i < before; i++) met.set(this.#met.subarray(i * before, (i + 1) * before), i * after);
    matches.set(this.matches);
    this.size = after;
    this.matches = matches;
    this.#met = met;
  }

  /** How often the two were put together. */
  met(a: number, b: number): number {
    return this.#met[a * this.size + b] ?? 0;
  }

  /** Puts the two together once more, or once less. */
  add(a: number, b: number, times = 1): void {
    const n = this.size;
    this.#met[a * n + b] = this.#met[b * n + a] = this.met(a, b) + times;
    this.matches[a] = (this.matches[a] ?? 0) + times;
    this.matches[b] = (this.matches[b] ?? 0) + times;
  }

  /** Takes back every pair that was handed out and not told. */
  withdraw(pairs: Iterable<readonly [number, number]>): void {
    for (const [a, b] of pairs) this.add(a, b, -1);
  }
}
