import type { Answer, AnswerBlock } from "./answer.ts";

/** The `message` object of an answer, as the API returns it. */
export interface WireAnswer {
  /** `msg_…`. */
  readonly id: string;
  /** Always so. */
  readonly type: "message";
  /** Always so. */
  readonly role: "assistant";
  /** The model asked. */
  readonly model: string;
  /** Its blocks. */
  readonly content: readonly AnswerBlock[];
  /** Why it ended. */
  readonly stop_reason: Answer["stopReason"];
  /** What ended it. */
  readonly stop_sequence: string | null;
  /** Nothing to add. */
  readonly stop_details: null;
  /** No container. */
  readonly container: null;
  /** No diagnostics. */
  readonly diagnostics: null;
  /** What it used. */
  readonly usage: Readonly<Record<string, unknown>>;
}

const PIECE = 200;

/** The events of a stream that gives a message piece by piece. `cutJson`: see {@linkcode Answer}. */
export function* events(
  message: WireAnswer,
  cutJson: ReadonlyMap<number, string>,
): Generator<{ readonly type: string }> {
  yield event("message_start", {
    message: {
      ...message,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...message.usage, output_tokens: 1 },
    },
  });
  yield { type: "ping" };
  for (const [index, block] of message.content.entries()) {
    yield event("content_block_start", { index, content_block: emptyOf(block) });
    for (const delta of deltas(block, cutJson.get(index))) {
      yield event("content_block_delta", { index, delta });
    }
    yield event("content_block_stop", { index });
  }
  yield event("message_delta", {
    delta: {
      stop_reason: message.stop_reason,
      stop_sequence: message.stop_sequence,
      stop_details: null,
      container: null,
    },
    usage: message.usage,
  });
  yield event("message_stop", {});
}

/**
 * The events as the body of a response. With `breakAfter`, the stream ends after so many events in the middle of one,
 * without a proper end.
 */
export function eventStream(
  all: Iterable<{ readonly type: string }>,
  breakAfter = Infinity,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = all[Symbol.iterator]();
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      const next = iterator.next();
      if (next.done === true) return controller.close();
      const text = `event: ${next.value.type}\ndata: ${JSON.stringify(next.value)}\n\n`;
      if (sent++ >= breakAfter) {
        controller.enqueue(
          encoder.encode(`event: ${next.value.type}\ndata: ${JSON.stringify(next.value).slice(0, -9)}\n\n`),
        );
        return controller.close();
      }
      controller.enqueue(encoder.encode(text));
    },
  });
}

function event(type: string, rest: Readonly<Record<string, unknown>>): { readonly type: string } {
  return { type, ...rest };
}

function emptyOf(block: AnswerBlock): Readonly<Record<string, unknown>> {
  switch (block.type) {
    case "thinking":
      return { ...block, thinking: "", signature: "" };
    case "text":
      return { ...block, text: "" };
    case "tool_use":
      return { ...block, input: {} };
  }
}

function* deltas(
  block: AnswerBlock,
  cut: string | undefined,
): Generator<Readonly<Record<string, string>>> {
  switch (block.type) {
    case "thinking":
      for (const piece of pieces(block.thinking)) yield { type: "thinking_delta", thinking: piece };
      yield { type: "signature_delta", signature: block.signature };
      break;
    case "text":
      for (const piece of pieces(block.text)) yield { type: "text_delta", text: piece };
      break;
    case "tool_use":
      yield { type: "input_json_delta", partial_json: "" };
      for (const piece of pieces(cut ?? JSON.stringify(block.input))) {
        yield { type: "input_json_delta", partial_json: piece };
      }
      break;
  }
}

/** Pieces of a text that never cut a surrogate pair. */
function* pieces(text: string): Generator<string> {
  for (let i = 0; i < text.length;) {
    let end = Math.min(text.length, i + PIECE);
    const code = text.charCodeAt(end - 1);
    if (end < text.length && code >= 0xd800 && code <= 0xdbff) end--;
    yield text.slice(i, end);
    i = end;
  }
}
