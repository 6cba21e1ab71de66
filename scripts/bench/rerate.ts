/**
 * How long it takes to rate 20,000 matches anew: Elo alone, both ratings as `lab.rerate()` gives them, for how long the
 * thread is held at a stretch, and what it takes to make it the ranking.
 *
 * `deno task bench:rerate [--json]`
 */
import process from "node:process";
import { Supervisor, type SupervisorHandle } from "cosci";
import { rng } from "../../lib/domain/rng.ts";
import type { Entry } from "../../lib/store/records.ts";
import { type EloLine, rateAll } from "../../lib/tournament/elo.ts";
import { say, tell } from "../cli/streams.ts";
import { playMatches } from "./engine/played_matches.ts";
import { fillPool } from "./engine/pool.ts";

const MATCHES = 20_000;
/** Matches of a commit: the engine makes one each; so many at once are quicker to build and rated the same. */
const IN_A_COMMIT = 20;
/** Rounds; the quickest counts, since whatever else the machine does only takes away. */
const ROUNDS = 9;

/** What is measured on a pool of one size, in milliseconds. */
interface Measured {
  readonly hypotheses: number;
  readonly eloMs: number;
  readonly rerateMs: number;
  /** Processor time of the whole process in it, collection of garbage included. */
  readonly cpuMs: number;
  readonly heldMs: number;
  readonly applyMs: number;
  readonly insertMs: number;
  readonly sweepMs: number;
}

/** A session in memory with a pool of hypotheses and a long log of matches by a noisy judge. */
async function longSession(hypotheses: number): Promise<SupervisorHandle> {
  const lab = await Supervisor.create({
    goal: "What makes invented cells glow?",
    name: `rerate ${hypotheses}`,
    seed: "bench",
    store: ":memory:",
    environment: {},
  });
  fillPool(lab, hypotheses);
  const chance = rng("bench", `rerate ${hypotheses}`, "matches");
  playMatches(lab, chance, { hypotheses, matches: MATCHES, perCommit: IN_A_COMMIT, firstBias: 0.15 });
  return lab;
}

/** Runs something while a timer looks how long it has to wait for its turn: the longest wait is what the thread was held. */
async function withHeld<T>(work: () => Promise<T>): Promise<{ result: T; ms: number; held: number }> {
  let held = 0, last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    held = Math.max(held, now - last);
    last = now;
  }, 1);
  try {
    await new Promise((turn) => setTimeout(turn, 5));
    last = performance.now();
    held = 0;
    const begun = performance.now();
    const result = await work();
    const ms = performance.now() - begun;
    held = Math.max(held, performance.now() - last);
    return { result, ms, held };
  } finally {
    clearInterval(timer);
  }
}

async function measure(hypotheses: number): Promise<Measured> {
  const lab = await longSession(hypotheses);
  try {
    await lab.rerate();
    const eloMs: number[] = [],
      rerateMs: number[] = [],
      heldMs: number[] = [],
      sweepMs: number[] = [],
      cpuMs: number[] = [];
    const view = lab.view();
    for (let round = 0; round < ROUNDS; round++) {
      const begun = performance.now();
      const lines: readonly EloLine[] = rateAll(view.countedIf({}), {
        ...view.settings.ranking,
        kFactorNew: 40,
      });
      eloMs.push(performance.now() - begun);
      if (lines.length !== MATCHES) throw new Error(`${lines.length} matches were rated`);
      const before = process.cpuUsage();
      const { ms, held } = await withHeld(() => lab.rerate({ kFactorNew: 40 }));
      const { user, system } = process.cpuUsage(before);
      cpuMs.push((user + system) / 1000);
      rerateMs.push(ms);
      heldMs.push(held);
      sweepMs.push((await withHeld(() => lab.rerate.sweep({ kFactorNew: [16, 32, 64] }))).ms);
    }
    const session = view.session.id;
    const lines = rateAll(view.countedIf({}), view.settings.ranking);
    let insertMs = performance.now();
    // The same lines by themselves, and taken back: an epoch's part of the transaction.
    try {
      lab.store.write(() => {
        lab.store.commit(session, () => ({
          kind: "bench",
          author: "engine",
          progress: 0,
          entries: lines.map((line): Entry => ({ kind: "elo", record: { ...line, epoch: 99 } })),
        }));
        insertMs = performance.now() - insertMs;
        throw new Error("taken back");
      });
    } catch (error) {
      if (!(error instanceof Error) || error.message !== "taken back") throw error;
    }
    const { ms: applyMs } = await withHeld(() => lab.rerate({ kFactorNew: 40, apply: true }));
    const sum = lab.view().hypotheses.reduce((total, { elo }) => total + elo, 0);
    if (Math.abs(sum - 1200 * lab.view().hypotheses.length) > 1e-6) throw new Error(`Elo sums to ${sum}`);
    return {
      hypotheses,
      eloMs: Math.min(...eloMs),
      rerateMs: Math.min(...rerateMs),
      cpuMs: Math.min(...cpuMs),
      heldMs: Math.min(...heldMs),
      applyMs,
      insertMs,
      sweepMs: Math.min(...sweepMs),
    };
  } finally {
    await lab.close();
  }
}

/** What the issue asks of both ratings together, by the size of the pool, in milliseconds. */
const GATES: ReadonlyMap<number, number> = new Map([[500, 500], [2000, 2000]]);
const ELO_GATE = 150, HELD_GATE = 50;

const all: Measured[] = [];
for (const hypotheses of GATES.keys()) {
  tell(`${hypotheses} hypotheses …`);
  all.push(await measure(hypotheses));
}
if (Deno.args.includes("--json")) {
  say(JSON.stringify(all));
} else {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const rows: readonly (readonly string[])[] = [
    ["what, 20,000 matches", ...all.map(({ hypotheses }) => `${hypotheses} hypotheses`), "goal"],
    ["---", ...all.map(() => "---"), "---"],
    ["Elo alone", ...all.map(({ eloMs }) => ms(eloMs)), `< ${ELO_GATE} ms`],
    [
      "lab.rerate(): both ratings, both rankings",
      ...all.map(({ rerateMs }) => ms(rerateMs)),
      [...GATES].map(([hypotheses, gate]) => `< ${gate} ms at ${hypotheses}`).join(", "),
    ],
    ["processor time of it", ...all.map(({ cpuMs }) => ms(cpuMs)), "–"],
    ["longest stretch that it holds the thread", ...all.map(({ heldMs }) => ms(heldMs)), `< ${HELD_GATE} ms`],
    ["lab.rerate.sweep of three values of K", ...all.map(({ sweepMs }) => ms(sweepMs)), "–"],
    ["lab.rerate({ apply: true })", ...all.map(({ applyMs }) => ms(applyMs)), "–"],
    ["of it: writing the epoch's lines", ...all.map(({ insertMs }) => ms(insertMs)), "–"],
  ];
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length))) ?? [];
  say(rows.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`).join("\n"));
}
const failed = all.some(({ hypotheses, eloMs, rerateMs, heldMs }) =>
  eloMs >= ELO_GATE || heldMs >= HELD_GATE || rerateMs >= (GATES.get(hypotheses) ?? Infinity)
);
if (failed) Deno.exitCode = 1;
