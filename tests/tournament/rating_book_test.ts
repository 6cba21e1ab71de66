import assert from "node:assert/strict";
import fc from "fast-check";
import { rng } from "../../lib/domain/rng.ts";
import { logistic } from "../../lib/tournament/normal.ts";
import { RatingBook, type RatingSettings } from "../../lib/tournament/rating_book.ts";

const PLAIN: RatingSettings = { priorWidth: 0, reviewPrior: 0, parentPrior: 0 };
const FULL: RatingSettings = { priorWidth: 0, reviewPrior: 0.3, parentPrior: 0.5 };

type Line =
  | { kind: "enter"; id: string; parents: string[]; score: number | null }
  | {
    kind: "match";
    firstId: string;
    secondId: string;
    score: 0 | 0.5 | 1;
    weight: number;
    judge: string | null;
  }
  | { kind: "group"; ids: string[]; slots: number[] };

/** A growing pool: entrants, pairs and groups in a seeded order. */
function history(seed: number, length: number): Line[] {
  const chance = rng("book", String(seed), "history");
  const lines: Line[] = [];
  let n = 0;
  const enter = () => {
    const parents = n > 1 && chance.next() < 0.4 ? [`h${chance.int(n)}`, `h${chance.int(n)}`] : [];
    lines.push({ kind: "enter", id: `h${n++}`, parents, score: chance.next() < 0.8 ? chance.next() : null });
  };
  for (let i = 0; i < 4; i++) enter();
  while (lines.length < length) {
    const draw = chance.next();
    if (draw < 0.12) enter();
    else if (draw < 0.2) {
      const ids = chance.shuffle(Array.from({ length: n }, (_, i) => `h${i}`)).slice(0, 4);
      lines.push({ kind: "group", ids, slots: chance.shuffle([...ids.keys()]) });
    } else {
      const a = chance.int(n), b = (a + 1 + chance.int(n - 1)) % n;
      lines.push({
        kind: "match",
        firstId: `h${a}`,
        secondId: `h${b}`,
        score: chance.pick([0, 0.5, 1] as const),
        weight: 1,
        judge: chance.pick(["one", "other", null]),
      });
    }
  }
  return lines;
}

function write(book: RatingBook, line: Line): void {
  if (line.kind === "enter") book.enter(line);
  else if (line.kind === "match") book.record(line);
  else book.recordGroup({ ids: line.ids, slots: line.slots, weight: 1, judge: "one" });
}

function state(book: RatingBook): number[] {
  const posterior = book.posterior();
  return Array.from({ length: posterior.size }, (_, i) => [posterior.mean(i), posterior.variance(i)]).flat();
}

Deno.test("read at once or one by one, looked at always or never: the same to the last bit", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 5, max: 150 }), (seed, length) => {
      const watched = new RatingBook(FULL), blind = new RatingBook(FULL);
      const lines = history(seed, length);
      for (const line of lines) {
        write(watched, line);
        watched.posterior();
        write(blind, line);
      }
      assert.deepEqual(state(watched), state(blind));
    }),
    { numRuns: 40 },
  );
});

Deno.test("matches of strangers and matches without weight count for nothing; entering twice is entering once", () => {
  const book = new RatingBook({ ...PLAIN, priorWidth: 1 });
  book.enter({ id: "a" });
  book.enter({ id: "b" });
  book.enter({ id: "a" });
  book.record({ firstId: "a", secondId: "x", score: 1, weight: 1, judge: null });
  book.record({ firstId: "a", secondId: "b", score: 1, weight: 0, judge: null });
  book.recordGroup({ ids: ["a", "b", "x"], slots: [0, 1, 2], weight: 1, judge: null });
  assert.equal(book.players, 2);
  assert.equal(book.matches, 0);
  assert.deepEqual(state(book), [0, 1, 0, 1]);
});

/** Matches at random in a pool of this spread. */
function play(book: RatingBook, n: number, games: number, spread: number, key: string): number[] {
  const chance = rng("book", key, "play");
  const truth = Array.from({ length: n }, () => spread * chance.normal());
  for (let i = 0; i < n; i++) book.enter({ id: `h${i}` });
  for (let g = 0; g < games; g++) {
    const a = chance.int(n), b = (a + 1 + chance.int(n - 1)) % n;
    const p = logistic((truth[a] ?? 0) - (truth[b] ?? 0));
    book.record({
      firstId: `h${a}`,
      secondId: `h${b}`,
      score: chance.next() < p ? 1 : 0,
      weight: 1,
      judge: null,
    });
  }
  return truth;
}

