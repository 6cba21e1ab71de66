import Anthropic from "@anthropic-ai/sdk";
import { z } from "zod";
import type { Clock } from "../../lib/domain/clock.ts";
import type { HypothesisDraft, RecordTool } from "../../lib/domain/drafts.ts";
import { hypothesisText } from "../../lib/domain/text.ts";
import { createSimulator, type Simulator, type SimulatorOptions } from "../../lib/simulator/server.ts";

/** A clock that a test moves; sleeping moves it at once. */
export function testClock(): Clock & { advance(ms: number): void } {
  let now = 1_700_000_000_000;
  return {
    now: () => now,
    sleep: (ms) => {
      now += ms;
      return Promise.resolve();
    },
    advance: (ms) => {
      now += ms;
    },
  };
}

/** A simulator on a test clock. */
export function simulate(options: Partial<SimulatorOptions> = {}): Simulator {
  return createSimulator({ seed: "test", clock: testClock(), ...options });
}

/** The SDK's client over a simulator, without retries of its own. */
export function clientOf(simulator: Simulator): Anthropic {
  return new Anthropic({
    apiKey: "key",
    baseURL: "http://simulator.invalid",
    fetch: (input, init) => simulator.fetch(input, init),
    maxRetries: 0,
    logLevel: "off",
  });
}

/** Posts a body as it is. */
export async function post(
  simulator: Simulator,
  body: unknown,
  path = "/v1/messages",
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }> {
  const response = await simulator.fetch(`http://simulator.invalid${path}`, {
    method: "POST",
    headers: { "anthropic-version": "2023-06-01", "x-api-key": "key", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** A minimal request that every model takes. */
export const HELLO = {
  model: "claude-sonnet-4-6",
  max_tokens: 1000,
  messages: [{ role: "user" as const, content: "Hello there" }],
};

/** A record tool as the API is offered it. */
export function offer(tool: RecordTool<unknown>): Anthropic.Tool {
  const schema = z.toJSONSchema(tool.schema, { io: "input" });
  return { name: tool.name, description: tool.description, input_schema: { ...schema, type: "object" } };
}

/** A search tool as the API is offered it. */
export function searchTool(name: string, key = "query"): Anthropic.Tool {
  return {
    name,
    description: "Looks things up.",
    input_schema: { type: "object", properties: { [key]: { type: "string" } }, required: [key] },
  };
}

/** The goal that tests ask about. */
export const GOAL = "Which approved drugs could be repurposed for acute myeloid leukaemia?";

/** A draft as prompts show it. */
export function shown(draft: HypothesisDraft): string {
  return hypothesisText({
    title: draft.title,
    statement: draft.statement,
    mechanism: draft.mechanism,
    entities: draft.entities,
    anticipatedOutcomes: draft.anticipated_outcomes,
    noveltyArgument: draft.novelty_argument,
  });
}

/** Asks for one record with its tool forced, and parses it by its schema. */
export async function record<T>(
  client: Anthropic,
  tool: RecordTool<T>,
  step: string,
  user: string,
  model = "claude-sonnet-4-6",
): Promise<T> {
  const message = await client.messages.create({
    model,
    max_tokens: 8000,
    system: `You are a scientist.\nStep: ${step}`,
    messages: [{ role: "user", content: user }],
    tools: [offer(tool)],
    tool_choice: { type: "tool", name: tool.name },
  });
  const call = message.content.find((block) => block.type === "tool_use");
  return tool.schema.parse(call?.input);
}
