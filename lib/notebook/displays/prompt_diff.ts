import { card, type Html, markup } from "../html.ts";
import { INK } from "../plots/palette.ts";
import type { Display } from "./display.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { faint, fold, line, paragraph, section } from "./prose.ts";
import { counted } from "./wording.ts";

/** A line of a comparison: in both (` `), only in the later (`+`), only in the earlier (`-`). */
export interface DiffLine {
  /** Where it stands. */
  readonly mark: " " | "+" | "-";
  /** What it says. */
  readonly text: string;
}

/** What differs in a tool: its description and the schema of its input. */
export interface ToolDiff {
  /** The tool. */
  readonly name: string;
  /** Whether it came, went, reads otherwise, or is the same. */
  readonly change: "added" | "removed" | "changed" | "same";
  /** Line by line. */
  readonly lines: readonly DiffLine[];
}

/** What a model reads otherwise under one state of a prompt than under another. */
export interface PromptDiffData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The prompt. */
  readonly name: string;
  /** The earlier state: `shipped`, a revision, a version. */
  readonly from: string;
  /** The later state. */
  readonly to: string;
  /** Whether a model reads the same under both. */
  readonly same: boolean;
  /** The texts line by line, lines that both have included. */
  readonly text: readonly DiffLine[];
  /** The tools that are offered with it; empty where no call has told which these are. */
  readonly tools: readonly ToolDiff[];
  /** Remarks; empty where there is nothing to say. */
  readonly notes: readonly string[];
}

/** Unchanged lines that are shown around changed ones. */
const CONTEXT = 3;

/** How two states of a prompt are compared. */
export const promptDiffDisplay: Display<PromptDiffData> = {
  html: (diff) =>
    card({
      title: title(diff),
      simulated: diff.simulated,
      body: [
        diff.same ? paragraph("Nothing differs: a model reads the same.") : null,
        diff.notes.map((note) => paragraph(faint(line(note, 400)))),
        isChanged(diff.text) ? section(count(diff.text), linesHtml(diff.text)) : null,
        changedTools(diff).map((tool) =>
          section(`Tool ${tool.name}: ${tool.change}, ${count(tool.lines)}`, linesHtml(tool.lines))
        ),
        sameTools(diff) === "" ? null : paragraph(faint(sameTools(diff))),
        diff.same || isChanged(diff.text)
          ? null
          : fold("The text, which is the same", linesHtml(diff.text, Infinity)),
      ],
    }),
  text: (diff) =>
    blocks(
      headline(title(diff), diff.simulated),
      diff.same ? "Nothing differs: a model reads the same." : null,
      lines(...diff.notes.map((note) => wrapped(note))),
      isChanged(diff.text) ? `${count(diff.text)}\n${linesText(diff.text)}` : null,
      ...changedTools(diff).map((tool) =>
        `Tool ${tool.name}: ${tool.change}, ${count(tool.lines)}\n${linesText(tool.lines)}`
      ),
      sameTools(diff) === "" ? null : wrapped(sameTools(diff)),
    ),
};

function title({ name, from, to }: PromptDiffData): string {
  return `Prompt ${name}: ${from} → ${to}`;
}

function isChanged(all: readonly DiffLine[]): boolean {
  return all.some(({ mark }) => mark !== " ");
}

function changedTools({ tools }: PromptDiffData): readonly ToolDiff[] {
  return tools.filter(({ change }) => change !== "same");
}

function sameTools({ tools }: PromptDiffData): string {
  const same = tools.filter(({ change }) => change === "same").map(({ name }) => name);
  return same.length === 0 ? "" : `${counted(same.length, "tool")} read the same: ${same.join(", ")}.`;
}

function count(all: readonly DiffLine[]): string {
  const of = (mark: DiffLine["mark"]) => all.filter((each) => each.mark === mark).length;
  return `${counted(of("+"), "line")} more, ${of("-")} less`;
}

/** The changed lines with those around them; what is left out in between is counted. */
function hunks(all: readonly DiffLine[], context: number): (DiffLine | { readonly left: number })[] {
  const out: (DiffLine | { readonly left: number })[] = [];
  let left = 0;
  for (const [i, each] of all.entries()) {
    const near = all.slice(Math.max(0, i - context), i + context + 1).some(({ mark }) => mark !== " ");
    if (!near && context !== Infinity) {
      left++;
      continue;
    }
    if (left > 0) out.push({ left });
    left = 0;
    out.push(each);
  }
  if (left > 0) out.push({ left });
  return out;
}

const GROUND = { "+": "#eaf6ee", "-": "#fdecea", " ": "#ffffff" } as const;

/** Lines of a comparison as HTML: the changed ones with those around them. */
export function linesHtml(all: readonly DiffLine[], context = CONTEXT): Html {
  const rows = hunks(all, context).map((each) =>
    "left" in each
      ? markup`<div style="color:${INK.faint}">⋯ ${counted(each.left, "line")}</div>`
      : markup`<div style="background:${
        GROUND[each.mark]
      }"><span style="user-select:none">${each.mark} </span>${line(each.text, 4000)}</div>`
  );
  return markup`<div style="font-family:monospace;font-size:12px;white-space:pre-wrap;overflow-wrap:anywhere">${rows}</div>`;
}

/** The same as text. */
export function linesText(all: readonly DiffLine[]): string {
  return hunks(all, CONTEXT).map((each) =>
    "left" in each ? `  ⋯ ${counted(each.left, "line")}` : wrapped(each.text, `${each.mark} `, 4000)
  ).join("\n");
}
