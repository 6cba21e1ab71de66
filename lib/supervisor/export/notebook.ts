import { dirname, relative, resolve, sep } from "node:path";
import { clip, oneLine } from "../../domain/text.ts";
import { clean } from "../../notebook/displays/clean.ts";
import { counted, moment } from "../../notebook/displays/wording.ts";
import { BUNDLE, type MimeBundle } from "../../notebook/kernel.ts";
import { commitTime } from "../../store/work_costs.ts";
import type { View } from "../../store/view.ts";
import { COSCI_VERSION } from "../version.ts";
import { FIGURES } from "./figures.ts";
import type { Looked } from "./looked.ts";
import { inline } from "./markdown.ts";

/** Leading hypotheses that the notebook shows. */
const LEADERS = 5;
/** Matches among them that it shows. */
const MATCHES = 3;

/** A value that displays itself. */
interface Shown {
  [BUNDLE](): Promise<MimeBundle>;
}

/** A cell before it is written: prose, or code with what it shows. */
type Cell =
  | { readonly kind: "markdown"; readonly text: string }
  | { readonly kind: "code"; readonly code: string; readonly shows: Shown | null };

/**
 * The session as a notebook by nbformat 4.5: its first cell opens the session, the others look at it. Each is stored with
 * what it shows, made by the values' own displays, so that the notebook reads without being run. No cell moves the session.
 *
 * @param file where it is written, absolute: the store is named from there
 */
export async function sessionNotebook(lab: Looked, file: string): Promise<string> {
  const cells: unknown[] = [];
  let ran = 0;
  for (const cell of cellsOf(lab, file)) {
    const id = `cell-${cells.length + 1}`;
    cells.push(
      cell.kind === "markdown"
        ? { cell_type: "markdown", id, metadata: {}, source: linesOf(clean(cell.text)) }
        : {
          cell_type: "code",
          execution_count: cell.shows === null && lab.store.path === null ? null : ++ran,
          id,
          metadata: {},
          outputs: cell.shows === null ? [] : [await outputOf(cell.shows)],
          source: linesOf(cell.code),
        },
    );
  }
  const { session, seq } = lab.view();
  const notebook = {
    cells,
    metadata: {
      cosci: {
        seq,
        session: session.name.toWellFormed(),
        simulated: session.mode === "simulator",
        version: COSCI_VERSION,
      },
      kernelspec: { display_name: "Deno", language: "typescript", name: "deno" },
      language_info: { file_extension: ".ts", mimetype: "text/x.typescript", name: "typescript" },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(notebook, null, 1)}\n`;
}

/** What a kernel's display call leaves in a notebook. */
async function outputOf(value: Shown): Promise<unknown> {
  const data = Object.entries(await value[BUNDLE]()).map(([type, content]) =>
    [type, type === "image/png" ? content : linesOf(content)] as const
  );
  return {
    data: Object.fromEntries(data.sort(([a], [b]) => (a < b ? -1 : 1))),
    metadata: {},
    output_type: "display_data",
  };
}

/** A text as notebooks store it: its lines, each with its end. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function cellsOf(lab: Looked, file: string): Cell[] {
  const view = lab.view();
  return [
    prose(introduction(lab, view)),
    { kind: "code", code: opening(lab, view, file), shows: null },
    prose("## Where it stands"),
    code("lab.inspect()", lab.inspect()),
    ...(view.leaderboard.length === 0 ? [] : FIGURES.flatMap(({ name, reads, of }) => [
      prose(reads),
      code(`lab.plots.${name}()`, of(lab.plots)),
    ])),
    ...recordCells(lab, view),
    ...(view.settings.scope.criteria.length === 0
      ? []
      : [prose("## Your criteria"), code("lab.criteria", lab.criteria)]),
    ...overviewCells(lab, view),
    ...(view.matchCount === 0 ? [] : [prose("## How the judges judge"), code("lab.judge", lab.judge)]),
    ...peopleCells(lab, view),
    ...feedbackCells(lab, view),
    prose("## What it cost"),
    code("lab.cost()", lab.cost()),
    prose("## How it was made\n\nSettings first, then the prompts that the models' calls were made from."),
    code("lab.settings", lab.settings),
    code("lab.prompts.list()", lab.prompts.list()),
    prose(
      "## To go on\n\n`lab.peek()` says what the next step would do and what it may cost; `await lab.runFor({ matches: 20 })` " +
        'plays twenty more matches; `await lab.fork({ name: "another way" })` goes on beside it; `lab.help()` lists what else there is.',
    ),
  ];
}

function introduction({ store }: Looked, view: View): string {
  const { session, seq } = view;
  const at = commitTime(store.sql, store.stretches(session.id), seq);
  return [
    `# ${line(session.name)}`,
    `> ${line(session.goal, 2000)}`,
    ...(session.mode === "simulator"
      ? ["**SIMULATED.** Models and literature are invented: nothing in here is real."]
      : []),
    `A research session of cosci as of commit ${seq}${
      at === null ? "" : ` (${moment(at)})`
    }, with what each cell showed then.`,
    store.path === null
      ? "It can't be run again: the session was in memory and ended with the program that held it. " +
        'A session that is to be opened later needs a file: `Supervisor.create({ …, store: "my.db" })`.'
      : [
        "To run it again it takes",
        "",
        "- the Deno kernel: `deno task kernel` in cosci's folder installs it;",
        "- a `deno.json` in this folder, or above it, that says where `cosci` is: `deno task new FOLDER` makes a folder with one;",
        "- the store that the next cell names, as seen from this folder.",
        "",
        "The cells then show the session as it stands by then. They only look: nothing changes, and nothing is spent.",
      ].join("\n"),
  ].join("\n\n");
}

