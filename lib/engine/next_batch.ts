import { rng } from "../domain/rng.ts";
import type { MicroUsd } from "../domain/money.ts";
import type { View } from "../store/view.ts";
import { batchWorth } from "../tournament/batch_worth.ts";
import { competitors } from "../tournament/competitors.ts";
import { choosePairs, expect } from "../tournament/pairing.ts";
import { pairingInput } from "../tournament/pairing_input.ts";
import { matchPrice } from "./estimate.ts";

/** What the next matches are worth against their price. */
export interface NextBatch {
  /** How many matches: one for four hypotheses, and no fewer than four where there are as many. */
  readonly matches: number;
  /** How many of the best are looked for. */
  readonly topK: number;
  /** The expected precision of the leaders now. */
  readonly now: number;
  /** The same once the matches were judged, before it is known how. */
  readonly after: number;
  /** What they are expected to cost. */
  readonly microUsd: MicroUsd;
}

/** Hypotheses for which a batch has one match, and matches that it has at least. */
const SHARE = 4, LEAST = 4;

/**
 * What the next batch of matches is expected to do for the precision of the best k, and what it is expected to cost;
 * `null` where nothing is to be found out, or nobody is rated. It takes some milliseconds: for a person who looks.
 */
export function nextBatch(view: View): NextBatch | null {
  const { topK } = view.settings.ranking;
  const competing = competitors(view);
  const places = competing.flatMap((id) => view.ratings.place(id) ?? []);
  if (places.length <= topK) return null;
  const input = pairingInput(view, {
    busy: [],
    cosine: () => 0,
    rng: rng(view.session.seed, "look", "batch"),
  });
  const pairs = choosePairs(input, Math.max(LEAST, Math.ceil(places.length / SHARE)));
  if (pairs.length === 0) return null;
  const belief = view.ratings.belief(), then = belief.copy();
  for (const { firstId, secondId } of pairs) expect(input, then, firstId, secondId);
  const worth = batchWorth(belief, then, places, topK);
  // The present precision is told as it is told everywhere; of the draws only the gain is needed.
  const now = view.ratings.top(competing, topK).expectedPrecision;
  const after = Math.min(1, now + Math.max(0, worth.after - worth.now));
  return { matches: pairs.length, topK, now, after, microUsd: pairs.length * matchPrice(view) };
}
