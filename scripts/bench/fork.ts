/**
 * How long it takes to fork a session of 1,000 hypotheses with 20,000 matches, and how much the fork adds to the file: from
 * its newest commit and from earlier ones, without changes and with another prompt and a budget of its own.
 *
 * `deno task bench:fork [--json] [--quick]`
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Supervisor, type SupervisorHandle } from "cosci";
import type { ForkOptions } from "../../lib/supervisor/fork.ts";
import { buildLargeStore, LARGE_STORE } from "./engine/large_store.ts";
import { instantJudge } from "./engine/instant_judge.ts";
import { medianWithInterval } from "./engine/median.ts";
import { say, tell } from "../cli/streams.ts";

const ROUNDS = Deno.args.includes("--quick") ? 5 : 15;

/** What the issue promises. */
const MOST_MS = 50, MOST_BYTES = 100_000;

interface Line {
  readonly what: string;
  readonly ms: number;
  readonly low: number;
  readonly high: number;
  readonly bytes: number;
  /** The first look at the fork, which reads its history. */
  readonly lookMs: number;
}

/** Bytes that the file has, with what stands in its log: pages that hold something. */
function bytesOf(lab: SupervisorHandle): number {
  const { sql } = lab.store;
  const value = (pragma: string) => Number(Object.values(sql.get(`PRAGMA ${pragma}`) ?? {})[0]);
  return (value("page_count") - value("freelist_count")) * value("page_size");
}

async function measure(
  lab: SupervisorHandle,
  what: string,
  options: Omit<ForkOptions, "name">,
): Promise<Line> {
  const times: number[] = [], looks: number[] = [], bytes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = bytesOf(lab);
    const begun = performance.now();
    const fork = await lab.fork({ name: `${what}, round ${round}`, ...options });
    const forked = performance.now();
    const { hypotheses } = fork.view();
    const looked = performance.now();
    if (options.at === undefined && hypotheses.length !== 1_000) {
      throw new Error(`${hypotheses.length} hypotheses`);
    }
    times.push(forked - begun);
    looks.push(looked - forked);
    bytes.push(bytesOf(lab) - before);
    await fork.close();
  }
  const { median, low, high } = medianWithInterval(times);
  return { what, ms: median, low, high, bytes: Math.max(...bytes), lookMs: medianWithInterval(looks).median };
}

const folder = mkdtempSync(join(tmpdir(), "cosci-bench-"));
try {
  await buildLargeStore(LARGE_STORE);
  const path = join(folder, "large.db");
  copyFileSync(LARGE_STORE, path);
  const lab = await Supervisor.open({ store: path, environment: {}, fetch: instantJudge() });
  const { seq } = lab.view();
  const changed = {
    settings: { ranking: { topK: 3 } },
    prompts: { "ranking.pairwise": null },
    budget: { usd: 20 },
  };
  const lines = [
    await measure(lab, "newest commit", {}),
    await measure(lab, "newest commit, changed", changed),
    await measure(lab, "halfway", { at: Math.floor(seq / 2) }),
    await measure(lab, "halfway, changed", { at: Math.floor(seq / 2), ...changed }),
    await measure(lab, "the pool alone", { at: 1_003 }),
  ];
  await lab.close();
  if (Deno.args.includes("--json")) {
    say(JSON.stringify(lines));
  } else {
    for (const { what, ms, low, high, bytes, lookMs } of lines) {
      const figures = `${ms.toFixed(1)} ms (${low.toFixed(1)} to ${high.toFixed(1)})`;
      say(
        `fork from ${what.padEnd(24)} ${figures.padEnd(24)} ${(bytes / 1000).toFixed(1)} kB at most;` +
          ` first look at it ${lookMs.toFixed(0)} ms`,
      );
    }
  }
  for (const { what, ms, bytes } of lines) {
    if (ms < MOST_MS && bytes < MOST_BYTES) continue;
    tell(`fork from ${what}: more than ${MOST_MS} ms or ${MOST_BYTES} bytes`);
    Deno.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
