import { clip, oneLine } from "../../domain/text.ts";
import type { LeaderboardRow } from "../../engine/snapshot.ts";
import { kindWords, valueText } from "../../notebook/displays/changes.ts";
import { clean } from "../../notebook/displays/clean.ts";
import { scoreText } from "../../notebook/displays/criteria.ts";
import { recipients } from "../../notebook/displays/directive_card.ts";
import { safeMarkdown } from "../../notebook/displays/markdown.ts";
import { scoresText } from "../../notebook/displays/scores.ts";
import { sureness } from "../../notebook/displays/sureness.ts";
import {
  chance,
  costLine,
  counted,
  dollars,
  inTop,
  jsonLine,
  moment,
  rating,
  record,
  words,
} from "../../notebook/displays/wording.ts";
import type { ReportData, ReportedHypothesis, ReportedMatch } from "../../notebook/report/data.ts";
import { reportLegend } from "../../notebook/report/leaderboard.ts";

/** Characters of a text of foreign origin at most. */
const HELD = 20_000;

/**
 * A report of a session as Markdown: the newest overview, or a line that there is none, the leaderboard, the leading
 * hypotheses, what people changed, and where it comes from. Texts of foreign origin can open no cell, link, tag or heading.
 */
export function reportMarkdown(data: ReportData): string {
  const parts = [
    ...overviewParts(data),
    `## Leaderboard${data.simulated ? " (SIMULATED)" : ""}`,
    leaderboardMarkdown(data),
    ...(data.leading.length === 0 ? [] : ["## Leading hypotheses"]),
    ...data.leading.flatMap(hypothesisParts),
    ...othersParts(data),
    ...peopleParts(data),
    "## Where this comes from",
    provenance(data),
  ];
  return `${clean(parts.filter((part) => part !== "").join("\n\n"))}\n`;
}

/** An overview bears title, goal and mark itself. */
function overviewParts({ overview, simulated, session, goal }: ReportData): string[] {
  if (overview !== null) {
    return [
      safeMarkdown(overview.markdown.trimEnd()),
      ...(overview.stale === "" ? [] : [`**Stale:** it ${inline(overview.stale)}.`]),
      ...overview.notes.map((note) => `Note: ${inline(note)}`),
    ];
  }
  return [
    ...(simulated ? ["**SIMULATED.** Nothing here is real."] : []),
    `# ${inline(session)}`,
    quoted(goal),
    "There is no overview yet. `await lab.overview()` drafts one.",
  ];
}

/** How sure the ranking is, the leaderboard, and what its numbers mean. */
function leaderboardMarkdown(data: ReportData): string {
  const { leaderboard, ranking: { by, topK }, criteria = [] } = data;
  if (leaderboard.length === 0) return "No hypothesis is in the tournament.";
  const elo: Column<LeaderboardRow> = { head: "Elo", end: true, cell: (row) => row.elo.toFixed(0) };
  const ratings: Column<LeaderboardRow>[] = [
    { head: "rating (90 % interval)", end: true, cell: ratingCell },
    { head: inTop(topK), end: true, cell: chanceCell },
  ];
  const columns: Column<LeaderboardRow>[] = [
    { head: "rank", end: true, cell: (row) => row.rank ?? `as ${row.foldedUnder ?? "another"}` },
    { head: "hypothesis", cell: (row) => row.label },
    ...(by === "elo" ? [elo, ...ratings] : [...ratings, elo]),
    ...criteria.map(({ name }): Column<LeaderboardRow> => ({
      head: inline(name),
      end: true,
      cell: (row) => scoreText(row.criteria?.scores[name], row.criteria?.unmet.includes(name) === true),
    })),
    { head: "matches", end: true, cell: (row) => row.matches },
    { head: "won", end: true, cell: (row) => row.won },
    { head: "lost", end: true, cell: (row) => row.lost },
    { head: "tied", end: true, cell: (row) => row.tied },
    { head: "strategy", cell: (row) => row.strategy },
    { head: "result", cell: (row) => row.result ?? "" },
    { head: "", cell: (row) => [...(row.pinned ? ["pinned"] : []), ...byLine(row)].join(", ") },
    { head: "title", cell: (row) => inline(row.title) },
  ];
  return [
    sureness(data),
    tableOf(columns, leaderboard),
    reportLegend(data, false),
  ].filter((part) => part !== null).join("\n\n");
}

