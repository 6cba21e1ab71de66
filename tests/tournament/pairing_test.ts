import assert from "node:assert/strict";
import fc from "fast-check";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import { rng } from "../../lib/domain/rng.ts";
import { unrated } from "../../lib/store/unrated.ts";
import { verdictOfBoth } from "../../lib/tournament/order.ts";
import type { PairCandidate } from "../../lib/tournament/pair_rules.ts";
import { choosePair, choosePairs, type PairingInput } from "../../lib/tournament/pairing.ts";
import { RatingBook } from "../../lib/tournament/rating_book.ts";

const RANKING = { ...DEFAULT_SETTINGS.ranking, pairing: "buckets" as const };

/** Meetings as a store would count them. */
class Meetings {
  readonly #shown = new Map<string, number>();
  readonly met = (a: string, b: string) => {
    const firstShown = this.#shown.get(`${a} ${b}`) ?? 0;
    return { total: firstShown + (this.#shown.get(`${b} ${a}`) ?? 0), firstShown };
  };
  add(first: string, second: string) {
    const key = `${first} ${second}`;
    this.#shown.set(key, (this.#shown.get(key) ?? 0) + 1);
  }
}

function candidates(
  n: number,
  matches = 5,
  elo: (i: number) => number = (i) => 1200 + 10 * i,
): PairCandidate[] {
  return Array.from({ length: n }, (_, i) => ({ id: `h${i}`, elo: elo(i), matches, bornSeq: i + 1 }));
}

function input(over: Partial<PairingInput> & { key?: string | number } = {}): PairingInput {
  const { key = 0, ...rest } = over;
  return {
    candidates: candidates(6),
    met: () => ({ total: 0, firstShown: 0 }),
    cosine: () => 0,
    ratings: unrated(),
    busy: [],
    settings: RANKING,
    matureMatches: 3,
    rng: rng("seed", String(key), "pair"),
    ...rest,
  };
}

const only = (bucket: "pNew" | "pClose" | "pRandom", over: Partial<typeof RANKING> = {}) => ({
  ...RANKING,
  pNew: 0,
  pClose: 0,
  pRandom: 0,
  [bucket]: 1,
  ...over,
});

const key = (pair: { firstId: string; secondId: string } | null) =>
  pair === null ? "none" : [pair.firstId, pair.secondId].sort().join(" ");

Deno.test("fewer than two hypotheses make no pair", () => {
  assert.equal(choosePair(input({ candidates: [] })), null);
  assert.equal(choosePair(input({ candidates: candidates(1) })), null);
});

Deno.test("the same chance draws the same pair; other chance draws others", () => {
  const drawn = new Set<string>();
  for (let n = 0; n < 40; n++) {
    assert.deepEqual(choosePair(input({ key: n })), choosePair(input({ key: n })));
    drawn.add(key(choosePair(input({ key: n }))));
  }
  assert.ok(drawn.size > 5);
});

Deno.test("a focus hypothesis meets the nearest in rating, and by lot one of several as near", () => {
  const pool = candidates(5, 5, (i) => [1200, 1190, 1210, 1290, 900][i] ?? 0);
  const met = new Set<string>();
  for (let n = 0; n < 60; n++) {
    const pair = choosePair(input({ candidates: pool, focus: "h0", key: n }));
    assert.equal(pair?.bucket, "focus");
    met.add(key(pair));
  }
  assert.deepEqual([...met].sort(), ["h0 h1", "h0 h2"]);
});

Deno.test("a focus that can't play gives way to the buckets", () => {
  assert.notEqual(choosePair(input({ focus: "gone" }))?.bucket, "focus");
  const met = (a: string, b: string) => ({ total: a === "h0" || b === "h0" ? 2 : 0, firstShown: 1 });
  const pair = choosePair(input({ focus: "h0", met }));
  assert.ok(pair !== null && !key(pair).split(" ").includes("h0"));
});

Deno.test("the new bucket takes whoever played least against the nearest mature one", () => {
  const pool: PairCandidate[] = [
    { id: "a", elo: 1200, matches: 1, bornSeq: 1 },
    { id: "b", elo: 1200, matches: 0, bornSeq: 2 },
    { id: "c", elo: 1201, matches: 2, bornSeq: 3 },
    { id: "mature", elo: 1300, matches: 3, bornSeq: 4 },
    { id: "far", elo: 1500, matches: 9, bornSeq: 5 },
  ];
  for (let n = 0; n < 20; n++) {
    const pair = choosePair(input({ candidates: pool, settings: only("pNew"), key: n }));
    assert.equal(key(pair), "b mature");
    assert.equal(pair?.bucket, "new");
  }
});

Deno.test("newcomers of equal standing are drawn by lot, not by place in the list", () => {
  const count = new Map<string, number>();
  for (let n = 0; n < 2000; n++) {
    const pair = choosePair(
      input({ candidates: candidates(20, 0, () => 1200), settings: only("pNew"), key: n }),
    );
    for (const id of key(pair).split(" ")) count.set(id, (count.get(id) ?? 0) + 1);
  }
  assert.equal(count.size, 20);
  for (const n of count.values()) assert.ok(n > 130 && n < 280, `${n} of 200 expected appearances`);
});

Deno.test("workers side by side spread over the newcomers", () => {
  const pool = [...candidates(3, 0), ...candidates(8, 9).slice(3)];
  const busy: [string, string][] = [];
  for (let n = 0; n < 3; n++) {
    const pair = choosePair(input({ candidates: pool, settings: only("pNew"), busy, key: n }));
    assert.ok(pair !== null);
    busy.push([pair.firstId, pair.secondId]);
  }
  const newcomers = busy.flat().filter((id) => ["h0", "h1", "h2"].includes(id));
  assert.equal(new Set(newcomers).size, 3);
});

Deno.test("the close bucket draws in proportion to nearness and unlikeness", () => {
  const pool = candidates(4, 9, (i) => [1200, 1250, 1400, 2000][i] ?? 0);
  const cosine = (a: string, b: string) => (key({ firstId: a, secondId: b }) === "h0 h1" ? 0.7 : 0);
  const weights = new Map([
    ["h0 h1", Math.exp(-50 / 200) * 0.3],
    ["h0 h2", Math.exp(-200 / 200)],
    ["h1 h2", Math.exp(-150 / 200)],
  ]);
  const total = [...weights.values()].reduce((sum, w) => sum + w, 0);
  const count = new Map<string, number>();
  const draws = 4000;
  for (let n = 0; n < draws; n++) {
    const pair = choosePair(input({ candidates: pool, settings: only("pClose"), cosine, key: n }));
    assert.equal(pair?.bucket, "close");
    count.set(key(pair), (count.get(key(pair)) ?? 0) + 1);
  }
  assert.deepEqual([...count.keys()].sort(), [...weights.keys()]);
  for (const [pair, weight] of weights) {
    const expected = weight / total, share = (count.get(pair) ?? 0) / draws;
    // Four standard errors, and what resampling from 32 draws may be off.
    assert.ok(
      Math.abs(share - expected) < 4 * Math.sqrt(expected * (1 - expected) / draws) + 0.01,
      `${pair}: ${share} instead of ${expected}`,
    );
  }
});

Deno.test("a bucket without an allowed pair gives way to the next", () => {
  const apart = candidates(3, 9, (i) => 1000 * i);
  assert.equal(choosePair(input({ candidates: apart, settings: only("pClose") }))?.bucket, "random");
  assert.equal(choosePair(input({ candidates: apart, settings: only("pNew") }))?.bucket, "random");
  const settings = only("pNew", { pClose: 1e-9 });
  assert.equal(choosePair(input({ candidates: candidates(3, 9), settings }))?.bucket, "close");
});

Deno.test("weights of zero in all buckets draw at random", () => {
  assert.equal(choosePair(input({ settings: only("pRandom", { pRandom: 0 }) }))?.bucket, "random");
});

Deno.test("every pair can be drawn: forty mature ideas within 200 points, in all 780 pairs", () => {
  const pool = candidates(40, 9, (i) => 1200 + 4 * i);
  const met = new Meetings();
  const drawn = new Set<string>();
  for (let n = 0; n < 780; n++) {
    const pair = choosePair(
      input({ candidates: pool, met: met.met, settings: { ...RANKING, maxMatchesPerPair: 1 }, key: n }),
    );
    assert.ok(pair !== null, `none after ${n}`);
    drawn.add(key(pair));
    met.add(pair.firstId, pair.secondId);
  }
  assert.equal(drawn.size, 780);
  const settings = { ...RANKING, maxMatchesPerPair: 1 };
  assert.equal(choosePair(input({ candidates: pool, met: met.met, settings })), null);
});

Deno.test("without memory each pair is within reach of the random bucket, and about as likely as any", () => {
  const count = new Map<string, number>();
  for (let n = 0; n < 3000; n++) {
    const pair = key(choosePair(input({ candidates: candidates(6), settings: only("pRandom"), key: n })));
    count.set(pair, (count.get(pair) ?? 0) + 1);
  }
  assert.equal(count.size, 15);
  for (const n of count.values()) assert.ok(n > 140 && n < 260, `${n} of 200 expected`);
});

Deno.test("no pair meets more often than allowed, orders balance, busy pairs are left alone, until all is played", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 9 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom("pNew", "pClose", "pRandom"),
      fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 9, maxLength: 9 }),
      fc.nat(),
      (n, maxMatchesPerPair, bucket, elos, seed) => {
        const met = new Meetings();
        const played = new Map<string, number>();
        const busy: [string, string][] = [["h0", "h1"]];
        const pool = () =>
          candidates(n, 0, (i) => elos[i] ?? 0).map((c) => ({ ...c, matches: played.get(c.id) ?? 0 }));
        const settings = only(bucket, { maxMatchesPerPair });
        const pairs = n * (n - 1) / 2;
        for (let m = 0; m < (pairs - 1) * maxMatchesPerPair; m++) {
          const pair = choosePair(
            input({ candidates: pool(), met: met.met, busy, settings, key: `${seed} ${m}` }),
          );
          assert.ok(pair !== null, "a pair was left");
          assert.notEqual(pair.firstId, pair.secondId);
          assert.notEqual(key(pair), "h0 h1");
          met.add(pair.firstId, pair.secondId);
          for (const id of [pair.firstId, pair.secondId]) played.set(id, (played.get(id) ?? 0) + 1);
          const { total, firstShown } = met.met(pair.firstId, pair.secondId);
          assert.ok(total <= maxMatchesPerPair);
          assert.ok(Math.abs(2 * firstShown - total) <= 1, "orders differ by one at most");
        }
        assert.equal(
          choosePair(input({ candidates: pool(), met: met.met, busy, settings, key: seed })),
          null,
        );
        assert.equal(
          key(choosePair(input({ candidates: pool(), met: met.met, settings, key: seed }))),
          "h0 h1",
        );
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("by coin the first meeting falls to either order, the second is the first reversed", () => {
  const pool = candidates(2);
  let first = 0;
  for (let n = 0; n < 400; n++) {
    if (choosePair(input({ candidates: pool, key: n }))?.firstId === "h0") first++;
    for (const shown of ["h0", "h1"]) {
      const met = (a: string) => ({ total: 1, firstShown: a === shown ? 1 : 0 });
      assert.notEqual(choosePair(input({ candidates: pool, met, key: n }))?.firstId, shown);
    }
  }
  assert.ok(first > 150 && first < 250);
});

Deno.test("by fixed order the older one is first, then the smaller id", () => {
  const settings = { ...RANKING, order: "fixed" } as const;
  const born = (a: number, b: number): PairCandidate[] => [
    { id: "x", elo: 1200, matches: 3, bornSeq: a },
    { id: "y", elo: 1200, matches: 3, bornSeq: b },
  ];
  for (let n = 0; n < 10; n++) {
    assert.equal(choosePair(input({ candidates: born(1, 2), settings, key: n }))?.firstId, "x");
    assert.equal(choosePair(input({ candidates: born(2, 1), settings, key: n }))?.firstId, "y");
    assert.equal(choosePair(input({ candidates: born(1, 1).reverse(), settings, key: n }))?.firstId, "x");
  }
});

Deno.test("two verdicts agree, or are a tie; without one of them there is none", () => {
  const verdicts = ["first", "second", "tie", "invalid"] as const;
  for (const a of verdicts) {
    for (const b of verdicts) {
      const expected = a === "invalid" || b === "invalid" ? "invalid" : a === b ? a : "tie";
      assert.equal(verdictOfBoth(a, b), expected, `${a} ${b}`);
    }
  }
});

Deno.test("debate for those who have hardly played and for near ratings, pairwise otherwise", () => {
  const mode = (matches: [number, number], delta: number) =>
    choosePair(input({
      candidates: [
        { id: "x", elo: 1200, matches: matches[0], bornSeq: 1 },
        { id: "y", elo: 1200 + delta, matches: matches[1], bornSeq: 2 },
      ],
    }))?.mode;
  assert.equal(mode([1, 9], 300), "debate");
  assert.equal(mode([2, 9], 300), "pairwise");
  assert.equal(mode([9, 9], 49), "debate");
  assert.equal(mode([9, 9], 50), "pairwise");
});

Deno.test("a choice among 1,000 hypotheses after 20,000 matches takes less than 1.5 ms", () => {
  const chance = rng("pool", "", "");
  const vectors = Array.from(
    { length: 1000 },
    () => Float32Array.from({ length: 256 }, () => chance.normal() / 16),
  );
  const pool = candidates(1000, 40, () => 1200 + 120 * chance.normal());
  const met = new Meetings();
  for (let m = 0; m < 20_000; m++) met.add(`h${chance.int(1000)}`, `h${chance.int(1000)}`);
  const cosine = (a: string, b: string) => {
    const x = vectors[Number(a.slice(1))], y = vectors[Number(b.slice(1))];
    return x === undefined || y === undefined ? 0 : x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  };
  for (const bucket of ["pNew", "pClose", "pRandom"] as const) {
    const times: number[] = [];
    for (let n = 0; n < 150; n++) {
      const fresh = pool.map((c, i) => (bucket === "pNew" && i % 2 === 0 ? { ...c, matches: i % 3 } : c));
      const choice = input({ candidates: fresh, met: met.met, cosine, settings: only(bucket), key: n });
      const start = performance.now();
      assert.ok(choosePair(choice) !== null);
      times.push(performance.now() - start);
    }
    const median = times.sort((a, b) => a - b)[75] ?? Infinity;
    assert.ok(median < 1.5, `${bucket}: ${median} ms`);
  }
});

/** Ratings of a pool after some matches, and the pool. */
function rated(n: number, verdicts: readonly (readonly [winner: number, loser: number])[] = []) {
  const book = new RatingBook({ priorWidth: 1, reviewPrior: 0, parentPrior: 0 });
  for (let i = 0; i < n; i++) book.enter({ id: `h${i}` });
  const meetings = new Meetings();
  for (const [winner, loser] of verdicts) {
    book.record({ firstId: `h${winner}`, secondId: `h${loser}`, score: 1, weight: 1, judge: null });
    meetings.add(`h${winner}`, `h${loser}`);
  }
  const ratings = { place: (id: string) => book.place(id), belief: () => book.posterior() };
  return { book, ratings, met: meetings.met, meetings };
}

const by = (pairing: "information" | "swiss" | "random", over: Partial<typeof RANKING> = {}) => ({
  ...RANKING,
  pairing,
  ...over,
});

/** A ladder of n, in which the lower number always beat the higher one, far enough apart to be told apart. */
const ladder = (n: number, rounds: number) =>
  Array.from(
    { length: rounds },
    () =>
      Array.from({ length: n }, (_, i) =>
        Array.from({ length: Math.min(4, n - 1 - i) }, (_, j): [number, number] => [i, i + 1 + j])).flat(),
  ).flat();

Deno.test("information: the pair lies at the boundary of the top k, where the ladder below is settled", () => {
  const { ratings, met } = rated(12, ladder(12, 6));
  const seen = new Set<string>();
  for (let i = 0; i < 20; i++) {
    const pair = choosePair(
      input({
        candidates: candidates(12),
        key: i,
        ratings,
        met,
        settings: by("information", { topK: 3, wholeOrder: 0, maxMatchesPerPair: 99 }),
      }),
    );
    seen.add(key(pair));
    assert.equal(pair?.bucket, "information");
  }
  assert.deepEqual([...seen], ["h2 h3"]);
});

Deno.test("information: with the whole order in mind, pairs all along the ladder are drawn", () => {
  const { ratings, met } = rated(12, ladder(12, 6));
  const pairs = choosePairs(
    input({
      candidates: candidates(12),
      ratings,
      met,
      settings: by("information", { topK: 3, wholeOrder: 1, maxMatchesPerPair: 99 }),
    }),
    12,
  );
  const lowest = Math.max(
    ...pairs.flatMap(({ firstId, secondId }) => [firstId, secondId].map((id) => Number(id.slice(1)))),
  );
  assert.ok(lowest >= 10);
});

Deno.test("information: a newcomer of whom nothing is known comes first, and not only once", () => {
  const known = rated(8, ladder(8, 6));
  known.book.enter({ id: "h8" });
  const settings = by("information", { topK: 3, wholeOrder: 0.2, maxMatchesPerPair: 99 });
  const pairs = choosePairs(
    input({ candidates: candidates(9), ratings: known.ratings, met: known.met, settings }),
    3,
  );
  assert.ok(pairs.every(({ firstId, secondId }) => firstId === "h8" || secondId === "h8"));
});

Deno.test("information: a batch spreads: no pair twice, and pairs under way are taken into account", () => {
  const { ratings, met, book } = rated(20);
  const before = book.posterior().variance(0);
  const settings = by("information");
  const batch = choosePairs(input({ candidates: candidates(20), ratings, met, settings }), 10);
  assert.equal(new Set(batch.map(key)).size, 10);
  const often = Math.max(
    ...candidates(20).map(({ id }) => batch.filter((p) => p.firstId === id || p.secondId === id).length),
  );
  assert.equal(often, 1);
  const busy = batch.slice(0, 9).map((p) => [p.firstId, p.secondId] as const);
  const next = choosePair(input({ candidates: candidates(20), ratings, met, settings, busy }));
  const playing = new Set(busy.flat());
  assert.ok(next !== null && !playing.has(next.firstId) && !playing.has(next.secondId));
  assert.equal(book.posterior().variance(0), before);
});

Deno.test("information: a focus is one side as long as it may meet anybody", () => {
  const { ratings, met } = rated(6, ladder(6, 3));
  const settings = by("information", { topK: 2, maxMatchesPerPair: 99 });
  const pair = choosePair(input({ focus: "h5", ratings, met, settings }));
  assert.ok([pair?.firstId, pair?.secondId].includes("h5"));
  assert.equal(pair?.bucket, "focus");
  const busy = [0, 1, 2, 3, 4].map((i) => [`h${i}`, "h5"] as const);
  assert.equal(choosePair(input({ focus: "h5", ratings, met, settings, busy }))?.bucket, "information");
});

Deno.test("information: where nobody is rated, the buckets draw", () => {
  const pair = choosePair(input({ settings: by("information") }));
  assert.ok(["new", "close", "random"].includes(pair?.bucket ?? ""));
});

Deno.test("swiss: everybody plays once before anybody plays twice, and equals meet without meeting again", () => {
  const { ratings, meetings } = rated(8);
  const played = new Map<string, number>();
  const settings = by("swiss", { rating: "elo" });
  for (let round = 0; round < 4; round++) {
    for (let game = 0; game < 4; game++) {
      const pool = candidates(8, 0, (i) => 1200 + (7 - i)).map((c) => ({
        ...c,
        matches: played.get(c.id) ?? 0,
      }));
      const pair = choosePair(
        input({ candidates: pool, key: `${round} ${game}`, ratings, met: meetings.met, settings }),
      );
      assert.ok(pair !== null && pair.bucket === "swiss");
      assert.equal(meetings.met(pair.firstId, pair.secondId).total, 0);
      meetings.add(pair.firstId, pair.secondId);
      for (const id of [pair.firstId, pair.secondId]) played.set(id, (played.get(id) ?? 0) + 1);
    }
    assert.deepEqual([...new Set(played.values())], [round + 1]);
  }
  const first = choosePair(input({ candidates: candidates(8, 0, (i) => 1200 - 50 * i), ratings, settings }));
  assert.equal(key(first), "h0 h1");
});

Deno.test("swiss goes by the rating that orders the leaderboard", () => {
  const { ratings } = rated(4, [[3, 0], [3, 1], [3, 2], [2, 0], [2, 1], [1, 0]]);
  const pool = candidates(4, 3, (i) => 1200 - 10 * i);
  const settings = (rating: "elo" | "bradley_terry") => by("swiss", { rating });
  assert.equal(key(choosePair(input({ candidates: pool, ratings, settings: settings("elo") }))), "h0 h1");
  assert.equal(
    key(choosePair(input({ candidates: pool, ratings, settings: settings("bradley_terry") }))),
    "h2 h3",
  );
});

Deno.test("no way of pairing gives a pair too often, or one that is busy, and all end when all is played", () => {
  for (const pairing of ["information", "swiss", "random"] as const) {
    const { ratings, meetings } = rated(5);
    const settings = by(pairing);
    let games = 0;
    for (;; games++) {
      const busy = [["h0", "h1"]] as const;
      const pair = choosePair(
        input({ candidates: candidates(5), key: games, ratings, met: meetings.met, busy, settings }),
      );
      if (pair === null) break;
      assert.notEqual(key(pair), "h0 h1");
      meetings.add(pair.firstId, pair.secondId);
    }
    assert.equal(games, 2 * 9, pairing);
  }
});
