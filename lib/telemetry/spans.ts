import { SpanStatusCode, trace } from "@opentelemetry/api";
import type { Clock } from "../domain/clock.ts";
import { messageOf } from "../domain/errors.ts";
import { logger } from "./log.ts";

/** Details of a span. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A stretch of time that something took. */
export interface MeasuredSpan {
  /** The task, if it was one's. */
  readonly taskId: string | null;
  /** What took it. */
  readonly name: string;
  /** When it began: milliseconds since 1970. */
  readonly startedAt: number;
  /** How long, in milliseconds. */
  readonly durationMs: number;
  /** How it ended. */
  readonly status: "ok" | "error";
  /** Details. */
  readonly attributes: SpanAttributes;
}

/** A span that is open in OpenTelemetry: the part of its API that is used. */
export interface OpenSpan {
  /** Adds details. */
  setAttributes(attributes: Record<string, string | number | boolean>): unknown;
  /** Says how it ended: 1 well, 2 not. */
  setStatus(status: { code: number; message?: string }): unknown;
  /** Keeps what was thrown. */
  recordException(error: Error | string): void;
  /** Ends it. */
  end(): void;
}

/** Opens spans in OpenTelemetry. */
export interface SpanTracer {
  /** Does the work inside a new span, which ends when the work says so. */
  startActiveSpan<T>(name: string, attributes: SpanAttributes, work: (span: OpenSpan) => T): T;
}

/** Where spans go. With neither `write` nor `tracer` nothing is measured. */
export interface SpanPort {
  /** The time. */
  readonly clock: Clock;
  /** The task that the work is done for, or `null`. */
  readonly taskId: string | null;
  /** Keeps a span that has ended: the store's log. */
  readonly write: ((span: MeasuredSpan) => void) | null;
  /** OpenTelemetry's tracer: {@linkcode openTelemetry}. */
  readonly tracer: SpanTracer | null;
}

/**
 * The tracer whose spans Deno exports when it runs with `OTEL_DENO=true` (or that a program's own provider gets);
 * otherwise it does nothing.
 */
export function openTelemetry(): SpanTracer {
  const tracer = trace.getTracer("cosci");
  return {
    startActiveSpan: (name, attributes, work) =>
      tracer.startActiveSpan(name, { attributes: { ...attributes } }, work),
  };
}

/**
 * Does a piece of work and measures how long it takes. Spans of the work inside become children in OpenTelemetry.
 *
 * @param work gets a function that adds details as they become known; what it returns or throws is passed on
 */
export async function span<T>(
  port: SpanPort,
  name: string,
  attributes: SpanAttributes,
  work: (add: (more: SpanAttributes) => void) => Promise<T>,
): Promise<T> {
  const { write, tracer } = port;
  if (write === null && tracer === null) return await work(ignore);
  return tracer === null
    ? await measured(port, name, attributes, null, work)
    : await tracer.startActiveSpan(name, attributes, (open) => measured(port, name, attributes, open, work));
}

async function measured<T>(
  { clock, taskId, write }: SpanPort,
  name: string,
  attributes: SpanAttributes,
  open: OpenSpan | null,
  work: (add: (more: SpanAttributes) => void) => Promise<T>,
): Promise<T> {
  const startedAt = clock.now();
  let known = attributes;
  let status: MeasuredSpan["status"] = "ok";
  try {
    const result = await work((more) => {
      known = { ...known, ...more };
      open?.setAttributes({ ...more });
    });
    open?.setStatus({ code: SpanStatusCode.OK });
    return result;
  } catch (error) {
    status = "error";
    open?.recordException(error instanceof Error ? error : messageOf(error));
    open?.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
    throw error;
  } finally {
    open?.end();
    const ended = { taskId, name, startedAt, durationMs: clock.now() - startedAt, status, attributes: known };
    try {
      write?.(ended);
    } catch (error) {
      // The work counts, not its measurement.
      logger("telemetry").warn("The span {name} was not kept: {error}", { name, error });
    }
  }
}

function ignore(): void {}
