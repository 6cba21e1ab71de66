import { extname } from "node:path";
// @ts-types="./d3_dsv.d.ts"
import { csvFormat } from "d3-dsv";
import { inputError } from "../domain/errors.ts";
import { oneLine } from "../domain/text.ts";
import { type LeaderboardRow, snapshot, type SnapshotData } from "../engine/snapshot.ts";
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
      leaderboardMarkdown(data.leaderboard),
    ].join("\n\n")
  }\n`;
}

function leaderboardMarkdown(rows: readonly LeaderboardRow[]): string {
  if (rows.length === 0) return "No hypothesis is in the tournament.";
  return [
    "| rank | hypothesis | Elo | matches | won | lost | tied | strategy | title |",
    "|--:|---|--:|--:|--:|--:|--:|---|---|",
    ...rows.map((row) =>
      `| ${
        [
          row.rank ?? `as ${row.foldedUnder ?? "another"}`,
          row.label,
          row.elo.toFixed(0),
          row.matches,
          row.won,
          row.lost,
          row.tied,
          row.strategy,
          inline(row.title),
        ].join(" | ")
      } |`
    ),
  ].join("\n");
}

/** Text of a record within a line of Markdown: it can open no cell, link, tag, code or heading. */
function inline(text: string): string {
  return oneLine(text).replaceAll(/[[\]<>`\\|*_#]/g, "\\$&");
}

/** A session as one object: everything that a reader of its results needs, in the names of the domain. */
function sessionJson(view: View): Record<string, unknown> {
  const { id: _, settings: atCreation, createdAt, ...session } = view.session;
  return {
    simulated: view.session.mode === "simulator",
    session: { ...session, createdAt: new Date(createdAt).toISOString(), settingsAtCreation: atCreation },
    settings: view.settings,
    snapshot: snapshot(view),
    plan: view.plan,
    hypotheses: view.hypotheses.map(({ record, ...standing }) => ({ ...record, ...standing })),
    reviews: view.reviews,
    matches: view.matches.map((match) => ({ ...match, rationale: view.rationale(match.id) })),
    ratings: view.eloJournal,
    duplicates: view.duplicates,
    evidence: view.evidence,
    feedback: view.feedback,
    revisions: view.revisions,
    screens: view.screens,
    overviews: view.overviews,
  };
}

/** The leaderboard as CSV, best first; every row says whether it was simulated. */
export function leaderboardCsv(data: Pick<SnapshotData, "leaderboard" | "simulated">): string {
  return `${
    csvFormat(
      data.leaderboard.map((row) => ({
        rank: row.rank ?? "",
        label: row.label,
        title: cell(row.title),
        elo: row.elo.toFixed(2),
        matches: row.matches,
        won: row.won,
        lost: row.lost,
        tied: row.tied,
        verdict: row.verdict ?? "",
        strategy: row.strategy,
        generation: row.generation,
        parents: row.parents.join(" "),
        folded_under: row.foldedUnder ?? "",
        simulated: data.simulated ? "SIMULATED" : "",
      })),
      CSV_COLUMNS,
    )
  }\n`;
}

const CSV_COLUMNS = [
  "rank",
  "label",
  "title",
  "elo",
  "matches",
  "won",
  "lost",
  "tied",
  "verdict",
  "strategy",
  "generation",
  "parents",
  "folded_under",
  "simulated",
] as const;

/** A model's words in a cell: a spreadsheet must not take them for a formula. */
function cell(text: string): string {
  const line = oneLine(text);
  return /^[=+\-@]/.test(line) ? `'${line}` : line;
}
