import { join } from "node:path";
import { OVERVIEW_PARTS } from "../../agents/overview_check.ts";
import { type CostRow, snapshot, type SnapshotData } from "../../lib/engine/snapshot.ts";
import { firstLeadersText } from "../../lib/notebook/displays/leaders.ts";
import { blocks, headline, lines, wrapped } from "../../lib/notebook/displays/plain.ts";
import { costLine, counted, words } from "../../lib/notebook/displays/wording.ts";
import type { GateCard } from "../../lib/notebook/values/gate_card.ts";
import { readTranscripts } from "../../lib/store/transcripts.ts";
import type { SupervisorHandle as Supervisor } from "../../lib/supervisor/supervisor.ts";
import { exitCodeOf } from "./exit_codes.ts";

/** What came of a session, for people and for programs. */
export interface Result {
  /** The session's name. */
  readonly session: string;
  /** Whether models were simulated: then nothing in it is real. */
  readonly simulated: boolean;
  /** The goal. */
  readonly goal: string;
  /** The store's file. */
  readonly store: string;
  /** Status of the session. */
  readonly status: SnapshotData["status"];
  /** Why it stopped by itself, if it did. */
  readonly reason: SnapshotData["stopReason"];
  /** A line about it. */
  readonly note: string;
  /** What the command line answers. */
  readonly exitCode: number;
  /** What waits for a yes, if something does. */
  readonly gate: GateCard | null;
  /** Counts of records. */
  readonly counts: SnapshotData["counts"];
  /** What all calls cost. */
  readonly cost: CostRow;
  /** The same by agent. */
  readonly costByAgent: SnapshotData["costByAgent"];
  /** How the leaderboard is ordered, and how sure it is. */
  readonly ranking: SnapshotData["ranking"];
  /** Best first. */
  readonly leaderboard: SnapshotData["leaderboard"];
  /** The newest overview. */
  readonly overview: {
    readonly label: string;
    readonly version: number;
    readonly source: "model" | "fallback";
    readonly model: string | null;
    readonly notes: readonly string[];
    /** Its first part. */
    readonly summary: string;
  } | null;
  /** Where its files are; none where nothing was written. */
  readonly files: readonly string[];
}

/** How a session stands, and what the command line answers to it. */
export function resultOf(lab: Supervisor, files: readonly string[] = []): Result {
  const view = lab.view();
  const data = snapshot(view);
  const overview = view.overviews.at(-1);
  const gate = lab.gate;
  const [asked] = readTranscripts(lab.store.sql, view.session.id, {
    prompt: "metareview.final",
    last: 1,
    inherited: false,
  });
  return {
    session: data.session,
    simulated: data.simulated,
    goal: data.goal,
    store: lab.store.name,
    status: data.status,
    reason: data.stopReason,
    note: data.note,
    exitCode: exitCodeOf({
      status: data.status,
      reason: data.stopReason,
      atGate: gate.open,
      overview: overview?.source ?? null,
      askedInVain: asked !== undefined && asked.error !== "",
      hypotheses: data.counts.hypotheses,
    }),
    gate: gate.open ? gate : null,
    counts: data.counts,
    cost: data.cost,
    costByAgent: data.costByAgent,
    ranking: data.ranking,
    leaderboard: data.leaderboard,
    overview: overview === undefined ? null : {
      label: overview.label,
      version: overview.version,
      source: overview.source,
      model: overview.model,
      notes: overview.notes,
      summary: firstPart(overview.markdown),
    },
    files,
  };
}

/** The files that show a session, and what writes each; {@linkcode RUN} comes last, which tells of them. */
const FILES:
  readonly (readonly [name: string, write: (lab: Supervisor, path: string) => Promise<unknown>])[] = [
    ["report.html", (lab, path) => lab.export(path)],
    ["session.ipynb", (lab, path) => lab.export(path)],
    ["overview.md", (lab, path) => lab.export(path)],
    ["leaderboard.csv", (lab, path) => lab.export(path)],
    ["elo.svg", (lab, path) => lab.plots.elo().save(path)],
    ["lineage.svg", (lab, path) => lab.plots.lineage().save(path)],
  ];

/** What came of it, for programs. */
const RUN = "run.json";

/** Writes a session's files into a folder, made if need be, and says what came of it. */
export async function writeResults(lab: Supervisor, folder: string): Promise<Result> {
  await Deno.mkdir(folder, { recursive: true });
  const path = (name: string) => join(folder, name);
  for (const [name, write] of FILES) await write(lab, path(name));
  const result = resultOf(lab, [...FILES.map(([name]) => path(name)), path(RUN)]);
  const { seed, preferences, provider, createdAt } = lab.view().session;
  const run = {
    ...result,
    preferences,
    seed,
    models: provider.name,
    createdAt: new Date(createdAt).toISOString(),
    settings: lab.view().settings,
  };
  await Deno.writeTextFile(path(RUN), `${JSON.stringify(run, null, 2)}\n`);
  return result;
}

/** Leaders that a result shows. */
const LEADERS = 10;

/** How a gate is answered from the command line. */
export const AT_GATE =
  'Here: `deno task gate accept` or `deno task gate refuse "why"`, then `deno task resume`.';

/** A result to read. */
export function resultText(result: Result): string {
  const { counts, overview } = result;
  const ended = result.reason === null
    ? words(result.status)
    : `${words(result.status)} (${words(result.reason)})`;
  return blocks(
    lines(
      headline(result.session, result.simulated),
      wrapped(result.goal, "Goal:  ", 400),
      `State: ${ended}`,
      result.note === "" ? null : wrapped(result.note, "       ", 600),
      `Has:   ${counted(counts.hypotheses, "hypothesis", "hypotheses")}, ${
        counted(counts.reviews, "review")
      }, ${counted(counts.matches, "match", "matches")}`,
      `Cost:  ${costLine(result.cost)}${
        result.simulated ? " (what live models would cost; nothing was paid)" : ""
      }`,
    ),
    firstLeadersText(result, LEADERS, true),
    overview === null ? null : lines(
      overview.source === "model"
        ? "Overview, summary:"
        : "Overview from the records, not written by a model:",
      wrapped(overview.summary, "  ", 2000),
    ),
    result.files.length === 0 ? null : lines("Files:", ...result.files.map((file) => `  ${file}`)),
    result.gate === null ? null : lines(String(result.gate), AT_GATE),
  );
}

/** The text of an overview's first part. */
function firstPart(markdown: string): string {
  const [, after = ""] = markdown.split(`## ${OVERVIEW_PARTS[0]}\n`);
  return (after.split(/^## /m)[0] ?? "").trim();
}
