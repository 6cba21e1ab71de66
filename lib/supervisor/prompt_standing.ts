import type { RevisionRecord } from "../domain/records.ts";
import type { PromptLibrary } from "../llm/prompts.ts";
import type { PromptRow } from "../notebook/displays/prompt_list.ts";
import type { PromptTextData, PromptVersionRow } from "../notebook/displays/prompt_text.ts";
import type { Sql } from "../store/database.ts";
import { type CallCount, callCounts, versionsOf } from "../store/prompt_versions.ts";
import type { View } from "../store/view.ts";
import { originOf } from "./look.ts";
import { PROMPT_PURPOSES } from "./prompt_purposes.ts";

/** The parts of the system prompt: every call is made from them, and none bears their name. */
const IN_EVERY_CALL: ReadonlySet<string> = new Set(["system", "session"]);

/** Whether a prompt is part of every request. */
export function isInEveryCall(name: string): boolean {
  return IN_EVERY_CALL.has(name);
}

/** All prompts: which text is in force, since when, and how many calls were made from it. */
export function promptRows(view: View, sql: Sql, shipped: PromptLibrary): PromptRow[] {
  const counts = callCounts(sql, view.session.id);
  return shipped.names.map((name) => rowOf(view, sql, shipped, name, counts));
}

/** One prompt with its text. @throws CosciError `prompt` for an unknown name */
export function promptText(view: View, sql: Sql, shipped: PromptLibrary, name: string): PromptTextData {
  const library = shipped.with(view.prompts);
  const text = library.source(name);
  const counts = callCounts(sql, view.session.id);
  return {
    ...originOf(view),
    ...rowOf(view, sql, shipped, name, counts),
    text,
    inputs: library.used(name),
    given: library.inputs(name),
    versions: versionRows(view, shipped, name, text, counts),
  };
}

/** The text of a prompt after a revision. */
export function textAfter(
  { revisions }: Pick<View, "revisions">,
  shipped: PromptLibrary,
  name: string,
  number: number,
): string {
  const last = revisionOf(revisions.filter((revision) => revision.number <= number), name);
  return typeof last?.after === "string" ? last.after : shipped.source(name);
}

function rowOf(
  view: View,
  sql: Sql,
  shipped: PromptLibrary,
  name: string,
  counts: readonly CallCount[],
): PromptRow {
  const text = view.prompts.get(name) ?? shipped.source(name);
  const last = revisionOf(view.revisions, name);
  const versions = versionRows(view, shipped, name, text, counts);
  const sum = (inForce: boolean) =>
    versions.reduce((calls, version) => calls + (version.inForce === inForce ? version.calls : 0), 0);
  return {
    name,
    what: PROMPT_PURPOSES[name] ?? "",
    version: versions.findLast(({ inForce }) => inForce)?.version ??
      nextVersion(view, sql, shipped, name, text),
    changed: view.prompts.has(name),
    by: last?.author ?? null,
    revision: last?.label ?? null,
    seq: last?.seq ?? null,
    calls: sum(true),
    earlierCalls: sum(false),
  };
}

/** The version that the next call will have if it is offered the tools that the last one was; `null` before any. */
function nextVersion(
  view: View,
  sql: Sql,
  shipped: PromptLibrary,
  name: string,
  text: string,
): string | null {
  const library = shipped.with({ [name]: text });
  if (isInEveryCall(name)) return library.version(name);
  const [known] = versionsOf(sql, view.session.id, name);
  return known === undefined ? null : library.version(name, known.tools);
}

/** The versions that calls of the session were made from, in the order of their last calls. */
function versionRows(
  view: View,
  shipped: PromptLibrary,
  name: string,
  text: string,
  counts: readonly CallCount[],
): PromptVersionRow[] {
  const every = isInEveryCall(name);
  const rows = new Map<string, PromptVersionRow>();
  for (const count of counts) {
    if (!every && count.prompt !== name) continue;
    const source = (every ? null : count.source) ?? textAfter(view, shipped, name, count.revision);
    const version = every ? shipped.with({ [name]: source }).version(name) : count.version;
    const known = rows.get(version);
    rows.delete(version);
    rows.set(version, {
      version,
      inForce: source === text,
      calls: count.calls + (known?.calls ?? 0),
      lastCall: count.lastCall,
    });
  }
  return [...rows.values()];
}

function revisionOf(revisions: readonly RevisionRecord[], name: string): RevisionRecord | undefined {
  return revisions.findLast(({ kind, target }) => kind === "prompt" && target === name);
}
