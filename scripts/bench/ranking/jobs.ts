import { z } from "zod";
import { policyOf } from "./policies.ts";
import { allScenarios, extraScenarios, type Sample, type Scenario } from "./scenarios.ts";

/** Some repetitions of a scenario for a policy, for one worker. */
export const jobSchema = z.object({
  scenario: z.string(),
  policy: z.string(),
  /** Clusters from here… */
  from: z.number(),
  /** …up to here, excluded. */
  to: z.number(),
  /** The first replay of each. */
  firstReplay: z.number(),
  /** Replays of each. */
  replays: z.number(),
  /** The file of B2's votes. */
  votes: z.string(),
});

/** Some repetitions of a scenario for a policy, for one worker. */
export type Job = z.infer<typeof jobSchema>;

/** What came of a job: for each cluster its mean sample. */
export const jobReplySchema = z.object({
  samples: z.array(z.array(z.array(z.number().or(z.nan())))),
  /** What it took, in seconds of the worker. */
  seconds: z.number(),
});

/** What came of a job. */
export type JobReply = z.infer<typeof jobReplySchema>;

const opened = new Map<string, ReadonlyMap<string, Scenario>>();

/** A scenario by name. */
export function scenarioOf(name: string, votes: string): Scenario {
  let scenarios = opened.get(votes);
  if (scenarios === undefined) {
    scenarios = new Map([...allScenarios(votes), ...extraScenarios()].map((each) => [each.name, each]));
    opened.set(votes, scenarios);
  }
  const scenario = scenarios.get(name);
  if (scenario === undefined) throw new Error(`There is no scenario ${name}`);
  return scenario;
}

/** Runs a job here and now. */
export function runJob(job: Job): JobReply {
  const { from, to, firstReplay, replays } = job;
  const started = performance.now();
  const scenario = scenarioOf(job.scenario, job.votes), policy = policyOf(job.policy);
  const samples: number[][][] = [];
  for (let cluster = from; cluster < to; cluster++) {
    samples.push(meanSample(
      Array.from({ length: replays }, (_, i) => scenario.sample(policy, cluster, firstReplay + i)),
    ));
  }
  return { samples, seconds: (performance.now() - started) / 1000 };
}

function meanSample(samples: readonly Sample[]): number[][] {
  return (samples[0] ?? []).map((row, c) =>
    row.map((_, m) => samples.reduce((sum, sample) => sum + (sample[c]?.[m] ?? NaN), 0) / samples.length)
  );
}
