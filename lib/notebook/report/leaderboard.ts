import type { LeaderboardRow } from "../../engine/snapshot.ts";
import { scoreText } from "../displays/criteria.ts";
import { sparkline } from "../displays/sparkline.ts";
import { legend, sureness } from "../displays/sureness.ts";
import { chance, inTop, rating, record, words } from "../displays/wording.ts";
import { type Content, type Html, markup } from "../html.ts";
import type { ReportData } from "./data.ts";
import { alarm, type Column, faint, said, table, toHypothesis, unbroken } from "./parts.ts";

/** A picture within an image knows no variables of the page: this stands out on light and on dark ones. */
const TREND = "#3d8fc9";

/**
 * What a leaderboard's numbers and its order mean, as reports say it; `null` where nobody is rated.
 *
 * @param tiers whether lines part the tiers
 */
export function reportLegend(data: ReportData, tiers: boolean): string | null {
  const numbers = legend(data, { band: "with its 90 % interval", tiers });
  const tested = data.leaderboard.some(({ result }) => result !== null);
  return numbers === null || !tested
    ? numbers
    : `${numbers} Results outrank ratings: what they confirmed comes first, what they refuted last.`;
}

/** The leaderboard with how sure it is, and what its numbers mean. */
export function leaderboardHtml(data: ReportData): Html {
  const { leaderboard } = data;
  if (leaderboard.length === 0) return markup`<p>No hypothesis is in the tournament.</p>`;
  const sure = sureness(data), explained = reportLegend(data, true);
  return markup`${sure === null ? null : markup`<p>${sure}</p>`}
${
    table("Leaderboard", columns(data), leaderboard, (row, next) =>
      [
        row.foldedUnder === null ? "" : "folded",
        data.ranking.by === "bradley_terry" && row.tier !== null && next !== undefined &&
          next.tier !== null &&
          next.tier !== row.tier
          ? "parted"
          : "",
      ].filter(Boolean).join(" "))
  }${explained === null ? null : markup`<p class="faint small">${explained} W–L–T: won, lost, tied.</p>`}`;
}

function columns(data: ReportData): Column<LeaderboardRow>[] {
  const { ranking: { by, topK }, criteria = [] } = data;
  const scale = scaleOf(data.leaderboard);
  const ratings: Column<LeaderboardRow>[] = [
    { head: "Rating", cell: (row) => ratingHtml(row, scale) },
    {
      head: inTop(topK),
      kind: "end",
      cell: (row) => row.topChance === null ? (row.foldedUnder === null ? "–" : "") : chance(row.topChance),
    },
  ];
  const elo: Column<LeaderboardRow> = {
    head: "Elo, trend",
    cell: (row) => markup`${unbroken(rating(row.elo))}${sparkline(row.trajectory, TREND)}`,
  };
  return [
    { head: "#", kind: "end", cell: (row) => row.rank ?? "" },
    { head: "Hypothesis", kind: "wide", cell: nameHtml },
    ...(by === "elo" ? [elo, ...ratings] : [...ratings, elo]),
    { head: "W\u2011L\u2011T", kind: "end", cell: (row) => record(row) },
    ...criteria.map(({ name }): Column<LeaderboardRow> => ({
      head: name.slice(0, 40).toWellFormed(),
      kind: "end",
      cell: (row) => {
        const failed = row.criteria?.unmet.includes(name) === true;
        const text = scoreText(row.criteria?.scores[name], failed);
        return failed ? alarm(text) : text;
      },
    })),
  ];
}

function nameHtml(row: LeaderboardRow): Html {
  const about: Content[] = [
    row.foldedUnder === null ? null : `folded under ${row.foldedUnder}`,
    row.verdict === null ? "not reviewed" : words(row.verdict),
    `${words(row.strategy)}${row.parents.length === 0 ? "" : ` of ${row.parents.slice(0, 4).join(", ")}`}`,
    row.result,
    row.pinned ? "pinned" : null,
    row.author === "model" ? null : markup`by ${said(row.author, 60)}`,
    row.stale === 0 ? null : `${row.stale} stale`,
  ].filter((part) => part !== null).flatMap((part, i): Content[] => (i === 0 ? [part] : [" · ", part]));
  return markup`${toHypothesis(row.label)} ${said(row.title)}<div class="small">${faint(about)}</div>`;
}

function ratingHtml(row: LeaderboardRow, scale: Scale): Content {
  const { rating: middle, ratingLow: low, ratingHigh: high } = row;
  if (middle === null || low === null || high === null) return "–";
  const at = (value: number) => Math.round(1000 * (value - scale.from) / scale.span) / 10;
  return markup`<span class="unbroken">${rating(middle)} <span class="faint small">${rating(low)}–${
    rating(high)
  }</span></span>${
    scale.span <= 0
      ? null
      : markup`<span class="range" aria-hidden="true"><i style="left:${at(low)}%;width:${
        at(high) - at(low)
      }%"></i><b style="left:${at(middle)}%"></b></span>`
  }`;
}

interface Scale {
  readonly from: number;
  readonly span: number;
}

/** From the lowest to the highest end of all intervals. */
function scaleOf(rows: readonly LeaderboardRow[]): Scale {
  let from = Infinity, to = -Infinity;
  for (const { ratingLow, ratingHigh } of rows) {
    from = Math.min(from, ratingLow ?? Infinity);
    to = Math.max(to, ratingHigh ?? -Infinity);
  }
  return { from, span: Number.isFinite(to - from) ? to - from : 0 };
}
