/**
 * A judge behind the Messages API that answers at once, or after a time: always the same verdict, free of charge. What a
 * task takes beside it is the project's own work.
 */
export function instantJudge(latencyMs = 0): typeof fetch {
  const body = JSON.stringify({
    id: "msg_bench",
    type: "message",
    role: "assistant",
    model: "bench",
    content: [{
      type: "tool_use",
      id: "toolu_bench",
      name: "record_verdict",
      input: {
        winner: "1",
        rationale: "The first one says more that can be measured, and says it more exactly. ".repeat(4),
      },
    }],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 1500, output_tokens: 120 },
  });
  const answer = () => new Response(body, { headers: { "content-type": "application/json" } });
  return latencyMs === 0
    ? () => Promise.resolve(answer())
    : () => new Promise((resolve) => setTimeout(() => resolve(answer()), latencyMs));
}
