import type { Route, SeenSource } from "../domain/agent.ts";
import type { RecordTool } from "../domain/drafts.ts";
import { CosciError } from "../domain/errors.ts";
import { fence } from "../domain/text.ts";
import { canonicalUrl } from "./grounding.ts";
import type { Called } from "./model_call.ts";
import { isCut, readRecord } from "./record_answer.ts";
import { isThinking, type Turn, type UserTurn } from "./request.ts";
import { type Tool, toolDefinition } from "./tool.ts";
import { errorBlock, type ToolResult } from "./tool_use.ts";
import type { Answer, TextBlock, ToolDefinition, ToolResultBlock, ToolUse } from "./wire.ts";

/** One turn of the loop, as it is wanted. */
export interface LoopTurn {
  /** The conversation so far. */
  readonly turns: readonly Turn[];
  /** The tools on offer. */
  readonly tools: readonly ToolDefinition[];
  /** The tool that must be called, or `null`. */
  readonly force: string | null;
  /** Whether another turn is likely. */
  readonly growing: boolean;
  /** How many times the route's length of an answer it may have. */
  readonly lengthFactor: number;
}

/** What the loop is about, and how it reaches the world. */
export interface Loop<T> {
  /** For error texts. */
  readonly route: Route;
  /** The prompt, rendered. */
  readonly prompt: string;
  /** How the result is handed over. */
  readonly record: RecordTool<T>;
  /** The research tools on offer. */
  readonly tools: readonly Tool[];
  /** Turns at most. */
  readonly maxTurns: number;
  /** Whether the route thinks: then a first turn is free, because a forced one could not think. */
  readonly thinks: boolean;
  /** A last look at the record: a text goes back to the model as an error, once per turn left. */
  readonly reconsider?: ((value: T) => Promise<string | null>) | undefined;
  /** Asks the model. */
  ask(turn: LoopTurn): Promise<Called>;
  /** Runs tools and answers every call. */
  use(uses: readonly ToolUse[], offered: readonly Tool[]): Promise<ToolResult[]>;
  /** Told when an answer could not be used as it was. */
  corrected(problem: string): void;
}

/** How a loop ended. */
export interface LoopResult<T> {
  /** The record. */
  readonly value: T;
  /** The model that handed it over. */
  readonly model: string;
  /** What the tools returned, addresses canonical. */
  readonly seen: readonly SeenSource[];
}

/** Answers that only pause are sent back so many times. */
const MAX_PAUSES = 4;

/**
 * Lets a model work with tools until it hands over a valid record.
 *
 * Each wrong answer of a kind is sent back once: an invalid record with its errors, a cut one with more room, prose or
 * nothing with a reminder. After the last turn only the record tool is on offer, and forced.
 *
 * @throws CosciError `output` where no valid record comes, saying what was wrong; and whatever asking throws
 */
export async function runToolLoop<T>(loop: Loop<T>): Promise<LoopResult<T>> {
  const { record } = loop;
  const seen = new Map<string, SeenSource>();
  const recordDefinition = toolDefinition(record.name, record.description, record.schema);
  const research = loop.tools.map(({ name, description, input }) => toolDefinition(name, description, input));
  // Without research the record is forced at once, unless the model is to think first: forcing would keep it from that.
  const maxTurns = loop.tools.length === 0 && loop.thinks ? Math.max(2, loop.maxTurns) : loop.maxTurns;
  let turns: Turn[] = [userTurn(loop.prompt)];
  let candidate: { readonly value: T; readonly model: string } | undefined;
  let problem = "no answer was given";
  let pauses = 0, lengthFactor = 1;
  const corrections = { invalid: 1, cut: 1, silent: 1 };
  const done = (value: T, model: string) => ({ value, model, seen: [...seen.values()] });

  /** Counts one correction of a kind; false where it was already made. */
  const correct = (kind: keyof typeof corrections, what: string): boolean => {
    problem = what;
    if (corrections[kind]-- <= 0) return false;
    loop.corrected(what);
    return true;
  };

  for (let turn = 1;; turn++) {
    const last = turn >= maxTurns;
    const force = last || (loop.tools.length === 0 && !loop.thinks);
    let called: Called;
    try {
      called = await loop.ask({
        turns,
        tools: force ? [recordDefinition] : [...research, recordDefinition],
        force: force ? record.name : null,
        growing: !force && loop.tools.length > 0,
        lengthFactor,
      });
    } catch (error) {
      // A record that was only to be reconsidered stands when there is no money to reconsider it.
      if (candidate !== undefined && isFinal(error)) return done(candidate.value, candidate.model);
      throw error;
    }
    const { answer, model } = called;
    if (answer.stopReason === "refusal") {
      if (candidate !== undefined) return done(candidate.value, candidate.model);
      throw outputError(loop.route, model, `the model refused. ${answer.text}`.trim());
    }
    if (answer.stopReason === "pause_turn" && answer.toolUses.length === 0 && pauses++ < MAX_PAUSES) {
      // Sent back as it is, the model goes on where it paused; it takes no turn away.
      loop.corrected("the model paused in the middle; it was asked to go on");
      if (answer.content.length > 0) turns = [...turns, assistantTurn(answer, model)];
      turn--;
      continue;
    }

    const reading = readRecord(answer, record);
    let results: ToolResultBlock[];
    switch (reading.kind) {
      case "valid": {
        const note = last || loop.reconsider === undefined ? null : await loop.reconsider(reading.value);
        if (note === null) return done(reading.value, model);
        candidate = { value: reading.value, model };
        loop.corrected(note);
        problem = note;
        if (reading.id === null) {
          turns = [...echoed(turns, answer, model), userTurn(fence("ERROR", note))];
          continue;
        }
        results = recordResults(answer, record.name, new Map([[reading.id, note]]));
        break;
      }
      case "invalid": {
        const what = [...reading.problems.values()].join("; ");
        if (isCut(answer)) {
          if (!correct("cut", `the record was cut off: ${what}`)) return failOr(model);
          ({ turns, lengthFactor } = withMoreRoom(turns, lengthFactor));
          continue;
        }
        if (!correct("invalid", `the record is not valid: ${what}`)) return failOr(model);
        results = recordResults(answer, record.name, reading.problems);
        break;
      }
      case "none": {
        if (answer.toolUses.length > 0 && !isCut(answer)) {
          if (last && !correct("silent", `the model called ${names(answer)} instead of ${record.name}`)) {
            return failOr(model);
          }
          results = [];
          break;
        }
        if (isCut(answer)) {
          if (!correct("cut", "the answer was cut off before a record was handed over")) return failOr(model);
          ({ turns, lengthFactor } = withMoreRoom(turns, lengthFactor));
          continue;
        }
        const what = answer.text === "" ? "the answer was empty" : "the answer was prose without a record";
        if (!correct("silent", what)) return failOr(model);
        turns = [
          ...echoed(turns, answer, model),
          userTurn(`That can't be used: ${what}. Call the tool ${record.name} now with your result.`),
        ];
        continue;
      }
    }
    const others = answer.toolUses.filter(({ name }) => name !== record.name);
    const used = await loop.use(others, last ? [] : loop.tools);
    for (const { sources } of used) for (const source of sources) remember(seen, source);
    turns = [
      ...turns,
      assistantTurn(answer, model),
      { role: "user", content: inOrder(answer, [...results, ...used.map(({ block }) => block)]) },
    ];
  }

  /** The record that stands, or the error that says why there is none. */
  function failOr(model: string): LoopResult<T> {
    if (candidate !== undefined) return done(candidate.value, candidate.model);
    throw outputError(loop.route, model, `${problem}.`);
  }
}

