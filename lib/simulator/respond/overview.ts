import type { Rng } from "../../domain/rng.ts";
import { oneLine } from "../../domain/text.ts";
import { partsOf } from "../truth.ts";
import { type Part, partList, type World } from "../world.ts";
import { type Prompt, type Source, textsOf } from "./prompt.ts";
import { relevantSources } from "./quotes.ts";
import { rankParts } from "./review.ts";
import { cap } from "./wording.ts";

interface Direction {
  readonly label: string;
  readonly title: string;
  readonly statement: string;
  readonly parts: readonly Part[];
  readonly weakest: Part | undefined;
  readonly sources: readonly Source[];
}

/** How many hypotheses get a direction of their own. */
const DIRECTIONS = 5;

/** The research overview: Markdown with four sections that cites hypotheses by label and sources by number. */
export function answerOverview(world: World, prompt: Prompt, chance: Rng): string {
  const all = prompt.fenced.filter(({ tag }) => tag === "HYPOTHESIS").map(
    ({ text, attributes }, i): Direction => {
      const parts = partsOf(world, text);
      return {
        label: attributes["label"] ?? `H${i + 1}`,
        title: field(text, "Title") || oneLine(text).slice(0, 80),
        statement: field(text, "Statement"),
        parts: partList(parts),
        weakest: rankParts(world, parts, chance)[0],
        sources: relevantSources(world, prompt, parts).filter(({ n }) => n !== undefined).slice(0, 2),
      };
    },
  );
  const directions = all.slice(0, DIRECTIONS);
  return [
    "## Executive summary",
    "This overview was written by a simulator about an invented world; it is no finding.",
    directions.length === 0
      ? `No hypothesis on ${prompt.topic} has been ranked yet.`
      : `On ${prompt.topic}, ${all.length} hypotheses were compared. ${directions[0]?.title} [${
        directions[0]?.label
      }] leads${directions.length > 1 ? `, followed by ${refs(directions.slice(1, 3))}` : ""}.`,
    "## Main research directions",
    ...directions.map((direction, i) => describe(direction, i, chance)),
    "## Convergence and divergence",
    ...convergence(all, textsOf(prompt.fenced, "FEEDBACK")),
    "## Caveats and limitations",
    `The ranking rests on a simulated judge with noise and known biases. ${
      directions.some(({ sources }) => sources.length > 0)
        ? "The sources are simulated as well."
        : "No source was given, so that nothing here is supported by literature."
    }`,
  ].join("\n\n");
}

function describe(direction: Direction, i: number, chance: Rng): string {
  const cited = direction.sources.map(({ n }) => `[${n}]`).join(" ");
  const weakest = direction.weakest?.label;
  return [
    `### ${i + 1}. ${direction.title} [${direction.label}]`,
    `**Claim.** ${direction.statement || direction.title}`,
    `**Why.** It did well against its rivals${
      cited === "" ? "." : `, and the sources touch on it ${cited}.`
    }`,
    `**Open question.** ${
      weakest === undefined ? "Which step carries the effect?" : `How far the ${weakest} holds up.`
    }`,
    `**First experiment.** ${
      chance.pick([
        "A pilot of one quarter with the outcome fixed in advance.",
        "A comparison of two arms with blinded scoring, within one quarter.",
        "A dose series with withdrawal, within one quarter.",
      ])
    }`,
  ].join("\n\n");
}

function convergence(all: readonly Direction[], feedback: readonly string[]): string[] {
  const by = new Map<Part, string[]>();
  for (const { label, parts } of all) {
    for (const part of parts) by.set(part, [...(by.get(part) ?? []), label]);
  }
  const common = [...by].filter(([, labels]) => labels.length > 1)
    .sort((a, b) => b[1].length - a[1].length).slice(0, 3);
  const lines = common.map(([part, labels]) =>
    `- ${cap(part.label)} occurs in ${labels.map((label) => `[${label}]`).join(", ")}.`
  );
  return [
    lines.length === 0 ? "The hypotheses share no part; they diverge throughout." : lines.join("\n"),
    ...(feedback.length === 0
      ? []
      : ["Reviews and matches were synthesised on the way and taken into account."]),
  ];
}

function refs(directions: readonly Direction[]): string {
  return directions.map(({ title, label }) => `${title} [${label}]`).join(" and ");
}

function field(text: string, name: string): string {
  return new RegExp(`^${name}: (.+)$`, "m").exec(text)?.[1]?.trim() ?? "";
}
