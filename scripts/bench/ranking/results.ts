import { type Estimate, estimate, type PairedDifference, pairedDifference } from "./statistics.ts";
import type { Scenario } from "./scenarios.ts";

/** What was measured: by scenario and policy, a sample for each cluster. */
export class Results {
  readonly #samples = new Map<string, (number[][] | undefined)[]>();
  readonly #seconds = new Map<string, number>();

  /** Takes in samples of clusters from `from` on, and what they took. */
  add(scenario: string, policy: string, from: number, samples: readonly number[][][], seconds: number): void {
    const key = `${scenario} ${policy}`, all = this.#samples.get(key) ?? [];
    for (const [i, sample] of samples.entries()) all[from + i] = sample;
    this.#samples.set(key, all);
    this.#seconds.set(key, this.seconds(scenario, policy) + seconds);
  }

  /** Whether anything was measured. */
  has(scenario: string, policy: string): boolean {
    return this.#samples.has(`${scenario} ${policy}`);
  }

  /** What a policy took in a scenario, in seconds of one worker. */
  seconds(scenario: string, policy: string): number {
    return this.#seconds.get(`${scenario} ${policy}`) ?? 0;
  }

  /** A metric in a column, a value a cluster. */
  values(scenario: Scenario, policy: string, column: number, metric: string): number[] {
    const c = scenario.columns.indexOf(column), m = scenario.metrics.indexOf(metric);
    return (this.#samples.get(`${scenario.name} ${policy}`) ?? []).map((sample) => sample?.[c]?.[m] ?? NaN);
  }

  /** Its mean over clusters. */
  estimate(scenario: Scenario, policy: string, column: number, metric: string): Estimate {
    return estimate(this.values(scenario, policy, column, metric));
  }

  /** What one policy is ahead of another on the same worlds. */
  difference(scenario: Scenario, a: string, b: string, column: number, metric: string): PairedDifference {
    return pairedDifference(
      this.values(scenario, a, column, metric),
      this.values(scenario, b, column, metric),
    );
  }

  /** What a policy is ahead in one scenario of itself in another on the same worlds. */
  differenceBetween(
    a: Scenario,
    b: Scenario,
    policy: string,
    column: number,
    metric: string,
  ): PairedDifference {
    return pairedDifference(this.values(a, policy, column, metric), this.values(b, policy, column, metric));
  }
}
