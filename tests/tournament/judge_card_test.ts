/** The judge card: what verdicts say of those who gave them. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { MatchVerdict } from "../../lib/domain/records.ts";
import { rng } from "../../lib/domain/rng.ts";
import { judgeCard, type JudgeCardInput } from "../../lib/tournament/judge_card.ts";
import { flipsOf, type JudgedMatch, looksOf } from "../../lib/tournament/judge_looks.ts";
import { logistic } from "../../lib/tournament/normal.ts";
import { shareOf } from "../../lib/tournament/share.ts";
import { LONG } from "../engine/support/session.ts";

const near = (actual: number | null | undefined, expected: number, within = 1e-9) =>
  assert.ok(
    actual !== null && actual !== undefined && Math.abs(actual - expected) <= within,
    `${actual} is not ${expected}`,
  );

let seq = 0;
function match(firstId: string, secondId: string, verdict: MatchVerdict, over: Partial<JudgedMatch> = {}) {
  seq++;
  return {
    seq,
    firstId,
    secondId,
    verdict,
    mode: "pairwise",
    author: "model",
    weight: 1,
    judge: "claude-sonnet-4-6",
    promptVersion: "v1",
    ...over,
  } satisfies JudgedMatch;
}

function cardOf(matches: readonly JudgedMatch[], over: Partial<JudgeCardInput> = {}) {
  return judgeCard({
    matches,
    lengths: new Map(),
    makers: new Map(),
    families: new Map(),
    results: new Map(),
    ...over,
  });
}

/** What a simulated judge is like. */
interface Traits {
  readonly bias?: number;
  /** For double length, in logits. */
  readonly length?: number;
  /** For texts of its own family, in logits. */
  readonly self?: number;
  readonly ties?: number;
}

/** Hypotheses of normal quality and various length, the odd ones written by gpt-5; judged at random. */
function pool(seed: number, hypotheses: number, spread = 1.2) {
  const chance = rng(`judges ${seed}`, "pool", "test");
  const all = Array.from({ length: hypotheses }, (_, i) => ({
    id: `h${i}`,
    quality: spread * chance.normal(),
    length: Math.round(1500 * 2 ** (0.5 * chance.normal())),
    maker: i % 2 === 0 ? "claude-opus-4-7" : "gpt-5",
  }));
  const families = new Map([["claude-opus-4-7", "anthropic"], ["claude-sonnet-4-6", "anthropic"], [
    "gpt-5",
    "openai",
  ]]);
  const judge = (matches: number, traits: Traits, name = "claude-sonnet-4-6") =>
    Array.from({ length: matches }, () => {
      const [a, b] = chance.shuffle(all);
      if (a === undefined || b === undefined) throw new RangeError("two hypotheses are needed");
      const own = (maker: string) => Number(families.get(maker) === families.get(name));
      const logit = a.quality - b.quality + (traits.bias ?? 0) +
        (traits.length ?? 0) * Math.log2(a.length / b.length) +
        (traits.self ?? 0) * (own(a.maker) - own(b.maker));
      const verdict = chance.next() < (traits.ties ?? 0)
        ? "tie"
        : chance.next() < logistic(logit)
        ? "first"
        : "second";
      return match(a.id, b.id, verdict, { judge: name });
    });
  const known = {
    lengths: new Map(all.map(({ id, length }) => [id, length])),
    makers: new Map(all.map(({ id, maker }) => [id, maker])),
    families,
  };
  return { judge, known };
}

Deno.test("shares have Wilson's interval; of nothing there is no share", () => {
  const table: [count: number, of: number, low: number, high: number][] = [
    [0, 10, 0, 0.27753],
    [5, 10, 0.23659, 0.76341],
    [10, 10, 0.72247, 1],
    [1, 4, 0.04559, 0.69936],
    [40, 100, 0.30940, 0.49800],
  ];
  for (const [count, of, low, high] of table) {
    const share = shareOf(count, of);
    near(share.share, count / of);
    near(share.low, low, 5e-5);
    near(share.high, high, 5e-5);
  }
  assert.deepEqual(shareOf(0, 0), { count: 0, of: 0, share: null, low: null, high: null });
});

