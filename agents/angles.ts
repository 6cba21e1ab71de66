import { rng } from "../lib/domain/rng.ts";

/** Ways of looking at a question, in no field's terms: each sends generation to another part of the space. */
export const ANGLES: readonly string[] = [
  "the causal step that everyone takes for granted, and what else could stand in its place",
  "the conditions under which an accepted relation stops holding",
  "two findings that contradict each other, and the hidden variable that would reconcile them",
  "a variable that is routinely held constant, averaged away or left unmeasured",
  "a mechanism that is well understood in a distant field and has the same form here",
  "something already available for another purpose, whose known properties fit this one",
  "an interaction of two factors that have only been studied one at a time",
  "timing and order: when something happens, and what must come before it",
  "a change of scale, far smaller or far larger than what is usually studied",
  "hidden heterogeneity: kinds or groups that are lumped together and behave differently",
  "reversed direction: what is taken for the cause being the consequence",
  "failed attempts and null results, and what they have in common",
  "the outlier or anomaly that existing explanations set aside",
  "the bottleneck that limits the whole, and how it could be widened or bypassed",
  "a feedback loop, reinforcing or balancing, that explains a persistent state",
  "a threshold beyond which behaviour changes in kind and not only in degree",
  "a trade-off believed unavoidable, and the condition under which it can be escaped",
  "an artefact of how things are measured, selected or reported",
  "taking something away instead of adding something",
  "compensation and redundancy: what takes over when the obvious element is disabled",
  "the surroundings: how context, neighbours or boundaries govern what happens inside",
  "the simplest sufficient explanation, with as few moving parts as possible",
  "early signs that announce the outcome before the usual signs do",
  "the extreme or limiting case in which competing explanations differ most",
];

/**
 * The angle of the n-th generation of a session, as one line. Each session takes the angles in its own order, drawn from
 * its seed; when all have been used, each comes again together with another one, a different one in each round.
 */
export function angleOf(seed: string, number: number): string {
  const order = rng(seed, "angles", "order").shuffle(ANGLES);
  const at = (i: number) => order[i % order.length] ?? "";
  const round = Math.floor(number / order.length);
  const partner = round % order.length;
  return partner === 0 ? at(number) : `${at(number)}; seen together with ${at(number + partner)}`;
}
