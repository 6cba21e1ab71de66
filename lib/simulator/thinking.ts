import { hashOf } from "../domain/ids.ts";
import type { Rng } from "../domain/rng.ts";
import type { Effort, ModelRow } from "../llm/models.ts";
import { blocksOf, type MessagesRequest } from "./wire.ts";

/** How a request makes its model think. */
export interface ThinkingPlan {
  /** At most so many tokens. */
  readonly limit: number;
  /** About so many. */
  readonly typical: number;
  /** Whether the words come back, or only the signature. */
  readonly display: "summarized" | "omitted";
}

const BY_EFFORT: Readonly<Record<Effort, number>> = {
  low: 80,
  medium: 250,
  high: 500,
  xhigh: 900,
  max: 1500,
};

/** Whether and how the model thinks in answer to a request; `null` if it doesn't. */
export function thinkingOf(row: ModelRow, body: MessagesRequest): ThinkingPlan | null {
  const effort = body.output_config?.effort ?? "high";
  const asked = body.thinking;
  const adaptive = (display: "summarized" | "omitted" | null | undefined): ThinkingPlan => ({
    limit: body.max_tokens,
    typical: BY_EFFORT[effort],
    display: display ?? row.thinkingDisplay,
  });
  switch (asked?.type) {
    case "enabled":
      return {
        limit: asked.budget_tokens,
        typical: Math.min(asked.budget_tokens, 1500) * 0.4,
        display: asked.display ?? row.thinkingDisplay,
      };
    case "adaptive":
      return adaptive(asked.display);
    case "between_tools":
      return afterTools(body) ? adaptive(null) : null;
    case "disabled":
      return null;
    case undefined:
      return row.thinking === "always" || row.thinking === "default_on" ? adaptive(null) : null;
  }
}

/** How many tokens this answer's thinking takes. */
export function thinkingTokens(plan: ThinkingPlan, chance: Rng): number {
  return Math.max(1, Math.min(plan.limit, Math.round(plan.typical * (0.5 + chance.next()))));
}

function afterTools(body: MessagesRequest): boolean {
  return blocksOf(body.messages.at(-1)?.content ?? []).some((block) => block.type === "tool_result");
}

/** Signs thinking and names tool calls so that a later request can be checked without remembering this one. */
export interface Signer {
  /** The signature of thinking with these words in answer to this request. */
  sign(contentKey: string, thinking: string): string;
  /** Whether the words are those that the signature was made for. */
  verify(thinking: string, signature: string): boolean;
  /** The id of the n-th tool call in answer to a request. */
  toolUseId(contentKey: string, n: number, thought: boolean): string;
  /** Whether the answer with this tool call began with thinking. */
  thoughtBefore(toolUseId: string): boolean;
}

/** The signer of a simulator's seed. */
export function createSigner(seed: string): Signer {
  const seal = (nonce: string, thinking: string) => hashOf("signature", seed, nonce, thinking).slice(0, 40);
  return {
    sign: (contentKey, thinking) => {
      const nonce = contentKey.slice(0, 16);
      return `sim${nonce}${seal(nonce, thinking)}`;
    },
    verify: (thinking, signature) => {
      const match = /^sim([0-9a-f]{16})([0-9a-f]{40})$/.exec(signature);
      return match !== null && match[2] === seal(match[1] ?? "", thinking);
    },
    toolUseId: (contentKey, n, thought) =>
      `toolu_sim${thought ? "T" : "N"}${hashOf("tool", seed, contentKey, String(n)).slice(0, 20)}`,
    thoughtBefore: (id) => id.startsWith("toolu_simT"),
  };
}
