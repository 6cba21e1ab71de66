/** What cosci uses of `hnswlib-wasm/lib/hnswlib.mjs`, which ships without types that resolve. */

/** The graph of hnswlib, with whole-number labels for its points. */
export interface HierarchicalNSW {
  /** Makes room for points; `randomSeed` decides on their levels. */
  initIndex(maxElements: number, m: number, efConstruction: number, randomSeed: number): void;
  /** Makes room for more. */
  resizeIndex(maxElements: number): void;
  /** For how many points there is room. */
  getMaxElements(): number;
  /** How many points there are, removed ones included. */
  getCurrentCount(): number;
  /** How many candidates a search weighs. */
  setEfSearch(ef: number): void;
  /** Links a point in; throws a C++ exception when there is no room. */
  addPoint(point: Float32Array, label: number, replaceDeleted: boolean): void;
  /** Hides a point from searches. */
  markDelete(label: number): void;
  /** The nearest points, best first; fewer than `k` if there are no more. */
  searchKnn(point: Float32Array, k: number, filter: undefined): { distances: number[]; neighbors: number[] };
}

/** The WASM module once it runs. */
export interface Hnswlib {
  /** The class of graphs. */
  HierarchicalNSW: new (space: "ip", dimensions: number, autoSaveFile: "") => HierarchicalNSW;
}

/** Starts the module; what it would print goes to the two functions. */
export default function factory(options: {
  /** Takes a line of standard output. */
  print: (line: string) => void;
  /** Takes a line of standard error. */
  printErr: (line: string) => void;
}): Promise<Hnswlib>;
