import type { PlanDraft } from "../../domain/drafts.ts";
import { rng } from "../../domain/rng.ts";
import { clip, oneLine } from "../../domain/text.ts";
import type { World } from "../world.ts";
import { type Prompt, textsOf } from "./prompt.ts";

const ATTRIBUTES = [
  "specific",
  "testable",
  "novel",
  "grounded in sources",
  "feasible",
  "falsifiable",
  "economical",
];

/** The research plan that the simulated scientist reads from the goal. */
export function answerPlan(world: World, prompt: Prompt): PlanDraft {
  const chance = rng(world.seed, prompt.key, "plan");
  const goal = oneLine([...new Set(textsOf(prompt.fenced, "GOAL"))].join(" ")) || oneLine(prompt.plain) ||
    "the question";
  const given = textsOf(prompt.fenced, "PREFERENCES").flatMap((text) => text.split("\n"))
    .map((line) => line.replace(/^[-*•\s]+/, "").trim()).filter((line) => line !== "");
  // A plan that was refused is read again with the reason in view.
  const refused = prompt.fenced
    .filter(({ tag, attributes }) => tag === "DIRECTIVE" && attributes["kind"] === "refused")
    .map(({ text }) => oneLine(text.slice(text.indexOf(":") + 1)));
  return {
    objective: clip(goal, 600),
    preferences: [
      ...refused,
      ...given.length > 0 ? given : [
        `A mechanism that explains ${prompt.topic} step by step`,
        "A single experiment that could refute it",
        chance.pick([
          "Means that a small group has",
          "Effects large enough to matter",
          "Sources that can be checked",
        ]),
      ],
    ],
    constraints: [chance.pick([
      "Only what can be tested within a year",
      "No new instruments",
      `Nothing beyond ${prompt.topic}`,
    ])],
    idea_attributes: chance.shuffle(ATTRIBUTES).slice(0, 4),
    domain_hint: prompt.topic,
  };
}
