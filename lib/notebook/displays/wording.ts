import { formatUsd } from "../../domain/money.ts";
import type { Cost } from "../../domain/records.ts";
import { type CostRow, costRow } from "../../engine/snapshot.ts";

/** Dollars as people read them: `$0.0123`, `$1.23`. */
export function dollars(usd: number): string {
  return formatUsd(Math.round(usd * 1e6));
}

/** A number of tokens: `870`, `12.3k`, `1.25M`. */
export function tokens(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 999_950) return `${(count / 1000).toFixed(count < 99_950 ? 1 : 0)}k`;
  return `${(count / 1e6).toFixed(2)}M`;
}

/** A time span: `40 ms`, `3.2 s`, `4 min 05 s`, `1 h 03 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

/** `1 match`, `2 matches`; the plural is the word with an `s` unless it is given. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A name of code as words: `elo_stable` as `elo stable`. */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** A moment to the second, in UTC: `2026-08-21 12:00:05Z`. */
export function moment(at: number): string {
  return iso(at).replace("T", " ").replace(/\.\d+Z$/, "Z");
}

/** A moment by ISO 8601; what is no moment of the calendar as a plain number. */
export function iso(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString();
}

/** A rating without decimals. */
export function rating(elo: number): string {
  return String(Math.round(elo));
}

/** A chance in per cent: `62 %`, and at the ends `<1 %` and `>99 %`, since nothing here is certain. */
export function chance(share: number): string {
  if (share < 0.01) return "<1 %";
  return share > 0.99 ? ">99 %" : `${Math.round(share * 100)} %`;
}

/** What a column of chances to be among the best is called: `in top 5`. */
export function inTop(topK: number): string {
  return `in top ${topK}`;
}

/** Won, lost and tied: `5–2–1`. */
export function record(row: { readonly won: number; readonly lost: number; readonly tied: number }): string {
  return `${row.won}–${row.lost}–${row.tied}`;
}

/** A cost in one line: money first, then tokens and calls, and what of it is unconfirmed. */
export function costLine(cost: Cost | CostRow): string {
  const row = "microUsd" in cost ? costRow(cost) : cost;
  if (row.calls === 0 && row.usd === 0) return "no calls";
  const unconfirmed = row.unconfirmedUsd > 0
    ? `, of it ${dollars(row.unconfirmedUsd)} booked without an answer`
    : "";
  const sum = row.inputTokens + row.outputTokens;
  return `${dollars(row.usd)}${unconfirmed} · ${tokens(sum)} tokens · ${counted(row.calls, "call")}`;
}

/** A value of a setting or payload as JSON on one line. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value) ?? "–";
}

/** A number of bytes: `870 B`, `12 kB`, `1.3 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 999_500 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
