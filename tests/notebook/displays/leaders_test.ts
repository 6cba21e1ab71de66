import assert from "node:assert/strict";
import { parseHTML } from "linkedom";
import type { LeaderboardRow } from "../../../lib/engine/snapshot.ts";
import {
  firstLeadersHtml,
  firstLeadersText,
  leadersHtml,
  leadersText,
} from "../../../lib/notebook/displays/leaders.ts";
import { columnsOf } from "../../../lib/notebook/displays/plain.ts";
import { rangeBar } from "../../../lib/notebook/displays/range_bar.ts";
import type { LeadersData } from "../../../lib/notebook/displays/sureness.ts";
import { chance } from "../../../lib/notebook/displays/wording.ts";
import { leaderboard } from "../display_data.ts";

/** A leaderboard of so many with settings of its own. */
function board(size: number, over: Partial<LeadersData["ranking"]> = {}, matches = 120): LeadersData {
  return {
    leaderboard: leaderboard(size),
    ranking: { by: "bradley_terry", topK: 5, expectedPrecision: 0.6, ...over },
    counts: { matches },
  };
}

/** The same with every row changed. */
function withRows(data: LeadersData, change: (row: LeaderboardRow) => LeaderboardRow): LeadersData {
  return { ...data, leaderboard: data.leaderboard.map(change) };
}

const UNRATED = { rating: null, ratingLow: null, ratingHigh: null, topChance: null, tier: null };

/** The cells of the table, row by row, with its headings first. */
function cells(data: LeadersData): string[][] {
  const html = `<!doctype html><html><body>${leadersHtml(data)}</body></html>`;
  const document = Reflect.get(parseHTML(html), "document");
  const texts = (row: { children: Iterable<{ textContent: string }> }) =>
    [...row.children].map((cell) => cell.textContent.trim());
  return [...document.querySelectorAll("tr")].map(texts);
}

