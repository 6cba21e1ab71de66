import { z } from "zod";
import type { PromptCall, Prose, RecordCall, Recorded } from "../domain/agent.ts";
import { CosciError } from "../domain/errors.ts";
import type { Script } from "../engine/rehearsal.ts";
import { tokenBound } from "../llm/estimate.ts";
import { readRecord } from "../llm/record_answer.ts";
import { type Answer, readAnswer } from "../llm/wire.ts";
import type { TranscriptRecord } from "../store/transcripts.ts";

/** The calls of one conversation: one question, asked again where the answer was no use, and its further turns. */
export interface PastConversation {
  /** The prompt. */
  readonly prompt: string;
  /** What was asked, as rendered. */
  readonly question: string;
  /** Its calls in order. */
  readonly calls: readonly TranscriptRecord[];
}

const block = z.looseObject({ type: z.string(), text: z.string().optional() });
const request = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.array(block) })).min(1),
});

/** The calls of one attempt at a task as conversations. */
export function conversationsOf(calls: readonly TranscriptRecord[]): PastConversation[] {
  const all: { prompt: string; question: string; calls: TranscriptRecord[] }[] = [];
  for (const call of calls) {
    // Embeddings are no conversation.
    if (call.prompt === "") continue;
    const question = request.parse(JSON.parse(call.request)).messages[0]?.content[0]?.text ?? "";
    const last = all.at(-1);
    if (last !== undefined && last.prompt === call.prompt && last.question === question) {
      last.calls.push(call);
    } else all.push({ prompt: call.prompt, question, calls: [call] });
  }
  return all;
}

/** Whether a call is the one that opened its conversation, or the same request again. */
export function isOpening(call: TranscriptRecord): boolean {
  const { messages } = request.parse(JSON.parse(call.request));
  return messages.length === 1 && messages[0]?.content.length === 1;
}

/**
 * A script in which the conversations before one of the calls are answered as they were, and that one is reached.
 *
 * @throws CosciError `state`, when it is followed, where the work takes another way than it did
 */
export function scriptUpTo(
  conversations: readonly PastConversation[],
  n: number,
  model: string | undefined,
): Script {
  let next = 0;
  /** The conversation that comes now, unless it is the one that is wanted. */
  const past = (call: PromptCall): PastConversation | null => {
    const conversation = conversations[next++];
    if (conversation === undefined || conversation.prompt !== call.prompt) {
      throw new CosciError(
        "state",
        `resend: call ${n} can't be rebuilt: its task would ask "${call.prompt}" now, and asked "${
          conversation?.prompt ?? "nothing more"
        }" then.`,
      );
    }
    return conversation.calls.some((each) => each.n === n) ? null : conversation;
  };
  return {
    screens: true,
    model,
    ask(call: PromptCall): Prose | null {
      const conversation = past(call);
      if (conversation === null) return null;
      const answers = answersOf(conversation);
      const last = answers.at(-1);
      if (last === undefined) throw noAnswer(conversation);
      const paused = answers.slice(0, -1).filter(({ answer }) => answer.stopReason === "pause_turn");
      const text = [...paused, last].map(({ answer }) => answer.text).filter((part) => part.trim() !== "");
      const { model, promptVersion, concessions } = last.call;
      return { text: text.join("\n\n").trim(), model, promptVersion, concessions };
    },
    record<T>(call: RecordCall<T>): Recorded<T> | null {
      const conversation = past(call);
      if (conversation === null) return null;
      for (const { call: { model, promptVersion }, answer } of answersOf(conversation).reverse()) {
        const reading = readRecord(answer, call.record);
        if (reading.kind === "valid") return { value: reading.value, seen: [], model, promptVersion };
      }
      throw noAnswer(conversation);
    },
  };
}

/** What a failed conversation did to its agent then. */
function noAnswer({ prompt }: PastConversation): CosciError {
  return new CosciError("output", `"${prompt}" got no answer that could be used.`);
}

function answersOf(
  { calls }: PastConversation,
): { readonly call: TranscriptRecord; readonly answer: Answer }[] {
  return calls.flatMap((call) => {
    if (call.response === "") return [];
    const answer = readAnswer(
      JSON.parse(call.response),
      { inputTokens: call.cost.inputTokens, tokensOf: tokenBound },
      `call_${call.n}`,
    );
    return answer === null ? [] : [{ call, answer }];
  });
}
