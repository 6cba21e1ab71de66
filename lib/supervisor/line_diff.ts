import { diffLines } from "diff";
import type { DiffLine } from "../notebook/displays/prompt_diff.ts";

/** What differs between two texts, line by line; lines that both have are told too. */
export function lineDiff(from: string, to: string): DiffLine[] {
  const ended = (text: string) => text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return diffLines(ended(from), ended(to)).flatMap(({ value, added, removed }) => {
    const mark = added ? "+" : removed ? "-" : " ";
    return value.replace(/\n$/, "").split("\n").map((text): DiffLine => ({ mark, text }));
  });
}

/** How many lines came and went between two texts. */
export function countLines(from: string, to: string): { readonly added: number; readonly removed: number } {
  const lines = from === to ? [] : lineDiff(from, to);
  return {
    added: lines.filter(({ mark }) => mark === "+").length,
    removed: lines.filter(({ mark }) => mark === "-").length,
  };
}
