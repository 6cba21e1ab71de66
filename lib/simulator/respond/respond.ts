import {
  RECORD_RANKING,
  recordHypothesis,
  recordResearchPlan,
  recordReview,
  recordSafetyAssessment,
  recordSystemFeedback,
  recordVerdict,
} from "../../domain/drafts.ts";
import { rng } from "../../domain/rng.ts";
import type { Draft } from "../answer.ts";
import { isResearchTool } from "../literature.ts";
import type { World } from "../world.ts";
import { answerHypothesis } from "./hypothesis.ts";
import { answerPlan } from "./plan.ts";
import type { Prompt } from "./prompt.ts";
import { answerProse } from "./prose.ts";
import { nextResearch } from "./research.ts";
import { answerFeedback, answerReview } from "./review.ts";
import { answerSafety } from "./safety.ts";
import { sampleInput, sampleSchema } from "./schema_sample.ts";
import { answerRanking, answerVerdict, type JudgeTraits } from "./verdict.ts";

/** What the simulated scientist knows of a request, beside the world. */
export interface Question {
  /** The request, read. */
  readonly prompt: Prompt;
  /** The schema of a structured output, where one is asked for. */
  readonly format: Readonly<Record<string, unknown>> | null;
  /** How the judge errs. */
  readonly judge: JudgeTraits;
}

/**
 * What the simulated scientist answers: a record by the record tool that is offered, after a look into the literature
 * where research tools are offered with it and it may choose; a value of the schema asked for; or prose.
 */
export function respond(world: World, { prompt, format, judge }: Question): Draft[] {
  const record = recordCall(world, judge, prompt);
  const { choice } = prompt;
  switch (choice.kind) {
    case "tool":
      return [record?.name === choice.name ? record : forced(world, prompt, choice.name)];
    case "any":
      return [record ?? forced(world, prompt, prompt.tools[0]?.name ?? "")];
    case "auto": {
      const research = nextResearch(world, prompt);
      if (research !== null) return research;
      if (record !== null) return [record];
      break;
    }
    case "none":
      break;
    default:
      choice satisfies never;
  }
  if (format !== null) {
    const value = sampleSchema(format, rng(world.seed, prompt.key, "format"));
    return [{ type: "text", text: JSON.stringify(value) }];
  }
  return [{ type: "text", text: answerProse(world, judge, prompt) }];
}

/** The names of the record tools that the scientist knows. */
export const RECORD_TOOLS: readonly string[] = [
  recordResearchPlan.name,
  recordHypothesis.name,
  recordReview.name,
  recordVerdict.name,
  RECORD_RANKING,
  recordSystemFeedback.name,
  recordSafetyAssessment.name,
];

/** The call of the record tool among those offered (of the one that is forced, if one is); `null` without one. */
function recordCall(
  world: World,
  judge: JudgeTraits,
  prompt: Prompt,
): Extract<Draft, { type: "tool_use" }> | null {
  const name = prompt.choice.kind === "tool"
    ? prompt.choice.name
    : prompt.tools.find((tool) => RECORD_TOOLS.includes(tool.name))?.name;
  const input = record(world, judge, prompt, name);
  return input === null || name === undefined ? null : { type: "tool_use", name, input: { ...input } };
}

function record(world: World, judge: JudgeTraits, prompt: Prompt, name: string | undefined): object | null {
  switch (name) {
    case recordResearchPlan.name:
      return answerPlan(world, prompt);
    case recordHypothesis.name:
      return answerHypothesis(world, prompt);
    case recordReview.name:
      return answerReview(world, prompt);
    case recordVerdict.name:
      return answerVerdict(world, judge, prompt);
    case RECORD_RANKING:
      return answerRanking(world, judge, prompt);
    case recordSystemFeedback.name:
      return answerFeedback(world, prompt);
    case recordSafetyAssessment.name:
      return answerSafety(prompt);
    default:
      return null;
  }
}

/** A call of a tool that is forced and no record tool: its input is drawn from its schema. */
function forced(world: World, prompt: Prompt, name: string): Draft {
  const chance = rng(world.seed, prompt.key, "forced");
  const tool = prompt.tools.find((offered) => offered.name === name);
  const known = isResearchTool(name) ? { query: prompt.topic, url: prompt.sources[0]?.url ?? "" } : {};
  return { type: "tool_use", name, input: sampleInput(tool?.input_schema, chance, known) };
}