function opening({ store }: Looked, { session }: View, file: string): string {
  if (store.path === null) {
    return 'throw new Error("This session was in memory and is gone: the notebook shows it, and can\'t be run again.");';
  }
  return [
    'import { Supervisor } from "cosci";',
    "",
    "const lab = await Supervisor.open({",
    `  store: ${literal(fromFolder(dirname(file), resolve(store.path)))},`,
    `  session: ${literal(session.name)},`,
    "});",
  ].join("\n");
}

/** A path as seen from a folder, with the slashes that all systems understand; absolute where there is no other way. */
function fromFolder(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, "/");
}

/** A string literal of TypeScript that looks like what it is: marks that act on how text is shown are written as escapes. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** The leaders, and matches between them. */
function recordCells(lab: Looked, view: View): Cell[] {
  const leaders = view.leaderboard.filter(({ foldedUnder }) => foldedUnder === null).slice(0, LEADERS);
  if (leaders.length === 0) return [];
  const ids = new Set(leaders.map(({ record }) => record.id));
  const between = view.matches.filter(({ firstId, secondId, verdict }) =>
    ids.has(firstId) && ids.has(secondId) && verdict !== "invalid"
  ).slice(-MATCHES);
  return [
    prose(
      `## ${counted(leaders.length, "leading hypothesis", "leading hypotheses")}\n\n` +
        "Each with its reviews, matches, sources and findings.",
    ),
    ...leaders.map(({ record: { label } }) => look(lab, label)),
    ...(between.length === 0
      ? []
      : [prose("## How they were compared\n\nThe newest matches between them, with what the judge said.")]),
    ...between.map(({ label }) => look(lab, label)),
  ];
}

function overviewCells(lab: Looked, view: View): Cell[] {
  const newest = view.overviews.at(-1);
  return newest === undefined
    ? [prose("## Overview\n\nThere is none yet: `await lab.overview()` drafts one.")]
    : [prose("## Overview"), look(lab, newest.label)];
}

function peopleCells(lab: Looked, view: View): Cell[] {
  if (view.revisions.length + view.directives.length === 0) return [];
  return [
    prose("## What people changed"),
    ...(view.directives.length === 0 ? [] : [code("lab.directives", lab.directives)]),
    ...(view.revisions.length === 0 ? [] : [code("lab.revisions", lab.revisions)]),
  ];
}

function feedbackCells(lab: Looked, view: View): Cell[] {
  const newest = view.feedback.at(-1);
  return newest === undefined ? [] : [
    prose("## System feedback\n\nWhat reviews and matches taught, which later prompts carry."),
    look(lab, newest.label),
  ];
}

function look(lab: Looked, label: string): Cell {
  return code(`lab.inspect(${literal(label)})`, lab.inspect(label));
}

function code(source: string, shows: Shown): Cell {
  return { kind: "code", code: source, shows };
}

function prose(text: string): Cell {
  return { kind: "markdown", text };
}

function line(text: string, max = 300): string {
  return inline(clip(oneLine(text), max));
}
