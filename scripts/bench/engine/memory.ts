import { z } from "zod";

const collector = z.object({ gc: z.custom<() => void>((value) => typeof value === "function") });

/**
 * Resident memory after a collection, in megabytes: what is kept, and not what V8 has not got round to. The process needs
 * `--v8-flags=--expose-gc`.
 */
export function residentMb(): number {
  const { gc } = collector.parse({ gc: Reflect.get(globalThis, "gc") });
  gc();
  return Deno.memoryUsage().rss / 1e6;
}
