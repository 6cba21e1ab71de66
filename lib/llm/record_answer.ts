import { z } from "zod";
import type { RecordTool } from "../domain/drafts.ts";
import type { Answer } from "./wire.ts";

/** What an answer says with regard to the record that is due. */
export type RecordReading<T> =
  /** A valid record, by the tool call with this id, or in prose (`null`). */
  | { readonly kind: "valid"; readonly value: T; readonly id: string | null }
  /** The record tool was called, and every call was wrong: what was wrong with each, by id. */
  | { readonly kind: "invalid"; readonly problems: ReadonlyMap<string, string> }
  /** The record tool was not called, and the prose can't be read as a record. */
  | { readonly kind: "none" };

/**
 * Reads a record out of an answer: the first call of the record tool that is valid, else prose that the tool can read,
 * else a JSON object in the prose. The last call of an answer that was cut off is not trusted, whatever it looks like.
 */
export function readRecord<T>(answer: Answer, record: RecordTool<T>): RecordReading<T> {
  const cut = isCut(answer);
  const problems = new Map<string, string>();
  for (const [i, use] of answer.toolUses.entries()) {
    if (use.name !== record.name) continue;
    if (cut && i === answer.toolUses.length - 1) {
      problems.set(use.id, "the call was cut off, because the answer grew too long");
      continue;
    }
    if (use.broken !== null) {
      problems.set(use.id, use.broken);
      continue;
    }
    const parsed = record.schema.safeParse(use.input);
    if (parsed.success) return { kind: "valid", value: parsed.data, id: use.id };
    problems.set(use.id, z.prettifyError(parsed.error));
  }
  if (problems.size > 0) return { kind: "invalid", problems };
  // While other tools are called, prose beside them is thinking aloud and no result.
  if (answer.toolUses.length > 0) return { kind: "none" };
  for (const value of [record.fromText?.(answer.text), ...(cut ? [] : jsonIn(answer.text))]) {
    if (value === undefined || value === null) continue;
    const parsed = record.schema.safeParse(value);
    if (parsed.success) return { kind: "valid", value: parsed.data, id: null };
  }
  return { kind: "none" };
}

/** Whether an answer ended because it had no more room. */
export function isCut(answer: Answer): boolean {
  return answer.stopReason === "max_tokens" || answer.stopReason === "model_context_window_exceeded";
}

/** JSON objects in prose: the last fenced block, and what stands between the first and the last brace. */
function jsonIn(text: string): unknown[] {
  const fenced = [...text.matchAll(/```(?:json)?\s*\n([\s\S]*?)\n\s*```/g)].at(-1)?.[1];
  const open = text.indexOf("{"), close = text.lastIndexOf("}");
  const braced = open >= 0 && close > open ? text.slice(open, close + 1) : undefined;
  return [fenced, braced].flatMap((candidate) => {
    if (candidate === undefined) return [];
    try {
      return [JSON.parse(candidate)];
    } catch {
      return [];
    }
  });
}
