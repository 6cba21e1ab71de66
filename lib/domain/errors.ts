/**
 * What went wrong, in a form that code can switch on (`code`) and a person can act on (`message`).
 *
 * A message says what was wrong, with what value, and what to do about it.
 */
export class CosciError extends Error {
  /** A stable, machine-readable name of the failure. */
  readonly code: ErrorCode;
  /** An error to be thrown. @param code what kind of failure @param message what, with what, and the remedy @param options the cause */
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CosciError";
    this.code = code;
  }
}

/**
 * The kinds of failure that callers tell apart.
 *
 * `input`: an argument, setting, label or file is wrong · `store`: the file is not a store, is newer, or is damaged ·
 * `busy`: the handle is stepping already · `state`: the session or record can't do that now · `budget`: money or tokens
 * don't allow it · `provider`: the model's service refused or failed · `output`: the model answered something that can't
 * be used · `prompt`: a template can't be rendered · `tape`: a strict replay missed · `aborted`: the caller stopped it ·
 * `internal`: a fault of cosci itself.
 */
export type ErrorCode =
  | "input"
  | "store"
  | "busy"
  | "state"
  | "budget"
  | "provider"
  | "output"
  | "prompt"
  | "tape"
  | "aborted"
  | "internal";

/** Wrong input: names the key, the value, the nearest valid one where there is one, and the remedy. */
export function inputError(
  key: string,
  value: unknown,
  remedy: string,
  valid: Iterable<string> = [],
): CosciError {
  const near = typeof value === "string" ? nearest(value, valid) : undefined;
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return new CosciError("input", `${key}: ${show(value)} can't be used.${hint} ${remedy}`);
}

/** The entry of `valid` with the smallest edit distance to `word`, if it is near enough to be a slip. */
export function nearest(word: string, valid: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 2)) + 1;
  for (const candidate of valid) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** A caught value as one line of text, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function show(value: unknown): string {
  const text = typeof value === "string"
    ? `"${value}"`
    : typeof value === "undefined"
    ? "nothing"
    : JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}

/** Levenshtein distance over UTF-16 units; both words are short (keys, labels). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
