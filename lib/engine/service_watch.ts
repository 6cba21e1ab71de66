import { HEALTHY, type ProviderHealth } from "./termination.ts";

/** An attempt that failed because of the model's service. */
export interface ServiceFailure {
  /** The task's id. */
  readonly taskId: string;
  /** After how many such failures it is given up: `maxAttempts` of its record. */
  readonly maxAttempts: number;
  /** The HTTP status, if there was one. */
  readonly status: number | null;
  /** What the service said. */
  readonly error: string;
}

/** What a failure is taken for. */
export type Verdict =
  /** The service can't be used at all: the run ends. */
  | "gone"
  /** It fails, as far as is known, for everybody: nothing is held against the task. */
  | "outage"
  /** It answers others: the attempt counts. */
  | "counts";

/**
 * Tells an outage from a task that the service can't do. An attempt is held against its task only where the service had
 * answered just before; so tasks don't die of an outage, however many runs are begun in it.
 */
export class ServiceWatch {
  #health: ProviderHealth = HEALTHY;
  #answers = false;
  readonly #inARow = new Map<string, number>();

  /** How the service did lately. */
  get health(): ProviderHealth {
    return this.#health;
  }

  /** How often a task failed since the service last answered. */
  inARow(taskId: string): number {
    return this.#inARow.get(taskId) ?? 0;
  }

  /** An attempt was answered. */
  answered(): void {
    this.forgive();
    this.#answers = true;
  }

  /** An attempt failed. */
  failed({ taskId, maxAttempts, status, error }: ServiceFailure): Verdict {
    const failures = this.#health.failures + 1;
    const inARow = this.inARow(taskId) + 1;
    this.#inARow.set(taskId, inARow);
    // A refused key is refused for every task; and with others unanswered too, trying on would only cost time.
    const gone = status === 401 || status === 403 || inARow >= maxAttempts;
    const counts = this.#answers;
    this.#answers = false;
    this.#health = { failures, gone: gone || this.#health.gone, error };
    return gone ? "gone" : counts ? "counts" : "outage";
  }

  /** A person wants it tried again. That it answers is yet to be seen. */
  forgive(): void {
    this.#health = HEALTHY;
    this.#inARow.clear();
  }
}