Deno.test("a match judged in both orders is two looks, each told as it was shown", () => {
  const both = match("a", "b", "tie", { bothOrders: ["first", "second"] });
  assert.deepEqual(
    looksOf(both).map(({ firstId, secondId, verdict }) => [firstId, secondId, verdict]),
    [["a", "b", "first"], ["b", "a", "first"]],
  );
  const plain = match("a", "b", "second");
  assert.deepEqual(looksOf(plain).map(({ verdict }) => verdict), ["second"]);
});

Deno.test("flips: pairs shown both ways, each once by its oldest answers, ties told apart", () => {
  const looks = [
    match("a", "b", "first"), // a–b: the first place won twice
    match("b", "a", "first"),
    match("c", "d", "first"), // c–d: c won twice
    match("d", "c", "second"),
    match("e", "f", "tie"), // e–f: a tie in one order
    match("f", "e", "first"),
    match("g", "h", "first"), // g–h: one order only
    match("g", "h", "second"),
    match("i", "j", "first"), // i–j: invalid in the other order
    match("j", "i", "invalid"),
    match("a", "b", "second"), // later answers don't count again
    match("k", "l", "tie", { bothOrders: ["second", "first"] }), // k–l: the second place won twice
  ].flatMap(looksOf);
  const { count, of, tied } = flipsOf(looks);
  assert.deepEqual([count, of, tied], [2, 3, 1]);
  assert.deepEqual(flipsOf(looks.toReversed()), flipsOf(looks));
});

Deno.test("verdicts, ties, invalid answers and the place are counted by judge: model, prompt version and mode", () => {
  const { judges, pooled } = cardOf([
    match("a", "b", "first"),
    match("b", "c", "first"),
    match("c", "a", "second"),
    match("a", "c", "tie"),
    match("b", "a", "invalid"),
    match("a", "b", "first", { mode: "debate" }),
    match("a", "b", "tie", { promptVersion: "v2" }),
    match("a", "b", "second", { author: "Ada", judge: null, promptVersion: null }),
    match("a", "b", "second", { weight: 0 }),
  ]);
  assert.deepEqual(
    judges.map(({ judge, promptVersion, mode, verdicts }) => [judge, promptVersion, mode, verdicts]),
    [
      ["claude-sonnet-4-6", "v1", "pairwise", 4],
      ["claude-sonnet-4-6", "v1", "debate", 1],
      ["claude-sonnet-4-6", "v2", "pairwise", 1],
    ],
  );
  const [main] = judges;
  assert.deepEqual([main?.first.count, main?.first.of], [2, 3]);
  assert.deepEqual([main?.ties.count, main?.ties.of], [1, 4]);
  assert.deepEqual([main?.invalid.count, main?.invalid.of], [1, 5]);
  assert.equal(main?.few, true);
  assert.deepEqual([pooled.verdicts, pooled.ties.count, pooled.invalid.of], [6, 2, 7]);
  assert.equal(
    pooled.flips.of + pooled.flips.tied,
    1,
    "pairs are compared within a judge: only a–c came both ways",
  );
});

Deno.test("calibration: how often the one that results support was preferred, matches of both kinds only", () => {
  const results = new Map([["a", "supported"], ["b", "contradicted"], ["c", "supported"]] as const);
  const { pooled } = cardOf([
    match("a", "b", "first"),
    match("b", "a", "second"),
    match("c", "b", "second"),
    match("b", "c", "tie"),
    match("a", "c", "first"),
    match("a", "d", "first"),
    match("a", "b", "invalid"),
  ], { results });
  const { count, of, tied } = pooled.calibration ?? {};
  assert.deepEqual([count, of, tied], [2, 3, 1]);
  const why = (over: Partial<JudgeCardInput>) =>
    cardOf([match("a", "b", "first")], over).pooled.why.calibration;
  assert.equal(why({}), "no results yet");
  assert.match(why({ results: new Map([["a", "supported"]]) }) ?? "", /both sides/);
  assert.match(why({ results: new Map([["a", "supported"], ["x", "contradicted"]]) }) ?? "", /no match of/);
});

