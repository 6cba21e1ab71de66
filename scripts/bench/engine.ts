/**
 * What the engine does in a second, what it keeps in memory, how long people wait for it, and whether its best hypothesis
 * is truly better than what it began with. Each part runs in a process of its own.
 *
 * `deno task bench:engine [--json] [--quick] [--only throughput|scaling|opening|demo|truth]`
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { measureDemo } from "./engine/demo_time.ts";
import { buildLargeStore, LARGE_STORE, measureOpening } from "./engine/large_store.ts";
import { measureScaling } from "./engine/scaling.ts";
import { measureThroughput } from "./engine/throughput.ts";
import { measureTruthGain } from "./engine/truth.ts";
import { say, tell } from "../cli/streams.ts";

const figures = z.record(z.string(), z.number());
type Figures = z.infer<typeof figures>;

const quick = Deno.args.includes("--quick");

/** Fresh processes that open the large store; the median counts. */
const OPENINGS = quick ? 3 : 7;

/** Rounds of throughput and scaling; the best counts, since whatever else the machine does only takes away. */
const ROUNDS = quick ? 1 : 3;

/** The parts, as a process of its own runs them. */
const PARTS: Readonly<Record<string, (folder: string) => Promise<Figures>>> = {
  throughput: async (folder) => ({
    ...await measureThroughput(folder, quick ? [1000, 3000] : [2000, 10_000]),
  }),
  scaling: async (folder) => ({ ...await measureScaling(folder, quick ? 40 : 100) }),
  opening: async (folder) => {
    const copy = join(folder, "large.db");
    copyFileSync(LARGE_STORE, copy);
    return { ...await measureOpening(copy) };
  },
  demo: async (folder) => ({ demoSeconds: await measureDemo(folder) }),
  truth: async () => ({ ...await measureTruthGain(quick ? 6 : 20) }),
};

/** Runs one part in a folder of its own. */
async function part(name: string): Promise<Figures> {
  const run = PARTS[name];
  if (run === undefined) throw new Error(`--part ${name}: parts are ${Object.keys(PARTS).join(", ")}`);
  const folder = mkdtempSync(join(tmpdir(), "cosci-bench-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs one part in a fresh process. */
async function inProcess(name: string): Promise<Figures> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--v8-flags=--expose-gc",
      fileURLToPath(import.meta.url),
      "--part",
      name,
      ...(quick ? ["--quick"] : []),
    ],
    stdout: "piped",
    stderr: "inherit",
  }).output();
  if (code !== 0) throw new Error(`The part ${name} ended with ${code}`);
  return figures.parse(JSON.parse(new TextDecoder().decode(stdout)));
}

async function rounds(name: string, n: number): Promise<Figures[]> {
  const all: Figures[] = [];
  for (let i = 0; i < n; i++) {
    tell(`${name} ${n === 1 ? "" : `${i + 1}/${n} `}…`);
    all.push(await inProcess(name));
  }
  return all;
}

const pick = (all: readonly Figures[], key: string) => all.map((each) => each[key] ?? NaN);
const best = (values: readonly number[]) => Math.max(...values);
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
}

async function bench(): Promise<
  { readonly json: Readonly<Record<string, unknown>>; readonly rows: readonly Row[] }
> {
  const throughput = await rounds("throughput", ROUNDS);
  const scaling = await rounds("scaling", ROUNDS);
  tell("large store …");
  await buildLargeStore(LARGE_STORE);
  const opening = await rounds("opening", OPENINGS);
  const [demo] = await rounds("demo", 1);
  const [truth] = await rounds("truth", 1);

  const tasksPerSecond = best(pick(throughput, "tasksPerSecond"));
  const rssGrowthMb = median(pick(throughput, "rssGrowthMb"));
  const scaling16 = best(pick(scaling, "scaling16"));
  const openMs = median(pick(opening, "openMs"));
  const inspectMs = median(pick(opening, "inspectMs"));
  const firstDecisionMs = median(pick(opening, "firstDecisionMs"));
  const demoSeconds = demo?.["demoSeconds"] ?? NaN;
  const { median: gain = NaN, low = NaN, high = NaN, seeds = NaN } = truth ?? {};
  return {
    json: {
      tasksPerSecond,
      scaling16,
      rssGrowthMb,
      openMs,
      inspectMs,
      firstDecisionMs,
      demoSeconds,
      truthGain: { median: gain, low, high, seeds },
    },
    rows: [
      {
        what: "one-call tasks a second (model at once, file store, 8 workers)",
        measured: `${tasksPerSecond.toFixed(0)}`,
        goal: "≥ 400",
      },
      {
        what: `resident memory from task ${quick ? "1,000 to 3,000" : "2,000 to 10,000"}`,
        measured: `${rssGrowthMb >= 0 ? "+" : ""}${rssGrowthMb.toFixed(1)} MB`,
        goal: "≤ 20 MB",
      },
      {
        what: "work of 16 workers, of one = 1 (model of 50 ms)",
        measured: `${scaling16.toFixed(1)}`,
        goal: "≥ 14.4",
      },
      {
        what: "open 1,000 hypotheses with 20,000 matches, fresh process",
        measured: `${openMs.toFixed(0)} ms`,
        goal: "< 300 ms",
      },
      { what: "inspect() on it", measured: `${inspectMs.toFixed(0)} ms`, goal: "< 50 ms" },
      { what: "first match decided on it", measured: `${firstDecisionMs.toFixed(0)} ms`, goal: "< 2,000 ms" },
      { what: "deno task demo", measured: `${demoSeconds.toFixed(1)} s`, goal: "< 60 s" },
      {
        what: `leader's true gain on the best initial hypothesis, median of ${seeds} seeds`,
        measured: `${gain.toFixed(2)} SD [${low.toFixed(2)}, ${high.toFixed(2)}]`,
        goal: "> 0",
      },
    ],
  };
}

/** A table as Markdown, aligned. */
function table(rows: readonly Row[]): string {
  const lines = [
    { what: "what", measured: "measured", goal: "goal" },
    { what: "---", measured: "---", goal: "---" },
    ...rows,
  ];
  const width = (key: keyof Row) => Math.max(...lines.map((line) => line[key].length));
  return lines.map((line) =>
    `| ${line.what.padEnd(width("what"))} | ${line.measured.padEnd(width("measured"))} | ${
      line.goal.padEnd(width("goal"))
    } |`
  ).join("\n");
}

function optionOf(name: string): string | undefined {
  const at = Deno.args.indexOf(name);
  return at < 0 ? undefined : Deno.args[at + 1] ?? "";
}

const onePart = optionOf("--part");
const only = optionOf("--only");
if (onePart !== undefined) {
  say(JSON.stringify(await part(onePart)));
} else if (only !== undefined) {
  if (only === "opening") await buildLargeStore(LARGE_STORE);
  say(JSON.stringify(await inProcess(only), null, 2));
} else {
  const { json, rows } = await bench();
  say(Deno.args.includes("--json") ? JSON.stringify(json) : table(rows));
}
