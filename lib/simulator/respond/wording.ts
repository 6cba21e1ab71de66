import type { HypothesisDraft } from "../../domain/drafts.ts";
import { type Rng, rng } from "../../domain/rng.ts";
import { partList, type Parts, partsKey, type World } from "../world.ts";

/** The phrases that a hypothesis is written with; absent parts leave their phrase out. */
interface Phrases {
  readonly agent: string;
  readonly target: string;
  readonly mode: string;
  readonly under: string;
  readonly condition: string;
  readonly design: string;
  readonly measure: string;
  readonly topic: string;
}

/** A hypothesis in words, apart from its citations. */
export type Wording = Omit<HypothesisDraft, "citations">;

/**
 * Writes a hypothesis of these parts. The words are a function of the world, the parts and the topic, so that the same
 * idea reads the same; `variant` other than 0 changes one sentence of the mechanism.
 */
export function wordHypothesis(world: World, parts: Parts, topic: string, variant = 0): Wording {
  const chance = rng(world.seed, partsKey(parts), "wording");
  const p: Phrases = {
    agent: parts.agent === undefined ? "a single input" : `the ${parts.agent.label}`,
    target: parts.target === undefined ? "one part of the system" : `the ${parts.target.label}`,
    mode: parts.mode?.label ?? "direct action",
    under: parts.condition === undefined ? "" : ` under the ${parts.condition.label}`,
    condition: parts.condition === undefined ? "ordinary settings" : `the ${parts.condition.label}`,
    design: parts.design === undefined ? "a plain comparison" : `a ${parts.design.label}`,
    measure: parts.measure === undefined ? "the outcome itself" : `the ${parts.measure.label}`,
    topic,
  };
  const variation = variant === 0 ? chance : rng(world.seed, partsKey(parts), `variant ${variant}`);
  return {
    title: titleOf(parts),
    statement: chance.pick(STATEMENTS)(p),
    mechanism: [
      chance.pick(CONTACT)(p),
      ...chance.shuffle(STEPS).slice(0, 1 + chance.int(4)).map((step) => step(p)),
      ...(parts.condition === undefined ? [] : [chance.pick(CONDITIONS)(p)]),
      variation.pick(READOUT)(p),
    ].join(" "),
    entities: partList(parts).map((part) => part.label),
    anticipated_outcomes: chance.pick(OUTCOMES)(p),
    novelty_argument: chance.pick(NOVELTY)(p),
  };
}

