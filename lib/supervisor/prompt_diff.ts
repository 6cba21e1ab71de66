import { inputError } from "../domain/errors.ts";
import type { PromptLibrary } from "../llm/prompts.ts";
import type { PromptDiffData, ToolDiff } from "../notebook/displays/prompt_diff.ts";
import type { OfferedTool } from "../store/calls.ts";
import type { Sql } from "../store/database.ts";
import { type UsedVersion, versionsOf } from "../store/prompt_versions.ts";
import type { View } from "../store/view.ts";
import { lineDiff } from "./line_diff.ts";
import { originOf } from "./look.ts";
import { isInEveryCall, textAfter } from "./prompt_standing.ts";

const SHIPPED = "shipped", IN_FORCE = "in force";

/** One side of a comparison. */
interface Side {
  readonly label: string;
  readonly text: string;
  /** The tools that were offered with it; `null` where no call has told. */
  readonly tools: readonly OfferedTool[] | null;
  /** Whether that is only taken from the last call with another text. */
  readonly assumed: boolean;
}

/**
 * What a model reads otherwise under one state of a prompt than under another: the text and the tools offered with it.
 *
 * @param from `shipped`, `in force`, a revision (`R4`) or the first digits of a version
 * @throws CosciError `prompt` for an unknown name, `input` for a state that there is not
 */
export function promptDiff(
  view: View,
  sql: Sql,
  shipped: PromptLibrary,
  name: string,
  from: unknown = SHIPPED,
  to: unknown = IN_FORCE,
): PromptDiffData {
  // Says so where there is no such prompt, whatever is compared.
  shipped.source(name);
  const versions = versionsOf(sql, view.session.id, name);
  const [a, b] = [
    sideOf(view, shipped, name, versions, from, "from"),
    sideOf(view, shipped, name, versions, to, "to"),
  ];
  const tools = a.tools === null || b.tools === null ? [] : toolDiffs(a.tools, b.tools);
  return {
    ...originOf(view),
    name,
    from: a.label,
    to: b.label,
    same: a.text === b.text && tools.every(({ change }) => change === "same"),
    text: lineDiff(a.text, b.text),
    tools,
    notes: notesOf(a, b),
  };
}

function sideOf(
  view: View,
  shipped: PromptLibrary,
  name: string,
  versions: readonly UsedVersion[],
  ref: unknown,
  key: string,
): Side {
  const word = typeof ref === "string" ? ref.trim() : "";
  const withText = (label: string, text: string): Side => {
    if (isInEveryCall(name)) return { label, text, tools: [], assumed: false };
    const exact = versions.find(({ source }) => source === text);
    return { label, text, tools: (exact ?? versions[0])?.tools ?? null, assumed: exact === undefined };
  };
  if (word === SHIPPED) return withText(SHIPPED, shipped.source(name));
  if (word === IN_FORCE) return withText(IN_FORCE, view.prompts.get(name) ?? shipped.source(name));
  const revision = view.revisions.find(({ label }) => label === word.toUpperCase());
  if (revision !== undefined) {
    return withText(revision.label, textAfter(view, shipped, name, revision.number));
  }
  const found = /^[0-9a-f]{4,16}$/.test(word)
    ? versions.filter(({ version }) => version.startsWith(word))
    : [];
  const [version] = found;
  if (version !== undefined && found.length === 1) {
    return { label: version.version, text: version.source, tools: version.tools, assumed: false };
  }
  const known = versions.map((each) => each.version);
  throw inputError(
    `prompts.diff: ${key}`,
    ref,
    found.length > 1
      ? `Several versions begin so: ${found.map((each) => each.version).join(", ")}.`
      : `Give "${SHIPPED}", "${IN_FORCE}", a revision such as "R4", or a version` +
        (known.length === 0 ? " once there was a call." : `: ${known.join(", ")}.`),
    [SHIPPED, IN_FORCE, ...view.revisions.map(({ label }) => label), ...known],
  );
}

function toolDiffs(from: readonly OfferedTool[], to: readonly OfferedTool[]): ToolDiff[] {
  const names = [...new Set([...from, ...to].map(({ name }) => name))];
  return names.map((name) => {
    const [a, b] = [from, to].map((tools) => tools.find((tool) => tool.name === name));
    const lines = lineDiff(a === undefined ? "" : toolText(a), b === undefined ? "" : toolText(b));
    const change = a === undefined
      ? "added"
      : b === undefined
      ? "removed"
      : lines.some(({ mark }) => mark !== " ")
      ? "changed"
      : "same";
    return { name, change, lines };
  });
}

function toolText({ description, input_schema }: OfferedTool): string {
  return `${description}\n${JSON.stringify(input_schema, null, 2)}`;
}

function notesOf(...sides: readonly Side[]): string[] {
  if (sides.some(({ tools }) => tools === null)) {
    return [
      "No call of this prompt was made yet: which tools are offered with it is told once there was one.",
    ];
  }
  return [...new Set(sides.filter(({ assumed }) => assumed).map(({ label }) => label))].map((label) =>
    `No call was made with the text that is ${label}: its tools are taken to be those of the last call.`
  );
}
