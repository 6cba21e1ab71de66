import { z } from "zod";
import { type FeedbackDraft, recordReview, type ReviewDraft } from "../../domain/drafts.ts";
import { type Rng, rng } from "../../domain/rng.ts";
import { contribution, partsOf, truthOfParts, truthOfText } from "../truth.ts";
import { opinionsOf } from "../opinions.ts";
import { type Part, partList, type Parts, type World } from "../world.ts";
import { PART_NOISE } from "./hypothesis.ts";
import { type Prompt, textsOf } from "./prompt.ts";
import { quote, relevantSources } from "./quotes.ts";
import { opinionSentence } from "./wording.ts";

/** How noisily a reviewer sees the true value of a hypothesis, in its standard deviations. */
export const REVIEW_NOISE = 0.5;

/** The review that the simulated scientist records: it follows the truth, with noise. */
export function answerReview(world: World, prompt: Prompt): ReviewDraft {
  const chance = rng(world.seed, prompt.key, "review");
  const text = textsOf(prompt.fenced, "HYPOTHESIS")[0] ?? prompt.plain;
  const parts = partsOf(world, text);
  const truth = truthOfText(world, text);
  const seen = truth + REVIEW_NOISE * chance.normal();
  const test = truthOfParts(world, { design: parts.design, measure: parts.measure }) * 2;
  const means = truthOfParts(world, { condition: parts.condition, design: parts.design }) * 2;
  const score = (value: number) => round(logistic(value + 0.4 * chance.normal()));
  const ranked = rankParts(world, parts, chance);
  const notes = [
    prompt.step === "reflection.observation"
      ? "The observations were read one by one against the claim."
      : "The claim was read against what is known.",
    ...ranked.slice(0, 1).map((part) => opinionSentence(part.label, false, chance)),
    ...ranked.slice(-1).map((part) => opinionSentence(part.label, true, chance)),
    chance.pick([
      "One decisive experiment would settle it.",
      "A pilot with few units comes first.",
      "The sign of the effect should be fixed in advance.",
    ]),
  ];
  const sources = relevantSources(world, prompt, parts).slice(0, 3);
  const criteria = scoresByCriteria(world, prompt, text, truth);
  return {
    ...(criteria === null ? {} : { criteria }),
    verdict: verdictOf(seen, chance),
    novelty: score(0.5 + 0.3 * truth),
    correctness: score(seen),
    testability: score(0.4 + test),
    feasibility: score(0.3 + means),
    assumptions: assumptions(
      world,
      parts,
      prompt.step === "reflection.verification" ? 6 : chance.int(3),
      chance,
    ),
    evidence: sources.flatMap((source) => {
      const excerpt = quote(source, parts);
      return excerpt === "" ? [] : [{ claim: claimOf(source.title, excerpt), url: source.url, excerpt }];
    }),
    notes: notes.join(" "),
  };
}

/** How much of a score by a criterion is the hypothesis's true value, in its standard deviations; the rest is the criterion's own. */
const CRITERION_TRUTH = 0.6;

/**
 * The scores that the record tool asks for by criteria of the scientist's own, or `null`. What a criterion makes of a
 * hypothesis hangs on the words of both, so that it is the same in each review, and on the hypothesis's true value. Hard
 * constraints are met by most.
 */
function scoresByCriteria(
  world: World,
  prompt: Prompt,
  text: string,
  truth: number,
): Record<string, number> | null {
  const asked = prompt.tools.find((tool) => tool.name === recordReview.name)?.input_schema;
  const parsed = criteriaSchema.safeParse(asked);
  if (!parsed.success) return null;
  return Object.fromEntries(
    Object.entries(parsed.data.properties.criteria.properties).map(([key, { description = key }]) => {
      const own = rng(world.seed, `${key} ${description}`, text).normal();
      const lenient = description.includes("(must") ? 1 : 0;
      return [key, round(logistic(CRITERION_TRUTH * truth + own + lenient))];
    }),
  );
}

const criteriaSchema = z.object({
  properties: z.object({
    criteria: z.object({
      properties: z.record(z.string(), z.object({ description: z.string().optional() })),
    }),
  }),
});

/** System feedback: what the reviews and rationales of the prompt say of parts, counted. */
export function answerFeedback(world: World, prompt: Prompt): FeedbackDraft {
  const chance = rng(world.seed, prompt.key, "feedback");
  const texts = prompt.fenced.filter(({ tag }) => tag === "REVIEW" || tag === "RATIONALE").map(({ text }) =>
    text
  );
  const counted = [...opinionsOf(world, texts)].sort((a, b) =>
    b[1] - a[1] || (a[0].name < b[0].name ? -1 : 1)
  );
  const strong = counted.filter(([, count]) => count > 0).slice(0, 4).map(([part]) => part.label);
  const weak = counted.filter(([, count]) => count < 0).reverse().slice(0, 4).map(([part]) => part.label);
  const material = `${texts.length} reviews and rationales`;
  return {
    narrative: [
      `Across ${material} the same points recur.`,
      weak.length === 0 ? "No part is criticised throughout." : `Criticised as weak: ${list(weak)}.`,
      strong.length === 0 ? "No part is praised throughout." : `Praised as strong: ${list(strong)}.`,
      chance.pick([
        "Say beforehand which result would refute the claim.",
        "State the size of the effect that counts.",
        "Name the comparison before the measurement.",
      ]),
    ].join(" "),
    common_weaknesses: weak.map((label) => `The ${label} is weak: avoid it or give it new backing`),
    common_strengths: strong.map((label) => `The ${label} is strong`),
    suggested_focus_areas: strong.map((label) => `Focus on the ${label}`),
  };
}

/** The parts of a hypothesis by what they seem to add, the weakest first. */
export function rankParts(world: World, parts: Parts, chance: Rng): Part[] {
  return partList(parts)
    .map((part) => ({ part, seen: contribution(world, parts, part.slot) + PART_NOISE * chance.normal() }))
    .sort((a, b) => a.seen - b.seen)
    .map(({ part }) => part);
}

function verdictOf(seen: number, chance: Rng): ReviewDraft["verdict"] {
  if (seen < -1.6 && chance.next() < 0.5) return "disproved";
  if (seen < -0.8) return chance.next() < 0.5 ? "other_more_likely" : "already_explained";
  return seen < 0.3 ? "missing_piece" : "neutral";
}

function assumptions(world: World, parts: Parts, count: number, chance: Rng): ReviewDraft["assumptions"] {
  return partList(parts).slice(0, count).map((part) => {
    const seen = contribution(world, parts, part.slot) + PART_NOISE * chance.normal();
    const plausibility = seen > 0.25 ? "plausible" : seen < -0.25 ? "implausible" : "uncertain";
    return {
      assumption: `The ${part.label} acts as the claim needs it`,
      plausibility,
      rationale: plausibility === "uncertain"
        ? `Findings about the ${part.label} point both ways.`
        : opinionSentence(part.label, plausibility === "plausible", chance),
    };
  });
}

function claimOf(title: string, excerpt: string): string {
  return `${title.replace(/\s*\(simulated\)$/, "")} reports: ${excerpt.slice(0, 120)}`;
}

function list(labels: readonly string[]): string {
  return labels.map((label) => `the ${label}`).join(", ");
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function round(score: number): number {
  return Math.round(score * 100) / 100;
}
