import type { RatingSweepTable } from "../../engine/rating_sweep.ts";

/** A leading hypothesis under one combination of values. */
export interface RatingSweepRow {
  /** Which combination, from 1. */
  readonly combination: number;
  /** Its values: `kFactorNew = 16`. */
  readonly settings: readonly string[];
  /** Whether these are the values in force. */
  readonly inForce: boolean;
  /** The hypothesis's label, e.g. `H7`. */
  readonly hypothesis: string;
  /** Its title. */
  readonly title: string;
  /** Its place; `null` where it is folded under a better one. */
  readonly place: number | null;
  /** Its rating by what orders that ranking, on the Elo scale; `null` likewise. */
  readonly rating: number | null;
}

/** The leading hypotheses under each combination, in the order of the table. */
export function ratingSweepFrame({ settings, rows, lines }: RatingSweepTable): RatingSweepRow[] {
  return rows.flatMap(({ values, inForce }, i) =>
    lines.map(({ label, title, places, ratings }): RatingSweepRow => ({
      combination: i + 1,
      settings: settings.map(({ name }, j) => `${name} = ${values[j]}`),
      inForce,
      hypothesis: label,
      title,
      place: places[i] ?? null,
      rating: ratings[i] ?? null,
    }))
  );
}
