import type { Rng } from "../domain/rng.ts";
import type { Settings } from "../config/settings.ts";

/** Failures that may pass by themselves, each with a number of tries of its own. */
export type Passing = "rate_limited" | "overloaded" | "server" | "lost";

/** Which passing failure an HTTP status stands for; `null` for one that trying again won't change. */
export function passingStatus(status: number): Passing | null {
  if (status === 429) return "rate_limited";
  if (status === 529) return "overloaded";
  if (status === 408) return "lost";
  return status >= 500 ? "server" : null;
}

/** How many tries in all such failures get. */
export function triesFor(failure: Passing, retry: Settings["retry"]): number {
  switch (failure) {
    case "rate_limited":
      return retry.maxAttempts429;
    case "overloaded":
      return retry.maxAttempts529;
    case "server":
      return retry.maxAttempts5xx;
    case "lost":
      return retry.maxAttemptsTimeout;
  }
}

/** Servers that ask for a longer wait than this are not waited for. */
export const LONGEST_WAIT_MS = 3_600_000;

/**
 * How long to wait after the n-th failure of its kind (from 1), in milliseconds: full jitter over a doubling bound
 * (uniform in [0, min(cap, base·2^(n−1))], as in "Exponential Backoff and Jitter"), both doubled for an overloaded
 * server, and never less than the server asked for. `null` where it asked for more than an hour.
 */
export function waitMs(
  failure: Passing,
  n: number,
  retryAfterMs: number | null,
  retry: Settings["retry"],
  chance: Rng,
): number | null {
  if (retryAfterMs !== null && retryAfterMs > LONGEST_WAIT_MS) return null;
  const factor = failure === "overloaded" ? 2 : 1;
  const bound = Math.min(retry.capMs * factor, retry.baseMs * factor * 2 ** (n - 1));
  return Math.max(Math.round(chance.next() * bound), retryAfterMs ?? 0);
}

/** What `retry-after-ms` or `retry-after` (seconds, or an HTTP date) ask for, in milliseconds from `now`. */
export function retryAfter(headers: Headers, now: number): number | null {
  const ms = headers.get("retry-after-ms");
  if (ms !== null && /^\d+(\.\d+)?$/.test(ms.trim())) return Math.ceil(Number(ms));
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
