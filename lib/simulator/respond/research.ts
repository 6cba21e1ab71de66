import { rng } from "../../domain/rng.ts";
import type { Draft } from "../answer.ts";
import { isResearchTool } from "../literature.ts";
import { partsOf } from "../truth.ts";
import { drawPart, partList, type World } from "../world.ts";
import { type Prompt, textsOf } from "./prompt.ts";
import { sampleInput } from "./schema_sample.ts";

/** How often a conversation's first search asks two tools at once, and how often it opens one of the results. */
const PARALLEL_RATE = 0.35, FETCH_RATE = 0.5;

/**
 * The next look into the literature, or `null` when there has been enough: one or two turns of searching (the first
 * perhaps with two tools at once), then perhaps one result is opened. The plan belongs to the conversation.
 */
export function nextResearch(world: World, prompt: Prompt): Draft[] | null {
  const searches = prompt.tools.filter(({ name }) => isResearchTool(name) && name !== "web_fetch");
  const fetcher = prompt.tools.find(({ name }) => name === "web_fetch");
  if (searches.length === 0) return null;
  const plan = rng(world.seed, prompt.conversation, "research");
  const rounds = 1 + plan.int(2);
  const parallel = plan.next() < PARALLEL_RATE && prompt.parallel;
  const opens = plan.next() < FETCH_RATE && fetcher !== undefined;
  const order = plan.shuffle(searches);
  const turn = prompt.toolTurns;
  const chance = rng(world.seed, prompt.key, "query");
  const search = (i: number): Draft[] => {
    const tool = order[i % order.length];
    return tool === undefined ? [] : [{
      type: "tool_use",
      name: tool.name,
      input: sampleInput(tool.input_schema, chance, { query: query(world, prompt, i) }),
    }];
  };
  if (turn === 0) {
    const both = parallel && order.length > 1 ? [...search(0), ...search(1)] : search(0);
    return chance.next() < 0.4
      ? [{ type: "text", text: `I look for what is known about ${prompt.topic}.` }, ...both]
      : both;
  }
  if (turn < rounds) return search(turn + 1);
  const source = prompt.sources[0];
  if (turn === rounds && opens && source !== undefined) {
    return [{
      type: "tool_use",
      name: fetcher.name,
      input: sampleInput(fetcher.input_schema, chance, { url: source.url }),
    }];
  }
  return null;
}

function query(world: World, prompt: Prompt, i: number): string {
  const chance = rng(world.seed, `${prompt.conversation} ${i}`, "terms");
  const text = textsOf(prompt.fenced, "HYPOTHESIS").join("\n");
  const own = partList(partsOf(world, text)).map((part) => part.label);
  const terms = own.length > 0
    ? chance.shuffle(own).slice(0, 2)
    : [drawPart(world, chance.pick(["agent", "target"]), chance, () => 1).label];
  return `${prompt.topic} ${terms.join(" ")}`;
}
