import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Clock } from "../../lib/domain/clock.ts";
import { type MeasuredSpan, openTelemetry, span, type SpanPort } from "../../lib/telemetry/spans.ts";

/** What OpenTelemetry's protocol sends, as far as it is looked at. */
const exported = z.object({
  resourceSpans: z.array(z.object({
    scopeSpans: z.array(z.object({
      spans: z.array(z.looseObject({
        name: z.string(),
        spanId: z.string(),
        parentSpanId: z.string().optional(),
        status: z.object({ code: z.number().optional(), message: z.string().optional() }),
      })),
    })),
  })),
});

class Ticking implements Clock {
  time = 1_000;
  now(): number {
    return this.time;
  }
  sleep(ms: number): Promise<void> {
    this.time += ms;
    return Promise.resolve();
  }
}

function port(more: Partial<SpanPort> = {}) {
  const clock = new Ticking();
  const kept: MeasuredSpan[] = [];
  const made: SpanPort = { clock, taskId: null, write: (s) => void kept.push(s), tracer: null, ...more };
  return { clock, kept, port: made };
}

Deno.test("work is measured, kept with its details, and its result passed on", async () => {
  const { clock, kept, port: to } = port({ taskId: "tsk_1" });
  const result = await span(to, "tick", { tasks: 1 }, async (add) => {
    await clock.sleep(25);
    add({ committed: 2 });
    return "done";
  });
  assert.equal(result, "done");
  assert.deepEqual(kept, [{
    taskId: "tsk_1",
    name: "tick",
    startedAt: 1_000,
    durationMs: 25,
    status: "ok",
    attributes: { tasks: 1, committed: 2 },
  }]);
});

Deno.test("work that fails is kept as an error, and its error passed on", async () => {
  const { clock, kept, port: to } = port();
  const error = new Error("no");
  await assert.rejects(
    span(to, "tick", {}, async () => {
      await clock.sleep(3);
      throw error;
    }),
    (thrown) => thrown === error,
  );
  assert.deepEqual(kept.map((s) => [s.status, s.durationMs]), [["error", 3]]);
});

Deno.test("a span that can't be kept doesn't fail the work", async () => {
  const { port: to } = port({
    write: () => {
      throw new Error("closed");
    },
  });
  assert.equal(await span(to, "tick", {}, () => Promise.resolve(1)), 1);
});

Deno.test("with nobody to tell, the work is done and the clock not asked", async () => {
  const clock: Clock = {
    now: () => {
      throw new Error("asked");
    },
    sleep: () => Promise.resolve(),
  };
  const to = { clock, taskId: null, write: null, tracer: null };
  assert.equal(await span(to, "tick", {}, (add) => Promise.resolve(add({ a: 1 })).then(() => 2)), 2);
});

Deno.test("OpenTelemetry's tracer does nothing where nobody exports", async () => {
  const { kept, port: to } = port({ tracer: openTelemetry() });
  assert.equal(await span(to, "tick", {}, () => Promise.resolve(1)), 1);
  assert.equal(kept.length, 1);
});

Deno.test("Deno exports spans with name, details, status and nesting when it runs with OTEL_DENO", async () => {
  const bodies: string[] = [];
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const body = await request.text();
    if (new URL(request.url).pathname === "/v1/traces") bodies.push(body);
    return new Response("{}", { headers: { "content-type": "application/json" } });
  });
  const program = new URL("../../lib/telemetry/spans.ts", import.meta.url).href;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      "--config",
      fileURLToPath(new URL("../../deno.json", import.meta.url)),
      `import { openTelemetry, span } from ${JSON.stringify(program)};
       const clock = { now: () => 0, sleep: () => Promise.resolve() };
       const port = { clock, taskId: null, write: null, tracer: openTelemetry() };
       await span(port, "outer", { tasks: 2 }, async () => {
         await Promise.resolve();
         await span(port, "inner", {}, () => Promise.reject(new Error("no"))).catch(() => {});
       });`,
    ],
    env: {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
    },
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  const spans = bodies.flatMap((body) => exported.parse(JSON.parse(body)).resourceSpans)
    .flatMap((resource) => resource.scopeSpans).flatMap((scope) => scope.spans);
  const outer = spans.find((s) => s.name === "outer"), inner = spans.find((s) => s.name === "inner");
  assert.ok(outer && inner, bodies.join("\n"));
  assert.equal(inner.parentSpanId, outer.spanId);
  assert.equal(outer.status.code, 1);
  assert.deepEqual([inner.status.code, inner.status.message], [2, "no"]);
  assert.match(JSON.stringify(outer), /"tasks"/);
});
