import { mainWeight, type Part, type Parts, type Slot, SLOTS, type World } from "./world.ts";

/**
 * The parts that a text speaks of: in each slot the one named most often, the first of these if several are. Case does
 * not matter.
 */
export function partsOf(world: World, text: string): Parts {
  const counts = new Map<Part, number>();
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const part = world.byName.get(word);
    if (part !== undefined) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  const best = new Map<Slot, Part>();
  for (const [part, count] of counts) {
    const rival = best.get(part.slot);
    if (rival === undefined || count > (counts.get(rival) ?? 0)) best.set(part.slot, part);
  }
  return Object.fromEntries(best);
}

/**
 * How good a hypothesis with these parts really is: the weighted values of the parts and of the pairs that interact.
 * Mean 0 and variance 1 over hypotheses with one random part a slot.
 */
export function truthOfParts(world: World, parts: Parts): number {
  let sum = 0;
  for (const slot of SLOTS) sum += mainWeight(slot) * (parts[slot]?.value ?? 0);
  for (const { a, b, weight, table } of world.interactions) {
    const row = parts[a], column = parts[b];
    if (row !== undefined && column !== undefined) sum += weight * (table[row.index]?.[column.index] ?? 0);
  }
  return sum;
}

/**
 * How good the hypothesis of a text really is. A text that names no part of the world (a person's own hypothesis) gets a
 * number of the same distribution from its words, so that a small edit moves it a little.
 */
export function truthOfText(world: World, text: string): number {
  const parts = partsOf(world, text);
  return SLOTS.some((slot) => parts[slot] !== undefined)
    ? truthOfParts(world, parts)
    : truthOfWords(world, text);
}

/** What one part of a hypothesis adds to it: its own weighted value and half of each interaction it takes part in. */
export function contribution(world: World, parts: Parts, slot: Slot): number {
  const own = mainWeight(slot) * (parts[slot]?.value ?? 0);
  const joint = world.interactions.map(({ a, b, weight, table }) => {
    const row = parts[a], column = parts[b];
    if ((a !== slot && b !== slot) || row === undefined || column === undefined) return 0;
    return weight * (table[row.index]?.[column.index] ?? 0) / 2;
  });
  return own + joint.reduce((sum, v) => sum + v, 0);
}

function truthOfWords(world: World, text: string): number {
  const words = new Set(text.toLowerCase().match(/\p{L}{5,}/gu) ?? []);
  if (words.size === 0) return 0;
  let sum = 0;
  for (const word of words) sum += wordValue(world.salt, word);
  return sum / Math.sqrt(words.size);
}

/** About N(0, 1) from a word: four bytes of an FNV-1a hash, summed. */
function wordValue(salt: number, word: string): number {
  let h = (0x811c9dc5 ^ salt) >>> 0;
  for (let i = 0; i < word.length; i++) h = Math.imul(h ^ word.charCodeAt(i), 0x01000193) >>> 0;
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b) >>> 0;
  const bytes = (h & 255) + ((h >>> 8) & 255) + ((h >>> 16) & 255) + (h >>> 24);
  return (bytes - 510) / 147.8;
}
