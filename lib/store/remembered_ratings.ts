import { z } from "zod";
import type { Belief, RatingFold, Ratings, Strength, TopChances } from "../domain/ratings.ts";
import { json, number, type Sql } from "./database.ts";

/** Ratings as a store keeps them, so that a large session need not be rated anew each time it is opened. */
export interface SavedRatings {
  /** The last commit that they know of those that ratings depend on. */
  readonly seq: number;
  /** The strength of each that entered the tournament. */
  readonly strengths: readonly (readonly [id: string, mean: number, sd: number])[];
  /** The answer to the last question about the best. */
  readonly top: Answer<TopAnswer> | null;
  /** The answer to the last question about tiers. */
  readonly tiers: Answer<readonly number[]> | null;
}

/** An answer, with what was asked. */
interface Answer<T> {
  readonly asked: string;
  readonly answer: T;
}

interface TopAnswer {
  readonly chances: readonly (readonly [id: string, chance: number])[];
  readonly expectedPrecision: number;
}

const saved = z.object({
  strengths: z.array(z.tuple([z.string(), z.number(), z.number()])),
  top: z.object({
    asked: z.string(),
    answer: z.object({
      chances: z.array(z.tuple([z.string(), z.number()])),
      expectedPrecision: z.number(),
    }),
  }).nullable(),
  tiers: z.object({ asked: z.string(), answer: z.array(z.number()) }).nullable(),
});

/** Changes with the way ratings are computed: what an older version kept is not read. */
const METHOD = 1;

/** The ratings that are kept of a session as of this commit, or `null`. */
export function readRatings(sql: Sql, session: string, seq: number): SavedRatings | null {
  const row = sql.get(
    "SELECT seq, kept FROM ratings WHERE session = ? AND method = ? AND seq = ?",
    session,
    METHOD,
    seq,
  );
  if (row === undefined) return null;
  return { seq: number(row, "seq"), ...saved.parse(json(row, "kept")) };
}

/** Keeps the ratings of a session instead of those kept before. */
export function writeRatings(sql: Sql, session: string, { seq, ...kept }: SavedRatings): void {
  sql.run(
    "INSERT INTO ratings (session, seq, method, kept) VALUES (?, ?, ?, ?) " +
      "ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, method = excluded.method, kept = excluded.kept",
    session,
    seq,
    METHOD,
    JSON.stringify(kept),
  );
}

/**
 * Ratings at a seq: what was kept is told from there, the rest from the fold, which is made when it is first needed.
 * Each of the last questions is answered once.
 */
export class RememberedRatings implements Ratings {
  readonly #fold: () => RatingFold;
  readonly #strengths: ReadonlyMap<string, Strength> | null;
  #top: Answer<TopChances> | null = null;
  #tiers: Answer<readonly number[]> | null = null;

  /** @param kept what the store kept for this seq @param fold makes the ratings from the records */
  constructor(kept: SavedRatings | null, fold: () => RatingFold) {
    this.#fold = fold;
    this.#strengths = kept === null
      ? null
      : new Map(kept.strengths.map(([id, mean, sd]) => [id, { mean, sd }]));
    if (kept === null) return;
    const { top, tiers } = kept;
    this.#tiers = tiers;
    this.#top = top === null
      ? null
      : { asked: top.asked, answer: { ...top.answer, chances: new Map(top.answer.chances) } };
  }

  strength(id: string): Strength | undefined {
    return this.#strengths === null ? this.#fold().strength(id) : this.#strengths.get(id);
  }

  top(ids: readonly string[], k: number): TopChances {
    const steps = this.topInSteps(ids, k);
    for (;;) {
      const next = steps.next();
      if (next.done === true) return next.value;
    }
  }

  *topInSteps(ids: readonly string[], k: number): Generator<void, TopChances> {
    const asked = `${k} ${ids.join(" ")}`;
    if (this.#top?.asked === asked) return this.#top.answer;
    const answer = yield* this.#fold().topInSteps(ids, k);
    this.#top = { asked, answer };
    return answer;
  }

  tiers(ids: readonly string[]): readonly number[] {
    const asked = ids.join(" ");
    if (this.#tiers?.asked === asked) return this.#tiers.answer;
    const answer = this.#fold().tiers(ids);
    this.#tiers = { asked, answer };
    return answer;
  }

  step(): boolean {
    return this.#fold().step();
  }

  place(id: string): number | undefined {
    return this.#fold().place(id);
  }

  belief(): Belief {
    return this.#fold().belief();
  }

  /** What is to be kept. @param seq the last commit that ratings depend on @param ids of those that entered */
  save(seq: number, ids: readonly string[]): SavedRatings {
    const top = this.#top;
    return {
      seq,
      strengths: ids.flatMap((id) => {
        const strength = this.strength(id);
        return strength === undefined ? [] : [[id, strength.mean, strength.sd] as const];
      }),
      top: top === null ? null : {
        asked: top.asked,
        answer: { expectedPrecision: top.answer.expectedPrecision, chances: [...top.answer.chances] },
      },
      tiers: this.#tiers,
    };
  }
}
