import { CosciError, inputError } from "../domain/errors.ts";
import { clusterReply } from "./cluster_protocol.ts";
import type { Embedded } from "./clustering.ts";

/**
 * What `clusterByCosine` gives, worked out in a worker that lives as long as the question, so that the main thread only
 * copies the vectors. Rejects with `CosciError("input")` for vectors of different lengths, with
 * `CosciError("internal")` if the worker fails, and with the signal's reason when it aborts.
 */
export async function clusterInWorker(
  items: readonly Embedded[],
  maxDistance: number,
  signal: AbortSignal,
): Promise<string[][]> {
  signal.throwIfAborted();
  const vectors = joined(items);
  const worker = new Worker(new URL("./cluster_worker.ts", import.meta.url), { type: "module" });
  const answer = Promise.withResolvers<unknown>();
  const onAbort = () => answer.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  worker.onmessage = (event: MessageEvent<unknown>) => answer.resolve(event.data);
  worker.onerror = (event) => {
    event.preventDefault();
    answer.reject(new CosciError("internal", `The clustering worker failed: ${event.message}`));
  };
  try {
    worker.postMessage({ ids: items.map((item) => item.id), vectors, maxDistance }, [vectors.buffer]);
    const reply = clusterReply.parse(await answer.promise);
    if (reply.error !== null) throw new CosciError("internal", `Clustering failed: ${reply.error}`);
    return reply.clusters;
  } finally {
    signal.removeEventListener("abort", onAbort);
    worker.terminate();
  }
}

/** All vectors one after the other: one block to hand over instead of thousands. */
function joined(items: readonly Embedded[]): Float32Array<ArrayBuffer> {
  const length = items[0]?.vector.length ?? 0;
  const block = new Float32Array(items.length * length);
  for (const [i, { id, vector }] of items.entries()) {
    if (vector.length !== length) {
      throw inputError(`vector of ${id}`, `${vector.length} dimensions`, `The first has ${length}.`);
    }
    block.set(vector, i * length);
  }
  return block;
}
