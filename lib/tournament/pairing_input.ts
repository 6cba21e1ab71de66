import type { Rng } from "../domain/rng.ts";
import type { View } from "../store/view.ts";
import type { PairingInput } from "./pairing.ts";

/** What the choice of a pair depends on besides the records. */
export interface Occasion {
  /** Pairs that are being judged at the moment. */
  readonly busy: readonly (readonly [string, string])[];
  /** How alike two hypotheses are; 0 when that is unknown. */
  cosine(a: string, b: string): number;
  /** A hypothesis that must be one side, if it can be. */
  readonly focus?: string | undefined;
  /** Chance, for this choice alone. */
  readonly rng: Rng;
}

/** The input of pairing as a session's records say. */
export function pairingInput(view: View, { busy, cosine, focus, rng }: Occasion): PairingInput {
  return {
    candidates: view.drawable.map(({ record, elo, matches, bornSeq }) => ({
      id: record.id,
      elo,
      matches,
      bornSeq,
    })),
    met: (a, b) => view.met(a, b),
    cosine,
    ratings: view.ratings,
    busy,
    ...(focus === undefined ? {} : { focus }),
    settings: view.settings.ranking,
    matureMatches: view.settings.evolution.matureMatches,
    rng,
  };
}
