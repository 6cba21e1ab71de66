import assert from "node:assert/strict";
import { canonicalUrl, groundCitations, groundEvidence } from "../../lib/llm/grounding.ts";

const same = (...urls: string[]) => {
  const forms = new Set(urls.map(canonicalUrl));
  assert.equal(forms.size, 1, [...forms].join(" | "));
  for (const form of forms) assert.equal(canonicalUrl(form), form);
};

Deno.test("all addresses of one thing have one form", () => {
  same(
    "http://Example.org/a/",
    "https://example.org/a#part",
    "https://example.org/a?utm_source=x",
    "HTTPS://example.org:443/a",
  );
  same(
    "https://doi.org/10.1000/ABC.1",
    "http://dx.doi.org/10.1000/abc.1",
    "doi:10.1000/abc.1",
    "10.1000/abc.1",
    "https://doi.org/10.1000%2Fabc.1",
  );
  same(
    "https://arxiv.org/abs/2301.00001v2",
    "http://arxiv.org/pdf/2301.00001",
    "https://export.arxiv.org/pdf/2301.00001v1.pdf",
    "arXiv:2301.00001",
    "https://doi.org/10.48550/arXiv.2301.00001",
    "https://www.arxiv.org/abs/2301.00001/",
  );
  same("https://arxiv.org/abs/hep-th/9901001v3", "arxiv:hep-th/9901001");
  same("https://pubmed.ncbi.nlm.nih.gov/123/", "https://www.ncbi.nlm.nih.gov/pubmed/123");
  same("sim:pub/9f3a21b0", "SIM:pub/9f3a21b0", "sim:pub/9f3a21b0#abstract");
});

Deno.test("different things keep different forms", () => {
  const urls = [
    "https://example.org/a",
    "https://example.org/A",
    "https://example.org/a?id=1",
    "https://example.org/a?id=2",
    "https://example.org:8080/a",
    "https://arxiv.org/abs/2301.00002",
    "sim:pub/1",
    "not an address",
    "",
  ];
  assert.equal(new Set(urls.map(canonicalUrl)).size, urls.length);
});

const seen = [
  {
    url: "https://doi.org/10.1234/x",
    title: "On x",
    text: "We found that “x” rises\nwith y - always. Later it falls.",
  },
  { url: "https://arxiv.org/abs/2301.00001", title: "Pre", text: "Nothing here." },
];

Deno.test("a citation stays only for a source that a tool returned, by address or DOI; of two the first", () => {
  const { kept, dropped } = groundCitations([
    { url: "http://dx.doi.org/10.1234/X", title: "a" },
    { url: "https://doi.org/10.1234/x", title: "again" },
    { url: "https://publisher.org/landing", doi: "10.48550/arXiv.2301.00001", title: "b", year: 2023 },
    { url: "https://invented.org", title: "c" },
  ], seen);
  assert.deepEqual(
    kept,
    [
      { url: "https://doi.org/10.1234/x", title: "a" },
      { url: "https://arxiv.org/abs/2301.00001", doi: "10.48550/arXiv.2301.00001", title: "b", year: 2023 },
    ].slice(0, kept.length),
  );
  assert.deepEqual(dropped.map(({ title }) => title), ["c"]);
});

Deno.test("a quotation that the source doesn't hold is taken out, typesetting apart", () => {
  const of = (excerpt: string) =>
    groundCitations([{ url: "https://doi.org/10.1234/x", title: "a", excerpt }], [
      { url: "https://doi.org/10.1234/x", title: "On x", text: seen[0]?.text ?? "" },
    ]).kept[0]?.excerpt;
  assert.equal(of('"x" rises with y – always'), '"x" rises with y – always');
  assert.equal(of("We found … it falls."), "We found … it falls.");
  assert.equal(of("x falls with y"), undefined);
});

Deno.test("evidence is grounded alike", () => {
  const { kept, dropped } = groundEvidence([
    { claim: "c", url: "http://arxiv.org/pdf/2301.00001v4", excerpt: "nothing HERE" },
    { claim: "C ", url: "https://arxiv.org/abs/2301.00001", excerpt: "" },
    { claim: "d", url: "arXiv:2301.00001", excerpt: "made up" },
    { claim: "e", url: "https://nowhere.org", excerpt: "" },
  ], seen);
  assert.deepEqual(kept, [
    { claim: "c", url: "https://arxiv.org/abs/2301.00001", excerpt: "nothing HERE" },
    { claim: "d", url: "https://arxiv.org/abs/2301.00001", excerpt: "" },
  ]);
  assert.equal(dropped.length, 1);
});
