import type { View } from "../../store/view.ts";
import { type ColumnsOf, double, integer, text } from "./columns.ts";

/** A point of a rating's trajectory. */
export interface EloRow {
  /** Rated matches of the whole session up to here; at a hypothesis's first point, those before its birth. */
  readonly match: number;
  /** The hypothesis's label, e.g. `H7`. */
  readonly hypothesis: string;
  /** Its title as it now reads. */
  readonly title: string;
  /** Its rating after that match. */
  readonly elo: number;
  /** The commit: of the match, or of the birth. */
  readonly seq: number;
  /** The number of the revision under which the match was judged, 0 for none; `null` at the first point. */
  readonly revision: number | null;
}

/** The columns of {@linkcode eloFrame}. */
export const ELO_COLUMNS: ColumnsOf<EloRow> = {
  match: integer("rated matches of the whole session up to here; at a first point, those before the birth"),
  hypothesis: text("label of the hypothesis"),
  title: text("its title as it now reads"),
  elo: double("its Elo after that match; at the first point a newcomer's", "Elo points"),
  seq: integer("the commit of the match, or of the birth"),
  revision: integer("number of the revision under which the match was judged; empty at the first point"),
};

/**
 * The trajectories of all ratings in the current epoch, from the ledger: by hypothesis in order of birth, then by match.
 * Each starts at its birth with the rating of a newcomer. Hypotheses that never entered the tournament are left out.
 */
export function eloFrame(view: Pick<View, "hypotheses" | "eloJournal" | "matches">): EloRow[] {
  const matches = new Map(view.matches.map((match) => [match.id, match]));
  const points = new Map<string, { match: number; elo: number; seq: number; revision: number }[]>();
  const starts = new Map<string, number>();
  const seqs: number[] = [];
  for (const [i, line] of view.eloJournal.entries()) {
    const match = matches.get(line.matchId);
    // A later epoch writes all its lines in one commit; the match tells when it really was.
    const seq = match?.seq ?? line.seq;
    seqs.push(seq);
    const sides = [
      { id: line.firstId, before: line.firstBefore, elo: line.firstBefore + line.delta },
      { id: line.secondId, before: line.secondBefore, elo: line.secondBefore - line.delta },
    ];
    for (const { id, before, elo } of sides) {
      if (!starts.has(id)) starts.set(id, before);
      const own = points.get(id) ?? [];
      own.push({ match: i + 1, elo, seq, revision: match?.revision ?? 0 });
      points.set(id, own);
    }
  }
  return view.hypotheses.flatMap((standing) => {
    const { record, bornSeq, state } = standing;
    const own = points.get(record.id) ?? [];
    if (own.length === 0 && state !== "in_tournament") return [];
    const base = { hypothesis: record.label, title: record.title };
    // A version that was edited, or entered again, is younger than its first match.
    const before = (own[0]?.match ?? Infinity) - 1;
    const start: EloRow = {
      ...base,
      match: Math.min(countUpTo(seqs, bornSeq), before),
      elo: starts.get(record.id) ?? standing.elo,
      seq: bornSeq,
      revision: null,
    };
    return [start, ...own.map((point) => ({ ...base, ...point }))];
  });
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0, high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
