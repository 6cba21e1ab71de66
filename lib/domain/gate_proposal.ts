import { z } from "zod";
import { CosciError } from "./errors.ts";
import { EVOLUTION_STRATEGIES, type EvolutionStrategy, type GateRecord } from "./records.ts";

/** A research plan that is read from the goal and not yet in force. */
export interface PlanProposal {
  /** Tells it from other proposals. */
  readonly kind: "plan";
  /** The research question. */
  readonly objective: string;
  /** What makes a good answer. */
  readonly preferences: readonly string[];
  /** Limits of scope and method. */
  readonly constraints: readonly string[];
  /** Adjectives of strong candidates. */
  readonly ideaAttributes: readonly string[];
  /** The field, if it was named. */
  readonly domainHint?: string | undefined;
}

/** System feedback that no prompt carries yet. */
export interface FeedbackProposal {
  /** Tells it from other proposals. */
  readonly kind: "feedback";
  /** One or two paragraphs. */
  readonly narrative: string;
  /** Recurring criticism. */
  readonly weaknesses: readonly string[];
  /** What is praised. */
  readonly strengths: readonly string[];
  /** Where to look next. */
  readonly focusAreas: readonly string[];
  /** How many valid matches it had seen. */
  readonly matchesSeen: number;
}

/** A round of evolution that is not yet enqueued. */
export interface EvolutionProposal {
  /** Tells it from other proposals. */
  readonly kind: "evolution";
  /** What the keys of its tasks begin with. */
  readonly round: string;
  /** Its tasks, each with the ids of the hypotheses that it would be made from. */
  readonly tasks: readonly { readonly strategy: EvolutionStrategy; readonly parents: readonly string[] }[];
  /** Strategies that have nothing to work from, and why. */
  readonly leftOut: readonly { readonly strategy: EvolutionStrategy; readonly why: string }[];
}

/** The end of the session. */
export interface FinishProposal {
  /** Tells it from other proposals. */
  readonly kind: "finish";
  /** The id of the draft that would be its last overview. */
  readonly overviewId: string;
}

/** What waits at a gate. */
export type GateProposal = PlanProposal | FeedbackProposal | EvolutionProposal | FinishProposal;

const texts = z.array(z.string());
const strategy = z.enum(EVOLUTION_STRATEGIES);
const proposals: z.ZodType<GateProposal> = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("plan"),
    objective: z.string(),
    preferences: texts,
    constraints: texts,
    ideaAttributes: texts,
    domainHint: z.string().optional(),
  }),
  z.object({
    kind: z.literal("feedback"),
    narrative: z.string(),
    weaknesses: texts,
    strengths: texts,
    focusAreas: texts,
    matchesSeen: z.number(),
  }),
  z.object({
    kind: z.literal("evolution"),
    round: z.string(),
    tasks: z.array(z.object({ strategy, parents: texts })),
    leftOut: z.array(z.object({ strategy, why: z.string() })),
  }),
  z.object({ kind: z.literal("finish"), overviewId: z.string() }),
]);

/** What waits at a gate, as its record holds it. @throws CosciError `store` where that is none of its kind */
export function proposalOf(gate: GateRecord): GateProposal {
  const parsed = proposals.safeParse(gate.proposal);
  if (parsed.success && parsed.data.kind === gate.kind) return parsed.data;
  throw new CosciError(
    "store",
    `The proposal of gate ${gate.label} can't be read: the store may be damaged.`,
  );
}
