import { type Rng, rng } from "../../domain/rng.ts";
import { partsOf } from "../truth.ts";
import { drawPart, partList, randomParts, type World } from "../world.ts";
import { guidance, type Prompt, textsOf } from "./prompt.ts";
import { rankParts } from "./review.ts";
import { answerRanking, answerVerdict, type JudgeTraits, sidesOf } from "./verdict.ts";
import { answerOverview } from "./overview.ts";
import { opinionSentence, wordHypothesis } from "./wording.ts";

/** An answer in prose, by the step that the system text names. */
export function answerProse(world: World, judge: JudgeTraits, prompt: Prompt): string {
  const chance = rng(world.seed, prompt.key, "prose");
  switch (prompt.step) {
    case "generation.debate.turn":
      return expertTurn(world, prompt, chance);
    case "ranking.debate.turn":
      return advocateTurn(world, prompt, chance);
    case "ranking.kwise":
      return rankingInProse(world, judge, prompt);
    case "metareview.final":
    case "metareview.draft":
      return answerOverview(world, prompt, chance);
    default:
      return sidesOf(prompt) === null ? remark(world, prompt, chance) : verdictInProse(world, judge, prompt);
  }
}

function verdictInProse(world: World, judge: JudgeTraits, prompt: Prompt): string {
  const { winner, rationale } = answerVerdict(world, judge, prompt);
  return `${rationale}\n\nbetter idea: ${winner}`;
}

function rankingInProse(world: World, judge: JudgeTraits, prompt: Prompt): string {
  const { ranking, rationale } = answerRanking(world, judge, prompt);
  return `${rationale}\n\nranking: ${ranking.join(" > ")}`;
}

/** An expert puts forward an idea, or criticises and refines the last one. */
function expertTurn(world: World, prompt: Prompt, chance: Rng): string {
  const last = textsOf(prompt.fenced, "TURN").at(-1);
  const guided = guidance(world, prompt);
  const fresh = randomParts(
    world,
    chance,
    (part) => Math.exp(Math.max(-2, Math.min(2, guided.get(part) ?? 0))),
  );
  if (last === undefined) {
    const words = wordHypothesis(world, fresh, prompt.topic);
    return `Let me begin with one idea. ${words.statement} ${words.mechanism}`;
  }
  const parts = partsOf(world, last);
  const weakest = rankParts(world, parts, chance)[0];
  if (weakest === undefined) {
    return `I would start elsewhere. ${wordHypothesis(world, fresh, prompt.topic).statement}`;
  }
  const better = drawPart(world, weakest.slot, chance, (part) => Math.exp(guided.get(part) ?? 0));
  const refined = wordHypothesis(world, { ...parts, [weakest.slot]: better }, prompt.topic);
  return [
    opinionSentence(weakest.label, false, chance),
    `I would put the ${better.label} in its place.`,
    refined.statement,
    chance.pick([
      "What would refute this?",
      "The cheapest test should come first.",
      "We should say which alternative it beats.",
    ]),
  ].join(" ");
}

/** An advocate speaks for one slot: the one that the prompt names, else by turns. */
function advocateTurn(world: World, prompt: Prompt, chance: Rng): string {
  const sides = sidesOf(prompt);
  if (sides === null) return remark(world, prompt, chance);
  const turns = prompt.fenced.filter(({ tag }) => tag === "TURN").length;
  const named = /\b(?:slot|hypothesis|idea|side)\s*[:#"]?\s*([12])\b/i.exec(prompt.plain)?.[1];
  const mine = named === undefined ? turns % 2 : Number(named) - 1;
  const own = sides[mine === 0 ? 0 : 1], rival = sides[mine === 0 ? 1 : 0];
  const best = rankParts(world, partsOf(world, own), chance).at(-1);
  const worst = rankParts(world, partsOf(world, rival), chance)[0];
  return [
    `I speak for hypothesis ${mine + 1}.`,
    best === undefined ? "Its steps follow from one another." : opinionSentence(best.label, true, chance),
    worst === undefined
      ? "The other one leaves its key step open."
      : opinionSentence(worst.label, false, chance),
    chance.pick([
      "Its test is nearer at hand.",
      "It says in advance what would refute it.",
      "Fewer things have to go right for it.",
    ]),
  ].join(" ");
}

function remark(world: World, prompt: Prompt, chance: Rng): string {
  const named = partList(partsOf(world, prompt.fenced.map(({ text }) => text).join("\n")));
  const about = named.length === 0 ? prompt.topic : chance.pick(named).label;
  return `This is a simulated answer about ${about}. ${
    chance.pick([
      "What is known points both ways.",
      "One discriminating experiment would help more than another argument.",
      "The sources at hand don't settle it.",
    ])
  }`;
}
