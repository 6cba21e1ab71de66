/**
 * How well few noisy verdicts find the best hypotheses: the project's ranking against the seed's method and others, on
 * simulated judges (B1), on people's votes (B2) and on findings whose replication is known (B3), on common random numbers.
 *
 * `deno task bench:ranking [--json] [--quick] [--votes FILE] [--only b1.n40,b2,…] [--policies a,b] [--runs N] [--skip N]
 * [--workers N]`
 */
import { Command, InvalidArgumentError } from "commander";
import { say, tell } from "../cli/streams.ts";
import { type Job } from "./ranking/jobs.ts";
import { ALL_WORLDS, Bench, ORDER_BUDGET } from "./ranking/figures.ts";
import { gatesTable } from "./ranking/gates.ts";
import { policyOf, USUAL_POLICIES, WHOLE_POLICY } from "./ranking/policies.ts";
import { runJobs } from "./ranking/pool_of_workers.ts";
import { Results } from "./ranking/results.ts";
import { allScenarios, extraScenarios, K, type Scenario, VOTES } from "./ranking/scenarios.ts";
import { batchMilliseconds, meansOfThousandsMs } from "./ranking/speed.ts";
import { alignedTable, chancesTable, differencesTable, meansTable, short } from "./ranking/tables.ts";

/** How many clusters a job takes at most: small enough that two workers end at about the same time. */
const JOB_CLUSTERS = 20;

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
  .option(
    "--skip <n>",
    "leave out the first repetitions: to tune on worlds that the bench doesn't use",
    positive,
    0,
  )
  .option("--workers <n>", "how many run side by side", positive, 2)
  .parse(Deno.args, { from: "user" });
const options = command.opts<{
  json: boolean;
  quick: boolean;
  votes: string;
  only?: string[];
  policies?: string[];
  runs?: number;
  skip: number;
  workers: number;
}>();

const policies: readonly string[] = options.policies ?? USUAL_POLICIES;
for (const policy of policies) policyOf(policy);

/** What `--only` calls the speed, which is no scenario. */
const SPEED = "speed";

const usual = allScenarios(options.votes);
const named = options.only?.filter((name) => name !== SPEED);
const speed = options.only === undefined || options.only.includes(SPEED);
const scenarios = named === undefined ? usual : chosen([...usual, ...extraScenarios()], named);
const results = new Results();

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

/** Clusters left out at the beginning: none of a scenario that leaves replays out instead. */
function skippedClusters({ replays }: Scenario): number {
  return replays > 1 ? 0 : options.skip;
}

/** The policies that can play a scenario. */
function playersOf({ asksExpectation, asksChances, ranksGroups }: Scenario): readonly string[] {
  return policies.filter((name) => {
    const policy = policyOf(name), player = policy.open({ seed: 0, k: K });
    // What a policy expects of itself is asked of the first one, and of the reference's for comparison.
    const asked = name === policies[0] || name === "reference_f8";
    return (asksExpectation !== true || (asked && player.expectedPrecision !== undefined)) &&
      (asksChances !== true || (asked && player.topChances !== undefined)) &&
      (policy.groups !== true || ranksGroups === true);
  });
}

function jobsOf(scenario: Scenario): Job[] {
  const { clusters, replays } = extent(scenario);
  const size = Math.max(1, Math.ceil(JOB_CLUSTERS / replays)), skipped = skippedClusters(scenario);
  return playersOf(scenario).flatMap((policy) =>
    Array.from({ length: Math.ceil(clusters / size) }, (_, i) => ({
      scenario: scenario.name,
      policy,
      from: skipped + i * size,
      to: skipped + Math.min(clusters, (i + 1) * size),
      firstReplay: scenario.replays > 1 ? options.skip : 0,
      replays,
      votes: options.votes,
    }))
  );
}

/** Runs everything, and says now and then how far it is. */
async function run(): Promise<Bench> {
  const jobs = scenarios.flatMap(jobsOf), started = performance.now();
  let done = 0, shownAt = 0;
  const skipped = new Map(scenarios.map((scenario) => [scenario.name, skippedClusters(scenario)]));
  await runJobs(jobs, options.workers, (job, { samples, seconds }) => {
    results.add(job.scenario, job.policy, job.from - (skipped.get(job.scenario) ?? 0), samples, seconds);
    done++;
    const now = performance.now();
    if (now - shownAt < 10_000 && done < jobs.length) return;
    shownAt = now;
    const passed = ((now - started) / 1000).toFixed(0);
    tell(`${done} of ${jobs.length} jobs, ${passed} s (${job.scenario}, ${job.policy})`);
  });
  const bench = new Bench(scenarios, results);
  for (const name of speed ? policies : []) {
    if (policyOf(name).groups !== true) bench.speeds.set(name, batchMilliseconds(policyOf(name), K));
  }
  if (speed) bench.meansOfThousandsMs = meansOfThousandsMs();
  return bench;
}

/** How soon the best are found, what tau loses by order bias, and how long a batch takes, a row a policy. */
function summaryTable(bench: Bench): string {
  const rows = policies.map((policy) => {
    const reach = [0.6, 0.7].map((level) => {
      const found = bench.callsTo(level, policy);
      return found === null
        ? "-"
        : found.calls === null
        ? "> 12"
        : `${found.calls.toFixed(2)} ±${found.se.toFixed(2)}`;
    });
    const losses = [2, 5, ORDER_BUDGET, 10].map((column) => {
      const loss = bench.tauLoss(policy, column);
      return loss === null ? "-" : `${short(loss.mean)} ±${short(loss.se)}`;
    });
    const errors = bench.calibrationErrors(policy).map(({ error }) => Math.abs(error));
    return [
      policy,
      ...reach,
      ...losses,
      errors.length === 0 ? "-" : short(Math.max(...errors)),
      bench.speeds.get(policy)?.toFixed(1) ?? "-",
    ];
  });
  const head = [
    "policy",
    "N to P@5 .6",
    "N to P@5 .7",
    "tau loss 2N",
    "5N",
    `${ORDER_BUDGET}N`,
    "10N",
    "calibration",
    "batch ms",
  ];
  return alignedTable([head, ...rows]);
}

const bench = await run();
if (options.json) {
  say(JSON.stringify(bench.figures(policies)));
} else {
  for (const scenario of scenarios) {
    const { clusters, replays } = extent(scenario), players = playersOf(scenario);
    if (players.length === 0) continue;
    say(`\n${scenario.title} (${clusters}${replays > 1 ? ` × ${replays}` : ""})\n`);
    if (scenario.asksChances === true) {
      say(chancesTable(bench.chanceBins(players[0] ?? "").filter(({ name }) => name === scenario.name)));
      continue;
    }
    say(meansTable(scenario, players, results));
    const [first] = players;
    if (first === undefined || players.length < 2 || scenario.asksExpectation === true) continue;
    say(`\n${differencesTable(scenario, first, players, ["p5", "tau", "auc", "top5"], results)}`);
  }
  const together = bench.chanceBins(policies[0] ?? "").filter(({ name }) => name === ALL_WORLDS);
  if (together.length > 0) {
    say("\nChances to be among the best five, all worlds of B1 together\n");
    say(chancesTable(together));
  }
  say(`\n${summaryTable(bench)}`);
  const [first = ""] = policies;
  const whole = policies.find((name) => name === WHOLE_POLICY) ??
    (policies.includes("reference_e3") ? "reference_e3" : first);
  say(`\n${gatesTable(bench, { top: first, whole })}`);
}
