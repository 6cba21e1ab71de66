import type { HypothesisDraft } from "../../domain/drafts.ts";
import { type Rng, rng } from "../../domain/rng.ts";
import { clip, oneLine } from "../../domain/text.ts";
import { opinionsOf } from "../opinions.ts";
import { contribution, partsOf, truthOfParts } from "../truth.ts";
import { drawPart, type Part, type Parts, partsKey, randomParts, type Slot, type World } from "../world.ts";
import { guidance, type Prompt, textsOf } from "./prompt.ts";
import { citationOf, relevantSources } from "./quotes.ts";
import { wordHypothesis } from "./wording.ts";

/** How noisily the scientist sees the true value of a candidate while evolving, in standard deviations of the truth. */
export const PERCEPTION_NOISE = 0.6;
/** How noisily it sees what a single part adds. */
export const PART_NOISE = 0.3;
/** How often a generated hypothesis is nearly one that it was told to differ from. */
export const DUPLICATE_RATE = 0.03;

/** How much a part's weight in a draw rises by an opinion in favour: e to this power. */
const GUIDANCE_PULL = 1.6;
const SOURCE_PULL = 0.6;
const TURN_PULL = 1.2;

/** The hypothesis that the simulated scientist records: generated or, with parents in the prompt, evolved. */
export function answerHypothesis(world: World, prompt: Prompt): HypothesisDraft {
  const chance = rng(world.seed, prompt.key, "hypothesis");
  const parents = textsOf(prompt.fenced, "HYPOTHESIS").map((text) => partsOf(world, text));
  const evolving = prompt.step.startsWith("evolution.") || (prompt.step === "" && parents.length > 0);
  if (!evolving || parents.length === 0) return generate(world, prompt, chance);
  const taken = [...parents, ...avoided(world, prompt)].map(partsKey);
  return toDraft(
    world,
    prompt,
    wholeClaim(world, evolve(world, prompt, parents, new Set(taken), chance), chance),
  );
}

function generate(world: World, prompt: Prompt, chance: Rng): HypothesisDraft {
  const others = avoided(world, prompt);
  const duplicated = chance.next() < DUPLICATE_RATE && prompt.refusedTitles.length === 0;
  if (duplicated && others.length > 0) {
    return toDraft(world, prompt, wholeClaim(world, chance.pick(others), chance), 1);
  }
  const weigh = weights(world, prompt);
  let parts = randomParts(world, chance, weigh);
  for (let tries = 0; tries < 20 && others.some((other) => shared(parts, other) > 2); tries++) {
    parts = randomParts(world, chance, weigh);
  }
  return toDraft(world, prompt, parts);
}

/** What earlier titles and refused records were about. */
function avoided(world: World, prompt: Prompt): Parts[] {
  const titles = textsOf(prompt.fenced, "DIFFER_FROM").flatMap((text) => text.split("\n"));
  return [...titles, ...prompt.refusedTitles].map((title) => partsOf(world, title))
    .filter((parts) => parts.agent !== undefined || parts.target !== undefined);
}

function shared(a: Parts, b: Parts): number {
  return SLOTS_OF_CLAIM.filter((slot) => a[slot] !== undefined && a[slot] === b[slot]).length;
}

const SLOTS_OF_CLAIM: readonly Slot[] = ["agent", "target", "mode", "condition", "design", "measure"];

/** How likely each part is drawn, by guidance, by what the sources found, and by the discussion so far. */
function weights(world: World, prompt: Prompt): (part: Part) => number {
  const guided = guidance(world, prompt);
  const found = opinionsOf(world, prompt.sources.map((source) => source.text));
  const discussed = textsOf(prompt.fenced, "TURN").join("\n").toLowerCase();
  return (part) =>
    Math.exp(
      GUIDANCE_PULL * clamp(guided.get(part) ?? 0) + SOURCE_PULL * clamp(found.get(part) ?? 0) +
        (discussed.includes(part.name) ? TURN_PULL : 0),
    );
}

function clamp(opinion: number): number {
  return Math.max(-1.5, Math.min(1.5, opinion));
}

type Strategy = "combine" | "simplify" | "out_of_box" | "feasibility";

function strategyOf(prompt: Prompt, parents: number): Strategy {
  const named = prompt.step.replace(/^evolution\./, "");
  if (named === "combine" || named === "simplify" || named === "out_of_box" || named === "feasibility") {
    return named;
  }
  return parents > 1 ? "combine" : "simplify";
}