Deno.test("the width is found by the evidence: narrow where hypotheses hardly differ, wide where they do", () => {
  const width = (spread: number) =>
    [1, 2, 3, 4, 5].map((r) => {
      const book = new RatingBook(PLAIN);
      play(book, 40, 600, spread, `${spread} ${r}`);
      return book.width;
    }).sort((a, b) => a - b)[2] ?? NaN;
  assert.ok(width(0.3) <= 0.5);
  assert.ok(width(1) >= 0.7 && width(1) <= 1.4);
  assert.ok(width(2.5) >= 2);
  const fixed = new RatingBook({ ...PLAIN, priorWidth: 0.8 });
  play(fixed, 20, 100, 2, "fixed");
  assert.equal(fixed.width, 0.8);
});

Deno.test("a child begins with part of its parents' strength, a well reviewed one ahead of a badly reviewed one", () => {
  const book = new RatingBook(FULL);
  const enter = (id: string, score: number | null, parents: string[] = []) =>
    book.enter({ id, score, parents });
  enter("strong", 0.5);
  enter("weak", 0.5);
  for (let i = 0; i < 8; i++) {
    book.record({ firstId: "strong", secondId: "weak", score: 1, weight: 1, judge: null });
  }
  enter("child of strong", 0.5, ["strong"]);
  enter("child of weak", 0.5, ["weak"]);
  enter("praised", 0.9);
  enter("panned", 0.1);
  const mean = (id: string) => book.posterior().mean(book.place(id) ?? NaN);
  assert.ok(mean("strong") > mean("child of strong") && mean("child of strong") > 0);
  assert.ok(mean("weak") < mean("child of weak") && mean("child of weak") < 0);
  assert.ok(mean("praised") > mean("panned") + 0.5);
});

Deno.test("what a review is worth is learned: where matches go against the reviews, their weight turns round", () => {
  const book = new RatingBook(FULL);
  for (let i = 0; i < 10; i++) book.enter({ id: `h${i}`, score: i / 10 });
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 10; i++) {
      for (let j = 0; j < i; j++) {
        book.record({ firstId: `h${j}`, secondId: `h${i}`, score: 1, weight: 1, judge: null });
      }
    }
  }
  book.enter({ id: "praised", score: 0.9 });
  book.enter({ id: "panned", score: 0.1 });
  const mean = (id: string) => book.posterior().mean(book.place(id) ?? NaN);
  assert.ok(mean("praised") < mean("panned"));
});

Deno.test("where later waves are better, newcomers of the next wave begin ahead", () => {
  const book = new RatingBook({ ...PLAIN, priorWidth: 1 });
  for (let wave = 0; wave < 5; wave++) {
    for (let i = 0; i < 8; i++) book.enter({ id: `${wave} ${i}` });
    for (let i = 0; i < 8; i++) {
      for (let earlier = 0; earlier < wave; earlier++) {
        book.record({
          firstId: `${wave} ${i}`,
          secondId: `${earlier} ${i}`,
          score: 1,
          weight: 1,
          judge: null,
        });
      }
    }
    if (wave === 0) book.record({ firstId: "0 0", secondId: "0 1", score: 0.5, weight: 1, judge: null });
  }
  book.enter({ id: "newcomer" });
  const { mean } = { mean: (id: string) => book.posterior().mean(book.place(id) ?? NaN) };
  assert.ok(mean("newcomer") > 0.5);
  assert.ok(mean("newcomer") > mean("0 3"));
});

Deno.test("a refit done in steps is the same; lines that come meanwhile begin it anew; who asks gets it done at once", () => {
  for (const length of [60, 400]) {
    const stepped = new RatingBook(FULL), whole = new RatingBook(FULL);
    let steps = 0;
    for (const line of history(7, length)) {
      write(stepped, line);
      write(whole, line);
      // Now and then only a part is done before the next line comes.
      if (stepped.step()) steps++;
    }
    while (stepped.step()) steps++;
    assert.ok(steps > 0);
    assert.equal(stepped.step(), false);
    assert.deepEqual(state(stepped), state(whole));
  }
});

Deno.test("a large pool is refitted in many steps", () => {
  const book = new RatingBook(PLAIN);
  play(book, 400, 1200, 1, "steps");
  let steps = 0;
  while (book.step()) steps++;
  assert.ok(steps > 5);
});
