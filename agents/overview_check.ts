import { clip, oneLine } from "../lib/domain/text.ts";
import type { NumberedSource } from "./overview_input.ts";

/** What an overview may refer to. */
export interface Referable {
  /** Labels of hypotheses. */
  readonly labels: readonly string[];
  /** Numbered sources. */
  readonly sources: readonly NumberedSource[];
}

/** A text without invented references, and what was done to it. */
export interface Checked {
  /** The text. */
  readonly markdown: string;
  /** One remark a kind of change. */
  readonly notes: readonly string[];
}

/** The four parts that an overview has. */
export const OVERVIEW_PARTS = [
  "Executive summary",
  "Main research directions",
  "Convergence and divergence",
  "Caveats and limitations",
] as const;

/** What stands where a label of no hypothesis stood. */
const NO_HYPOTHESIS = "[no such hypothesis]";

const LINK = /(!?)\[([^\]\n]*)\]\(\s*<?([^\s)>]+)>?[^)\n]*\)/g;
const ADDRESS = /<?\b(?:https?|sim|doi):[^\s<>()[\]]+(?:\([^\s<>()[\]]*\)[^\s<>()[\]]*)*>?/gi;
const REFERENCES = /\s?\[(\^?S?\d{1,3}(?:\s*[,;–-]\s*\^?S?\d{1,3})*)\]/g;
const LABELS = /\[(H\d+(?:\s*[,;]\s*H\d+)*)\]/g;
const SOURCE_HEADING = /^(#{1,6})\s*(?:\d+\.\s*)?(?:references|sources|bibliography)\s*:?\s*#*$/i;

/**
 * Checks a model's overview against what exists: references `[n]` to no source and addresses that belong to none are
 * taken out, labels `[H9]` of no hypothesis are marked, and a list of references that the model wrote itself is dropped
 * in favour of {@linkcode referencesSection}. What was changed, and which of the four parts is missing, stands in the
 * notes. A bracket with a 0 in it is an interval, and one number above 999 is no reference: both are left alone.
 */
export function checkOverview(answer: string, referable: Referable): Checked {
  const notes: string[] = [];
  const note = (found: ReadonlySet<string>, text: (list: string) => string) => {
    if (found.size > 0) notes.push(text([...found].join(", ")));
  };
  const addresses = new Set<string>(), numbers = new Set<string>(), labels = new Set<string>();
  const known = new Set(referable.sources.map((source) => source.url));
  const isKnown = (url: string) => known.has(url) || known.has(url.replace(/[.,;:]+$/, ""));

  const markdown = withoutSourceList(unwrapped(answer))
    .replace(LINK, (link: string, image: string, text: string, url: string) => {
      if (image === "" && isKnown(url)) return link;
      addresses.add(clip(url, 120));
      return text;
    })
    .replace(ADDRESS, (address) => {
      if (isKnown(address.replace(/^<|>$/g, ""))) return address;
      addresses.add(clip(address, 120));
      return "(address removed)";
    })
    .replace(REFERENCES, (reference: string, list: string) => {
      const wanted = numbersIn(list);
      if (wanted.includes(0)) return reference;
      const kept = wanted.filter((n) => n <= referable.sources.length);
      for (const n of wanted) if (!kept.includes(n)) numbers.add(`[${n}]`);
      const space = reference.startsWith("[") ? "" : reference.charAt(0);
      return kept.length === 0 ? "" : `${space}[${kept.join(", ")}]`;
    })
    .replace(LABELS, (_: string, list: string) =>
      list.split(/\s*[,;]\s*/).map((label) => {
        if (referable.labels.includes(label)) return `[${label}]`;
        labels.add(`[${label}]`);
        return NO_HYPOTHESIS;
      }).join(", "));

  note(numbers, (list) => `References that no source stands for were removed: ${list}.`);
  note(addresses, (list) => `Addresses that belong to no source were removed: ${list}.`);
  note(labels, (list) => `Labels that no hypothesis has were marked: ${list}.`);
  note(
    new Set(OVERVIEW_PARTS.filter((part) => !hasPart(markdown, part))),
    (list) => `The model left out or renamed these parts: ${list}.`,
  );
  return { markdown: markdown.trim(), notes };
}

/** The list of the sources that a checked text refers to, as the overview's last part. */
export function referencesSection(markdown: string, sources: readonly NumberedSource[]): string {
  const used = new Set([...markdown.matchAll(REFERENCES)].flatMap((match) => numbersIn(match[1] ?? "")));
  const lines = sources.filter((source) => used.has(source.n)).map(referenceLine);
  return `## References\n\n${lines.length === 0 ? "The text refers to no source." : lines.join("\n")}`;
}

function referenceLine(source: NumberedSource): string {
  const title = clip(oneLine(source.title || source.claim), 300).replaceAll(/[[\]<>*_`\\]/g, "\\$&");
  return `- [${source.n}] ${title}. <${source.url.replaceAll(/[<>\s]/g, encodeURIComponent)}>`;
}

/** The numbers of a bracket such as `3`, `1, 4` or `2–5`. */
function numbersIn(list: string): number[] {
  const numbers = new Set<number>();
  for (const part of list.replaceAll(/[\^S\s]/g, "").split(/[,;]/)) {
    const [from = Number.NaN, to = from] = part.split(/[–-]/).map(Number);
    // A range that runs backwards stands for its two ends.
    if (to < from) numbers.add(from).add(to);
    else for (let n = from; n <= to; n++) numbers.add(n);
  }
  return [...numbers];
}

/** The text without a code fence around the whole of it. */
function unwrapped(answer: string): string {
  return /^\s*```(?:markdown|md)?\n([\s\S]*)\n```\s*$/.exec(answer)?.[1] ?? answer;
}

/** The text without a section that lists sources, up to the next heading of its level. */
function withoutSourceList(markdown: string): string {
  let skipping = 0;
  return markdown.split("\n").filter((line) => {
    const level = /^(#{1,6})\s/.exec(line)?.[1]?.length ?? 0;
    const listed = SOURCE_HEADING.exec(line)?.[1]?.length ?? 0;
    if (listed > 0) skipping = listed;
    else if (level > 0 && level <= skipping) skipping = 0;
    return skipping === 0;
  }).join("\n");
}

function hasPart(markdown: string, part: string): boolean {
  return new RegExp(`^#{1,6}[^\\n]*${part}`, "im").test(markdown);
}
