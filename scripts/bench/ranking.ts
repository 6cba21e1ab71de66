/**
 * How well few noisy verdicts find the best hypotheses: the project's ranking against the seed's method and others, on
 * simulated judges (B1), on people's votes (B2) and on findings whose replication is known (B3), on common random numbers.
 *
 * `deno task bench:ranking [--json] [--quick] [--votes FILE] [--only b1.n40,b2,…] [--policies a,b] [--runs N]`
 */
import { Command, InvalidArgumentError } from "commander";
import { say, tell } from "../cli/streams.ts";
import { type Job } from "./ranking/jobs.ts";
import { policyOf, USUAL_POLICIES } from "./ranking/policies.ts";
import { runJobs } from "./ranking/pool_of_workers.ts";
import { Results } from "./ranking/results.ts";
import { allScenarios, extraScenarios, type Scenario, VOTES } from "./ranking/scenarios.ts";
import { differencesTable, meansTable } from "./ranking/tables.ts";

/** How many clusters a job takes at most: small enough that two workers end at about the same time. */
const JOB_CLUSTERS = 20;

const WORKERS = 2;

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) {
    throw new InvalidArgumentError("It must be a whole number above 0.");
  }
  return value;
}

const list = (text: string): string[] => text.split(",").filter((part) => part !== "");

const command = new Command("bench:ranking")
  .description("How well few noisy verdicts find the best hypotheses")
  .option("--json", "one line of JSON instead of tables", false)
  .option("--quick", "a tenth of the repetitions", false)
  .option("--votes <file>", "other pools of votes for B2: pool, a, b, win_a, win_b, equal", VOTES)
  .option("--only <names>", "scenarios by name or beginning, with commas between", list)
  .option("--policies <names>", "policies by name, with commas between", list)
  .option("--runs <n>", "repetitions (replays of each pool in B2)", positive)
  .parse(Deno.args, { from: "user" });
const options = command.opts<{
  json: boolean;
  quick: boolean;
  votes: string;
  only?: string[];
  policies?: string[];
  runs?: number;
}>();

const policies = options.policies ?? USUAL_POLICIES;
for (const policy of policies) policyOf(policy);

const usual = allScenarios(options.votes);
const scenarios = options.only === undefined ? usual : chosen([...usual, ...extraScenarios()], options.only);

function chosen(all: readonly Scenario[], names: readonly string[]): Scenario[] {
  return names.flatMap((name) => {
    const exact = all.filter((scenario) => scenario.name === name);
    const found = exact.length > 0 ? exact : all.filter((scenario) => scenario.name.startsWith(`${name}.`));
    if (found.length === 0) {
      throw new Error(`--only ${name}: scenarios are ${all.map((each) => each.name).join(", ")}`);
    }
    return found;
  });
}

/** How many clusters and replays are run. */
function extent({ clusters, replays }: Scenario): { readonly clusters: number; readonly replays: number } {
  const few = (n: number) => options.runs ?? (options.quick ? Math.ceil(n / 10) : n);
  return replays > 1 ? { clusters, replays: few(replays) } : { clusters: few(clusters), replays };
}

function jobsOf(scenario: Scenario): Job[] {
  const { clusters, replays } = extent(scenario);
  const size = Math.max(1, Math.ceil(JOB_CLUSTERS / replays));
  return policies.flatMap((policy) =>
    Array.from({ length: Math.ceil(clusters / size) }, (_, i) => ({
      scenario: scenario.name,
      policy,
      from: i * size,
      to: Math.min(clusters, (i + 1) * size),
      replays,
      votes: options.votes,
    }))
  );
}

const results = new Results();
const jobs = scenarios.flatMap(jobsOf), started = performance.now();
let done = 0, shownAt = 0;
await runJobs(jobs, WORKERS, (job, { samples, seconds }) => {
  results.add(job.scenario, job.policy, job.from, samples, seconds);
  done++;
  const now = performance.now();
  if (now - shownAt < 10_000 && done < jobs.length) return;
  shownAt = now;
  tell(
    `${done} of ${jobs.length} jobs, ${
      ((now - started) / 1000).toFixed(0)
    } s (${job.scenario}, ${job.policy})`,
  );
});

for (const scenario of scenarios) {
  say(`\n${scenario.title} (${extent(scenario).clusters} × ${extent(scenario).replays})\n`);
  say(meansTable(scenario, policies, results));
  const [first] = policies;
  if (first !== undefined && policies.length > 1) {
    say(`\n${differencesTable(scenario, first, policies, ["p5", "tau", "auc", "top5"], results)}`);
  }
}