Deno.test("each row has its rating with the interval, and the chance to be among the best", () => {
  const data = board(18);
  const [heads, first] = cells(data);
  assert.deepEqual(heads, ["#", "Hypothesis", "Rating", "In top 5", "Elo, trend", "W\u2011L\u2011T"]);
  assert.deepEqual([first?.[2], first?.[3]], ["13521294–1410", "93 %"]);
  assert.match(first?.[1] ?? "", /^H1 Mebendazole.*neutral · literature · 201 commits old$/);
  const text = leadersText(data);
  assert.match(text, /^ ?# +rating +in top 5 +Elo +W–L–T +verdict +title$/m);
  assert.match(text, /^ 1 +H1 +1352 ±58 +93 % +1310 +6–2–1 /m);
});

Deno.test("no chance is given as certain", () => {
  assert.deepEqual([0, 0.0099, 0.01, 0.624, 0.99, 0.9901, 1].map(chance), [
    "<1 %",
    "<1 %",
    "1 %",
    "62 %",
    "99 %",
    ">99 %",
    ">99 %",
  ]);
});

Deno.test("who isn't rated has a dash; who is folded has no chance, because it doesn't compete", () => {
  const data = withRows(board(18), (row) => row.rank === 2 ? { ...row, ...UNRATED } : row);
  const rows = cells(data);
  assert.deepEqual(rows[2]?.slice(2, 4), ["–", "–"]);
  const folded = rows.find((row) => row[1]?.startsWith("└"));
  assert.deepEqual([folded?.[0], folded?.[3]], ["", ""]);
  assert.match(leadersText(data), /^ 2 +H\d+ +– +– +\d+ /m);
});

Deno.test("where Elo orders the leaderboard it comes first, and tiers, whose rows needn't stand together, aren't shown", () => {
  const byElo = board(18, { by: "elo" });
  assert.deepEqual(cells(byElo)[0]?.slice(2, 5), ["Elo, trend", "Rating", "In top 5"]);
  assert.match(leadersText(byElo), /^ ?# +Elo +rating +in top 5 /m);
  assert.match(String(leadersHtml(byElo)), /<b><span[^>]*>1310<\/span><\/b>/);
  assert.match(String(leadersHtml(board(18))), /<b><span[^>]*>1352<\/span><\/b>/);
  assert.doesNotMatch(String(leadersHtml(byElo)), /border-bottom-color/);
  assert.doesNotMatch(leadersText(byElo), /╌|tier/);
  assert.match(leadersText(byElo), /^Of the 5 leaders by Elo, about /m);
});

Deno.test("a line parts tiers, below those that are folded under the last of one", () => {
  const data = withRows(
    board(9),
    (row) => ({ ...row, tier: row.rank === null ? null : row.rank <= 3 ? 1 : 2 }),
  );
  const rows = leadersText(data).split("\n");
  const line = rows.findIndex((row) => row.startsWith("╌"));
  assert.match(rows[line - 1] ?? "", /└ H/);
  assert.match(rows[line + 1] ?? "", /^4 /);
  assert.equal(rows.filter((row) => row.startsWith("╌")).length, 1);
  const ruled = String(leadersHtml(data)).match(/<tr[^]*?<\/tr>/g)
    ?.map((row) => row.includes("border-bottom-color"));
  assert.deepEqual(ruled?.indexOf(true), 4, "headings, three ranks, one folded");
  assert.equal(ruled?.filter(Boolean).length, 1);
  assert.match(leadersText(data), /Lines part tiers/);
  assert.doesNotMatch(leadersText(withRows(data, (row) => ({ ...row, tier: 1 }))), /╌|Lines part tiers/);
});

Deno.test("a line above the board says how sure the ranking is, and doesn't boast of little", () => {
  const first = (data: LeadersData) => leadersText(data).replaceAll("\n", " ").split(/ +# /)[0];
  const of = (topChance: number) => (row: LeaderboardRow) => ({
    ...row,
    topChance: row.rank === null ? null : topChance,
  });
  assert.equal(
    first(withRows(board(18), of(0.62))),
    "Of the 5 leaders, about 3.1 are expected to be among the true best 5 (62 %).",
  );
  assert.equal(
    first(withRows(board(18, { topK: 1 }), of(0.999))),
    "The leader is the true best with a chance of >99 %.",
  );
  assert.match(
    first(board(18, {}, 11)) ?? "",
    /A rough guess, from fewer matches \(11\) than hypotheses \(15\)/,
  );
  assert.match(
    first(board(18, {}, 0)) ?? "",
    /No match is judged yet: this is a guess from reviews and parents/,
  );
  const few = withRows(board(3), (row) => ({ ...row, topChance: null }));
  assert.equal(
    first(few),
    "Too few hypotheses to tell the best from the others: 3 compete for the first 5 places.",
  );
  assert.match(
    first(withRows(board(1, { topK: 1 }), of(1))) ?? "",
    /: 1 competes for the first place\.$/,
  );
  assert.match(String(leadersHtml(few)), /Too few hypotheses[^]*<table/);
});

Deno.test("what the numbers mean is said below, as far as there are such numbers", () => {
  const words = (data: LeadersData) => leadersText(data).replaceAll("\n", " ");
  assert.match(
    words(board(18)),
    /In top 5: the chance to be among the true best 5\..*what the judge would say/,
  );
  assert.doesNotMatch(words(withRows(board(3), (row) => ({ ...row, topChance: null }))), /In top|judge/);
  const unrated = withRows(board(18), (row) => ({ ...row, ...UNRATED }));
  assert.doesNotMatch(words(unrated), /Bradley|expected|true/);
  assert.doesNotMatch(String(leadersHtml(unrated)), /Bradley|expected/);
});

Deno.test("the first leaders stand without near-duplicates, and are as sure as the whole board", () => {
  const data = board(18);
  const text = firstLeadersText(data, 5);
  assert.match(text, /^Of the 5 leaders, about 3\.8 are/);
  assert.doesNotMatch(text, /└|more hypotheses|Bradley/);
  assert.equal(text.match(/^\d /gm)?.length, 5);
  assert.match(firstLeadersText(data, 5, true), /Bradley/);
  assert.doesNotMatch(String(firstLeadersHtml(data, 5)), /└|Bradley/);
  assert.equal(firstLeadersText({ ...data, leaderboard: [] }, 5), "Nothing is in the tournament yet.");
});

Deno.test("a title keeps 30 columns in a terminal, however wide the numbers are", () => {
  const data = withRows(board(120, { topK: 10 }, 12_345), (row) => ({
    ...row,
    elo: 2100.7,
    ratingLow: 1000,
    ratingHigh: 2000,
    topChance: 1,
    won: 40,
    lost: 30,
    tied: 10,
    verdict: "other_more_likely",
  }));
  for (const row of leadersText(data).split("\n")) {
    assert.ok(columnsOf(row) <= 100, row);
    if (/^ *\d+ +H/.test(row)) assert.ok(columnsOf(/likely +(.*)$/.exec(row)?.[1] ?? "") >= 30, row);
  }
});

Deno.test("a bar of a range stays within its picture, and is none where there is no scale", () => {
  const scale = { from: 1000, to: 1400 };
  const bar = String(rangeBar({ low: 900, middle: 1200, high: 1500 }, scale, "#000"));
  assert.match(bar, /src="data:image\/svg\+xml,/);
  const drawn = decodeURIComponent(/src="([^"]*)"/.exec(bar)?.[1]?.replaceAll("&#39;", "'") ?? "");
  assert.match(drawn, /<line x1='3' x2='73' [^>]*stroke='#000'/);
  assert.match(drawn, /cx='38'/);
  assert.equal(rangeBar({ low: 1, middle: 1, high: 1 }, { from: 1, to: 1 }, "#000"), null);
  assert.equal(rangeBar({ low: NaN, middle: 1, high: 1 }, scale, "#000"), null);
  assert.equal(rangeBar({ low: 1, middle: 1, high: 1 }, { from: Infinity, to: -Infinity }, "#000"), null);
});
