import { type Rng, rng } from "../domain/rng.ts";

/** The places that parts of a hypothesis fill. */
export const SLOTS = ["agent", "target", "mode", "condition", "design", "measure"] as const;
/** A place that a part of a hypothesis fills. */
export type Slot = (typeof SLOTS)[number];

/** One invented part: what hypotheses, reviews and papers of the simulated world speak of. */
export interface Part {
  /** Which place it can fill. */
  readonly slot: Slot;
  /** Its coined name: one lower-case word, unique in the world. */
  readonly name: string;
  /** Name and kind, e.g. `tisurast pathway`. */
  readonly label: string;
  /** Its hidden value: mean 0 and variance 1 over the parts of its slot. */
  readonly value: number;
  /** Its number within its slot. */
  readonly index: number;
}

/** A hypothesis as its parts. A missing part counts as an average one. */
export type Parts = { readonly [S in Slot]?: Part | undefined };

/** A seeded, invented world. */
export interface World {
  /** What it was made from. */
  readonly seed: string;
  /** All parts by slot. */
  readonly parts: Readonly<Record<Slot, readonly Part[]>>;
  /** All parts by name. */
  readonly byName: ReadonlyMap<string, Part>;
  /** How pairs of parts work together: one table a pair of slots, mean 0 and variance 1, free of main effects. */
  readonly interactions: readonly Interaction[];
  /** A number that hashes of words start from. */
  readonly salt: number;
}

/** How the parts of two slots work together. */
export interface Interaction {
  /** The slot of the rows. */
  readonly a: Slot;
  /** The slot of the columns. */
  readonly b: Slot;
  /** Its weight in the truth. */
  readonly weight: number;
  /** By index of the parts. */
  readonly table: readonly (readonly number[])[];
}

const SIZES: Readonly<Record<Slot, number>> = {
  agent: 24,
  target: 24,
  mode: 16,
  condition: 16,
  design: 12,
  measure: 12,
};

// Kinds that make sense beneath any field: a medicine, a material, a market.
const KINDS: Readonly<Record<Slot, readonly string[]>> = {
  agent: ["factor", "agent", "input", "modifier", "component", "additive"],
  target: ["pathway", "network", "loop", "layer", "channel", "interface"],
  mode: ["damping", "priming", "buffering", "coupling", "release", "sorting", "gating", "anchoring"],
  condition: ["regime", "phase", "gradient", "threshold", "setting", "load"],
  design: ["crossover", "comparison", "factorial", "replication", "series", "contrast"],
  measure: ["index", "ratio", "score", "yield", "rate", "profile"],
};

// Three or more syllables with endings that no real compound, gene or place has.
const STARTS = ["v", "br", "t", "k", "m", "s", "dr", "l", "n", "p", "gr", "st", "h", "fl", "z", "sk", "w"];
const VOWELS = ["a", "e", "i", "o", "u"];
const MIDDLES = ["l", "r", "n", "m", "s", "v", "d", "lk", "rn", "sk", "k", "t", "z", "b"];
const ENDINGS: Readonly<Record<Slot, readonly string[]>> = {
  agent: ["vandis", "drume", "lorve", "quiss"],
  target: ["rast", "queld", "mork", "thave"],
  mode: ["dric", "valic", "stovic", "brunic"],
  condition: ["holt", "wend", "gruve", "parn"],
  design: ["kess", "tavo", "dorrin", "fleet"],
  measure: ["lath", "zimm", "bront", "quade"],
};

const MAIN: Readonly<Record<Slot, number>> = {
  agent: 0.5,
  target: 0.45,
  mode: 0.35,
  condition: 0.25,
  design: 0.28,
  measure: 0.22,
};
const JOINT: readonly { readonly a: Slot; readonly b: Slot; readonly weight: number }[] = [
  { a: "agent", b: "target", weight: 0.3 },
  { a: "target", b: "mode", weight: 0.2 },
  { a: "agent", b: "condition", weight: 0.15 },
  { a: "design", b: "measure", weight: 0.15 },
];
const SCALE = Math.sqrt(
  [...Object.values(MAIN), ...JOINT.map((pair) => pair.weight)].reduce((sum, w) => sum + w * w, 0),
);

