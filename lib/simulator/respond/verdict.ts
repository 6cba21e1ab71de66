import type { RankingDraft, VerdictDraft } from "../../domain/drafts.ts";
import { hashOf } from "../../domain/ids.ts";
import { type Rng, rng } from "../../domain/rng.ts";
import type { Fenced } from "../../domain/text.ts";
import { partsOf, truthOfText } from "../truth.ts";
import type { World } from "../world.ts";
import type { Prompt } from "./prompt.ts";
import { rankParts } from "./review.ts";
import { opinionSentence } from "./wording.ts";

/** How a simulated judge errs. All in log odds. */
export interface JudgeTraits {
  /** What one standard deviation of true difference adds for the better. */
  readonly sharpness: number;
  /** Standard deviation of what a pair's judge always gets wrong about it, whatever the order. */
  readonly noise: number;
  /** What being shown first adds; in a group, the first place against the last, and evenly less in between. */
  readonly positionBias: number;
  /** What being e times as long adds. */
  readonly lengthBias: number;
  /** The judge says `tie` where what it sees in the moment differs by less than this. */
  readonly tieWidth: number;
}

/** A judge of some skill who slightly prefers what comes first and what is longer. */
export const DEFAULT_JUDGE: JudgeTraits = {
  sharpness: 2,
  noise: 0.5,
  positionBias: 0.15,
  lengthBias: 0.1,
  tieWidth: 0,
};

/** After a debate the judge sees differences so many times as sharply. */
const DEBATE_GAIN = 1.3;
/** True differences below this may end in a tie, with the probability beside it. */
const CLOSE = 0.15, TIE_RATE = 0.25;

/** The two texts that a match compares, by their slots; `null` where there are not two. */
export function sidesOf(prompt: Prompt): readonly [string, string] | null {
  const hypotheses = prompt.fenced.filter(({ tag }) => tag === "HYPOTHESIS");
  const first = hypotheses.find(({ attributes }) => attributes["slot"] === "1") ?? hypotheses[0];
  const second = hypotheses.find(({ attributes }) => attributes["slot"] === "2") ?? hypotheses[1];
  return first === undefined || second === undefined || first === second ? null : [first.text, second.text];
}

/**
 * The log odds that the first of two texts wins: sharpness × true difference, the bias to the place, the bias to length ×
 * log of the ratio of lengths, and a noise that belongs to the pair and turns its sign with the order.
 */
export function firstLogit(
  world: World,
  traits: JudgeTraits,
  first: string,
  second: string,
  gain = 1,
): number {
  const difference = truthOfText(world, first) - truthOfText(world, second);
  const swapped = first > second;
  const [low, high] = swapped ? [second, first] : [first, second];
  const frozen = traits.noise * rng(world.seed, hashOf(low, high), "pair").normal();
  return gain * traits.sharpness * difference + traits.positionBias +
    traits.lengthBias * Math.log(Math.max(1, first.length) / Math.max(1, second.length)) +
    (swapped ? -frozen : frozen);
}

/** The verdict of the simulated judge. */
export function answerVerdict(world: World, traits: JudgeTraits, prompt: Prompt): VerdictDraft {
  const chance = rng(world.seed, prompt.key, "verdict");
  const sides = sidesOf(prompt);
  if (sides === null) return { winner: "tie", rationale: "There are not two hypotheses to compare." };
  const [first, second] = sides;
  const debated = prompt.fenced.some(({ tag }) => tag === "TURN");
  const logit = firstLogit(world, traits, first, second, debated ? DEBATE_GAIN : 1);
  const close = Math.abs(truthOfText(world, first) - truthOfText(world, second)) < CLOSE;
  if (close && chance.next() < TIE_RATE) {
    return { winner: "tie", rationale: "Both stand on equal ground; no point decides between them." };
  }
  // A draw below the odds is the same as a gap, with logistic noise, above 0.
  const draw = chance.next();
  if (Math.abs(logit - Math.log(draw / (1 - draw))) < traits.tieWidth) {
    return { winner: "tie", rationale: "What speaks for the one is as good as what speaks for the other." };
  }
  const winner = draw < 1 / (1 + Math.exp(-logit)) ? "1" : "2";
  return {
    winner,
    rationale: rationale(
      world,
      winner === "1" ? first : second,
      winner === "1" ? second : first,
      winner,
      chance,
    ),
  };
}

/** The texts of a group, by their slots. */
export function groupOf(prompt: Prompt): readonly string[] {
  const slot = (item: Fenced, i: number) => Number(item.attributes["slot"] ?? i + 1);
  return prompt.fenced.filter(({ tag }) => tag === "HYPOTHESIS")
    .map((item, i) => ({ text: item.text, slot: slot(item, i) }))
    .sort((a, b) => a.slot - b.slot)
    .map(({ text }) => text);
}

/**
 * What speaks for each text of a group, in logits: sharpness × truth, what its place and its length add, and a noise that
 * belongs to the group, whatever the order. Differences of two are what {@linkcode firstLogit} gives of two.
 */
export function groupLogits(world: World, traits: JudgeTraits, texts: readonly string[]): number[] {
  const group = hashOf(...[...texts].sort());
  return texts.map((text, i) =>
    traits.sharpness * truthOfText(world, text) +
    traits.positionBias * (texts.length < 2 ? 0 : 1 - i / (texts.length - 1)) +
    traits.lengthBias * Math.log(Math.max(1, text.length)) +
    traits.noise * Math.SQRT1_2 * rng(world.seed, hashOf(group, text), "group").normal()
  );
}

/** The ranking of the simulated judge: by its logits and Gumbel noise, which makes it Plackett and Luce's. */
export function answerRanking(world: World, traits: JudgeTraits, prompt: Prompt): RankingDraft {
  const chance = rng(world.seed, prompt.key, "ranking");
  const texts = groupOf(prompt);
  const seen = groupLogits(world, traits, texts).map((logit, i) => ({
    number: i + 1,
    // A draw of 0 would make the noise infinite.
    value: logit - Math.log(-Math.log(1 - Math.max(chance.next(), Number.EPSILON))),
  })).sort((a, b) => b.value - a.value);
  const ranking = seen.map(({ number }) => number);
  const best = texts[(ranking[0] ?? 1) - 1] ?? "", worst = texts[(ranking.at(-1) ?? 1) - 1] ?? "";
  return { ranking, rationale: `First comes ${ranking[0]}. ${grounds(world, best, worst, chance)}` };
}

function rationale(world: World, won: string, lost: string, winner: "1" | "2", chance: Rng): string {
  return `Hypothesis ${winner} is the better of the two. ${grounds(world, won, lost, chance)}`;
}

/** What speaks for one text and against another. */
function grounds(world: World, won: string, lost: string, chance: Rng): string {
  const best = rankParts(world, partsOf(world, won), chance).at(-1);
  const worst = rankParts(world, partsOf(world, lost), chance)[0];
  return [
    best === undefined ? "Its argument holds together." : opinionSentence(best.label, true, chance),
    worst === undefined ? "The other leaves its key step open." : opinionSentence(worst.label, false, chance),
    chance.pick(["A test is nearer at hand, too.", "The margin is moderate.", "Novelty is about even."]),
  ].join(" ");
}
