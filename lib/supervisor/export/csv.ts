// @ts-types="../../notebook/d3_dsv.d.ts"
import { csvFormat } from "d3-dsv";
import { oneLine } from "../../domain/text.ts";
import type { SnapshotData } from "../../engine/snapshot.ts";
import { spreadsheetText } from "../../notebook/frames/spreadsheet_text.ts";

/**
 * The leaderboard as CSV, best first; every row says whether it was simulated. Columns, in this order: `rank`, `label`,
 * `title`, `elo`, `rating`, `rating_low`, `rating_high` (Bradley-Terry on the Elo scale, with its 90 % interval),
 * `top_k_chance` (from 0 to 1; the k is `ranking.topK`), `tier`, `matches`, `won`, `lost`, `tied`, `verdict`, `strategy`,
 * `generation`, `parents`, `folded_under`, `result` (`confirmed` or `refuted`), `pinned`, `author`, `simulated`; where the
 * scientist set criteria, `criteria_total`, `criteria_unmet` (hard constraints that it fails) and `criterion: …` for each
 * follow. What isn't known is empty.
 */
export function leaderboardCsv(data: Pick<SnapshotData, "leaderboard" | "simulated" | "criteria">): string {
  const { criteria = [] } = data;
  const columns: readonly string[] = [
    ...CSV_COLUMNS,
    ...(criteria.length === 0 ? [] : ["criteria_total", "criteria_unmet"]),
    ...criteria.map(({ name }) => `criterion: ${name}`),
  ];
  return `${
    csvFormat(
      data.leaderboard.map((row): Record<string, string | number> => ({
        criteria_total: row.criteria?.total?.toFixed(4) ?? "",
        criteria_unmet: row.criteria?.unmet.join("; ") ?? "",
        ...Object.fromEntries(
          criteria.map(({ name }) => [`criterion: ${name}`, row.criteria?.scores[name]?.toFixed(4) ?? ""]),
        ),
        rank: row.rank ?? "",
        label: row.label,
        title: cell(row.title),
        elo: row.elo.toFixed(2),
        rating: row.rating?.toFixed(2) ?? "",
        rating_low: row.ratingLow?.toFixed(2) ?? "",
        rating_high: row.ratingHigh?.toFixed(2) ?? "",
        top_k_chance: row.topChance?.toFixed(4) ?? "",
        tier: row.tier ?? "",
        matches: row.matches,
        won: row.won,
        lost: row.lost,
        tied: row.tied,
        verdict: row.verdict ?? "",
        strategy: row.strategy,
        generation: row.generation,
        parents: row.parents.join(" "),
        folded_under: row.foldedUnder ?? "",
        result: row.result ?? "",
        pinned: row.pinned ? "pinned" : "",
        author: cell(row.author),
        simulated: data.simulated ? "SIMULATED" : "",
      })),
      columns,
    )
  }\n`;
}

const CSV_COLUMNS = [
  "rank",
  "label",
  "title",
  "elo",
  "rating",
  "rating_low",
  "rating_high",
  "top_k_chance",
  "tier",
  "matches",
  "won",
  "lost",
  "tied",
  "verdict",
  "strategy",
  "generation",
  "parents",
  "folded_under",
  "result",
  "pinned",
  "author",
  "simulated",
] as const;

/** A model's words in a cell: a spreadsheet must not take them for a formula. */
function cell(text: string): string {
  return spreadsheetText(oneLine(text));
}
