import { z } from "zod";
import { CosciError } from "./errors.ts";
import { EVOLUTION_STRATEGIES, type GateRecord } from "./records.ts";

const plan = z.object({
  kind: z.literal("plan"),
  objective: z.string(),
  preferences: z.array(z.string()),
  constraints: z.array(z.string()),
  ideaAttributes: z.array(z.string()),
  domainHint: z.string().optional(),
});
const feedback = z.object({
  kind: z.literal("feedback"),
  narrative: z.string(),
  weaknesses: z.array(z.string()),
  strengths: z.array(z.string()),
  focusAreas: z.array(z.string()),
  matchesSeen: z.number(),
});
const evolution = z.object({
  kind: z.literal("evolution"),
  round: z.string(),
  tasks: z.array(z.object({ strategy: z.enum(EVOLUTION_STRATEGIES), parents: z.array(z.string()) })),
  leftOut: z.array(z.object({ strategy: z.enum(EVOLUTION_STRATEGIES), why: z.string() })),
});
const finish = z.object({ kind: z.literal("finish"), overviewId: z.string() });

/** A research plan that is read from the goal and not yet in force. */
export type PlanProposal = z.infer<typeof plan>;
/** System feedback that no prompt carries yet; `matchesSeen`: how many valid matches it had seen. */
export type FeedbackProposal = z.infer<typeof feedback>;
/**
 * A round of evolution: `tasks` with the ids of the parents that each would take, and the strategies that are `leftOut`
 * because they have nothing to work from. `round` begins the keys of its tasks.
 */
export type EvolutionProposal = z.infer<typeof evolution>;
/** The end of the session: the id of the draft that would be its last overview. */
export type FinishProposal = z.infer<typeof finish>;
/** What waits at a gate. */
export type GateProposal = PlanProposal | FeedbackProposal | EvolutionProposal | FinishProposal;

const proposals: z.ZodType<GateProposal> = z.discriminatedUnion("kind", [plan, feedback, evolution, finish]);

/** What waits at a gate, as its record holds it. @throws CosciError `store` where that is none of its kind */
export function proposalOf(gate: GateRecord): GateProposal {
  const parsed = proposals.safeParse(gate.proposal);
  if (parsed.success && parsed.data.kind === gate.kind) return parsed.data;
  throw new CosciError(
    "store",
    `The proposal of gate ${gate.label} can't be read: the store may be damaged.`,
  );
}
