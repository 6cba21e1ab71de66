import assert from "node:assert/strict";
import {
  recordHypothesis,
  recordRanking,
  recordReview,
  recordSystemFeedback,
  recordVerdict,
} from "../../lib/domain/drafts.ts";
import { rng } from "../../lib/domain/rng.ts";
import { fence } from "../../lib/domain/text.ts";
import { createLiterature } from "../../lib/simulator/literature.ts";
import { wordHypothesis } from "../../lib/simulator/respond/wording.ts";
import { DEFAULT_JUDGE, firstLogit, groupLogits } from "../../lib/simulator/respond/verdict.ts";
import { partsOf, truthOfParts, truthOfText } from "../../lib/simulator/truth.ts";
import { createWorld, partList, partsKey, randomParts, SLOTS } from "../../lib/simulator/world.ts";
import { clientOf, GOAL, record, shown, simulate } from "./harness.ts";

const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;
const sd = (values: readonly number[]) => Math.sqrt(mean(values.map((v) => (v - mean(values)) ** 2)));

Deno.test("world: over random hypotheses the truth has mean 0 and standard deviation 1", () => {
  for (const seed of ["a", "b", "c"]) {
    const world = createWorld(seed);
    const chance = rng(seed, "sample", "test");
    const truths = Array.from({ length: 4000 }, () => truthOfParts(world, randomParts(world, chance)));
    assert.ok(Math.abs(mean(truths)) < 0.08, String(mean(truths)));
    assert.ok(Math.abs(sd(truths) - 1) < 0.06, String(sd(truths)));
  }
});

Deno.test("world: names are unique, and the text of a hypothesis tells its parts in any case and layout", () => {
  const world = createWorld("a");
  assert.equal(world.byName.size, SLOTS.reduce((sum, slot) => sum + world.parts[slot].length, 0));
  const chance = rng("a", "texts", "test");
  for (let i = 0; i < 200; i++) {
    const parts = randomParts(world, chance);
    const words = wordHypothesis(world, parts, "anything");
    const text = shown({ ...words, citations: [] });
    for (const form of [text, text.toUpperCase(), `<b>${words.title}</b>`]) {
      assert.equal(partsKey(partsOf(world, form)), partsKey(parts));
      assert.equal(truthOfText(world, form), truthOfParts(world, parts));
    }
  }
});

Deno.test("world: texts without parts get a truth of the same scale that a small edit moves a little", () => {
  const world = createWorld("a");
  const chance = rng("a", "words", "test");
  const word = () => Array.from({ length: 7 }, () => chance.pick([..."abcdefghijklmnop"])).join("");
  const texts = Array.from({ length: 500 }, () => Array.from({ length: 40 }, word));
  const truths = texts.map((words) => truthOfText(world, words.join(" ")));
  assert.ok(
    Math.abs(mean(truths)) < 0.15 && Math.abs(sd(truths) - 1) < 0.15,
    `${mean(truths)} ${sd(truths)}`,
  );
  const moved = texts.map((words, i) =>
    Math.abs(truthOfText(world, [...words.slice(1), word()].join(" ")) - (truths[i] ?? 0))
  );
  assert.ok(mean(moved) < 0.35, String(mean(moved)));
});

Deno.test("world: hypotheses of different parts read differently, those of the same parts alike", () => {
  const world = createWorld("a");
  const chance = rng("a", "cosines", "test");
  const text = (words: { statement: string; mechanism: string }) => `${words.statement}\n${words.mechanism}`;
  const hypotheses = Array.from({ length: 60 }, () => randomParts(world, chance));
  const bags = hypotheses.map((parts) => bag(text(wordHypothesis(world, parts, "acute myeloid leukaemia"))));
  const cosines = bags.flatMap((a, i) => bags.slice(i + 1).map((b) => cosine(a, b)));
  assert.ok(Math.max(...cosines) < 0.9, String(Math.max(...cosines)));
  const again = hypotheses.map((parts, i) =>
    cosine(bags[i] ?? new Map(), bag(text(wordHypothesis(world, parts, "acute myeloid leukaemia", 1))))
  );
  assert.ok(mean(again) > 0.85, String(mean(again)));
});

