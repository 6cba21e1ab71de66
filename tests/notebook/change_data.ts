import type { MovedRow, Placed, RankingsCompared } from "../../lib/engine/rerating.ts";
import type { ChangeListData } from "../../lib/notebook/displays/changes.ts";
import type { CriteriaBoardData } from "../../lib/notebook/displays/criteria.ts";
import type { EditData } from "../../lib/notebook/displays/edit.ts";
import type { RatingSweepData } from "../../lib/notebook/displays/rating_sweep.ts";
import type { RejudgingData } from "../../lib/notebook/displays/rejudging.ts";
import type { ReratingData } from "../../lib/notebook/displays/rerating.ts";
import type { SheetWrittenData, VerdictImportData } from "../../lib/notebook/displays/sheets.ts";
import type { StaleListData, StaleRow } from "../../lib/notebook/displays/stale.ts";
import type { StartedRunData } from "../../lib/notebook/displays/started_run.ts";
import { shareOf } from "../../lib/tournament/share.ts";
import { COST, judgeData, leaderboard } from "./display_data.ts";

// Plausible data of what people change, and of what comes of it; `foreign` stands wherever a text of foreign origin does.

const ORIGIN = { simulated: true } as const;

/** Two rankings side by side: the first three change places in turn, one enters the best. */
export function rankingsData(size = 18, foreign?: string): RankingsCompared {
  const rows = leaderboard(size, foreign).map((row, i): MovedRow => {
    const up = row.rank === null ? null : i < 3 ? [1, 1, -2][i] ?? 0 : i === 6 ? 4 : 0;
    const before: Placed = {
      place: row.rank === null || up === null ? null : row.rank + up,
      rating: row.rating === null ? null : row.rating - 20 * (up ?? 0),
      ratingLow: row.ratingLow,
      ratingHigh: row.ratingHigh,
      elo: row.elo - 12 * (up ?? 0),
      matches: row.matches,
      topChance: row.topChance,
    };
    const { rating, ratingLow, ratingHigh, elo, topChance, label, title } = row;
    const matches = i === 4 ? 0 : row.matches - (i % 3);
    return {
      label,
      title,
      up,
      before,
      after: { place: row.rank, rating, ratingLow, ratingHigh, elo, matches, topChance },
    };
  });
  return {
    by: { before: "bradley_terry", after: "bradley_terry" },
    topK: { before: 5, after: 5 },
    counted: { before: 120, after: 112 },
    tau: { board: 0.87, bradleyTerry: 0.91, elo: 0.78 },
    moved: 4,
    entered: ["H7"],
    left: ["H12"],
    rows,
  };
}

/** A match log rated anew. */
export function reratingData(foreign?: string): ReratingData {
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    ...rankingsData(18, foreign),
    seq: 214,
    settings: [
      { path: "ranking.kFactorNew", before: 32, after: 24 },
      { path: "ranking.rating", before: "bradley_terry", after: foreign ?? "elo" },
    ],
    excluded: 8,
    reweighted: 3,
    applied: null,
    notes: [foreign ?? "8 matches of the judge gpt-5 are left out."],
  };
}

/** Stored matches that were judged again. */
export function rejudgingData(foreign?: string): RejudgingData {
  const text = (own: string) => foreign ?? own;
  const { flips, ties, invalid, first, bias, why } = judgeData().pooled;
  const title = text("Itraconazole starves leukaemic stem cells of cholesterol");
  return {
    ...ORIGIN,
    session: text("aml"),
    agreement: shareOf(15, 18),
    winners: shareOf(14, 15),
    people: shareOf(3, 4),
    repeated: shareOf(16, 18),
    judge: { flips, ties, invalid, first, bias, why },
    batch: 2,
    asked: { matches: 18, model: text("claude-opus-4-7"), ownPrompt: true, bothOrders: true },
    judges: [{ model: text("claude-opus-4-7"), promptVersion: "9f31c2aa77e01b52" }],
    progress: { answered: 16, waiting: 1, failed: 1 },
    estimate: { usd: 0.41, maxUsd: 1.2, calls: 36 },
    cost: COST,
    ranking: rankingsData(18, foreign),
    applied: null,
    pairs: (["first", "tie", "invalid"] as const).map((after, i) => ({
      match: `M${12 + i}`,
      first: { label: "H3", title },
      second: { label: "H7", title },
      before: "first",
      beforeBy: text("claude-sonnet-4-6"),
      beforeRationale: text("The first names the cells; the second leaves them open."),
      beforeMode: "pairwise",
      after,
      orders: i === 1 ? ["first", "second"] : null,
      afterBy: text("claude-opus-4-7"),
      afterRationale: text(
        "Both can be tested within three months, and the first says what would refute it.",
      ),
      people: i === 0 ? "first" : null,
      stale: i === 1,
    })),
    notes: [text("1 match was judged in a debate: that is another question.")],
  };
}

/** What values of two settings make of the ranking. */
export function sweepData(foreign?: string): RatingSweepData {
  const board = leaderboard(18, foreign).filter((row) => row.rank !== null).slice(0, 6);
  const values = [16, 24, 32, 48];
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    seq: 214,
    settings: [{ name: "kFactorNew", values, inForce: 32 }, {
      name: "rating",
      values: ["bradley_terry", "elo"],
      inForce: "bradley_terry",
    }],
    by: null,
    topK: 5,
    rows: values.flatMap((k) =>
      (["bradley_terry", "elo"] as const).map((by, i) => ({
        values: [k, by],
        inForce: k === 32 && i === 0,
        top: board.slice(0, 5).map((row) => row.label),
        tau: i === 0 ? 1 : 0.71,
        farthest: i === 0 ? null : { label: "H7", up: -3 },
        entered: i === 0 ? [] : ["H9"],
        left: i === 0 ? [] : ["H7"],
      }))
    ),
    lines: board.map(({ label, title, rating }, i) => ({
      label,
      title,
      places: values.flatMap((_, j) => [i + 1, 1 + (i + j) % board.length]),
      ratings: values.flatMap((k) => [rating, (rating ?? 1200) + k]),
    })),
    notes: [foreign ?? "The K of Elo makes no difference where Bradley-Terry orders the board."],
  };
}