Deno.test("the order bias of two hypotheses is what integrating the posterior gives", () => {
  // Six looks at each order: the first won 5 of 6 as a, 4 of 6 as b.
  const looks: [string, string, MatchVerdict][] = [
    ...Array.from(
      { length: 6 },
      (_, i): [string, string, MatchVerdict] => ["a", "b", i < 5 ? "first" : "second"],
    ),
    ...Array.from(
      { length: 6 },
      (_, i): [string, string, MatchVerdict] => ["b", "a", i < 4 ? "first" : "second"],
    ),
  ];
  const { pooled } = cardOf(looks.map(([first, second, verdict]) => match(first, second, verdict)));
  let mass = 0, mean = 0, square = 0;
  for (const width of [0.35, 0.5, 0.7, 1, 1.4, 2, 2.8]) {
    const prior = Math.exp(-((Math.log(width) / 0.7) ** 2) / 2);
    // The gap of two strengths has √2 times their width.
    const sd = Math.SQRT2 * width;
    for (let gap = -8; gap <= 8; gap += 0.04) {
      for (let bias = -8; bias <= 8; bias += 0.04) {
        const up = logistic(gap + bias), down = logistic(bias - gap);
        const density = prior / sd * Math.exp(-((gap / sd) ** 2) / 2 - ((bias / 2.5) ** 2) / 2) *
          up ** 5 * (1 - up) * down ** 4 * (1 - down) ** 2;
        mass += density;
        mean += density * bias;
        square += density * bias * bias;
      }
    }
  }
  mean /= mass;
  const reach = 1.96 * Math.sqrt(square / mass - mean ** 2);
  near(pooled.bias?.value, mean, 0.08);
  near(pooled.bias?.low, mean - reach, 0.25);
  near(pooled.bias?.high, mean + reach, 0.25);
});

Deno.test("a known order bias and a known liking for length lie in their intervals in about 95 % of sessions", () => {
  const cases: [hypotheses: number, matches: number, bias: number, length: number][] = [
    [10, 40, 0, 0],
    [20, 100, 2, 0.5],
    [30, 150, -1, 1],
  ];
  const runs = LONG ? 300 : 60;
  for (const [hypotheses, matches, bias, length] of cases) {
    let inBias = 0, inLength = 0, sum = 0;
    for (let run = 0; run < runs; run++) {
      const { judge, known } = pool(run, hypotheses);
      const { pooled } = cardOf(judge(matches, { bias, length }), known);
      assert.ok(pooled.bias !== null && pooled.length !== null);
      if (pooled.bias.low <= bias && bias <= pooled.bias.high) inBias++;
      if (pooled.length.low <= length && length <= pooled.length.high) inLength++;
      sum += pooled.bias.value;
    }
    // Three standard errors below 95 %, and 2 % for what the approximation lacks.
    const least = 0.93 - 3 * Math.sqrt(0.95 * 0.05 / runs);
    assert.ok(inBias / runs >= least, `bias ${bias}: in ${inBias} of ${runs}`);
    assert.ok(inLength / runs >= least, `length ${length}: in ${inLength} of ${runs}`);
    // Posterior means lie a little outside: the posterior of a strong effect has its longer tail there.
    near(sum / runs, bias, 0.3);
  }
});

Deno.test("ties don't hide a bias", () => {
  const { judge, known } = pool(21, 12);
  const { pooled } = cardOf(judge(300, { bias: 1.6, ties: 0.5 }), known);
  assert.ok(
    pooled.bias !== null && pooled.bias.low < 1.6 && 1.6 < pooled.bias.high && pooled.bias.value > 1.2,
  );
});

