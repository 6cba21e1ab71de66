import { canonicalJson, hashOf } from "../domain/ids.ts";
import { readCommits } from "./load.ts";
import { TABLES } from "./records.ts";
import { select, type Table } from "./table.ts";
import type { Store } from "./store.ts";
import { readTranscripts } from "./transcripts.ts";

/**
 * A session as text: one line a record, in the order of the commits. Two sessions are equal if their texts are.
 *
 * Left out is what differs between two runs of the same work: the session's id and name, wall clock, durations, leases,
 * and money. Money depends on what the provider's cache still held, and so on the clock; tokens stay, cached or not.
 */
export function canonicalExport(store: Store, sessionId: string): string {
  const lines: string[] = [];
  const { goal, preferences, seed, mode, settings } = store.view(sessionId).session;
  lines.push(canonicalJson({ kind: "session", goal, preferences, seed, mode, settings }));
  for (const stretch of store.stretches(sessionId)) {
    const records: { readonly seq: number; readonly line: string }[] = [];
    for (const [kind, repository] of Object.entries(TABLES)) {
      const table: Table<{ readonly seq: number }> = repository;
      for (const record of select(store.sql, table, stretch)) {
        records.push({ seq: record.seq, line: canonicalJson({ kind, ...plain(record) }) });
      }
    }
    for (
      const { seq, kind, taskId, agent, author, revision, progress, cost } of readCommits(store.sql, stretch)
    ) {
      const tokens = { input: cost.inputTokens, output: cost.outputTokens, calls: cost.calls };
      records.push({
        seq,
        line: canonicalJson({
          kind: "commit",
          seq,
          what: kind,
          taskId,
          agent,
          author,
          revision,
          progress,
          tokens,
        }),
      });
    }
    for (const call of readTranscripts(store.sql, stretch.session, { inherited: false })) {
      if (call.seq === null || call.seq > stretch.to) continue;
      const {
        seq,
        taskId,
        route,
        model,
        prompt,
        promptVersion,
        revision,
        directives,
        stopReason,
        error,
        request,
        response,
      } = call;
      records.push({
        seq,
        line: canonicalJson({
          kind: "transcript",
          seq,
          taskId,
          route,
          model,
          prompt,
          promptVersion,
          revision,
          directives,
          stopReason,
          error,
          request: hashOf(request),
          response: hashOf(withoutUsage(response)),
        }),
      });
    }
    records.sort((a, b) => a.seq - b.seq || (a.line < b.line ? -1 : 1));
    lines.push(...records.map((record) => record.line));
  }
  return lines.join("\n") + "\n";
}

/** A record as JSON can hold it: vectors become a hash of their bytes. */
function plain(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map((
      [key, value],
    ) => [key, value instanceof Float32Array ? hashOf([...value].join(",")) : value]),
  );
}

/** A response without what the provider's cache and its numbering decide. */
function withoutUsage(response: string): string {
  if (response === "") return "";
  const parsed: unknown = JSON.parse(response);
  if (typeof parsed !== "object" || parsed === null) return response;
  return canonicalJson(
    Object.fromEntries(Object.entries(parsed).filter(([key]) => key !== "usage" && key !== "id")),
  );
}