Deno.test("judge: the odds follow truth, place and length by the stated amounts", () => {
  const world = createWorld("a");
  const chance = rng("a", "pairs", "test");
  const text = () => shown({ ...wordHypothesis(world, randomParts(world, chance), "it"), citations: [] });
  const quiet = { ...DEFAULT_JUDGE, noise: 0 };
  for (let i = 0; i < 50; i++) {
    const [a, b] = [text(), text()];
    const both = firstLogit(world, DEFAULT_JUDGE, a, b) + firstLogit(world, DEFAULT_JUDGE, b, a);
    assert.ok(Math.abs(both - 2 * DEFAULT_JUDGE.positionBias) < 1e-9, "noise belongs to the pair");
    const expected = quiet.sharpness * (truthOfText(world, a) - truthOfText(world, b)) + quiet.positionBias +
      quiet.lengthBias * Math.log(a.length / b.length);
    assert.ok(Math.abs(firstLogit(world, quiet, a, b) - expected) < 1e-9);
  }
});

Deno.test("judge: measured over many matches, the bias to the first place is what was set", async () => {
  const world = createWorld("test");
  const chance = rng("test", "bias", "test");
  const text = () => shown({ ...wordHypothesis(world, randomParts(world, chance), "it"), citations: [] });
  const judge = { sharpness: 0, noise: 0, lengthBias: 0, positionBias: 1 };
  const client = clientOf(simulate({ judge }));
  const counts = { "1": 0, "2": 0, tie: 0 };
  for (let i = 0; i < 400; i++) {
    const pair = `${fence("HYPOTHESIS", text(), { slot: 1 })}\n${fence("HYPOTHESIS", text(), { slot: 2 })}`;
    counts[(await record(client, recordVerdict, "ranking.pairwise", pair)).winner]++;
  }
  const share = counts["1"] / (counts["1"] + counts["2"]);
  assert.ok(Math.abs(share - 1 / (1 + Math.exp(-1))) < 0.075, `${share}`);
  assert.ok(counts.tie < 40);
});

Deno.test("judge: with a tie width it says tie where what it sees is nearly equal, and without one as before", async () => {
  const world = createWorld("test");
  const chance = rng("test", "ties", "test");
  const text = () => shown({ ...wordHypothesis(world, randomParts(world, chance), "it"), citations: [] });
  const pairs = Array.from(
    { length: 150 },
    () => `${fence("HYPOTHESIS", text(), { slot: 1 })}\n${fence("HYPOTHESIS", text(), { slot: 2 })}`,
  );
  const verdicts = async (tieWidth?: number) => {
    const client = clientOf(simulate(tieWidth === undefined ? {} : { judge: { tieWidth } }));
    const winners: string[] = [];
    for (const pair of pairs) {
      winners.push((await record(client, recordVerdict, "ranking.pairwise", pair)).winner);
    }
    return winners;
  };
  const before = await verdicts(),
    none = await verdicts(0),
    some = await verdicts(1),
    all = await verdicts(1000);
  assert.deepEqual(none, before);
  const ties = (winners: readonly string[]) => winners.filter((winner) => winner === "tie").length;
  assert.ok(ties(some) > ties(none) + 10 && ties(some) < 100, `${ties(none)} and ${ties(some)}`);
  assert.equal(ties(all), pairs.length);
  assert.ok(some.every((winner, i) => winner === "tie" || winner === none[i]), "all else is as before");
});

