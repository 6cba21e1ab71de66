import { setImmediate } from "node:timers/promises";
import { inputError } from "../domain/errors.ts";
import { normalizeText } from "../domain/text.ts";
import { unitVector } from "./cosine.ts";
import type { Embedder } from "./embedder.ts";

/** Texts between two turns of the event loop: a few milliseconds of work. */
const TEXTS_PER_TURN = 100;
const WORD_WEIGHT = 1;
const PAIR_WEIGHT = 0.5;

/** Scripts that are written without spaces between words (Korean has them, but hangs its particles onto the nouns). */
const UNSPACED = String
  .raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`;
const LETTERS = String.raw`[\p{L}\p{M}\p{N}]`;
/** Group 1 is a run of an unspaced script; otherwise the match is a word. */
const WORDS = new RegExp(`([${UNSPACED}&&${LETTERS}]+)|[${LETTERS}--${UNSPACED}]+`, "gv");

/**
 * The embedder that needs no network and no model: feature hashing (Weinberger et al. 2009) of words and of pairs of
 * neighbouring words, each added with a sign to one of `dimensions` buckets. It measures shared wording, not meaning:
 * good enough to find near-duplicates, and the same on every machine.
 *
 * A feature that occurs n times counts 1 + ln n, so that frequent little words don't drown the rest. Runs of a script
 * without spaces are cut into overlapping pairs of characters, which stand for words.
 * A text without a word has a vector, too: that of the empty word.
 */
export function hashEmbedder(options: { readonly dimensions?: number } = {}): Embedder {
  const dimensions = options.dimensions ?? 1024;
  if (!Number.isInteger(dimensions) || dimensions < 16) {
    throw inputError("dimensions", dimensions, "Give a whole number of at least 16; 1024 is the default.");
  }
  return {
    name: `hash-1/${dimensions}`,
    dimensions,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (const [i, text] of texts.entries()) {
        signal.throwIfAborted();
        if (i % TEXTS_PER_TURN === TEXTS_PER_TURN - 1) await setImmediate();
        vectors.push(hashVector(text, dimensions));
      }
      return { vectors, tokens: 0 };
    },
  };
}

function hashVector(text: string, dimensions: number): Float32Array {
  const words = wordHashes(normalizeText(text));
  const sums = new Float64Array(dimensions);
  addFeatures(sums, words, WORD_WEIGHT);
  addFeatures(
    sums,
    words.slice(1).map((word, i) => scramble(Math.imul(words[i] ?? 0, 31) + word)),
    PAIR_WEIGHT,
  );
  // Nothing but features that cancel each other: as good as no text.
  return unitVector(sums) ?? hashVector("", dimensions);
}

function addFeatures(sums: Float64Array, hashes: readonly number[], weight: number): void {
  const counts = new Map<number, number>();
  for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  for (const [hash, count] of counts) {
    const bucket = (hash >>> 1) % sums.length;
    const value = weight * (1 + Math.log(count));
    sums[bucket] = (sums[bucket] ?? 0) + ((hash & 1) === 1 ? value : -value);
  }
}

/** The words of a normalised text in order, as hashes; never empty. */
function wordHashes(text: string): number[] {
  const hashes: number[] = [];
  for (const match of text.matchAll(WORDS)) {
    const run = match[1];
    const characters = run === undefined ? [] : [...run];
    if (characters.length < 2) hashes.push(hash32(match[0]));
    else {for (let i = 1; i < characters.length; i++) {
        hashes.push(hash32(`${characters[i - 1]}${characters[i]}`));
      }}
  }
  return hashes.length === 0 ? [hash32("")] : hashes;
}

/** FNV-1a over UTF-16 units, scrambled: a cryptographic hash would take most of the embedder's time. */
function hash32(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return scramble(hash);
}

/** The finaliser of MurmurHash3: every bit of the result depends on every bit of the input. */
function scramble(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
