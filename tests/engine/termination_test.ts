import assert from "node:assert/strict";
import { recordId } from "../../lib/domain/ids.ts";
import type { SessionStatus } from "../../lib/domain/records.ts";
import type { SettingsPatch } from "../../lib/config/settings.ts";
import {
  HEALTHY,
  mustStop,
  type Progress,
  PROVIDER_FAILURES,
  whyNothingLeft,
} from "../../lib/engine/termination.ts";
import { hypothesisId } from "../store/fixture.ts";
import { roundRobin, Table } from "./support/table.ts";

/** Nothing spent, nothing failed, and money for more. */
const FINE: Progress = {
  ranMs: 0,
  spentMicroUsd: 0,
  spentTokens: 0,
  fruitless: 0,
  provider: HEALTHY,
  moreIdeasAffordable: true,
  reviewsToCome: false,
};

const LIMITS = { run: { budgetUsd: 2, budgetTokens: 1000, wallClockSeconds: 60 } } as const;

function status(table: Table, status: SessionStatus): void {
  table.add({ kind: "sessionState", record: { status, reason: null, note: "" } });
}

/** A screen of the goal. */
function screen(table: Table, result: "clear" | "blocked", rationale = ""): void {
  table.add({
    kind: "screen",
    record: {
      id: recordId("scr", `${result} ${rationale}`),
      target: "goal",
      result,
      categories: result === "blocked" ? ["weapons"] : ["none"],
      confidence: 1,
      rationale,
    },
  });
}

Deno.test("a session with everything left does not stop", () => {
  using table = new Table(LIMITS);
  assert.equal(mustStop(table.view, FINE), null);
  table.hypotheses(["a", "b", "c"]);
  roundRobin(table, ["a", "b", "c"], 2);
  assert.equal(mustStop(table.view, FINE), null);
});

const REASONS: readonly (readonly [string, Partial<Progress>, string | null, RegExp])[] = [
  ["one cent below the cap", { spentMicroUsd: 1_999_999 }, null, /^$/],
  ["the cap in money", { spentMicroUsd: 2_000_000 }, "budget", /\$2 is spent/],
  ["one token below the cap", { spentTokens: 999 }, null, /^$/],
  ["the cap in tokens", { spentTokens: 1000 }, "budget", /1000 tokens is spent/],
  ["a moment before the end of the clock", { ranMs: 59_999 }, null, /^$/],
  ["the end of the clock", { ranMs: 60_000 }, "wall_clock", /60 s \(run\.wallClockSeconds\)/],
  [
    "fewer failures of the service than count",
    { provider: { failures: PROVIDER_FAILURES - 1, gone: false, error: "HTTP 500" } },
    null,
    /^$/,
  ],
  [
    "failures of the service in a row",
    { provider: { failures: PROVIDER_FAILURES, gone: false, error: "HTTP 500" } },
    "provider",
    /5 times in a row; the last time: HTTP 500/,
  ],
  [
    "a service that can't be used",
    { provider: { failures: 1, gone: true, error: "HTTP 401" } },
    "provider",
    /can't be used: HTTP 401/,
  ],
  ["fewer tasks for nothing than count", { fruitless: 7 }, null, /^$/],
  ["tasks for nothing in a row", { fruitless: 8 }, "stalled", /last 8 tasks/],
];

for (const [title, progress, reason, note] of REASONS) {
  Deno.test(`must stop: ${title} → ${reason ?? "goes on"}`, () => {
    using table = new Table(LIMITS);
    const stop = mustStop(table.view, { ...FINE, ...progress });
    assert.equal(stop?.reason ?? null, reason);
    assert.match(stop?.note ?? "", note);
  });
}

Deno.test("when several reasons hold, the first of the seed's order is told", () => {
  using table = new Table({ ...LIMITS, run: { ...LIMITS.run, maxIdeas: 2 } });
  atRest(table);
  let progress: Progress = {
    ranMs: 60_000,
    spentMicroUsd: 2_000_000,
    spentTokens: 1000,
    fruitless: 8,
    provider: { failures: 9, gone: true, error: "HTTP 401" },
    moreIdeasAffordable: false,
    reviewsToCome: false,
  };
  status(table, "aborted");
  assert.equal(mustStop(table.view, progress)?.reason, "external");
  status(table, "running");
  const order: readonly (readonly [string, Partial<Progress>])[] = [
    ["budget", { spentMicroUsd: 0 }],
    ["budget", { spentTokens: 0 }],
    ["wall_clock", { ranMs: 0 }],
    ["provider", { provider: HEALTHY }],
    ["stalled", { fruitless: 0 }],
    ["elo_stable", {}],
  ];
  for (const [reason, without] of order) {
    assert.equal(mustStop(table.view, progress)?.reason, reason);
    progress = { ...progress, ...without };
  }
});