Deno.test("judge: of a group, odds follow truth, place and length by the stated amounts, and of two are those of a pair", () => {
  const world = createWorld("a");
  const chance = rng("a", "groups", "test");
  const text = () => shown({ ...wordHypothesis(world, randomParts(world, chance), "it"), citations: [] });
  const quiet = { ...DEFAULT_JUDGE, noise: 0 };
  for (let i = 0; i < 30; i++) {
    const [a, b, c] = [text(), text(), text()];
    const [first = NaN, second = NaN] = groupLogits(world, quiet, [a, b]);
    assert.ok(Math.abs(first - second - firstLogit(world, quiet, a, b)) < 1e-9);
    const there = groupLogits(world, DEFAULT_JUDGE, [a, b, c]);
    const back = groupLogits(world, DEFAULT_JUDGE, [c, b, a]).toReversed();
    const moved = there.map((logit, slot) => logit - (back[slot] ?? NaN));
    const { positionBias } = DEFAULT_JUDGE;
    for (const [slot, expected] of [positionBias, 0, -positionBias].entries()) {
      assert.ok(Math.abs((moved[slot] ?? NaN) - expected) < 1e-9, "all but the place belongs to the group");
    }
  }
});

Deno.test("judge: measured over many groups, the first place is worth what was set, and truth decides", async () => {
  const world = createWorld("test");
  const chance = rng("test", "group skill", "test");
  const text = () => shown({ ...wordHypothesis(world, randomParts(world, chance), "it"), citations: [] });
  const group = (texts: readonly string[]) =>
    texts.map((each, i) => fence("HYPOTHESIS", each, { slot: i + 1 })).join("\n");
  const biased = clientOf(simulate({ judge: { sharpness: 0, noise: 0, lengthBias: 0, positionBias: 1 } }));
  let firstBeatsLast = 0;
  for (let i = 0; i < 300; i++) {
    const { ranking } = await record(
      biased,
      recordRanking(4),
      "ranking.kwise",
      group([text(), text(), text(), text()]),
    );
    assert.deepEqual([...ranking].sort(), [1, 2, 3, 4]);
    if (ranking.indexOf(1) < ranking.indexOf(4)) firstBeatsLast++;
  }
  assert.ok(Math.abs(firstBeatsLast / 300 - 1 / (1 + Math.exp(-1))) < 0.09, `${firstBeatsLast} of 300`);
  const simulator = simulate();
  const client = clientOf(simulator);
  let right = 0, all = 0;
  for (let i = 0; i < 60; i++) {
    const texts = [text(), text(), text(), text()];
    const { ranking } = await record(client, recordRanking(4), "ranking.kwise", group(texts));
    for (const [a, one] of texts.entries()) {
      for (const [b, other] of texts.entries()) {
        if (b <= a) continue;
        all++;
        const better = simulator.truth(one) > simulator.truth(other);
        if ((ranking.indexOf(a + 1) < ranking.indexOf(b + 1)) === better) right++;
      }
    }
  }
  assert.ok(right / all > 0.7 && right / all < 0.95, `${right} of ${all}`);
});

Deno.test("judge: by default the truly better wins clearly more often, and not always", async () => {
  const simulator = simulate();
  const world = createWorld("test");
  const chance = rng("test", "skill", "test");
  const text = () => shown({ ...wordHypothesis(world, randomParts(world, chance), "it"), citations: [] });
  const client = clientOf(simulator);
  let right = 0, decided = 0;
  for (let i = 0; i < 200; i++) {
    const [a, b] = [text(), text()];
    const pair = `${fence("HYPOTHESIS", a, { slot: 1 })}\n${fence("HYPOTHESIS", b, { slot: 2 })}`;
    const { winner } = await record(client, recordVerdict, "ranking.pairwise", pair);
    if (winner === "tie") continue;
    decided++;
    if ((winner === "1") === (simulator.truth(a) > simulator.truth(b))) right++;
  }
  assert.ok(right / decided > 0.72 && right / decided < 0.95, `${right} of ${decided}`);
});