Deno.test("a judge who always names the first: bias above 1 as a whole, all pairs flip, and it is warned of", () => {
  const matches = Array.from(
    { length: 40 },
    (_, i) => match(`h${i % 7}`, `h${(i * 3 + 1 + i % 7) % 8 + 7}`, "first"),
  );
  const turned = matches.slice(0, 10).map(({ firstId, secondId }) => match(secondId, firstId, "first"));
  const { pooled, warnings } = cardOf([...matches, ...turned]);
  assert.ok(pooled.bias !== null && pooled.bias.low > 1);
  assert.equal(pooled.first.share, 1);
  assert.equal(pooled.flips.share, 1);
  assert.deepEqual(warnings.map(({ kind }) => kind), ["one_place", "order_bias"]);
  assert.match(warnings[1]?.text ?? "", /shown first by \d\.\d logits .* lies above 1 .*order: "both"/);
  const other = cardOf(matches.map((each) => ({ ...each, verdict: "second" })));
  assert.ok((other.pooled.bias?.high ?? 0) < -1);
  near(other.pooled.bias?.value, -(cardOf(matches).pooled.bias?.value ?? NaN));
  assert.match(other.warnings[1]?.text ?? "", /shown second by \d\.\d logits/);
});

Deno.test("a warning of bias says whether its interval still reaches below 1", () => {
  const { judge, known } = pool(3, 8);
  const [warning] = cardOf(judge(24, { bias: 1.6 }), known).warnings;
  assert.equal(warning?.kind, "order_bias");
  assert.match(warning?.text ?? "", /reaches below 1/);
});

Deno.test("a balanced judge is not warned of; nor is one with fewer than ten answers, whatever they are", () => {
  for (let seed = 0; seed < 10; seed++) {
    const { judge, known } = pool(seed, 15);
    assert.deepEqual(cardOf(judge(90, { ties: 0.1 }), known).warnings, []);
  }
  for (const verdict of ["first", "tie", "invalid"] as const) {
    const few = cardOf(Array.from({ length: 9 }, (_, i) => match(`h${i}`, `h${i + 1}`, verdict)));
    assert.deepEqual(few.warnings, []);
    assert.equal(few.judges[0]?.few, true);
  }
});

Deno.test("ties above 40 % and unreadable answers above 20 % are warned of, with what to do", () => {
  const some = (verdict: MatchVerdict, n: number) =>
    Array.from({ length: n }, (_, i) => match(`h${i % 5}`, `h${i % 5 + 1 + i % 3}`, verdict));
  const even = [...some("first", 5), ...some("second", 5)];
  assert.deepEqual(cardOf([...even, ...some("tie", 6)]).warnings, []);
  const tied = cardOf([...even, ...some("tie", 8)]).warnings;
  assert.deepEqual(tied.map(({ kind }) => kind), ["ties"]);
  assert.match(tied[0]?.text ?? "", /8 of 18 .*44 %.*ranking\.pairwise/);
  assert.deepEqual(cardOf([...even, ...some("invalid", 2)]).warnings, []);
  const invalid = cardOf([...even, ...some("invalid", 4)]).warnings;
  assert.deepEqual(invalid.map(({ kind }) => kind), ["invalid"]);
  assert.match(invalid[0]?.text ?? "", /4 of 14 .*29 %.*lab\.transcripts/);
});

Deno.test("what only all judges together show is warned of once, as such", () => {
  const matches = Array.from(
    { length: 24 },
    (_, i) => match(`h${i % 7}`, `h${i % 7 + 1}`, "first", { judge: `model ${i % 4}` }),
  );
  assert.deepEqual(
    cardOf(matches).warnings.map(({ kind, judge }) => [kind, judge]),
    [["one_place", "All judges together"], ["order_bias", "All judges together"]],
  );
});

Deno.test("each judge has its own bias over the same hypotheses", () => {
  const { judge, known } = pool(11, 15);
  const { judges } = cardOf([...judge(150, { bias: 2 }), ...judge(149, { bias: -1 }, "gpt-5")], known);
  const [one, other] = judges;
  assert.ok(one?.bias && one.bias.low < 2 && 2 < one.bias.high && one.bias.low > 0.5);
  assert.ok(other?.bias && other.bias.low < -1 && -1 < other.bias.high && other.bias.high < 0);
});

