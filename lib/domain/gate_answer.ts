import { z } from "zod";
import { EVOLUTION_STRATEGIES } from "./records.ts";

const answer = z.object({
  accepted: z.boolean(),
  reason: z.string(),
  edited: z.array(z.string()),
  tasks: z.array(z.object({ strategy: z.enum(EVOLUTION_STRATEGIES), parents: z.array(z.string()) }))
    .optional(),
});

/**
 * What a person said to a proposal: `reason` of a refusal, and the parts that were `edited` before it was accepted. `tasks` are
 * those of a round of evolution as it was accepted, with the ids of parents: no other record of the session holds them.
 */
export type GateAnswer = z.infer<typeof answer>;

/** The answer that the mark `answered` of a gate holds; `null` while it is open. */
export function gateAnswer(mark: unknown): GateAnswer | null {
  return answer.safeParse(mark).data ?? null;
}
