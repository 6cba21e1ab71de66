import assert from "node:assert/strict";
import { RESEARCH_TOOLS } from "../../lib/domain/agent.ts";
import { type ResearchSource, researchToolDefinition, researchTools } from "../../lib/llm/research_tools.ts";

const { signal } = new AbortController();
const asked: unknown[] = [];
const source: ResearchSource = {
  search: (tool, query, limit) => {
    asked.push([tool, query, limit]);
    return Promise.resolve(
      query === "nothing"
        ? []
        : [{ url: "sim:pub/1", title: "T", text: "An abstract.", year: 2020, doi: "10.1234/x" }],
    );
  },
  fetch: () => Promise.resolve({ url: "https://end.org/b", title: "B", text: "A page." }),
};
const tools = researchTools(source, 8);
const run = (name: string, args: unknown) =>
  tools.find((tool) => tool.name === name)?.run(args, signal) ?? assert.fail(name);

Deno.test("the five research tools are described with their arguments", () => {
  assert.deepEqual(tools.map(({ name }) => name), [...RESEARCH_TOOLS]);
  const { name, description, input_schema } = researchToolDefinition("pubmed_search");
  assert.equal(name, "pubmed_search");
  assert.match(description, /PubMed/);
  assert.deepEqual(input_schema.required, ["query"]);
  assert.deepEqual(researchToolDefinition("web_fetch").input_schema.required, ["url"]);
});

Deno.test("searches ask for no more than the setting allows, and give each source with what is known of it", async () => {
  const answer = await run("arxiv_search", { query: " x ", limit: 20 });
  await run("arxiv_search", { query: "x", limit: 3 });
  assert.deepEqual(asked, [["arxiv_search", "x", 8], ["arxiv_search", "x", 3]]);
  assert.deepEqual(answer.sources, [
    { url: "sim:pub/1", title: "T", text: "Year: 2020. DOI: 10.1234/x\nAn abstract." },
  ]);
  assert.match((await run("web_search", { query: "nothing" })).text, /Nothing was found for "nothing"/);
});

Deno.test("a page counts as seen where it was asked for and where it was found", async () => {
  const { sources } = await run("web_fetch", { url: "https://start.org/a" });
  assert.deepEqual(sources.map(({ url }) => url), ["https://end.org/b", "https://start.org/a"]);
  assert.equal((await run("web_fetch", { url: "http://end.org/b/" })).sources.length, 1);
});
