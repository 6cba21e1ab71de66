import { card, table } from "../html.ts";
import type { Display } from "./display.ts";
import { facts } from "./grid.ts";
import { markdownHtml, safeMarkdown } from "./markdown.ts";
import { blocks, headline, lines, textTable, wrapped } from "./plain.ts";
import { fold, line, short } from "./prose.ts";
import type { PromptRow } from "./prompt_list.ts";
import { counted } from "./wording.ts";

/** One version of a prompt that calls were made from. */
export interface PromptVersionRow {
  /** The version. */
  readonly version: string;
  /** Whether its text is the one in force. */
  readonly inForce: boolean;
  /** Calls of the session that were made from it. */
  readonly calls: number;
  /** The number of the newest of them. */
  readonly lastCall: number;
}

/** One prompt with its text. */
export interface PromptTextData extends PromptRow {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The text in force, front matter included. */
  readonly text: string;
  /** The inputs that it uses. */
  readonly inputs: readonly string[];
  /** The inputs that it is given, and so may use. */
  readonly given: readonly string[];
  /** The versions that calls were made from, in the order of their last calls. */
  readonly versions: readonly PromptVersionRow[];
}

/** How a prompt is shown: as the Markdown that it is. */
export const promptTextDisplay: Display<PromptTextData> = {
  html: (prompt) =>
    card({
      title: `Prompt ${prompt.name}`,
      simulated: prompt.simulated,
      body: [
        facts(details(prompt).map(([name, text]) => [name, line(text, 500)] as const)),
        prompt.versions.length === 0 ? null : fold(
          counted(prompt.versions.length, "version asked", "versions asked"),
          table([
            { head: "Version", cell: (row) => short(row.version) },
            { head: "Text", cell: textOf },
            { head: "Calls", align: "end", cell: (row) => short(row.calls) },
            { head: "Last call", align: "end", cell: (row) => short(row.lastCall) },
          ], prompt.versions),
        ),
        markdownHtml(prompt.text, prompt.simulated),
      ],
    }),
  text: (prompt) =>
    blocks(
      headline(`Prompt ${prompt.name}`, prompt.simulated),
      lines(...details(prompt).map(([name, text]) => wrapped(text, `${name}: `, 500))),
      prompt.versions.length === 0 ? null : textTable([
        { head: "version", cell: (row) => row.version },
        { head: "text", cell: textOf },
        { head: "calls", cell: (row) => String(row.calls), align: "end" },
        { head: "last call", cell: (row) => String(row.lastCall), align: "end" },
      ], prompt.versions),
      wrapped(prompt.text, "", 100_000),
    ),
  markdown: (prompt) => safeMarkdown(prompt.text),
};

function textOf(row: PromptVersionRow): string {
  return row.inForce ? "in force" : "earlier";
}

function details(prompt: PromptTextData): [string, string][] {
  const since = prompt.revision === null ? "" : `, ${prompt.revision} (commit ${prompt.seq}) by ${prompt.by}`;
  const unused = prompt.given.filter((input) => !prompt.inputs.includes(input));
  return [
    ["For", prompt.what],
    ["Text", `${prompt.changed ? "changed" : "shipped"}${since}`],
    ["Version", prompt.version ?? "none yet: it is told with the first call"],
    ["Inputs", prompt.inputs.join(", ")],
    ...(unused.length === 0 ? [] : [["Not used", unused.join(", ")] satisfies [string, string]]),
    ["Calls", `${prompt.calls} with this text, ${prompt.earlierCalls} with earlier ones`],
  ];
}