Deno.test("a goal that the screen blocked stays blocked, until there is a plan", () => {
  using table = new Table(LIMITS, false);
  screen(table, "blocked", "It asks for a weapon");
  const stop = mustStop(table.view, FINE);
  assert.equal(stop?.reason, "blocked");
  assert.match(stop?.note ?? "", /It asks for a weapon/);
  screen(table, "clear");
  assert.equal(mustStop(table.view, FINE), null, "the newest screen counts");

  using silent = new Table(LIMITS, false);
  screen(silent, "blocked");
  assert.match(mustStop(silent.view, FINE)?.note ?? "", /weapons/);
});

/** Two that have met often enough to be tested, with snapshots through which they stand. */
function atRest(table: Table, snapshots = 4): void {
  table.hypotheses(["a", "b"]);
  for (let i = 0; i < snapshots; i++) {
    // A win each: nobody gains, and nobody is left untested.
    for (let n = 0; n < 5; n++) {
      table.play("a", "b");
      table.play("b", "a");
    }
    table.snapshot();
  }
}

const RESTING: SettingsPatch = { run: { maxIdeas: 2 } };

Deno.test("leaders at rest in a complete pool end the session as elo_stable", () => {
  using table = new Table(RESTING);
  atRest(table);
  const stop = mustStop(table.view, FINE);
  assert.equal(stop?.reason, "elo_stable");
  assert.match(stop?.note ?? "", /less than 25 points over 3 snapshots/);
});

const RESTLESS: readonly (readonly [string, SettingsPatch, (table: Table) => void])[] = [
  ["too few snapshots", RESTING, (table) => atRest(table, 2)],
  ["hypotheses are to come", { run: { maxIdeas: 6 } }, atRest],
  ["too few matches", { ...RESTING, termination: { minMatches: 1000 } }, atRest],
  ["too few ideas", { ...RESTING, termination: { minIdeas: 3 } }, atRest],
  ["an evolution is open", RESTING, (table) => {
    atRest(table);
    table.task({ key: "evolve/x/combine", action: "evolve", payload: { strategy: "combine" } });
  }],
  ["a review is open", RESTING, (table) => {
    atRest(table);
    table.task({ key: "review/x", action: "review", targetId: hypothesisId("a"), payload: { kind: "full" } });
  }],
  ["a leader moves", RESTING, (table) => {
    atRest(table, 2);
    for (let i = 0; i < 6; i++) table.play("a", "b");
    table.snapshot();
    table.snapshot();
  }],
  ["a newcomer has entered since", { run: { maxIdeas: 3 } }, (table) => {
    atRest(table);
    table.hypotheses(["c"]);
  }],
  ["nobody has played while the snapshots were taken", RESTING, (table) => {
    table.hypotheses(["a", "b"]);
    table.play("a", "b");
    for (let i = 0; i < 4; i++) table.snapshot();
  }],
];

for (const [title, settings, make] of RESTLESS) {
  Deno.test(`no rest: ${title}`, () => {
    using table = new Table(settings);
    make(table);
    assert.equal(mustStop(table.view, FINE), null);
  });
}

Deno.test("a pool is complete, too, when minIdeas are there, when money allows no more, or when the field is exhausted", () => {
  using asked = new Table({ run: { maxIdeas: 60 }, termination: { minIdeas: 2 } });
  atRest(asked);
  assert.equal(mustStop(asked.view, FINE)?.reason, "elo_stable");

  using poor = new Table({ run: { maxIdeas: 60 } });
  atRest(poor);
  assert.equal(mustStop(poor.view, { ...FINE, moreIdeasAffordable: false })?.reason, "elo_stable");

  using exhausted = new Table({ run: { maxIdeas: 4 } });
  atRest(exhausted);
  exhausted.duplicates("a", 5);
  assert.equal(mustStop(exhausted.view, FINE)?.reason, "elo_stable");
});

Deno.test("no rest while a review of the leaders is to come", () => {
  using table = new Table(RESTING);
  atRest(table);
  assert.equal(mustStop(table.view, FINE)?.reason, "elo_stable");
  assert.equal(mustStop(table.view, { ...FINE, reviewsToCome: true }), null);
});

Deno.test("open matches don't keep a session from its rest", () => {
  using table = new Table(RESTING);
  atRest(table);
  table.task({ key: "match/x", action: "match" });
  assert.equal(mustStop(table.view, FINE)?.reason, "elo_stable");
});

Deno.test("nothing left: money comes first, whatever else there is", () => {
  using table = new Table({}, false);
  table.end("plan", "dead");
  assert.equal(whyNothingLeft(table.view, true).reason, "budget");
});

