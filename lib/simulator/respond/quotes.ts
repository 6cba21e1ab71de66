import type { HypothesisDraft } from "../../domain/drafts.ts";
import { clip } from "../../domain/text.ts";
import { partList, type Parts, type World } from "../world.ts";
import type { Prompt, Source } from "./prompt.ts";

/** Sources of the conversation, those that name the parts first. */
export function relevantSources(world: World, prompt: Prompt, parts: Parts): Source[] {
  const names = partList(parts).map((part) => part.name);
  return prompt.sources
    .map((source) => ({ source, score: score(source, names, world) }))
    .sort((a, b) => b.score - a.score)
    .map(({ source }) => source);
}

function score(source: Source, names: readonly string[], world: World): number {
  const words = new Set(`${source.title} ${source.text}`.toLowerCase().match(/[a-z]+/g) ?? []);
  const own = names.filter((name) => words.has(name)).length;
  const any = [...words].some((word) => world.byName.has(word)) ? 0.5 : 0;
  return own + any;
}

/**
 * Words copied from a source: its first sentence that names one of the parts, else its first sentence; empty where it has
 * none. Titles, headings and markup are no sentences.
 */
export function quote(source: Source, parts: Parts): string {
  const names = partList(parts).map((part) => part.name);
  const sentences = (source.text.match(/[^.!?\n]+[.!?]/g) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) =>
      sentence.length > 20 && !/^[{[<"#]/.test(sentence) && !sentence.includes("(simulated)")
    );
  const found = sentences.find((sentence) => names.some((name) => sentence.toLowerCase().includes(name)));
  const text = found ?? sentences[0] ?? "";
  return text.length <= 240 ? text : clip(text, 240).slice(0, -1);
}

/** A source as a citation. */
export function citationOf(source: Source, parts: Parts): HypothesisDraft["citations"][number] {
  const excerpt = quote(source, parts);
  const year = /\b(19|20)\d\d\b/.exec(source.text)?.[0];
  return {
    url: source.url,
    title: source.title,
    ...(excerpt === "" ? {} : { excerpt }),
    ...(year === undefined ? {} : { year: Number(year) }),
  };
}