Deno.test("self-preference is told where families are known and differ, and best by judges of two families", () => {
  const { judge, known } = pool(5, 20);
  const { judges } = cardOf(
    [...judge(220, { self: 1.5 }), ...judge(219, { self: 0 }, "gpt-5")],
    known,
  );
  const [own, fair] = judges;
  assert.ok(own?.self && own.self.low < 1.5 && 1.5 < own.self.high && own.self.low > 0);
  assert.ok(fair?.self && fair.self.low < 0 && 0 < fair.self.high);
  const why = (over: Partial<JudgeCardInput>) => {
    const { pooled } = cardOf(judge(30, {}), { ...known, ...over });
    assert.equal(pooled.self, null);
    return pooled.why.self ?? "";
  };
  assert.match(why({ families: new Map() }), /who makes the judge is not known/);
  assert.match(why({ makers: new Map() }), /no hypothesis was written by a model/);
  const all = (maker: string) => new Map([...known.makers.keys()].map((id) => [id, maker]));
  assert.match(why({ makers: all("claude-opus-4-7") }), /all hypotheses were written by its own family/);
  assert.match(why({ makers: all("gpt-5") }), /no hypothesis was written by its own family/);
});

Deno.test("length is not told from texts of one length, or too few", () => {
  const { judge, known } = pool(6, 10);
  const same = new Map([...known.lengths.keys()].map((id) => [id, 1000]));
  const { pooled } = cardOf(judge(40, {}), { ...known, lengths: same });
  assert.equal(pooled.length, null);
  assert.match(pooled.why.length ?? "", /^0 of 10 verdicts/);
});

Deno.test("names of hypotheses and the order of matches don't matter", () => {
  const { judge, known } = pool(7, 9);
  const matches = [
    ...judge(40, { bias: 0.7, ties: 0.2 }),
    ...judge(15, { bias: -2 }, "gpt-5"),
    match("h1", "h2", "invalid"),
    match("h3", "h4", "tie", { bothOrders: ["first", "second"] }),
  ];
  const results = new Map([["h1", "supported"], ["h2", "contradicted"]] as const);
  const card = cardOf(matches, { ...known, results });
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...matches.keys()], { minLength: matches.length }),
      fc.shuffledSubarray([...known.lengths.keys()], { minLength: known.lengths.size }),
      (order, ids) => {
        const names = new Map([...known.lengths.keys()].map((id, i) => [id, `x${ids[i]}`]));
        const named = (id: string) => names.get(id) ?? id;
        const renamed = <T>(map: ReadonlyMap<string, T>) =>
          new Map([...map].map(([id, value]) => [named(id), value]));
        const other = cardOf(
          order.flatMap((i) => matches[i] ?? []).map((each) => ({
            ...each,
            firstId: named(each.firstId),
            secondId: named(each.secondId),
          })),
          {
            lengths: renamed(known.lengths),
            makers: renamed(known.makers),
            families: known.families,
            results: renamed(results),
          },
        );
        assertSame(other, card);
      },
    ),
    { numRuns: LONG ? 100 : 15 },
  );
});

Deno.test("a session without a match has a card that says so", () => {
  const { judges, pooled, warnings } = cardOf([]);
  assert.deepEqual([judges, warnings], [[], []]);
  assert.deepEqual([pooled.bias, pooled.verdicts, pooled.ties.share, pooled.few], [null, 0, null, true]);
  assert.equal(pooled.why.bias, "no decided verdict yet");
  const invalid = cardOf([match("a", "b", "invalid")]);
  assert.deepEqual([invalid.judges[0]?.bias, invalid.judges[0]?.invalid.share], [null, 1]);
});

/** Equal but for what the order of sums does to the last digits of numbers. */
function assertSame(one: unknown, other: unknown): void {
  if (typeof one === "number" && typeof other === "number") near(one, other, 1e-6);
  else if (one instanceof Object && other instanceof Object) {
    assert.deepEqual(Object.keys(one), Object.keys(other));
    for (const key of Object.keys(one)) assertSame(Reflect.get(one, key), Reflect.get(other, key));
  } else assert.equal(one, other);
}
