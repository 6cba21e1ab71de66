import { createHash } from "node:crypto";

/**
 * What a record's id says of its kind. Ids are hashes of what made the record (a task's key and an ordinal), never of
 * time, chance or the session, so that a fork or a replay of the same work makes the same ids.
 */
export type IdPrefix =
  | "hyp"
  | "rev"
  | "mat"
  | "grp"
  | "tsk"
  | "fbk"
  | "dir"
  | "rvn"
  | "evd"
  | "ovw"
  | "prx"
  | "scr"
  | "pln"
  | "dup"
  | "gat"
  | "rjd"
  | "sht";

/** The label letters that displays use and verbs accept: `H7` hypothesis, `M12` match, `V3` review, and so on. */
export type LabelLetter = "H" | "M" | "V" | "D" | "R" | "T" | "F" | "O" | "E" | "G";

/** SHA-256 of the parts, joined so that no two different lists of parts meet, as lower-case hex. */
export function hashOf(...parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\u0000");
  return hash.digest("hex");
}

/** The id of the record that a task made as its `ordinal`-th of that kind. */
export function recordId(prefix: IdPrefix, taskKey: string, ordinal = 0): string {
  return `${prefix}_${hashOf(prefix, taskKey, String(ordinal)).slice(0, 16)}`;
}

/** The id of the task with this key: unique within a session. */
export function taskId(key: string): string {
  return recordId("tsk", key);
}

/** JSON with sorted keys: equal values give equal text. Refuses NaN, infinities and functions by throwing. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new RangeError(`Cannot write ${value} as JSON: only finite numbers`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value === "object") {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
  }
  throw new TypeError(`Cannot write a ${typeof value} as JSON`);
}