Deno.test("nothing left, and the plan died: stalled, with the task to be revived", () => {
  using table = new Table({}, false);
  table.end("plan", "dead", "refused");
  const { reason, note } = whyNothingLeft(table.view, false);
  assert.equal(reason, "stalled");
  assert.match(note, /T1 \(queue\.revive/);
});

Deno.test("nothing left, and no plan, though nothing died: stalled", () => {
  using table = new Table({}, false);
  table.end("plan");
  assert.equal(whyNothingLeft(table.view, false).reason, "stalled");
});

Deno.test("nothing left, and nobody to rank: stalled, never idle with an empty ranking", () => {
  using table = new Table();
  table.hypotheses(["a", "b"], "disproved");
  const { reason, note } = whyNothingLeft(table.view, false);
  assert.equal(reason, "stalled");
  assert.match(note, /none of 2 hypotheses/);
});

Deno.test("nothing left, and the last work came to nothing with room for more: stalled", () => {
  using table = new Table({ run: { maxIdeas: 6 } });
  table.hypotheses(["a", "b"]);
  table.play("a", "b");
  table.task({ key: "evolve/x/combine", action: "evolve", payload: { strategy: "combine" } });
  table.end("evolve/x/combine", "dead");
  assert.equal(whyNothingLeft(table.view, false).reason, "idle", "work came to something since");
  table.fruitless();
  assert.match(whyNothingLeft(table.view, false).note, /T2 \(queue\.revive/);
  assert.equal(whyNothingLeft(table.view, false).reason, "stalled");
});

Deno.test("nothing left of a full pool: idle, with what there is of what there might have been", () => {
  using full = new Table({ run: { maxIdeas: 2 } });
  full.hypotheses(["a", "b"]);
  full.play("a", "b");
  const done = whyNothingLeft(full.view, false);
  assert.equal(done.reason, "idle");
  assert.match(done.note, /at most 2 hypotheses \(run\.maxIdeas\) there are 2\.$/);

  using sparse = new Table({ run: { maxIdeas: 9 } });
  sparse.hypotheses(["a", "b"]);
  assert.match(whyNothingLeft(sparse.view, false).note, /there are 2; nothing new could be made of them\.$/);
});

Deno.test("a dead task of long ago doesn't make a full pool a stall", () => {
  using table = new Table({ run: { maxIdeas: 2 } });
  table.task({ key: "generate/7", action: "generate" });
  table.end("generate/7", "dead");
  table.hypotheses(["a", "b"]);
  table.play("a", "b");
  table.fruitless();
  assert.equal(whyNothingLeft(table.view, false).reason, "idle");
});

/** Six of whom the first two beat all others, often. */
function settled(table: Table, rounds = 8): void {
  const names = ["a", "b", "c", "d", "e", "f"];
  table.hypotheses(names);
  for (let round = 0; round < rounds; round++) {
    for (const leader of names.slice(0, 2)) {
      for (const other of names.slice(2)) {
        if (round % 2 === 0) table.play(leader, other);
        else table.play(other, leader, "second");
      }
    }
  }
}

const SURE: SettingsPatch = { run: { maxIdeas: 6 }, ranking: { topK: 2 } };

Deno.test("a ranking that is sure enough ends the session as top_k_settled", () => {
  using table = new Table(SURE);
  settled(table);
  const stop = mustStop(table.view, FINE);
  assert.equal(stop?.reason, "top_k_settled");
  assert.match(stop?.note ?? "", /Of the 2 leaders, \d+ % are expected to be among the true best 2/);
});

const UNSURE: readonly (readonly [string, SettingsPatch, (table: Table) => void])[] = [
  ["too few matches to be sure", SURE, (table) => settled(table, 1)],
  ["hypotheses are to come", { ...SURE, run: { maxIdeas: 7 } }, settled],
  ["the precision asked for is not reached", { ...SURE, termination: { topKPrecision: 0.9999 } }, settled],
  ["it is switched off", { ...SURE, termination: { topKPrecision: 0 } }, settled],
  ["somebody has not played", { ...SURE, run: { maxIdeas: 7 } }, (table) => {
    settled(table);
    table.hypotheses(["g"]);
  }],
  ["a newcomer's match waits", SURE, (table) => {
    settled(table);
    table.task({ key: "match/focus/f/1", action: "match", payload: { focus: hypothesisId("f") } });
  }],
];

for (const [name, settings, prepare] of UNSURE) {
  Deno.test(`no end as top_k_settled: ${name}`, () => {
    using table = new Table(settings);
    prepare(table);
    assert.equal(mustStop(table.view, FINE), null);
  });
}

Deno.test("in a pool smaller than two times the leaders, half of it must be sure: most of few lead by chance", () => {
  using table = new Table({ run: { maxIdeas: 6 }, ranking: { topK: 5 } });
  settled(table, 1);
  assert.ok(
    table.view.ratings.top(table.view.leaderboard.map(({ record }) => record.id), 5).expectedPrecision > 0.8,
  );
  assert.equal(mustStop(table.view, FINE), null);
});