/** A headline with every part's name, so that a reader of titles knows the idea. */
function titleOf(parts: Parts): string {
  const head = parts.mode === undefined ? "action" : parts.mode.label;
  const by = parts.agent === undefined ? "" : ` by ${parts.agent.name}`;
  const of = parts.target === undefined ? "" : ` of the ${parts.target.label}`;
  const under = parts.condition === undefined ? "" : ` in ${parts.condition.name}`;
  const tests = [parts.design?.name, parts.measure?.name].filter((name) => name !== undefined);
  const tested = tests.length === 0 ? "" : `: ${tests.join(" on ")}`;
  const text = `${head}${of}${by}${under}${tested}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Phrase = (p: Phrases) => string;

const STATEMENTS: readonly Phrase[] = [
  (p) =>
    `Raising ${p.agent} shifts ${p.target} by ${p.mode}${p.under}, and ${p.topic} follows on ${p.measure}.`,
  (p) =>
    `In ${p.topic}, ${p.agent} works through ${p.mode} of ${p.target}${p.under}; ${p.design} would show it.`,
  (p) => `What limits ${p.topic} is ${p.target}, which ${p.agent} relieves by ${p.mode}${p.under}.`,
  (p) =>
    `${cap(p.mode)} links ${p.agent} with ${p.target}${p.under} and so decides how ${p.topic} turns out.`,
  (p) => `Removing ${p.agent} abolishes ${p.mode} at ${p.target}${p.under}, which ${p.measure} registers.`,
  (p) =>
    `${cap(p.target)} responds to ${p.agent} only by ${p.mode}${p.under}; this response governs ${p.topic}.`,
  (p) =>
    `A rise of ${p.measure} in ${p.topic} comes from ${p.mode} that ${p.agent} starts in ${p.target}${p.under}.`,
  (p) =>
    `If ${p.agent} is held constant${p.under}, ${p.mode} no longer reaches ${p.target} and ${p.topic} stalls.`,
  (p) => `${cap(p.agent)} improves ${p.topic} because ${p.target} admits ${p.mode}${p.under}.`,
  (p) =>
    `Variation of ${p.topic} traces back to how far ${p.agent} drives ${p.mode} inside ${p.target}${p.under}.`,
];

const CONTACT: readonly Phrase[] = [
  (p) => `First, ${p.agent} meets ${p.target} and changes its resting state.`,
  (p) => `The chain begins where ${p.target} takes up ${p.agent}.`,
  (p) => `Access comes first: ${p.agent} has to reach ${p.target} before anything else moves.`,
  (p) => `At the start ${p.target} is saturated, and ${p.agent} frees capacity there.`,
  (p) => `Contact between ${p.agent} and ${p.target} sets a slower rhythm.`,
  (p) => `${cap(p.agent)} competes with background signals for ${p.target}.`,
  (p) => `Small doses of ${p.agent} already bias ${p.target} towards one of its two states.`,
];

const STEPS: readonly Phrase[] = [
  (p) => `${cap(p.mode)} then spreads the change beyond its origin.`,
  (p) => `A delay arises, since ${p.mode} needs several cycles to build up.`,
  (p) => `Losses along the way stay low as long as ${p.mode} dominates.`,
  () => "Feedback from downstream stages closes the loop and stabilises the new level.",
  (p) => `Competing routes are crowded out once ${p.mode} has set in.`,
  (p) => `The effect scales with dose until ${p.target} is exhausted.`,
  () => "Neighbouring units copy the change, which explains its reach.",
  (p) => `Reserve capacity in ${p.target} buffers short interruptions.`,
  (p) => `Without ${p.mode} the disturbance would fade within one period.`,
  () => "An intermediate stock fills up and releases gradually.",
  (p) => `Heterogeneity matters: only units with an intact ${p.target.replace(/^the /, "")} take part.`,
  (p) => `Timing decides, because ${p.agent} is cleared quickly.`,
];

const CONDITIONS: readonly Phrase[] = [
  (p) => `All this presupposes ${p.condition}; outside of it the sign may reverse.`,
  (p) => `${cap(p.condition)} lowers the barrier that usually hides the effect.`,
  (p) => `Within ${p.condition} the usual compensation is switched off.`,
  (p) => `Only ${p.condition} leaves enough slack for the response to show.`,
  (p) => `The gain peaks early in ${p.condition} and levels off later.`,
];

const READOUT: readonly Phrase[] = [
  (p) => `In the end ${p.measure} moves, and ${p.design} separates this from drift.`,
  (p) => `${cap(p.design)} read on ${p.measure} isolates the last link.`,
  (p) => `The outcome surfaces in ${p.measure}; ${p.design} rules out selection.`,
  (p) => `Because ${p.measure} integrates over time, ${p.design} needs few units.`,
  (p) => `Confounding by season or batch is met with ${p.design}, and ${p.measure} is scored blind.`,
  (p) => `${cap(p.measure)} reacts before anything visible does, which suits ${p.design}.`,
];

const OUTCOMES: readonly Phrase[] = [
  (p) => `${cap(p.design)} would move ${p.measure} by a fifth if it holds, and leave it unchanged if not.`,
  (p) =>
    `If true, ${p.measure} separates the arms of ${p.design} within one quarter; otherwise the arms overlap.`,
  (p) => `Expected: a graded response of ${p.measure} in ${p.design}. A flat response refutes the claim.`,
  (p) =>
    `${cap(p.measure)} should rise with ${p.agent} and fall when it is withdrawn, as ${p.design} can show.`,
];

const NOVELTY: readonly Phrase[] = [
  (p) => `Nobody has put ${p.agent} and ${p.target} together in ${p.topic}.`,
  (p) => `Earlier accounts treat ${p.mode} as a side effect; here it carries the claim.`,
  (p) => `That ${p.condition} is required has not been proposed for ${p.topic}.`,
  (p) => `The searches returned nothing that ties ${p.target} to ${p.measure}.`,
];

/** With a capital first letter. */
export function cap(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A sentence about a part, in favour or against, as reviews and rationales write it. */
export function opinionSentence(label: string, inFavour: boolean, chance: Rng): string {
  return inFavour
    ? chance.pick([
      `Strongest part: the ${label}.`,
      `The ${label} is well supported.`,
      `The ${label} is a robust choice.`,
    ])
    : chance.pick([
      `Weakest part: the ${label}.`,
      `The case for the ${label} is weak.`,
      `The ${label} lacks any backing.`,
    ]);
}