Deno.test("reviews: scores and verdicts follow the truth with noise; few are disproved", async () => {
  const simulator = simulate();
  const world = createWorld("test");
  const chance = rng("test", "reviews", "test");
  const client = clientOf(simulator);
  const truths: number[] = [], scores: number[] = [];
  let disproved = 0;
  for (let i = 0; i < 200; i++) {
    const text = shown({ ...wordHypothesis(world, randomParts(world, chance), "it"), citations: [] });
    const review = await record(
      client,
      recordReview,
      "reflection.full",
      fence("HYPOTHESIS", text, { label: "H1" }),
    );
    truths.push(simulator.truth(text));
    scores.push(review.correctness ?? 0);
    if (review.verdict === "disproved") disproved++;
  }
  const products = truths.map((t, i) => (t - mean(truths)) * ((scores[i] ?? 0) - mean(scores)));
  const correlation = mean(products) / (sd(truths) * sd(scores));
  assert.ok(correlation > 0.6 && correlation < 0.97, String(correlation));
  assert.ok(disproved >= 1 && disproved <= 20, String(disproved));
});

Deno.test("feedback: carries what reviews say of parts, and moves what is generated next", async () => {
  const simulator = simulate();
  const client = clientOf(simulator);
  const world = createWorld("test");
  const liked = world.parts.agent[3], disliked = world.parts.target[5];
  assert.ok(liked !== undefined && disliked !== undefined);
  const reviews = [
    fence("REVIEW", `Strongest part: the ${liked.label}. Weakest part: the ${disliked.label}.`, { of: "H1" }),
    fence("RATIONALE", `The ${liked.label} is a robust choice.`),
  ].join("\n");
  const feedback = await record(client, recordSystemFeedback, "metareview.system", reviews);
  assert.deepEqual(feedback.suggested_focus_areas, [`Focus on the ${liked.label}`]);
  assert.match(feedback.common_weaknesses.join(), new RegExp(disliked.name));
  const count = async (extra: string) => {
    let agents = 0;
    for (let i = 0; i < 80; i++) {
      const draft = await record(
        client,
        recordHypothesis,
        "generation.literature",
        `${fence("GOAL", GOAL)}\nAngle: ${i}\n${extra}`,
      );
      if (partsOf(world, draft.title).agent === liked) agents++;
    }
    return agents;
  };
  const text = [feedback.narrative, ...feedback.suggested_focus_areas, ...feedback.common_weaknesses].join(
    "\n",
  );
  const before = await count(""), after = await count(fence("FEEDBACK", text));
  assert.ok(after > before + 5, `${before} before, ${after} after`);
});

Deno.test("evolution: over seeds it truly improves on the best initial hypothesis, though not every child is better", async () => {
  const gains: number[] = [], steps: number[] = [];
  for (let seed = 0; seed < 9; seed++) {
    const simulator = simulate({ seed: `evolution ${seed}` });
    const client = clientOf(simulator);
    const goal = fence("GOAL", GOAL);
    let pool: { text: string; truth: number; wins: number }[] = [];
    const add = async (step: string, user: string) => {
      const text = shown(await record(client, recordHypothesis, step, `${goal}\n${user}`));
      pool.push({ text, truth: simulator.truth(text), wins: 0 });
      return simulator.truth(text);
    };
    for (let i = 0; i < 6; i++) await add("generation.literature", `Angle: ${i}`);
    const initial = Math.max(...pool.map(({ truth }) => truth));
    for (let round = 0; round < 3; round++) {
      for (const first of pool) {
        for (const second of pool) {
          if (first === second) continue;
          const pair = `${fence("HYPOTHESIS", first.text, { slot: 1 })}\n${
            fence("HYPOTHESIS", second.text, { slot: 2 })
          }`;
          const { winner } = await record(client, recordVerdict, "ranking.pairwise", pair);
          if (winner !== "tie") (winner === "1" ? first : second).wins++;
        }
      }
      pool = pool.sort((a, b) => b.wins - a.wins).slice(0, 6).map((one) => ({ ...one, wins: 0 }));
      for (
        const [strategy, parents] of [["combine", 2], ["simplify", 1], ["out_of_box", 3], [
          "feasibility",
          1,
        ]] as const
      ) {
        const from = pool.slice(0, parents);
        const fences = from.map(({ text }, i) => fence("HYPOTHESIS", text, { label: `H${i}` })).join("\n");
        steps.push((await add(`evolution.${strategy}`, fences)) - (from[0]?.truth ?? 0));
      }
    }
    gains.push(Math.max(...pool.map(({ truth }) => truth)) - initial);
  }
  gains.sort((a, b) => a - b);
  assert.ok((gains[4] ?? 0) > 0.3, gains.map((g) => g.toFixed(2)).join(" "));
  assert.ok(gains.filter((gain) => gain > 0).length >= 7, gains.map((g) => g.toFixed(2)).join(" "));
  const worse = steps.filter((step) => step < 0).length / steps.length;
  assert.ok(worse > 0.15 && worse < 0.8, `${worse} of the children are worse than their first parent`);
});

