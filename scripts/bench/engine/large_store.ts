import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Supervisor, type SupervisorHandle } from "cosci";
import { taskId } from "../../../lib/domain/ids.ts";
import type { TaskRecord } from "../../../lib/domain/records.ts";
import { rng } from "../../../lib/domain/rng.ts";
import { MIGRATIONS } from "../../../lib/store/schema.ts";
import { settle } from "../../../lib/engine/outcome_records.ts";
import { taskEntry } from "../../../lib/engine/new_task.ts";
import type { View } from "../../../lib/store/view.ts";
import { instantJudge } from "./instant_judge.ts";
import { matchSession } from "./matches.ts";
import { fillHypotheses, poolId } from "./pool.ts";

const HYPOTHESES = 1_000;
const MATCHES = 20_000;

/**
 * Where the large store is kept between runs; its name says what is in it, and in which format: bringing it up to date would
 * take time too.
 */
export const LARGE_STORE = join(
  tmpdir(),
  `cosci-bench-${HYPOTHESES}-hypotheses-${MATCHES}-matches-format-${MIGRATIONS.at(-1)?.version ?? 0}.db`,
);

/** How long it takes to take up a long session, in milliseconds. */
export interface Opening {
  /** `Supervisor.open` up to a usable view. */
  readonly openMs: number;
  /** `inspect()` right after it. */
  readonly inspectMs: number;
  /** From the beginning of `open` to the call that judges the first match: its pair is decided then. */
  readonly firstDecisionMs: number;
}

/**
 * Opens a store of 1,000 hypotheses with vectors of 1,024 and 20,000 matches, as {@linkcode buildLargeStore} made it. To
 * be measured in a fresh process, as people do it.
 */
export async function measureOpening(path: string): Promise<Opening> {
  const judge = instantJudge();
  let asked = NaN;
  const begun = performance.now();
  const lab = await Supervisor.open({
    store: path,
    environment: {},
    fetch: (input, init) => {
      if (Number.isNaN(asked)) asked = performance.now();
      return judge(input, init);
    },
  });
  try {
    const { validMatches } = lab.view();
    const opened = performance.now();
    const rows = lab.inspect().leaderboard.length;
    const inspected = performance.now();
    if (rows !== HYPOTHESES || validMatches !== MATCHES) {
      throw new Error(`${path} holds ${rows} hypotheses and ${validMatches} matches`);
    }
    await lab.runFor({ matches: 1 });
    return { openMs: opened - begun, inspectMs: inspected - opened, firstDecisionMs: asked - begun };
  } finally {
    await lab.close();
  }
}

/** Builds the store once, through the store; under another name, so that one that was not finished is never taken for it. */
export async function buildLargeStore(path: string): Promise<void> {
  if (existsSync(path)) return;
  const unfinished = `${path}.${crypto.randomUUID()}`;
  const lab = await matchSession(unfinished, { concurrency: 1, latencyMs: 0 });
  const { store } = lab;
  const session = lab.view().session.id;
  fillHypotheses(store, session, HYPOTHESES, lab.view().hypotheses.length);
  const chance = rng("bench", "large store", "matches");
  for (let n = 0; n < MATCHES;) {
    const last = Math.min(n + 50, MATCHES);
    store.write(() => {
      for (; n < last; n++) {
        playOne(lab, n, chance.int(HYPOTHESES), chance.int(HYPOTHESES - 1), chance.next());
      }
    });
  }
  await lab.close();
  await rename(unfinished, path);
}

/** One match as the engine leaves it behind: enqueued in a commit, ended in another, with its events. */
function playOne(lab: SupervisorHandle, n: number, i: number, j: number, lot: number): void {
  const { store } = lab;
  const session = lab.view().session.id;
  const key = `match/bench/${n}`;
  const entry = taskEntry({ key, action: "match" }, 3);
  store.commit(session, () => ({ kind: "enqueue", author: "engine", progress: 0, entries: [entry] }));
  const task = lab.view().task(taskId(key))?.record;
  if (task === undefined) throw new Error(`${key} was not enqueued`);
  const ids = { firstId: poolId(i), secondId: poolId(j < i ? j : j + 1) };
  store.commit(session, (view) => {
    const settled = settle(
      {
        kind: "match_judged",
        ...ids,
        mode: "pairwise",
        verdict: lot < 0.5 ? "first" : "second",
        bothOrders: null,
        rationale: "The first one says more that can be measured, and says it more exactly. ".repeat(6),
        judge: "bench",
        promptVersion: "p0123456789ab",
      },
      workOn(task, view),
      view,
    );
    return {
      kind: "match",
      author: "engine",
      progress: settled.progress,
      task: {
        id: task.id,
        agent: "ranking",
        revision: 0,
        owner: null,
        then: { kind: "ended", status: "done" },
      },
      entries: settled.entries,
      events: settled.events,
    };
  });
}

function workOn(task: TaskRecord, view: View) {
  return {
    task,
    decision: { kind: "none" },
    attempts: 0,
    settings: view.settings,
    revision: 0,
    claimSeq: view.seq,
    nearest: null,
    clusters: null,
    embedder: "hash",
  } as const;
}