/** A written sheet. */
export function sheetData(foreign?: string): SheetWrittenData {
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    code: "KJ7Q",
    html: foreign ?? "/home/iris/aml/blind_KJ7Q.html",
    csv: foreign ?? "/home/iris/aml/blind_KJ7Q.csv",
    pairs: 18,
    wanted: 25,
    recipient: foreign ?? "Dr. Omar Haddad",
  };
}

/** A sheet that came back. */
export function importData(foreign?: string): VerdictImportData {
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    code: "KJ7Q",
    author: foreign ?? "Dr. Omar Haddad",
    weight: 2,
    matches: ["M121", "M122", "M123"],
    decided: 2,
    tied: 1,
    skipped: 3,
    repeated: 1,
    notes: [foreign ?? "KJ7Q-07: the choice «left» is none of 1, 2, tie."],
    agreement: {
      people: 2,
      verdicts: 21,
      pairs: 18,
      machine: { ...shareOf(12, 15), tied: 3 },
      between: { ...shareOf(3, 4), tied: 0 },
    },
  };
}

/** Something stale of each kind. */
export function staleRows(foreign?: string): StaleRow[] {
  return (["review", "match", "child", "overview"] as const).map((kind, i) => ({
    label: ["V7", "M12", "H9", "O1"][i] ?? "",
    kind,
    of: kind === "match" ? ["H3", "H7"] : ["H3"],
    judgedOn: foreign ?? "version 1 of H3, which is at 2",
    since: "R5",
    usd: kind === "child" ? null : 0.031 * (i + 1),
    basis: i === 0 ? "measured" : "prices",
    remark: kind === "child" ? foreign ?? "a child is a hypothesis of its own: evolve makes a new one" : "",
  }));
}

/** What is stale. */
export function staleData(foreign?: string): StaleListData {
  return { ...ORIGIN, session: foreign ?? "aml", rows: staleRows(foreign) };
}

/** An edit. */
export function editData(foreign?: string): EditData {
  const text = (own: string) => foreign ?? own;
  return {
    ...ORIGIN,
    session: text("aml"),
    label: "H3",
    title: text("Itraconazole starves leukaemic stem cells of cholesterol"),
    version: 2,
    revision: "R5",
    by: text("Dr. Iris Chen"),
    changed: [
      {
        part: "mechanism",
        before: text("Itraconazole blocks NPC1, so that cholesterol stays in lysosomes. ".repeat(12)),
        after: text("Itraconazole blocks NPC1; mTORC1 loses its signal and MCL1 falls. ".repeat(12)),
      },
      { part: "title", before: text("Itraconazole in AML"), after: text("Itraconazole starves stem cells") },
    ],
    stale: staleRows(foreign),
    notes: [text("It was edited by another person a minute before.")],
  };
}

/** Changes of several kinds. */
export function changesData(foreign?: string): ChangeListData {
  const text = (own: string) => foreign ?? own;
  const row = { undoes: null, by: text("Dr. Iris Chen"), seq: 61 };
  return {
    ...ORIGIN,
    session: text("aml"),
    rows: [
      { ...row, revision: "R2", kind: "configure", path: "ranking.topK", before: 5, after: 3 },
      {
        ...row,
        revision: "R3",
        kind: "prompt",
        path: text("ranking.pairwise"),
        before: null,
        after: text("Judge {{ first.title }} against {{ second.title }} by what could refute them."),
        effect: text("It is used from the next match on."),
      },
      {
        ...row,
        revision: "R4",
        kind: "directive",
        path: "D1",
        before: null,
        after: { text: text("Prefer drugs with an oral form"), to: ["generation"] },
        undoes: "R1",
      },
    ],
  };
}

/** How hypotheses do by two criteria, one of them a hard constraint. */
export function criteriaData(foreign?: string): CriteriaBoardData {
  const oral = foreign ?? "oral form", fast = foreign === undefined ? "testable in 3 months" : `${foreign} 2`;
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    sortedBy: "place",
    criteria: [{ name: oral, weight: 2 }, { name: fast, weight: 1, must: true }],
    rows: leaderboard(9, foreign).map((row, i) => ({
      label: row.label,
      title: row.title,
      state: i === 7 ? "unfit" : "in_tournament",
      place: i === 7 ? null : row.rank,
      rating: row.rating,
      review: i === 5 ? null : `V${i + 1}`,
      scores: { [oral]: i === 5 ? null : 0.95 - i * 0.06, [fast]: i === 7 ? 0.2 : 0.8 },
      total: i === 5 ? null : 0.9 - i * 0.05,
      unmet: i === 7 ? [fast] : [],
    })),
    notes: [foreign ?? "1 hypothesis has no full review yet: H6."],
  };
}

/** A run that goes on in the background. */
export function startedRunData(foreign?: string): StartedRunData {
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    endedBy: null,
    error: null,
    durationMs: 73_400,
    inHand: [foreign ?? "T120 match H3–H7", foreign ?? "T121 review H14"],
    hypotheses: 18,
    reviews: 31,
    matches: 44,
    usd: 0.81,
    expectedUsd: 2.2,
    spentUsd: 1.01,
    budgetUsd: 2,
    notices: ["50 % of the budget is spent: $1.01 of $2.00."],
  };
}
