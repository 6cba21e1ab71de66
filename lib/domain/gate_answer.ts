import { z } from "zod";

const answer = z.object({ accepted: z.boolean(), reason: z.string(), edited: z.array(z.string()) });

/** What a person said to a proposal: `reason` of a refusal, and the parts that were `edited` before it was accepted. */
export type GateAnswer = z.infer<typeof answer>;

/** The answer that the mark `answered` of a gate holds; `null` while it is open. */
export function gateAnswer(mark: unknown): GateAnswer | null {
  return answer.safeParse(mark).data ?? null;
}
