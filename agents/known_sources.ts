import type { SeenSource } from "../lib/domain/agent.ts";
import type { EvidenceRecord } from "../lib/domain/records.ts";
import { clip, fence, oneLine } from "../lib/domain/text.ts";
import type { Standing, View } from "../lib/store/view.ts";

/** A finding about a hypothesis that the records already hold. */
export interface KnownSource {
  /** Where it can be seen again: an address for literature. */
  readonly url: string;
  /** Title of the source; empty where it isn't known. */
  readonly title: string;
  /** What it was said to show; empty for a mere citation. */
  readonly claim: string;
  /** In its own words. */
  readonly text: string;
  /** Where it comes from. */
  readonly kind: EvidenceRecord["kind"];
  /** For or against; `cited` where only the hypothesis itself leans on it. */
  readonly stance: EvidenceRecord["stance"] | "cited";
}

/** Characters of an excerpt that prompts show. */
const EXCERPT_CHARS = 1500;

/** Results and judgements outrank what was read. */
const KIND_ORDER: Readonly<Record<EvidenceRecord["kind"], number>> = {
  experiment: 0,
  computation: 1,
  expert: 2,
  literature: 3,
};

/**
 * What the records hold about a hypothesis: its evidence, experiments first, newest first within a kind, then the
 * citations that no evidence repeats.
 */
export function knownSources(view: View, of: Standing): KnownSource[] {
  const titles = new Map(of.record.citations.map(({ url, title }) => [url, title]));
  const evidence = view.evidence
    .filter((item) => item.hypothesisId === of.record.id)
    .sort((a, b) => KIND_ORDER[a.kind] - KIND_ORDER[b.kind] || b.seq - a.seq)
    .map((item) => ({
      url: item.source,
      title: titles.get(item.source) ?? "",
      claim: item.claim,
      text: item.excerpt,
      kind: item.kind,
      stance: item.stance,
    }));
  const told = new Set(evidence.map((item) => item.url));
  const citations = of.record.citations
    .filter((citation) => !told.has(citation.url))
    .map((citation): KnownSource => ({
      url: citation.url,
      title: citation.title,
      claim: "",
      text: citation.excerpt ?? "",
      kind: "literature",
      stance: "cited",
    }));
  return [...evidence, ...citations];
}

/** Sources as a prompt shows them, fenced and numbered from 1. */
export function sourceBlocks(sources: readonly KnownSource[], most: number): string {
  return sources.slice(0, most)
    .map((source, i) =>
      fence("SOURCE", sourceText(source), {
        n: i + 1,
        url: source.url,
        kind: source.kind,
        stance: source.stance,
      })
    )
    .join("\n\n");
}

/** A source as text: its title, what it was said to show, and its own words, one line each where there is one. */
export function sourceText(source: Pick<KnownSource, "title" | "claim" | "text">): string {
  return [source.title, source.claim, clip(oneLine(source.text), EXCERPT_CHARS)]
    .map(oneLine)
    .filter((line) => line !== "")
    .join("\n");
}

/** The literature among known sources, as something that a tool has returned before: a review may lean on it again. */
export function seenBefore(sources: readonly KnownSource[]): SeenSource[] {
  return sources
    .filter((source) => source.kind === "literature")
    .map(({ url, title, text }) => ({ url, title, text }));
}