/** A column of a table in Markdown. */
interface Column<R> {
  readonly head: string;
  readonly end?: boolean;
  readonly cell: (row: R) => string | number;
}

function tableOf<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map(({ head }) => head)),
    `|${columns.map(({ end = false }) => end ? "--:" : "---").join("|")}|`,
    ...rows.map((row) => line(columns.map(({ cell }) => cell(row)))),
  ].join("\n");
}

function ratingCell({ rating, ratingLow, ratingHigh }: LeaderboardRow): string {
  if (rating === null || ratingLow === null || ratingHigh === null) return "–";
  return `${rating.toFixed(0)} (${ratingLow.toFixed(0)}–${ratingHigh.toFixed(0)})`;
}

function byLine({ author }: LeaderboardRow): string[] {
  return author === "model" ? [] : [`by ${inline(author)}`];
}

function chanceCell({ topChance }: LeaderboardRow): string {
  return topChance === null ? "–" : chance(topChance);
}

function hypothesisParts(h: ReportedHypothesis): string[] {
  const field = (name: string, text: string) => text.trim() === "" ? "" : `**${name}.** ${inline(text)}`;
  return [
    `### ${h.label} ${inline(h.title, 300)}`,
    [
      words(h.state),
      h.rank === null ? null : `rank ${h.rank}`,
      h.rating === null || h.ratingLow === null || h.ratingHigh === null
        ? null
        : `rating ${rating(h.rating)} (${rating(h.ratingLow)}–${rating(h.ratingHigh)})`,
      h.topChance === null ? null : `${inTop(h.topK)}: ${chance(h.topChance)}`,
      `Elo ${rating(h.elo)}`,
      record(h),
      words(h.strategy),
      h.author === "model" ? (h.model === null ? null : inline(h.model)) : `by ${inline(h.author)}`,
      h.pinned ? "pinned" : null,
      h.result === null ? null : `**${h.result} by results**`,
    ].filter((part) => part !== null).join(" · "),
    h.stale === "" ? "" : `**Stale:** ${inline(h.stale)}.`,
    quoted(h.statement),
    field("Mechanism", h.mechanism),
    field("Entities", h.entities.join(", ")),
    field("What one would measure", h.anticipatedOutcomes),
    field("What is new", h.noveltyArgument),
    h.parents.length === 0 ? "" : `**Made from.** ${h.parents.map(({ label }) => label).join(", ")}`,
    list(
      "Results and evidence",
      h.evidence.map((item) =>
        `${item.label} ${item.outcome ?? words(item.stance)} (${item.kind}${
          item.by === null ? "" : `, by ${inline(item.by)}`
        }${item.voided === null ? "" : ", void"}): ${inline(item.claim)}${sourceOf(item.source)}`
      ),
    ),
    list(
      "Reviews",
      h.reviews.map((review) =>
        `${review.label} ${review.kind}, ${words(review.verdict)}${
          scoresText(review.scores) === "" ? "" : ` (${inline(scoresText(review.scores))})`
        }, by ${review.author === "model" ? "a model" : inline(review.author)}${
          review.voided === null ? "" : ", void"
        }${review.stale ? ", stale" : ""}${review.notes.trim() === "" ? "" : `: ${inline(review.notes)}`}${
          review.assumptions.map(({ plausibility, assumption }) =>
            `\n  - ${plausibility}: ${inline(assumption)}`
          )
            .join("")
        }`
      ),
    ),
    list(
      h.judged.length === h.judgedInAll
        ? "Matches"
        : `The newest ${h.judged.length} of ${h.judgedInAll} matches`,
      h.judged.map(matchLine),
    ),
    list(
      "Citations",
      h.citations.map(({ title, url, year }) =>
        `${inline(title, 400)}${year === undefined ? "" : ` (${year})`}${sourceOf(url)}`
      ),
    ),
  ];
}

