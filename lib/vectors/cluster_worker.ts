/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { z } from "zod";
import { messageOf } from "../domain/errors.ts";
import { clusterByCosine } from "./clustering.ts";
import type { ClusterReply } from "./cluster_protocol.ts";

const ClusterRequest = z.object({
  ids: z.array(z.string()),
  vectors: z.instanceof(Float32Array),
  maxDistance: z.number(),
});

self.onmessage = (event: MessageEvent<unknown>) => {
  self.postMessage(answer(event.data) satisfies ClusterReply);
};

function answer(data: unknown): ClusterReply {
  try {
    const { ids, vectors, maxDistance } = ClusterRequest.parse(data);
    const length = vectors.length / ids.length;
    const items = ids.map((id, i) => ({ id, vector: vectors.subarray(i * length, (i + 1) * length) }));
    return { clusters: clusterByCosine(items, maxDistance), error: null };
  } catch (error) {
    return { clusters: [], error: messageOf(error) };
  }
}
