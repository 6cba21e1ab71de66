/**
 * How long it takes to open a store of 1,000 hypotheses and 20,000 matches, and what a commit and a claim cost.
 *
 * `deno run -A scripts/bench/open_store.ts [--json]`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import { recordId, taskId } from "../../lib/domain/ids.ts";
import { rng } from "../../lib/domain/rng.ts";
import type { Entry } from "../../lib/store/records.ts";
import { type Claim, Store } from "../../lib/store/store.ts";
import { fillHypotheses, poolId } from "./engine/pool.ts";

const HYPOTHESES = 1_000;
const MATCHES = 20_000;

const chance = rng("bench", "open_store", "data");

/** One match as the engine commits it: the match, its line in the ledger, now and then a snapshot, the task's end. */
function play(store: Store, session: string, owner: string, n: number): void {
  const claim = store.claim(session, owner, () => 300_000, (view) => {
    const a = chance.int(HYPOTHESES), b = (a + 1 + chance.int(HYPOTHESES - 1)) % HYPOTHESES;
    void view.seq;
    return {
      kind: "match",
      firstId: poolId(a),
      secondId: poolId(b),
      mode: "pairwise",
      bucket: "random",
    };
  });
  if (claim === null) throw new Error("nothing to claim");
  store.commit(session, (view) => ({
    kind: "match_judged",
    author: "engine",
    progress: 1,
    task: {
      id: claim.task.id,
      agent: "ranking",
      revision: 0,
      owner,
      then: { kind: "ended", status: "done" },
    },
    events: [{ type: "match_complete", payload: { task: claim.task.label } }],
    entries: matchEntries(claim, n, (id) => view.hypothesis(id)?.elo ?? 1200),
  }));
}

function matchEntries(claim: Claim, n: number, elo: (id: string) => number): Entry[] {
  if (claim.decision.kind !== "match") throw new Error("no match decided");
  const { firstId, secondId } = claim.decision;
  const id = recordId("mat", claim.task.key);
  const firstBefore = elo(firstId), secondBefore = elo(secondId);
  const delta = 16 * (1 - 1 / (1 + 10 ** ((secondBefore - firstBefore) / 400)));
  return [
    {
      kind: "match",
      record: {
        id,
        firstId,
        secondId,
        mode: "pairwise",
        verdict: "first",
        bothOrders: null,
        group: null,
        author: "model",
        weight: 1,
        judge: "claude-sonnet-4-6",
        panelist: null,
        promptVersion: "p0123456789ab",
        revision: 0,
        taskId: claim.task.id,
        rationale: "The first one says more that can be measured, and says it more exactly. ".repeat(8),
      },
    },
    {
      kind: "elo",
      record: {
        epoch: 0,
        matchId: id,
        firstId,
        secondId,
        k: 16,
        weight: 1,
        score: 1,
        firstBefore,
        secondBefore,
        delta,
      },
    },
    ...(n % 10 === 9
      ? [{
        kind: "eloSnapshot" as const,
        record: {
          matches: n + 1,
          ids: Array.from({ length: 5 }, (_, i) => poolId(i)),
          elos: [1300.5, 1290.25, 1280.125, 1270, 1260],
          pool: HYPOTHESES,
        },
      }]
      : []),
    { kind: "taskState", record: { taskId: claim.task.id, status: "done", attempts: 1, reason: "" } },
  ];
}

function matchTask(n: number): Entry {
  const key = `match:${n}`;
  return {
    kind: "task",
    record: {
      id: taskId(key),
      key,
      agent: "ranking",
      action: "match",
      targetId: null,
      payload: {},
      priority: 150,
      maxAttempts: 3,
    },
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

const folder = mkdtempSync(join(tmpdir(), "cosci-bench-"));
try {
  const path = join(folder, "bench.db");
  const store = new Store({ database: path });
  const session = store.createSession({
    name: "bench",
    goal: "What makes invented cells glow?",
    preferences: "",
    seed: "bench",
    mode: "simulator",
    provider: { name: "simulator", baseUrl: "", models: {} },
    settings: DEFAULT_SETTINGS,
    parentId: null,
    parentSeq: 0,
  }).id;
  const owner = store.owners.enter();
  fillHypotheses(store, session, HYPOTHESES);
  const enqueueing: number[] = [], perTask: number[] = [];
  for (let n = 0; n < MATCHES; n += 20) {
    const begun = performance.now();
    store.commit(session, () => ({
      kind: "enqueue",
      author: "engine",
      progress: 0,
      entries: Array.from({ length: 20 }, (_, i) => matchTask(n + i)),
    }));
    enqueueing.push((performance.now() - begun) / 20);
    const started = performance.now();
    for (let i = 0; i < 20; i++) play(store, session, owner, n + i);
    perTask.push((performance.now() - started) / 20);
  }
  store.owners.leave(owner);
  store.close();

  const opens: number[] = [], views: number[] = [];
  for (let i = 0; i < 7; i++) {
    const begun = performance.now();
    const again = new Store({ database: path });
    const opened = performance.now();
    const view = again.view(session);
    if (view.leaderboard.length !== HYPOTHESES || view.matchCount !== MATCHES) {
      throw new Error("records are missing");
    }
    views.push(performance.now() - opened);
    opens.push(opened - begun);
    again.close();
  }
  const rows = [
    { what: "new Store (ms)", first: opens[0] ?? NaN, median: median(opens) },
    { what: "view of 1,000 hypotheses, 20,000 matches (ms)", first: views[0] ?? NaN, median: median(views) },
    { what: "claim + commit of a match (ms)", first: perTask[0] ?? NaN, median: median(perTask) },
    {
      what: "the same among the last 2,000 (ms)",
      first: perTask.at(-100) ?? NaN,
      median: median(perTask.slice(-100)),
    },
    { what: "enqueue, per task (ms)", first: enqueueing[0] ?? NaN, median: median(enqueueing) },
  ];
  if (Deno.args.includes("--json")) {
    await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(rows)}\n`));
  } else {
    for (const row of rows) {
      await Deno.stdout.write(
        new TextEncoder().encode(
          `${row.what.padEnd(50)} first ${row.first.toFixed(2).padStart(8)}   median ${
            row.median.toFixed(2).padStart(8)
          }\n`,
        ),
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
