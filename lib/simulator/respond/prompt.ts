import type { Fenced, FenceTag } from "../../domain/text.ts";
import { fences } from "../../domain/text.ts";
import type { Literature } from "../literature.ts";
import { opinionsOf } from "../opinions.ts";
import type { Part, World } from "../world.ts";
import { topicOf } from "../goal.ts";
import { blocksOf, type MessagesRequest, resultText, type WireTool } from "../wire.ts";

/** A source that stands in the conversation. */
export interface Source {
  /** Its address. */
  readonly url: string;
  /** Its title. */
  readonly title: string;
  /** What was shown of it. */
  readonly text: string;
  /** Its number in the prompt, if it has one. */
  readonly n: string | undefined;
}

/** A request as the simulated scientist reads it. */
export interface Prompt {
  /** Identifies the request's content: chance for the answer is drawn from it. */
  readonly key: string;
  /** Identifies the conversation by its first message: equal in all turns of a tool loop. */
  readonly conversation: string;
  /** The step that the system text names, or nothing. */
  readonly step: string;
  /** The fences of the system text and of the user's messages, in order. */
  readonly fenced: readonly Fenced[];
  /** Of them, those of the user's messages. */
  readonly asked: readonly Fenced[];
  /** The user's text outside of fences. */
  readonly plain: string;
  /** What the goal is about, in a few words. */
  readonly topic: string;
  /** Tools offered. */
  readonly tools: readonly WireTool[];
  /** Which tool must be called: a name, any, none, or as the model likes. */
  readonly choice: { readonly kind: "auto" | "any" | "none" } | {
    readonly kind: "tool";
    readonly name: string;
  };
  /** Whether several tools may be called at once. */
  readonly parallel: boolean;
  /** How many turns have called a tool already. */
  readonly toolTurns: number;
  /** Titles of records that were handed over before and came back with an error. */
  readonly refusedTitles: readonly string[];
  /** Sources in fences and in results of tools. */
  readonly sources: readonly Source[];
}

/** Reads a request. `key` identifies its content, `conversation` its first message. */
export function readPrompt(
  body: MessagesRequest,
  key: string,
  conversation: string,
  literature: Literature,
): Prompt {
  const system = typeof body.system === "string"
    ? body.system
    : (body.system ?? []).map((block) => block.text).join("\n");
  const userTexts: string[] = [];
  const results: string[] = [];
  const refusedTitles: string[] = [];
  let toolTurns = 0;
  const titles = new Map<string, string>();
  for (const message of body.messages) {
    let called = false;
    for (const block of blocksOf(message.content)) {
      if (block.type === "text" && message.role === "user") userTexts.push(block.text);
      if (block.type === "tool_use") {
        called = true;
        if (typeof block.input["title"] === "string") titles.set(block.id, block.input["title"]);
      }
      if (block.type === "tool_result") {
        const text = resultText(block);
        results.push(text);
        const title = titles.get(block.tool_use_id);
        if (title !== undefined) refusedTitles.push(title);
      }
    }
    if (called) toolTurns++;
  }
  const userText = userTexts.join("\n");
  const asked = fences(userText);
  const fenced = [...fences(system), ...asked];
  const goal = [...new Set(textsOf(fenced, "GOAL"))].join("\n");
  const choice = body.tool_choice;
  return {
    key,
    conversation,
    step: stepOf(system),
    fenced,
    asked,
    plain: userText.replaceAll(/<([A-Z_]+)((?: \w+="[^"]*")*)>\n[\s\S]*?\n<\/\1>/g, ""),
    topic: topicOf(goal),
    tools: body.tools ?? [],
    choice: choice?.type === "tool"
      ? { kind: "tool", name: choice.name }
      : { kind: choice?.type ?? (body.tools === undefined ? "none" : "auto") },
    parallel: !(choice !== undefined && choice.type !== "none" && choice.disable_parallel_tool_use === true),
    toolTurns,
    refusedTitles,
    sources: sourcesOf(fenced, results, literature),
  };
}

/** The step that a line `Step: ranking.pairwise` of the system text names, or nothing. */
export function stepOf(system: string): string {
  return /^\s*Step:\s*([a-z_]+(?:\.[a-z_]+)*)/m.exec(system)?.[1] ?? "";
}

/** The texts of all fences with this tag. */
export function textsOf(fenced: readonly Fenced[], tag: FenceTag): string[] {
  return fenced.filter((item) => item.tag === tag).map((item) => item.text);
}

/** What is in force about parts: feedback, directives, preferences and the plan; positive is in favour. */
export function guidance(world: World, prompt: Prompt): Map<Part, number> {
  const texts = prompt.fenced
    .filter(({ tag }) => tag === "FEEDBACK" || tag === "DIRECTIVE" || tag === "PREFERENCES" || tag === "PLAN")
    .map(({ text }) => text);
  return opinionsOf(world, texts);
}

/** Sources by address: fences in the prompt, fences and JSON objects with an address in tool results. */
function sourcesOf(fenced: readonly Fenced[], results: readonly string[], literature: Literature): Source[] {
  const found = new Map<string, Source>();
  const add = (url: string, title: string, text: string, n?: string) => {
    const known = found.get(url);
    found.set(url, {
      url,
      title: title || known?.title || literature.record(url)?.title || url,
      text: [known?.text, text].filter((part) => part !== undefined && part !== "").join("\n"),
      n: n ?? known?.n,
    });
  };
  const addFences = (items: readonly Fenced[]) => {
    for (const { tag, attributes, text } of items) {
      const url = attributes["url"];
      if (tag === "SOURCE" && url !== undefined) add(url, attributes["title"] ?? "", text, attributes["n"]);
    }
  };
  addFences(fenced);
  for (const result of results) {
    const inner = fences(result);
    addFences(inner);
    for (const item of [result, ...inner.map(({ text }) => text)]) {
      for (const { url, title, text } of jsonSources(item)) add(url, title, text);
    }
    for (const url of result.match(/\bsim:[a-z]+\/[0-9a-f]{8}\b/g) ?? []) {
      if (!found.has(url)) add(url, "", lineWith(result, url));
    }
  }
  return [...found.values()];
}

function lineWith(text: string, part: string): string {
  return text.split("\n").find((line) => line.includes(part)) ?? "";
}

function jsonSources(text: string): { url: string; title: string; text: string }[] {
  if (!/^\s*[[{]/.test(text)) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const found: { url: string; title: string; text: string }[] = [];
  const walk = (item: unknown) => {
    if (Array.isArray(item)) return item.forEach(walk);
    if (typeof item !== "object" || item === null) return;
    const fields = new Map(Object.entries(item));
    const string = (...keys: readonly string[]) =>
      keys.map((key) => fields.get(key)).find((field) => typeof field === "string") ?? "";
    const url = string("url", "abs_url");
    if (typeof url === "string" && url !== "") {
      found.push({
        url,
        title: String(string("title")),
        text: String(string("text", "abstract", "snippet", "content", "excerpt")),
      });
    }
    fields.forEach(walk);
  };
  walk(value);
  return found;
}