Deno.test("literature: is a function of its seed, marked as simulated, and holds nothing but its own addresses", () => {
  const one = createLiterature("x"),
    two = createLiterature("x"),
    coloured = createLiterature("x", ["battery", "electrolytes"]);
  const found = ["pathway network", "damping", "threshold of the layer"].flatMap((query) =>
    one.search("pubmed_search", query, 5)
  );
  assert.ok(found.length > 5);
  for (const item of found) {
    assert.match(item.url, /^sim:pub\/[0-9a-f]{8}$/);
    assert.match(item.title, /\(simulated\)$/);
    assert.match(item.venue, /\(simulated\)$/);
    assert.deepEqual(two.record(item.url), item);
    assert.match(one.fetch(item.url)?.text ?? "", /invented by a simulator/);
    assert.match(coloured.record(item.url)?.title ?? "", /battery electrolytes/);
  }
  assert.deepEqual(two.search("arxiv_search", "pathway", 3), one.search("arxiv_search", "pathway", 3));
  assert.equal(one.search("web_search", "pathway", 3).every(({ url }) => url.startsWith("sim:web/")), true);
  assert.deepEqual(one.search("web_fetch", "pathway", 3), []);
  for (const url of ["sim:pub/00000000", "sim:nowhere/9f3a21b0", "https://example.org", "sim:pub/../x", ""]) {
    assert.equal(one.fetch(url), null, url);
  }
});

Deno.test("literature: a query for a part finds papers that name it, and their words hint at its value", () => {
  const world = createWorld("x");
  const literature = createLiterature("x");
  const parts = SLOTS.flatMap((slot) => world.parts[slot]);
  let named = 0, asked = 0;
  const praised: number[] = [], dismissed: number[] = [];
  for (const part of parts) {
    const [best] = literature.search("pubmed_search", part.name, 1);
    if (best === undefined) continue;
    asked++;
    if (partList(partsOf(world, best.abstract)).includes(part)) named++;
    for (const item of literature.search("pubmed_search", part.name, 6)) {
      const sentence = item.abstract.split(". ").find((text) =>
        text.includes(part.label) && !/together|compares|open/.test(text)
      ) ?? "";
      if (/strong|promising|support/.test(sentence)) {
        praised.push(part.value);
      }
      if (/little|weak|failed/.test(sentence)) {
        dismissed.push(part.value);
      }
    }
  }
  assert.ok(named / asked > 0.9, `${named} of ${asked}`);
  assert.ok(mean(praised) > mean(dismissed) + 0.3, `${mean(praised)} ${mean(dismissed)}`);
});

/** Counts of words and of pairs of neighbours. */
function bag(text: string): Map<string, number> {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const counts = new Map<string, number>();
  for (const [i, word] of words.entries()) {
    for (const key of [word, `${word} ${words[i + 1] ?? ""}`]) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const dot = [...a].reduce((sum, [key, count]) => sum + count * (b.get(key) ?? 0), 0);
  const length = (m: ReadonlyMap<string, number>) =>
    Math.sqrt([...m.values()].reduce((sum, v) => sum + v * v, 0));
  return dot / (length(a) * length(b));
}
