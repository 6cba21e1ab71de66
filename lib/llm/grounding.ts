import type { SeenSource } from "../domain/agent.ts";
import type { Citation, ReviewEvidence } from "../domain/records.ts";
import { normalizeText } from "../domain/text.ts";

const DOI = /^10\.\d{4,9}\/\S+$/;
const ARXIV_ID = /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d+)?$/i;

/**
 * One form for all addresses of the same thing: `https` for `http`, host in lower case, no fragment, no slash at the
 * end, no parameters that only track. A DOI in any form is `https://doi.org/…` in lower case, an arXiv paper in any form
 * and version `https://arxiv.org/abs/…`, a PubMed record `https://pubmed.ncbi.nlm.nih.gov/…`; `sim:` ids stay, their
 * scheme in lower case. What is no address comes back trimmed.
 */
export function canonicalUrl(url: string): string {
  const text = url.trim().replace(/^<(.*)>$/, "$1");
  const sim = /^sim:\/{0,2}(.+)$/i.exec(text);
  if (sim !== null) return `sim:${(sim[1] ?? "").replace(/[#?].*$/, "").replace(/\/+$/, "")}`;
  const bare = /^(?:doi:\s*)?(10\.\d{4,9}\/\S+)$/i.exec(text);
  if (bare !== null) return doiUrl(bare[1] ?? "");
  const preprint = /^arxiv:\s*(\S+)$/i.exec(text);
  if (preprint !== null && ARXIV_ID.test(preprint[1] ?? "")) return arxivUrl(preprint[1] ?? "");
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text;

  const parsed = new URL(text);
  const host = parsed.hostname.replace(/^www\./, "");
  const path = decoded(parsed.pathname);
  if (host === "doi.org" || host === "dx.doi.org") {
    const doi = path.slice(1);
    if (DOI.test(doi)) return doiUrl(doi);
  }
  if (host === "arxiv.org" || host.endsWith(".arxiv.org")) {
    const id = /^\/(?:abs|pdf|html|format)\/(.+?)(?:\.pdf)?\/?$/.exec(path)?.[1] ?? "";
    if (ARXIV_ID.test(id)) return arxivUrl(id);
  }
  const pmid = host === "pubmed.ncbi.nlm.nih.gov"
    ? /^\/(\d+)\/?$/.exec(path)?.[1]
    : host === "ncbi.nlm.nih.gov"
    ? /^\/pubmed\/(\d+)\/?$/.exec(path)?.[1]
    : undefined;
  if (pmid !== undefined) return `https://pubmed.ncbi.nlm.nih.gov/${pmid}`;

  for (const name of [...parsed.searchParams.keys()]) {
    if (/^(?:utm_\w+|fbclid|gclid)$/i.test(name)) parsed.searchParams.delete(name);
  }
  const port = parsed.port === "" || parsed.port === "80" || parsed.port === "443" ? "" : `:${parsed.port}`;
  return `https://${parsed.hostname}${port}${parsed.pathname.replace(/\/+$/, "")}${parsed.search}`;
}

function doiUrl(doi: string): string {
  const clean = decoded(doi).toLowerCase().replace(/[.,;)\]/]+$/, "");
  const preprint = /^10\.48550\/arxiv\.(.+)$/.exec(clean)?.[1];
  return preprint === undefined ? `https://doi.org/${clean}` : arxivUrl(preprint);
}

function arxivUrl(id: string): string {
  return `https://arxiv.org/abs/${id.toLowerCase().replace(/v\d+$/, "")}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Citations or evidence, checked against what the tools really returned. */
export interface Grounded<T> {
  /**
   * Those whose source was seen, each source or claim once, addresses canonical. A quotation that does not stand in what
   * the source said is taken out.
   */
  readonly kept: readonly T[];
  /** Those whose source no tool returned. */
  readonly dropped: readonly T[];
}

/**
 * The citations that stand for a source that a tool returned (by address or DOI). Of two for one source the first
 * stays.
 */
export function groundCitations(
  citations: readonly Citation[],
  seen: readonly SeenSource[],
): Grounded<Citation> {
  const sources = byAddress(seen);
  const kept = new Map<string, Citation>(), dropped: Citation[] = [];
  for (const citation of citations) {
    const addresses = [citation.url, ...(citation.doi === undefined ? [] : [citation.doi])].map(canonicalUrl);
    const url = addresses.find((address) => sources.has(address));
    if (url === undefined) {
      dropped.push(citation);
      continue;
    }
    if (kept.has(url)) continue;
    const { excerpt, ...rest } = citation;
    const quoted = excerpt !== undefined && stands(excerpt, sources.get(url) ?? "");
    kept.set(url, { ...rest, url, ...(quoted ? { excerpt } : {}) });
  }
  return { kept: [...kept.values()], dropped };
}

/** The evidence whose source a tool returned, by address. */
export function groundEvidence(
  evidence: readonly ReviewEvidence[],
  seen: readonly SeenSource[],
): Grounded<ReviewEvidence> {
  const sources = byAddress(seen);
  const kept = new Map<string, ReviewEvidence>(), dropped: ReviewEvidence[] = [];
  for (const item of evidence) {
    const url = canonicalUrl(item.url);
    const text = sources.get(url);
    if (text === undefined) dropped.push(item);
    else {
      const key = `${url} ${normalizeText(item.claim)}`;
      if (!kept.has(key)) {
        kept.set(key, { ...item, url, excerpt: stands(item.excerpt, text) ? item.excerpt : "" });
      }
    }
  }
  return { kept: [...kept.values()], dropped };
}

/** All that was said at each address. */
function byAddress(seen: readonly SeenSource[]): Map<string, string> {
  const sources = new Map<string, string>();
  for (const { url, title, text } of seen) {
    const address = canonicalUrl(url);
    sources.set(address, `${sources.get(address) ?? ""}\n${title}\n${text}`);
  }
  return sources;
}

/** Whether a quotation stands in a text; an ellipsis joins parts that must all stand there. */
function stands(excerpt: string, text: string): boolean {
  const parts = excerpt.split(/\[?(?:…|\.{3})\]?/).map(plain).filter((part) => part !== "");
  const within = plain(text);
  return parts.length > 0 && parts.every((part) => within.includes(part));
}

/** Without what typesetting changes: quotation marks, dashes, case, white space, the end's punctuation. */
function plain(text: string): string {
  return normalizeText(text)
    .replaceAll(/["'‘’‚“”„«»`]/g, "")
    .replaceAll(/[‐‑‒–—−]/g, "-")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[\s.,;:]+|[\s.,;:]+$/g, "");
}
