import { z } from "zod";
import { jsonLine } from "./wording.ts";

/** A part of what was said. */
export interface Part {
  /** What kind. */
  readonly kind: "text" | "thinking" | "call" | "result" | "other";
  /** A tool's name, or the kind of another block; empty for texts. */
  readonly name: string;
  /** What it says. */
  readonly text: string;
}

/** What one side said in one go. */
export interface Turn {
  /** Whose. `answer`: the model's, to this call. */
  readonly who: "system" | "user" | "assistant" | "answer";
  /** Its parts, in order. */
  readonly parts: readonly Part[];
}

const content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]);

const requestShape = z.looseObject({
  system: content.optional(),
  messages: z.array(z.looseObject({ role: z.enum(["user", "assistant"]), content })),
});

const toolsShape = z.looseObject({
  tools: z.array(
    z.looseObject({ name: z.string(), description: z.string().optional(), input_schema: z.unknown() }),
  )
    .optional(),
});

/** The tools that a request offers, with their schemas as JSON; none where it can't be read as such. */
export function offeredTools(
  request: string,
): { readonly name: string; readonly description: string; readonly schema: string }[] {
  const asked = toolsShape.safeParse(parse(request));
  return (asked.data?.tools ?? []).map(({ name, description = "", input_schema }) => ({
    name,
    description,
    schema: JSON.stringify(input_schema, null, 2) ?? "",
  }));
}

const responseShape = z.looseObject({ content: content.nullish() });

/**
 * A call as a conversation: the request's turns and then the answer. What can't be read as such stands in one turn as it
 * is, so that nothing is hidden.
 *
 * @param request the request as JSON
 * @param response the response as JSON; empty where none came
 */
export function conversation(request: string, response: string): Turn[] {
  const asked = requestShape.safeParse(parse(request));
  const turns: Turn[] = asked.success
    ? [
      ...(asked.data.system === undefined
        ? []
        : [{ who: "system", parts: parts(asked.data.system) } as const]),
      ...asked.data.messages.map((message) => ({ who: message.role, parts: parts(message.content) })),
    ]
    : [{ who: "user", parts: raw(request) }];
  if (response === "") return turns;
  const answered = responseShape.safeParse(parse(response));
  const said = answered.success ? answered.data.content ?? null : null;
  return [...turns, { who: "answer", parts: said === null ? raw(response) : parts(said) }];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function raw(text: string): Part[] {
  return [{ kind: "other", name: "as it is", text }];
}

function parts(given: z.infer<typeof content>): Part[] {
  if (typeof given === "string") return [{ kind: "text", name: "", text: given }];
  return given.map((block): Part => {
    const text = (key: string) => typeof block[key] === "string" ? block[key] : "";
    switch (block.type) {
      case "text":
        return { kind: "text", name: "", text: text("text") };
      case "thinking":
        return { kind: "thinking", name: "", text: text("thinking") };
      case "tool_use":
        return { kind: "call", name: text("name"), text: inputText(block["input"]) };
      case "tool_result": {
        const result = block["content"];
        return { kind: "result", name: "", text: typeof result === "string" ? result : jsonLine(result) };
      }
      default:
        return { kind: "other", name: block.type, text: jsonLine(block) };
    }
  });
}

/** The input of a tool as JSON: on one line where it is short. */
function inputText(input: unknown): string {
  const line = jsonLine(input);
  return line.length <= 160 ? line : JSON.stringify(input, null, 2);
}
