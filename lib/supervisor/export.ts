import { extname } from "node:path";
// @ts-types="../notebook/d3_dsv.d.ts"
import { csvFormat } from "d3-dsv";
import { inputError } from "../domain/errors.ts";
import { oneLine } from "../domain/text.ts";
import { criteriaTable } from "../engine/criteria_board.ts";
import { type LeaderboardRow, snapshot, type SnapshotData } from "../engine/snapshot.ts";
import { scoreText } from "../notebook/displays/criteria.ts";
import { spreadsheetText } from "../notebook/frames/spreadsheet_text.ts";
import { legend, sureness } from "../notebook/displays/sureness.ts";
import { chance, inTop } from "../notebook/displays/wording.ts";
import { canonicalExport } from "../store/canonical.ts";
import type { Store } from "../store/store.ts";
import type { View } from "../store/view.ts";

/** The endings of an export's path, each with what it holds. */
const FORMATS = {
  ".md": "the newest overview and the leaderboard, to read",
  ".json": "the whole session in one object, for programs",
  ".csv": "the leaderboard, for spreadsheets",
  ".jsonl": "every record, one a line, to compare sessions by",
} as const;
type Ending = keyof typeof FORMATS;

/**
 * Writes a session to a file whose ending decides the form: `.md` (overview and leaderboard), `.json` (snapshot,
 * hypotheses, reviews, matches, overviews), `.csv` (leaderboard), `.jsonl` (the canonical export). A file that is there
 * is replaced.
 *
 * @throws CosciError `input` for another ending, or where the folder doesn't exist; before anything is written
 */
export async function exportSession(store: Store, sessionId: string, path: unknown): Promise<void> {
  const file = typeof path === "string" ? path : "";
  const ending = endingOf(file);
  if (ending === undefined) {
    throw inputError(
      "export: path",
      path,
      `Give a file name that ends in ${
        Object.entries(FORMATS).map(([known, what]) => `${known} (${what})`).join(", ")
      }. Plots are saved by lab.plots.elo().save("elo.svg").`,
    );
  }
  const text = textOf(store, sessionId, ending);
  try {
    await Deno.writeTextFile(file, text);
  } catch (error) {
    throw error instanceof Deno.errors.NotFound
      ? inputError("export: path", path, "Its folder doesn't exist: make it first.")
      : error;
  }
}

function endingOf(path: string): Ending | undefined {
  const ending = extname(path).toLowerCase();
  return ending === ".md" || ending === ".json" || ending === ".csv" || ending === ".jsonl"
    ? ending
    : undefined;
}

function textOf(store: Store, sessionId: string, ending: Ending): string {
  const view = store.view(sessionId);
  switch (ending) {
    case ".md":
      return sessionMarkdown(view);
    case ".json":
      return `${JSON.stringify(sessionJson(view), null, 2)}\n`;
    case ".csv":
      return leaderboardCsv(snapshot(view));
    case ".jsonl":
      return canonicalExport(store, sessionId);
  }
}

/** The newest overview of a session, or a line that there is none, with the leaderboard below it. */
export function sessionMarkdown(view: View): string {
  const data = snapshot(view);
  const overview = view.overviews.at(-1);
  return `${
    [
      // An overview bears the mark itself.
      ...(overview === undefined
        ? [
          ...(data.simulated ? ["**SIMULATED.** Nothing here is real."] : []),
          `# ${inline(data.session)}`,
          `> ${inline(data.goal)}`,
          "There is no overview yet.",
        ]
        : [overview.markdown.trimEnd()]),
      `## Leaderboard${data.simulated ? " (SIMULATED)" : ""}`,
      leaderboardMarkdown(data),
    ].join("\n\n")
  }\n`;
}

/** How sure the ranking is, the leaderboard, and what its numbers mean. */
function leaderboardMarkdown(data: SnapshotData): string {
  const { leaderboard, ranking: { by, topK }, criteria = [] } = data;
  if (leaderboard.length === 0) return "No hypothesis is in the tournament.";
  const elo: MarkdownColumn = { head: "Elo", end: true, cell: (row) => row.elo.toFixed(0) };
  const ratings: MarkdownColumn[] = [
    { head: "rating (90 % interval)", end: true, cell: ratingCell },
    { head: inTop(topK), end: true, cell: chanceCell },
  ];
  const columns: MarkdownColumn[] = [
    { head: "rank", end: true, cell: (row) => row.rank ?? `as ${row.foldedUnder ?? "another"}` },
    { head: "hypothesis", cell: (row) => row.label },
    ...(by === "elo" ? [elo, ...ratings] : [...ratings, elo]),
    ...criteria.map(({ name }): MarkdownColumn => ({
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
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  const table = [
    line(columns.map(({ head }) => head)),
    `|${columns.map(({ end = false }) => end ? "--:" : "---").join("|")}|`,
    ...leaderboard.map((row) => line(columns.map(({ cell }) => cell(row)))),
  ].join("\n");
  return [sureness(data), table, legend(data, { band: "with its 90 % interval", tiers: false })]
    .filter((part) => part !== null).join("\n\n");
}

/** A column of the leaderboard in Markdown. */
interface MarkdownColumn {
  readonly head: string;
  readonly end?: boolean;
  readonly cell: (row: LeaderboardRow) => string | number;
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

/** Text of a record within a line of Markdown: it can open no cell, link, tag, code or heading. */
function inline(text: string): string {
  return oneLine(text).replaceAll(/[[\]<>`\\|*_#]/g, "\\$&");
}

/** A session as one object: everything that a reader of its results needs, in the names of the domain. */
function sessionJson(view: View): Record<string, unknown> {
  const isVoid = ({ id }: { readonly id: string }) => view.marked("void", id) !== null;
  const { id: _, settings: atCreation, createdAt, ...session } = view.session;
  return {
    simulated: view.session.mode === "simulator",
    session: { ...session, createdAt: new Date(createdAt).toISOString(), settingsAtCreation: atCreation },
    settings: view.settings,
    snapshot: snapshot(view),
    plan: view.plan,
    hypotheses: view.hypotheses.map(({ record, ...standing }) => ({ ...record, ...standing })),
    reviews: view.reviews.map((review) => ({ ...review, void: isVoid(review) })),
    matches: view.matches.map((match) => ({
      ...match,
      rationale: view.rationale(match.id),
      void: isVoid(match),
    })),
    ratings: view.eloJournal,
    duplicates: view.duplicates,
    evidence: view.allEvidence.map((item) => ({ ...item, void: isVoid(item) })),
    directives: view.directives.map((directive) => ({ ...directive, inForce: view.inForce(directive) })),
    feedback: view.feedback,
    ...(view.settings.scope.criteria.length === 0 ? {} : { criteria: criteriaTable(view) }),
    revisions: view.revisions,
    screens: view.screens,
    overviews: view.overviews,
  };
}

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
