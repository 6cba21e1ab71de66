import assert from "node:assert/strict";
import { inline, reportMarkdown } from "../../../lib/supervisor/export/markdown.ts";
import { reportData } from "../../../lib/supervisor/export/report_data.ts";
import { HOSTILE } from "../../notebook/hostile_corpus.ts";
import { withTexts } from "../../notebook/report/foreign_texts.ts";
import { exportFolder, PLAIN, steered } from "./sessions.ts";

Deno.test("the text begins with the overview, and tells of leaderboard, leaders, people and provenance", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await steered(lab);
  await lab.export(folder.path("a.md"));
  const text = await folder.read("a.md");
  assert.match(text, /^\*\*SIMULATED\.\*\*[^]*# Research overview/);
  assert.match(
    text,
    /\n## Leaderboard \(SIMULATED\)\n\nOf the 2 leaders[^\n]*\n\n\| rank \| hypothesis \| rating \(90 % interval\) \| in top 2 \| Elo \|/,
  );
  assert.match(text, /\nRating: Bradley-Terry on Elo's scale, with its 90 % interval\. In top 2: /);
  const leader = lab.inspect().leaderboard[0];
  assert.ok(text.includes(`\n### ${leader?.label} ${leader?.title}\n`));
  for (const said of [PLAIN.notes, PLAIN.rationale, PLAIN.claim, PLAIN.directive, PLAIN.source]) {
    assert.ok(text.includes(said), said);
  }
  assert.match(
    text,
    /\n- session ships, store store\.db\n- goal: Which coatings[^\n]*\n- as of commit \d+, revision \d+, \d{4}-/,
  );
  assert.match(text, /settings: [^\n]*ranking\.kFactorNew = 24/);
});

Deno.test("the rating that orders the leaderboard comes first", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await lab.runUntil({ matches: 2 });
  lab.configure({ ranking: { rating: "elo" } });
  assert.match(reportMarkdown(reportData(lab)), /\| hypothesis \| Elo \| rating \(90 % interval\) \|/);
});

Deno.test("before there is an overview, the text says so, and how to get one", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  assert.match(
    reportMarkdown(reportData(lab)),
    /SIMULATED[^]*There is no overview yet\. `await lab\.overview\(\)`[^]*No hypothesis is in the tournament/,
  );
});

Deno.test("a text at the beginning of a line begins no list, rule or heading", () => {
  assert.deepEqual(
    ["- a", "+ a", "1. a", "12) a", "---", "===", "1.5 mg", "plain - text"].map((text) => inline(text)),
    ["\\- a", "\\+ a", "1\\. a", "12\\) a", "\\---", "\\===", "1\\.5 mg", "plain - text"],
  );
});

Deno.test("texts of foreign origin open no tag, cell, heading or link that isn't of the web", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await steered(lab);
  const data = reportData(lab);
  const headings = (text: string) => text.split("\n").filter((line) => /^#{1,6} /.test(line)).length;
  const cells = (text: string) =>
    text.split("\n").filter((line) => line.startsWith("| ")).map((line) =>
      line.match(/(?<!\\)\|/g)?.length ?? 0
    );
  // An overview is a document with headings of its own; here its text is one line.
  const plain = reportMarkdown(withTexts(data, "plain text"));
  for (const { name, text } of HOSTILE) {
    const out = reportMarkdown(withTexts(data, text, { overview: "plain text" }));
    assert.doesNotMatch(out, /(?<!\\)<(?!https?:\/\/)/, name);
    assert.doesNotMatch(out, /(?<!\\)\]\((?!https?:)/, name);
    for (const sign of ["\u0000", "\u202E", "\u2066"]) assert.ok(!out.includes(sign), name);
    assert.ok(out.isWellFormed(), name);
    assert.equal(headings(out), headings(plain), name);
    assert.deepEqual(cells(out), cells(plain), name);
  }
  for (const { name, text } of HOSTILE) {
    const out = reportMarkdown(withTexts(data, "plain text", { overview: text }));
    assert.doesNotMatch(out, /<(?:script|img|svg|iframe|details|style|a)\b/i, name);
    assert.doesNotMatch(out, /(?<!\\)\]\((?!https?:)/, name);
  }
});
