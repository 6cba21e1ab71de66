import type { LeaderboardRow, SnapshotData } from "../../engine/snapshot.ts";
import { chance } from "./wording.ts";

/** What a leaderboard is shown from. */
export type LeadersData = Pick<SnapshotData, "leaderboard" | "ranking" | "criteria"> & {
  /** Counts of records. */
  readonly counts: Pick<SnapshotData["counts"], "matches">;
};

/** How sure the ranking is, in a sentence or two; `null` where nobody is rated. */
export function sureness(data: LeadersData): string | null {
  const { ranking: { by, topK }, counts: { matches } } = data;
  const competing = data.leaderboard.filter((row) => row.foldedUnder === null);
  const n = competing.length;
  if (competing.every((row) => row.rating === null)) return null;
  if (n <= topK) {
    return `Too few hypotheses to tell the best from the others: ${n} ${
      n === 1 ? "competes" : "compete"
    } for ${topK === 1 ? "the first place" : `the first ${topK} places`}.`;
  }
  const expected = expectedAmong(competing, topK);
  if (expected === null) return null;
  const order = by === "elo" ? " by Elo" : "";
  const sure = topK === 1
    ? `The leader${order} is the true best with a chance of ${chance(expected)}.`
    : `Of the ${topK} leaders${order}, about ${expected.toFixed(1)} are expected to be among the true ` +
      `best ${topK} (${chance(expected / topK)}).`;
  // Before there is a match for each hypothesis, the spread of strengths is assumed and not yet found out.
  const caution = matches === 0
    ? " No match is judged yet: this is a guess from reviews and parents."
    : matches < n
    ? ` A rough guess, from fewer matches (${matches}) than hypotheses (${n}).`
    : "";
  return sure + caution;
}

/** How a leaderboard writes its numbers. */
export interface Written {
  /** How the interval is written, after "Rating: …, ". */
  readonly band: string;
  /** Whether lines part the tiers. */
  readonly tiers: boolean;
}

/** What the numbers mean, to stand below them; `null` where nobody is rated. */
export function legend(
  { leaderboard, ranking: { by, topK } }: LeadersData,
  { band, tiers }: Written,
): string | null {
  const stale = leaderboard.some((row) => row.stale > 0)
    ? "* / stale: some of what is said of it was said of an earlier text (lab.stale)."
    : null;
  if (leaderboard.every((row) => row.rating === null)) return stale;
  const chances = leaderboard.some((row) => row.topChance !== null);
  const parted = tiers && by === "bradley_terry" &&
    leaderboard.some((row) => row.tier !== null && row.tier > 1);
  return [
    `Rating: Bradley-Terry on Elo's scale, ${band}.`,
    chances ? `In top ${topK}: the chance to be among the true best ${topK}.` : null,
    parted ? "Lines part tiers: within one, none is behind its first with 90 % certainty." : null,
    chances
      ? "True is what the judge would say after endless matches; whether it is right is another question."
      : null,
    stale,
  ].filter((text) => text !== null).join(" ");
}

/** How many of the true best are expected among the first of these; `null` where that isn't known. */
function expectedAmong(competing: readonly LeaderboardRow[], topK: number): number | null {
  let sum = 0;
  for (const { topChance } of competing.slice(0, topK)) {
    if (topChance === null) return null;
    sum += topChance;
  }
  return sum;
}