function evolve(
  world: World,
  prompt: Prompt,
  parents: readonly Parts[],
  taken: ReadonlySet<string>,
  chance: Rng,
): Parts {
  const weigh = weights(world, prompt);
  const guided = guidance(world, prompt);
  const first = parents[0] ?? {};
  const redraw = (parts: Parts, slots: readonly Slot[]): Parts => ({
    ...parts,
    ...Object.fromEntries(slots.map((slot) => [slot, drawPart(world, slot, chance, weigh)])),
  });
  const best = (count: number, propose: () => Parts): Parts =>
    bestPerceived(world, guided, candidates(count, propose, taken), chance);
  const strategy = strategyOf(prompt, parents.length);
  switch (strategy) {
    case "combine":
      return best(6, () => {
        const mixed = mix(parents, chance);
        return chance.next() < 0.15 || parents.length < 2
          ? redraw(mixed, [chance.pick(SLOTS_OF_CLAIM)])
          : mixed;
      });
    case "simplify": {
      const dropped = dropWeakest(world, first, chance);
      if (dropped !== null && !taken.has(partsKey(dropped))) return dropped;
      const weakest = byPerception(world, first, SLOTS_OF_CLAIM, chance)[0] ?? "mode";
      return best(4, () => redraw(first, [weakest]));
    }
    case "out_of_box":
      return best(
        10,
        () => redraw(chance.pick(parents), chance.shuffle(SLOTS_OF_CLAIM).slice(0, 2 + chance.int(2))),
      );
    case "feasibility":
      return best(
        6,
        () =>
          redraw(first, chance.shuffle<Slot>(["condition", "design", "measure"]).slice(0, 1 + chance.int(2))),
      );
  }
}

/** Distinct candidates that nobody had; the last proposal if there are none. */
function candidates(count: number, propose: () => Parts, taken: ReadonlySet<string>): Parts[] {
  const found = new Map<string, Parts>();
  let last: Parts = {};
  for (let tries = 0; tries < 4 * count && found.size < count; tries++) {
    last = propose();
    if (!taken.has(partsKey(last))) found.set(partsKey(last), last);
  }
  return found.size === 0 ? [last] : [...found.values()];
}

function bestPerceived(
  world: World,
  guided: ReadonlyMap<Part, number>,
  options: readonly Parts[],
  chance: Rng,
): Parts {
  let best: Parts = {}, bestSeen = -Infinity;
  for (const parts of options) {
    const liked = SLOTS_OF_CLAIM.reduce((sum, slot) => {
      const part = parts[slot];
      return sum + (part === undefined ? 0 : clamp(guided.get(part) ?? 0));
    }, 0);
    const seen = truthOfParts(world, parts) + PERCEPTION_NOISE * chance.normal() + 0.2 * liked;
    if (seen > bestSeen) [best, bestSeen] = [parts, seen];
  }
  return best;
}

function mix(parents: readonly Parts[], chance: Rng): Parts {
  const [a, b] = [parents[0] ?? {}, parents[1] ?? parents[0] ?? {}];
  return Object.fromEntries(SLOTS_OF_CLAIM.flatMap((slot) => {
    const part = chance.next() < 0.5 ? a[slot] ?? b[slot] : b[slot] ?? a[slot];
    return part === undefined ? [] : [[slot, part]];
  }));
}

/** Slots with a part, the one that seems to add least first. */
function byPerception(world: World, parts: Parts, slots: readonly Slot[], chance: Rng): Slot[] {
  return slots.filter((slot) => parts[slot] !== undefined)
    .map((slot) => ({ slot, seen: contribution(world, parts, slot) + PART_NOISE * chance.normal() }))
    .sort((a, b) => a.seen - b.seen)
    .map(({ slot }) => slot);
}

/** Without the part that seems weakest; agent and target stay, and two more. */
function dropWeakest(world: World, parts: Parts, chance: Rng): Parts | null {
  const slots = byPerception(world, parts, ["mode", "condition", "design", "measure"], chance);
  const weakest = slots[0];
  return slots.length < 3 || weakest === undefined ? null : { ...parts, [weakest]: undefined };
}

/** A claim needs an agent and a target: what is missing (in a person's own text, say) is drawn. */
function wholeClaim(world: World, parts: Parts, chance: Rng): Parts {
  return {
    ...parts,
    agent: parts.agent ?? chance.pick(world.parts.agent),
    target: parts.target ?? chance.pick(world.parts.target),
  };
}

function toDraft(world: World, prompt: Prompt, parts: Parts, variant = 0): HypothesisDraft {
  const words = wordHypothesis(world, parts, prompt.topic, variant);
  const directive = textsOf(prompt.fenced, "DIRECTIVE").at(-1);
  const heeded = directive === undefined
    ? ""
    : ` It keeps to the instruction “${clip(oneLine(directive), 140)}”.`;
  return {
    ...words,
    novelty_argument: words.novelty_argument + heeded,
    citations: relevantSources(world, prompt, parts).slice(0, 3).map((source) => citationOf(source, parts)),
  };
}
