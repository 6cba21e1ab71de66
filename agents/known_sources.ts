import type { SeenSource } from "../lib/domain/agent.ts";
import type { EvidenceRecord } from "../lib/domain/records.ts";
import { clip, fence, oneLine } from "../lib/domain/text.ts";
import type { Standing, View } from "../lib/store/view.ts";
import { idsOf } from "../lib/tournament/absorbed.ts";

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
  /** What a test of it came to; `null` for what was read. */
  readonly result: EvidenceRecord["outcome"];
  /** Who reports the result; `null` for what was read. */
  readonly by: string | null;
}

/** Characters of an excerpt that prompts show. */
const EXCERPT_CHARS = 1500;

/** Results come first; then experiments, computations and judgements before what was read. */
const KIND_ORDER: Readonly<Record<EvidenceRecord["kind"], number>> = {
  experiment: 0,
  computation: 1,
  expert: 2,
  literature: 3,
};

/**
 * What the records hold about a hypothesis, and about those that were merged into it: its evidence, results first, newest
 * first within a kind, then the citations that no evidence repeats.
 */
export function knownSources(view: View, of: Standing): KnownSource[] {
  const titles = new Map(of.record.citations.map(({ url, title }) => [url, title]));
  const ids = idsOf(view, of.record.id);
  const made = (item: EvidenceRecord) => (item.outcome === null ? 1 : 0);
  const evidence = view.evidence
    .filter((item) => ids.has(item.hypothesisId))
    .sort((a, b) => made(a) - made(b) || KIND_ORDER[a.kind] - KIND_ORDER[b.kind] || b.seq - a.seq)
    .map((item) => ({
      url: item.source,
      title: titles.get(item.source) ?? "",
      claim: item.claim,
      text: item.excerpt,
      kind: item.kind,
      stance: item.stance,
      result: item.outcome,
      by: item.outcome === null ? null : item.origin,
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
      result: null,
      by: null,
    }));
  return [...evidence, ...citations];
}

/** Sources as a prompt shows them, fenced and numbered from 1. */
export function sourceBlocks(sources: readonly KnownSource[], most: number): string {
  return sources.slice(0, most)
    .map((source, i) =>
      fence("SOURCE", sourceText(source), {
        n: i + 1,
        ...(source.url === "" ? {} : { url: source.url }),
        ...natureOf(source),
      })
    )
    .join("\n\n");
}

/** What kind of source it is, as its fence says it: of a result plainly what came out, and who reports it. */
export function natureOf({ kind, stance, result, by }: KnownSource): Readonly<Record<string, string>> {
  return { kind, ...(result === null ? { stance } : { result }), ...(by === null ? {} : { by }) };
}

/** The results among known sources, fenced, with the label of the hypothesis that was tested. */
export function resultBlocks(of: Standing, sources: readonly KnownSource[]): string {
  return sources.filter(({ result }) => result !== null)
    .map((source) => fence("SOURCE", sourceText(source), { of: of.record.label, ...natureOf(source) }))
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