/** The weight of a slot's main effect: with those of the interactions, their squares sum to 1. */
export function mainWeight(slot: Slot): number {
  return MAIN[slot] / SCALE;
}

/** The world of a seed. */
export function createWorld(seed: string): World {
  const taken = new Set<string>();
  const parts = {
    agent: makeParts(seed, "agent", taken),
    target: makeParts(seed, "target", taken),
    mode: makeParts(seed, "mode", taken),
    condition: makeParts(seed, "condition", taken),
    design: makeParts(seed, "design", taken),
    measure: makeParts(seed, "measure", taken),
  };
  return {
    seed,
    parts,
    byName: new Map(SLOTS.flatMap((slot) => parts[slot].map((part) => [part.name, part]))),
    interactions: JOINT.map(({ a, b, weight }) => ({
      a,
      b,
      weight: weight / SCALE,
      table: interactionTable(rng(seed, `${a}×${b}`, "interaction"), SIZES[a], SIZES[b]),
    })),
    salt: rng(seed, "world", "salt").int(2 ** 32),
  };
}

/** A random hypothesis: one part a slot, drawn in proportion to `weight` (1 unless said otherwise). */
export function randomParts(world: World, chance: Rng, weight: (part: Part) => number = () => 1): Parts {
  const entries = SLOTS.map((slot) => [slot, drawPart(world, slot, chance, weight)] as const);
  return Object.fromEntries(entries);
}

/** One part of a slot, drawn in proportion to `weight`; any part if all weigh nothing. */
export function drawPart(world: World, slot: Slot, chance: Rng, weight: (part: Part) => number): Part {
  const options = world.parts[slot];
  return options[chance.weighted(options.map(weight))] ?? chance.pick(options);
}

/** The parts that are there, in the order of the slots. */
export function partList(parts: Parts): Part[] {
  return SLOTS.flatMap((slot) => parts[slot] ?? []);
}

/** A text that is equal for equal parts. */
export function partsKey(parts: Parts): string {
  return SLOTS.map((slot) => parts[slot]?.name ?? "-").join(" ");
}

function makeParts(seed: string, slot: Slot, taken: Set<string>): Part[] {
  const chance = rng(seed, slot, "parts");
  const drawn = Array.from({ length: SIZES[slot] }, () => chance.normal());
  const values = standardised(drawn);
  return values.map((value, index) => {
    const name = coin(chance, ENDINGS[slot], taken);
    return { slot, name, label: `${name} ${chance.pick(KINDS[slot])}`, value, index };
  });
}

function coin(chance: Rng, endings: readonly string[], taken: Set<string>): string {
  for (;;) {
    const name = chance.pick(STARTS) + chance.pick(VOWELS) + chance.pick(MIDDLES) + chance.pick(VOWELS) +
      chance.pick(endings);
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

/** Shifted and scaled to mean 0 and variance 1. */
function standardised(values: readonly number[]): number[] {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length;
  return values.map((v) => (v - mean) / Math.sqrt(variance));
}

/** Normal draws, centred by rows and columns so that they say nothing of a part by itself, scaled to variance 1. */
function interactionTable(chance: Rng, rows: number, columns: number): number[][] {
  const raw = Array.from({ length: rows }, () => Array.from({ length: columns }, () => chance.normal()));
  const rowMeans = raw.map((row) => row.reduce((sum, v) => sum + v, 0) / columns);
  const columnMeans = Array.from(
    { length: columns },
    (_, j) => raw.reduce((sum, row) => sum + (row[j] ?? 0), 0) / rows,
  );
  const grand = rowMeans.reduce((sum, v) => sum + v, 0) / rows;
  const centred = raw.map((row, i) =>
    row.map((v, j) => v - (rowMeans[i] ?? 0) - (columnMeans[j] ?? 0) + grand)
  );
  const variance = centred.flat().reduce((sum, v) => sum + v * v, 0) / (rows * columns);
  return centred.map((row) => row.map((v) => v / Math.sqrt(variance)));
}
