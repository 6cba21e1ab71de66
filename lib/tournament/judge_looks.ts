import type { MatchMode, MatchRecord, MatchVerdict } from "../domain/records.ts";
import { type Share, shareOf } from "./share.ts";

/** What the card reads of a match. */
export interface JudgedMatch extends
  Pick<
    MatchRecord,
    "seq" | "firstId" | "secondId" | "mode" | "verdict" | "author" | "weight" | "judge" | "promptVersion"
  > {
  /**
   * Where the judge was asked in both orders: what it said with the first shown first, and with the second shown first,
   * both told from the match's own sides.
   */
  readonly bothOrders?: readonly [MatchVerdict, MatchVerdict] | null | undefined;
}

/** Who judged: verdicts of one model under one prompt in one mode are taken together. */
export interface JudgeName {
  /** The model; `null` where it isn't known. */
  readonly judge: string | null;
  /** The version of the judging prompt; `null` where it isn't known. */
  readonly promptVersion: string | null;
  /** How it judged. */
  readonly mode: MatchMode;
}

/** One answer of a judge to one order of a pair. */
export interface Look {
  /** The hypothesis shown first in this look. */
  readonly firstId: string;
  /** The hypothesis shown second in it. */
  readonly secondId: string;
  /** What the judge said, by this order. */
  readonly verdict: MatchVerdict;
  /** How much the match counts. */
  readonly weight: number;
  /** The commit of its match. */
  readonly seq: number;
}

/** A judge with all that it was shown. */
export interface Judged {
  /** Who. */
  readonly name: JudgeName;
  /** Its matches. */
  readonly matches: readonly JudgedMatch[];
  /** Its answers: one a match, or two where a match was judged in both orders. */
  readonly looks: readonly Look[];
}

/**
 * The judges with their matches: most answers first, then by name. Matches by persons are no judge's, and what was given
 * no weight is left out.
 */
export function judgesOf(matches: readonly JudgedMatch[]): Judged[] {
  const own = matches.filter(({ author, weight }) => author === "model" && weight > 0);
  return [...Map.groupBy(own, (match) => JSON.stringify([match.judge, match.promptVersion, match.mode]))]
    .flatMap(([key, all]): (Judged & { key: string })[] => {
      const [match] = all;
      if (match === undefined) return [];
      const { judge, promptVersion, mode } = match;
      return [{ key, name: { judge, promptVersion, mode }, matches: all, looks: all.flatMap(looksOf) }];
    })
    .sort((a, b) => b.looks.length - a.looks.length || (a.key < b.key ? -1 : 1))
    .map(({ key: _, ...judged }) => judged);
}

/** The answers that a match is made of, each by the order in which it was shown. */
export function looksOf(match: JudgedMatch): Look[] {
  const { firstId, secondId, verdict, weight, seq } = match;
  if (match.bothOrders === undefined || match.bothOrders === null) {
    return [{ firstId, secondId, verdict, weight, seq }];
  }
  const [straight, turned] = match.bothOrders;
  return [
    { firstId, secondId, verdict: straight, weight, seq },
    { firstId: secondId, secondId: firstId, verdict: turnedRound(turned), weight, seq },
  ];
}

/** A verdict as it reads from the other order. */
export function turnedRound(verdict: MatchVerdict): MatchVerdict {
  switch (verdict) {
    case "first":
      return "second";
    case "second":
      return "first";
    case "tie":
    case "invalid":
      return verdict;
  }
}

/** How verdicts on pairs fared that one judge was shown in both orders. */
export interface Flips extends Share {
  /** Pairs with a tie in one order or both: they are in neither number of the share. */
  readonly tied: number;
}

/**
 * Of the pairs that a judge was shown both ways and decided both times: how many changed their winner. Each pair counts
 * once, by its oldest valid answer in either order.
 */
export function flipsOf(looks: readonly Look[]): Flips {
  const byOrder = new Map<string, Look>();
  for (const look of looks) {
    if (look.verdict === "invalid") continue;
    const key = orderKey(look.firstId, look.secondId);
    const known = byOrder.get(key);
    if (known === undefined || look.seq < known.seq) byOrder.set(key, look);
  }
  let changed = 0, kept = 0, tied = 0;
  for (const { firstId, secondId, verdict } of byOrder.values()) {
    if (firstId > secondId) continue;
    const other = byOrder.get(orderKey(secondId, firstId));
    if (other === undefined) continue;
    if (verdict === "tie" || other.verdict === "tie") tied++;
    else if (verdict === other.verdict) changed++; // the same place won twice: two different winners
    else kept++;
  }
  return { ...shareOf(changed, changed + kept), tied };
}

/** Several judges' flips as one: pairs are compared within each judge. */
export function sumOfFlips(all: readonly Flips[]): Flips {
  const sum = (pick: (flips: Flips) => number) => all.reduce((total, flips) => total + pick(flips), 0);
  return { ...shareOf(sum(({ count }) => count), sum(({ of }) => of)), tied: sum(({ tied }) => tied) };
}

function orderKey(first: string, second: string): string {
  return `${first}\u0000${second}`;
}
