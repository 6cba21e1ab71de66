import { z } from "zod";
import { RESEARCH_TOOLS, type ResearchTool, type SeenSource } from "../domain/agent.ts";
import { oneLine } from "../domain/text.ts";
import { canonicalUrl } from "./grounding.ts";
import { type Tool, toolDefinition } from "./tool.ts";
import type { ToolDefinition } from "./wire.ts";

/** What a search finds, or a page that was fetched. `text` is the abstract, the snippet or the page. */
export interface FoundSource extends SeenSource {
  /** The year of publication, if known. */
  readonly year?: number | undefined;
  /** The DOI, if known. */
  readonly doi?: string | undefined;
}

/** Where research tools get their results: the network, or the simulator's literature. */
export interface ResearchSource {
  /** At most `limit` results of one of the searches, best first. */
  search(
    tool: Exclude<ResearchTool, "web_fetch">,
    query: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly FoundSource[]>;
  /** One page or paper as text; its `url` is where it was found in the end. */
  fetch(url: string, signal: AbortSignal): Promise<FoundSource>;
}

const search = z.object({
  query: z.string().trim().min(1).max(500).describe("What to look for, in a few words"),
  limit: z.number().int().min(1).max(20).optional().describe("How many results at most"),
});
const fetch = z.object({
  url: z.string().trim().min(1).max(2000).describe("An address that a search returned"),
});

const DESCRIPTIONS: Readonly<Record<ResearchTool, string>> = {
  web_search: "Search the web. Returns titles, addresses and extracts of pages.",
  pubmed_search: "Search PubMed for biomedical papers. Returns titles, addresses, years and abstracts.",
  arxiv_search:
    "Search arXiv for preprints in physics, mathematics, computing and neighbouring fields. Returns titles, " +
    "addresses, years and abstracts.",
  europe_pmc_search:
    "Search Europe PMC for papers and preprints in the life sciences. Returns titles, addresses, years and abstracts.",
  web_fetch: "Read one page or paper that a search returned, by its address. Returns its text.",
};

/** A research tool as the model reads of it. */
export function researchToolDefinition(name: ResearchTool): ToolDefinition {
  return toolDefinition(name, DESCRIPTIONS[name], inputOf(name));
}

/** The five research tools over a source; searches return at most `maxResults` (setting `toolLoop.searchResults`). */
export function researchTools(source: ResearchSource, maxResults: number): Tool[] {
  return RESEARCH_TOOLS.map((name): Tool => ({
    name,
    description: DESCRIPTIONS[name],
    input: inputOf(name),
    run: async (args, signal) => {
      if (name === "web_fetch") {
        const { url } = fetch.parse(args);
        const page = await source.fetch(url, signal);
        // The address asked for counts as seen too: a redirect must not cost an honest citation.
        const moved = canonicalUrl(url) === canonicalUrl(page.url) ? [] : [{ ...seen(page), url }];
        return { text: "", sources: [seen(page), ...moved] };
      }
      const { query, limit } = search.parse(args);
      const found = await source.search(name, query, Math.min(limit ?? maxResults, maxResults), signal);
      return {
        text: found.length === 0 ? `Nothing was found for "${oneLine(query)}".` : "",
        sources: found.map(seen),
      };
    },
  }));
}

function inputOf(name: ResearchTool): z.ZodType {
  return name === "web_fetch" ? fetch : search;
}

/** A source as the model sees it: year and DOI before the text, where they are known. */
function seen({ url, title, text, year, doi }: FoundSource): SeenSource {
  const facts = [
    ...(year === undefined ? [] : [`Year: ${year}`]),
    ...(doi === undefined ? [] : [`DOI: ${oneLine(doi)}`]),
  ].join(". ");
  return { url, title, text: facts === "" ? text : `${facts}\n${text}` };
}
