import type { Part, World } from "./world.ts";

const AGAINST =
  /\b(?:weak\w*|avoid\w*|away from|poor\w*|lacks?|dropp?\w*|unlikely|against|less|little|fail\w*|implausible|disprov\w*|unsupported|fewer|doubtful)\b/i;
const FOR =
  /\b(?:strong\w*|focus\w*|prefer\w*|promising|more|build on|support\w*|robust|favou?r\w*|explor\w*|keep\w*|plausible|best)\b/i;

/**
 * What a text thinks of the parts that it names: +1 for each sentence in favour, −1 for each against. A sentence that
 * takes no side says nothing; one that does both counts as against.
 */
export function opinions(world: World, text: string): Map<Part, number> {
  const found = new Map<Part, number>();
  for (const sentence of text.split(/[.;\n]+/)) {
    const side = AGAINST.test(sentence) ? -1 : FOR.test(sentence) ? 1 : 0;
    if (side === 0) continue;
    const named = new Set<Part>();
    for (const word of sentence.toLowerCase().match(/[a-z]+/g) ?? []) {
      const part = world.byName.get(word);
      if (part !== undefined) named.add(part);
    }
    for (const part of named) found.set(part, (found.get(part) ?? 0) + side);
  }
  return found;
}

/** The opinions of several texts, summed. */
export function opinionsOf(world: World, texts: readonly string[]): Map<Part, number> {
  const sum = new Map<Part, number>();
  for (const text of texts) {
    for (const [part, side] of opinions(world, text)) sum.set(part, (sum.get(part) ?? 0) + side);
  }
  return sum;
}
