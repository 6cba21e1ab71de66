/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
// @ts-types="./hnswlib_wasm.d.ts"
import factory, { type HierarchicalNSW, type Hnswlib } from "hnswlib-wasm/lib/hnswlib.mjs";
import { messageOf } from "../domain/errors.ts";
import { type HnswOperation, type HnswReply, parseRequest } from "./hnsw_protocol.ts";

/** The same levels for the same points in the same order. */
const LEVEL_SEED = 100;

/** What the module printed since the last failure: it belongs to the message of the next one, not on a console. */
let printed: string[] = [];
let graph: HierarchicalNSW | null = null;
let dimensions = 0;

const starting = start();
// The error is told with the answer to each request; without this it would end the worker before.
starting.catch(() => {});

self.onmessage = async (event: MessageEvent<unknown>) => {
  const request = parseRequest(event.data);
  const reply = (labels: number[], error: string | null) =>
    self.postMessage({ id: request.id, labels, error } satisfies HnswReply);
  try {
    // Already settled for all but the first requests, and continuations run in the order of the messages.
    const hnswlib = await starting;
    reply(answer(hnswlib, request), null);
  } catch (error) {
    reply([], [reasonOf(error), ...printed].join("; "));
    printed = [];
  }
};

/**
 * The module was built for the web: its factory looks for `importScripts` to see that it is in a worker, and Deno's
 * workers have none. It is there only while the factory runs. Nothing is printed but on failure, because the module's
 * file system (IndexedDB, which Deno lacks) is never started.
 */
async function start(): Promise<Hnswlib> {
  Reflect.set(globalThis, "importScripts", () => {});
  try {
    const keep = (line: string) => printed.push(line);
    return await factory({ print: keep, printErr: keep });
  } finally {
    Reflect.deleteProperty(globalThis, "importScripts");
  }
}

function answer(hnswlib: Hnswlib, request: HnswOperation): number[] {
  if (request.op === "open") {
    dimensions = request.dimensions;
    // For unit vectors the inner product orders as the cosine does, without normalising again.
    graph = new hnswlib.HierarchicalNSW("ip", dimensions, "");
    graph.initIndex(request.capacity, request.m, request.efConstruction, LEVEL_SEED);
    graph.setEfSearch(request.efSearch);
    return [];
  }
  if (graph === null) throw new Error(`"${request.op}" came before "open"`);
  switch (request.op) {
    case "add":
      add(graph, request.labels, request.vectors);
      return [];
    case "remove":
      for (const label of request.labels) graph.markDelete(label);
      return [];
    case "search":
      return graph.searchKnn(request.vector, request.k, undefined).neighbors;
  }
}

function add(graph: HierarchicalNSW, labels: readonly number[], vectors: Float32Array): void {
  const needed = graph.getCurrentCount() + labels.length;
  if (needed > graph.getMaxElements()) graph.resizeIndex(Math.max(needed, 2 * graph.getMaxElements()));
  for (const [i, label] of labels.entries()) {
    graph.addPoint(vectors.subarray(i * dimensions, (i + 1) * dimensions), label, false);
  }
}

/** C++ exceptions arrive as objects of their own, with their type and what they say as `message`. */
function reasonOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "message" in error && Array.isArray(error.message)) {
    return error.message.map(String).join(": ");
  }
  return messageOf(error);
}