function matchLine({ label, opponent, result, author, judge, voided, rationale }: ReportedMatch): string {
  const by = author === "model" ? judge : author;
  return `${label} ${result} against ${opponent.label}${by === null ? "" : `, by ${inline(by)}`}${
    voided === null ? "" : ", void"
  }${rationale.trim() === "" ? "" : `: ${inline(rationale)}`}`;
}

function othersParts({ others }: ReportData): string[] {
  return others.length === 0 ? [] : [
    "## Other hypotheses",
    others.map(({ label, title, state, stateReason, row }) =>
      `- **${label}** ${inline(title, 300)} (${
        row === null
          ? words(state)
          : row.rank === null
          ? `as ${row.foldedUnder ?? "another"}`
          : `rank ${row.rank}`
      }${stateReason === "" ? "" : `: ${inline(stateReason, 600)}`})`
    ).join("\n"),
  ];
}

function peopleParts({ directives, changes }: ReportData): string[] {
  if (directives.length + changes.length === 0) return [];
  return [
    "## What people changed",
    list(
      "What they told the agents",
      directives.map(({ label, text, to, author, inForce, whyNot }) =>
        `${label}, for ${recipients(to)}, by ${inline(author)}${
          inForce ? "" : ` (not in force: ${inline(whyNot ?? "")})`
        }: ${inline(text)}`
      ),
    ),
    changes.length === 0 ? "" : tableOf([
      { head: "", cell: (row) => row.revision },
      { head: "what", cell: (row) => inline(`${kindWords(row)} ${row.path}`, 160) },
      { head: "before", cell: (row) => inline(valueText(row.kind, row.before), 400) },
      { head: "after", cell: (row) => inline(valueText(row.kind, row.after), 400) },
      { head: "by", cell: (row) => inline(row.by, 80) },
      { head: "commit", end: true, cell: (row) => row.seq },
    ], changes),
  ];
}

function provenance(
  { session, goal, seq, revision, settings, costs, simulated, provenance: from }: ReportData,
): string {
  return [
    `session ${inline(session)}, ${from.store === null ? "in memory" : `store ${inline(from.store)}`}`,
    `goal: ${inline(goal, 2000)}`,
    `as of commit ${seq}, revision ${revision}${
      from.committedAt === null ? "" : `, ${moment(from.committedAt)}`
    }`,
    `seed ${inline(from.seed)}; models: ${inline(from.provider)}${
      from.models.length === 0
        ? ""
        : ` (${
          from.models.map(({ name, calls }) => `${inline(name)}, ${counted(calls, "call")}`).join("; ")
        })`
    }`,
    `cost: ${costLine(costs.total)}, of ${dollars(costs.budgetUsd)}${
      simulated ? "; simulated, nothing was paid" : ""
    }`,
    settings.length === 0
      ? "settings: all have their defaults"
      : `settings: ${
        settings.map(({ path, value }) => `${path} = ${inline(jsonLine(value), 300)}`).join("; ")
      }`,
    `prompts: ${
      from.prompts.map(({ name, version, changed }) =>
        `${inline(name)} ${version ?? "–"}${changed ? " (changed)" : ""}`
      )
        .join("; ") || "none used yet"
    }`,
    `written by cosci ${from.version}`,
  ].map((line) => `- ${line}`).join("\n");
}

/** A list under a word of its own; nothing where it has no entry. */
function list(name: string, entries: readonly string[]): string {
  return entries.length === 0 ? "" : `**${name}.**\n\n${entries.map((entry) => `- ${entry}`).join("\n")}`;
}

function quoted(text: string): string {
  return `> ${inline(text)}`;
}

/** An address between angle brackets is a link only if it is one of the web; others are text. */
function sourceOf(url: string): string {
  return url === ""
    ? ""
    : /^https?:\/\/[^\s<>()[\]\\"'`|]+$/i.test(url)
    ? ` <${url}>`
    : ` ${inline(url, 400)}`;
}

/** Text of a record within a line of Markdown: it can open no cell, link, tag, code, formula, heading or list. */
export function inline(text: string, max = HELD): string {
  return clip(oneLine(text), max).trimStart()
    .replaceAll(/[[\]<>`\\|*_#$~&]/g, "\\$&")
    // What would begin a list, a rule or a heading at the beginning of a line or a quotation.
    .replace(/^(\d*)([-+=.)])/, "$1\\$2");
}