/** An error about a model's output. */
export function outputError(route: Route, model: string, problem: string): CosciError {
  return new CosciError("output", `${model} (${route}) gave nothing that can be used: ${problem}`);
}

/** Failures after which asking again is no use, other than being stopped or put off. */
export function isFinal(error: unknown): boolean {
  return error instanceof CosciError &&
    (error.code === "output" || error.code === "provider" ||
      (error.code === "budget" && error.name !== "Deferred"));
}

/** A turn of the person's side with one text. */
export function userTurn(text: string): UserTurn {
  return { role: "user", content: [{ type: "text", text }] };
}

/** An answer as a turn, its blocks as they came. */
export function assistantTurn(answer: Answer, model: string): Turn {
  return { role: "assistant", content: answer.content, model, outputTokens: answer.usage.outputTokens };
}

/** The turns with the answer, unless there is nothing in it but thinking: the API wants more than that. */
function echoed(turns: readonly Turn[], answer: Answer, model: string): Turn[] {
  return answer.content.every(isThinking) ? [...turns] : [...turns, assistantTurn(answer, model)];
}

/** The same question with twice the room and a word about it; what was cut is not sent back. */
export function withMoreRoom(
  turns: readonly Turn[],
  lengthFactor: number,
): { readonly turns: Turn[]; readonly lengthFactor: number } {
  const note: TextBlock = {
    type: "text",
    text: "Your last answer was cut off because it grew too long. Answer again, and be brief.",
  };
  const last = turns.at(-1);
  return {
    turns: last?.role === "user"
      ? [...turns.slice(0, -1), { role: "user", content: [...last.content, note] }]
      : [...turns, { role: "user", content: [note] }],
    lengthFactor: lengthFactor * 2,
  };
}

/** Results for all calls of the record tool: those without a problem of their own came too many. */
function recordResults(
  answer: Answer,
  name: string,
  problems: ReadonlyMap<string, string>,
): ToolResultBlock[] {
  return answer.toolUses
    .filter((use) => use.name === name)
    .map(({ id }) => errorBlock(id, problems.get(id) ?? `Not looked at. Call ${name} exactly once.`));
}

/** Results in the order of their calls. */
function inOrder(answer: Answer, results: readonly ToolResultBlock[]): ToolResultBlock[] {
  return answer.toolUses.flatMap(({ id }) => results.filter((result) => result.tool_use_id === id));
}

function names(answer: Answer): string {
  return [...new Set(answer.toolUses.map(({ name }) => name))].join(", ");
}

function remember(seen: Map<string, SeenSource>, { url, title, text }: SeenSource): void {
  const address = canonicalUrl(url);
  const known = seen.get(address);
  if (known === undefined) seen.set(address, { url: address, title, text });
  else if (!known.text.includes(text)) {
    seen.set(address, { url: address, title: known.title || title, text: `${known.text}\n\n${text}` });
  }
}
