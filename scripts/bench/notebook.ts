/**
 * What people wait for in a notebook: for their first cell, and until plots and the card of a session are there. The first
 * cell is timed as a process of its own, from its start to its end; all others in a warm process, records already read, to
 * the moment at which everything that the notebook gets is there: for plots SVG, PNG and text.
 *
 * `deno task bench:notebook [--json]`
 */
import { join } from "node:path";
import { CosciError } from "../../lib/domain/errors.ts";
import { BUNDLE, type MimeBundle } from "../../lib/notebook/kernel.ts";
import { say, tell } from "../cli/streams.ts";
import { type MedianWithInterval, medianWithInterval } from "./engine/median.ts";
import { evolvedSession, playedSession } from "./notebook/sessions.ts";

/** Rounds of each; the median counts. Two before them warm up, and are not counted. */
const ROUNDS = 9;
const WARM_UP = 2;

/** What a value shows itself with. */
interface Shown {
  [BUNDLE](): Promise<MimeBundle>;
}

async function firstCell(): Promise<MedianWithInterval> {
  const folder = await Deno.makeTempDir({ prefix: "cosci-bench-" });
  try {
    const cell = new URL("./notebook/first_cell.ts", import.meta.url);
    const times: number[] = [];
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const begun = performance.now();
      const { success, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", cell.href, join(folder, `${round}.db`)],
        stdout: "null",
        stderr: "piped",
      }).output();
      if (!success) {
        throw new CosciError("internal", `The first cell failed: ${new TextDecoder().decode(stderr)}`);
      }
      if (round >= 0) times.push(performance.now() - begun);
    }
    return medianWithInterval(times);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function timed(
  make: () => Shown,
): Promise<{ readonly ms: MedianWithInterval; readonly bytes: number }> {
  const times: number[] = [];
  let bytes = 0;
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const begun = performance.now();
    const bundle = await make()[BUNDLE]();
    if (round >= 0) times.push(performance.now() - begun);
    bytes = new TextEncoder().encode(JSON.stringify(bundle)).length;
  }
  return { ms: medianWithInterval(times), bytes };
}

tell(`first cell: ${ROUNDS} processes …`);
const cell = await firstCell();
tell("100 hypotheses × 2,000 matches …");
const played = await playedSession(100, 2000);
const elo = await timed(() => played.plots.elo());
const snapshot = await timed(() => played.inspect());
await played.close();
tell("300 hypotheses of one family …");
const evolved = await evolvedSession(300);
const lineage = await timed(() => evolved.plots.lineage());
await evolved.close();

const figures = {
  firstCellMs: cell.median,
  eloPlotMs: elo.ms.median,
  lineageMs: lineage.ms.median,
  snapshotMs: snapshot.ms.median,
  snapshotBytes: snapshot.bytes,
};
const GOALS: { readonly [F in keyof typeof figures]: number } = {
  firstCellMs: 1000,
  eloPlotMs: 300,
  lineageMs: 500,
  snapshotMs: 50,
  snapshotBytes: 200_000,
};
if (Deno.args.includes("--json")) {
  say(JSON.stringify(figures));
} else {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const timing = ({ median, low, high }: MedianWithInterval) =>
    `${ms(median)} (${low.toFixed(0)}–${high.toFixed(0)})`;
  const rows = [
    ["what", "median (95 % interval)", "goal"],
    ["---", "---", "---"],
    [
      "import and create in a fresh process, to its end",
      timing(cell),
      `< ${ms(GOALS.firstCellMs)}`,
    ],
    ["Elo plot of 100 hypotheses × 2,000 matches", timing(elo.ms), `< ${ms(GOALS.eloPlotMs)}`],
    ["lineage of 300 hypotheses", timing(lineage.ms), `< ${ms(GOALS.lineageMs)}`],
    ["card of the session of 100 × 2,000", timing(snapshot.ms), `< ${ms(GOALS.snapshotMs)}`],
    [
      "of it: what the notebook stores",
      `${(figures.snapshotBytes / 1000).toFixed(0)} kB`,
      `< ${GOALS.snapshotBytes / 1000} kB`,
    ],
  ];
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length))) ?? [];
  say(rows.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`).join("\n"));
}
const missed = Object.entries(GOALS).filter(([figure, goal]) => Reflect.get(figures, figure) >= goal);
if (missed.length > 0) {
  tell(`missed: ${missed.map(([figure]) => figure).join(", ")}`);
  Deno.exitCode = 1;
}
