import pLimit from "p-limit";
import { z } from "zod";
import type { SeenSource } from "../domain/agent.ts";
import type { Clock } from "../domain/clock.ts";
import { CosciError, messageOf, nearest } from "../domain/errors.ts";
import { canonicalJson, hashOf } from "../domain/ids.ts";
import { clip, fence } from "../domain/text.ts";
import type { Settings } from "../config/settings.ts";
import type { CallLedger } from "../store/calls.ts";
import type { CallEvent } from "./call_event.ts";
import { withDeadline } from "./deadline.ts";
import type { Tool } from "./tool.ts";
import type { ToolResultBlock, ToolUse } from "./wire.ts";

/** What running tools needs from the task. */
export interface ToolUseDeps {
  /** The task. */
  readonly task: { readonly key: string; readonly id: string };
  /** Limits of time and length. */
  readonly settings: Settings;
  /** The journal. */
  readonly ledger: CallLedger;
  /** Durations. */
  readonly clock: Clock;
  /** Ends everything early. */
  readonly signal: AbortSignal;
  /** Told what happens. */
  readonly onCall?: ((event: CallEvent) => void) | undefined;
}

/** What a tool call came to: a text for the model, and the sources behind it. */
interface ToolOutcome {
  readonly ok: boolean;
  readonly text: string;
  readonly sources: readonly SeenSource[];
}

const journalled = z.object({
  ok: z.boolean(),
  text: z.string(),
  sources: z.array(z.object({ url: z.string(), title: z.string(), text: z.string() })),
});

/** A result for the model, and what was seen on the way. */
export interface ToolResult {
  /** The block that answers the call. */
  readonly block: ToolResultBlock;
  /** The sources. */
  readonly sources: readonly SeenSource[];
}

/**
 * Runs the tool calls of one answer side by side, at most `toolLoop.parallelCap` at a time, and answers every one: a
 * tool that fails, takes too long or doesn't exist gives an error that the model reads. Results come in the order of the
 * calls, are journalled, clipped and fenced. `firstOrdinal`: the ordinal of the first call.
 *
 * @throws CosciError `aborted` or `tape`; nothing else that a tool throws
 */
export async function runTools(
  uses: readonly ToolUse[],
  offered: readonly Tool[],
  firstOrdinal: number,
  deps: ToolUseDeps,
): Promise<ToolResult[]> {
  const limit = pLimit(deps.settings.toolLoop.parallelCap);
  // All are waited for, also when one is stopped, so that none works on after its task has ended.
  const settled = await Promise.allSettled(
    uses.map((use, i) => limit(() => runTool(use, offered, firstOrdinal + i, deps))),
  );
  return settled.map((result, i) => {
    if (result.status === "rejected") throw result.reason;
    return {
      block: resultBlock(uses[i]?.id ?? "", uses[i]?.name ?? "", result.value, deps.settings),
      sources: result.value.sources,
    };
  });
}

/** An error that answers a tool call. */
export function errorBlock(id: string, message: string): ToolResultBlock {
  return { type: "tool_result", tool_use_id: id, content: fence("ERROR", message), is_error: true };
}

function resultBlock(
  id: string,
  tool: string,
  { ok, text, sources }: ToolOutcome,
  settings: Settings,
): ToolResultBlock {
  const { resultChars } = settings.toolLoop;
  if (!ok) return errorBlock(id, clip(text, resultChars));
  const shown = sources.filter((source, i) => sources.findIndex(({ text }) => text === source.text) === i);
  const parts = shown.length + (text.trim() === "" ? 0 : 1);
  const room = Math.floor(resultChars / Math.max(1, parts));
  const content = [
    ...(text.trim() === "" && shown.length > 0
      ? []
      : [fence("SOURCE", clip(text.trim() || "The tool gave no text.", room), { tool })]),
    ...shown.map(({ url, title, text }) => fence("SOURCE", clip(text, room), { url, title })),
  ];
  return { type: "tool_result", tool_use_id: id, content: content.join("\n\n") };
}

async function runTool(
  use: ToolUse,
  offered: readonly Tool[],
  ordinal: number,
  deps: ToolUseDeps,
): Promise<ToolOutcome> {
  const { task, ledger, clock, onCall } = deps;
  const key = hashOf("tool", task.key, String(ordinal), use.name, canonicalJson(use.input));
  const started = clock.now();
  const found = ledger.find(key);
  const outcome = found === null ? await freshOutcome(use, offered, deps) : remembered(key, found.answer);
  if (found === null) {
    ledger.journal(task.id, { key, kind: "tool", answer: JSON.stringify(outcome) });
  }
  onCall?.({
    kind: "tool_used",
    from: found === null ? "source" : "journal",
    key,
    tool: use.name,
    ok: outcome.ok,
    detail: outcome.ok ? "" : outcome.text,
    sources: outcome.sources.length,
    durationMs: clock.now() - started,
  });
  return outcome;
}

function remembered(key: string, json: string): ToolOutcome {
  try {
    return journalled.parse(JSON.parse(json));
  } catch (error) {
    throw new CosciError("store", `The journalled answer of tool call ${key.slice(0, 16)} can't be read.`, {
      cause: error,
    });
  }
}

async function freshOutcome(
  use: ToolUse,
  offered: readonly Tool[],
  { settings, signal }: ToolUseDeps,
): Promise<ToolOutcome> {
  const problem = (text: string): ToolOutcome => ({ ok: false, text, sources: [] });
  const tool = offered.find(({ name }) => name === use.name);
  if (tool === undefined) {
    const names = offered.map(({ name }) => name);
    const near = nearest(use.name, names);
    return problem(
      `There is no tool "${use.name}" now.${near === undefined ? "" : ` Did you mean "${near}"?`} ` +
        (names.length === 0 ? "No research tools are on offer." : `On offer are ${names.join(", ")}.`),
    );
  }
  if (use.broken !== null) return problem(`${use.name}: ${use.broken}.`);
  const args = tool.input.safeParse(use.input);
  if (!args.success) return problem(`${use.name}: ${z.prettifyError(args.error)}`);
  try {
    const { text, sources } = await withDeadline(
      settings.toolLoop.toolTimeoutSeconds * 1000,
      signal,
      (limited) => tool.run(args.data, limited),
    );
    return {
      ok: true,
      text,
      sources: sources.map(({ url, title, text }) => ({ url, title, text })),
    };
  } catch (error) {
    // What stops the task, and a replay that misses, is nothing that a model could work around.
    if (signal.aborted) {
      throw signal.reason instanceof CosciError
        ? signal.reason
        : new CosciError("aborted", `The task was stopped: ${messageOf(signal.reason)}`, { cause: error });
    }
    if (error instanceof CosciError && error.code === "tape") throw error;
    return problem(`${use.name} failed: ${messageOf(error)}`);
  }
}
