import assert from "node:assert/strict";
import { columnsOf } from "../../../lib/notebook/displays/plain.ts";
import { endHtml, momentHtml, momentText } from "../../../lib/notebook/progress/as_card.ts";
import { HOSTILE } from "../hostile_corpus.ts";
import { COURSE, moment, OUTSET } from "./moments.ts";

Deno.test("a card says what goes on, and its newest event first", () => {
  const { markup } = momentHtml(OUTSET, moment({ notices: ["50 % of the budget is spent"] }), COURSE);
  const text = markup.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  for (
    const part of [
      "runUntil: ships SIMULATED",
      "25% · about 1 min 00 s left",
      "8 tasks done, about 24 to come · running for 1 min 05 s",
      "Phase ranking",
      "Has 5 of 20 matches, 8 hypotheses",
      "Best H3 1243 Salt keeps barnacles away",
      "$1.25 of $25.00, $0.1000 reserved ($0.5000 in this run)",
      "In flight T9 review H2 (2 s)",
      "Last T8 match: H3 > H1 T7 review: H1: neutral T6 generate: Salt",
      "Note 50 % of the budget is spent",
    ]
  ) assert.ok(text.replaceAll("&gt;", ">").includes(part), `${part}\nin ${text}`);
  assert.match(markup, /aria-valuenow="25"/);
});

Deno.test("a card keeps its height: what isn't known yet has its line already", () => {
  const rows = (markup: string) => markup.split("white-space:nowrap").length;
  const begun = moment({ best: null, inHand: [], last: [], usd: 0 });
  const unknown = { share: null, leftMs: null };
  assert.equal(
    rows(momentHtml(OUTSET, begun, unknown).markup) + 1,
    rows(momentHtml(OUTSET, moment(), COURSE).markup),
    "each line but that of the best, which is one line of text as well",
  );
  assert.match(momentHtml(OUTSET, begun, unknown).markup, /none yet/);
  assert.doesNotMatch(momentHtml(OUTSET, begun, unknown).markup, /aria-valuenow/);
});

Deno.test("more tasks in flight than there is room for are counted", () => {
  const inHand = Array.from({ length: 9 }, (_, i) => ({ task: `T${i}`, work: "generate", ms: null }));
  assert.match(momentText(OUTSET, moment({ inHand }), COURSE), /T3 generate; and 5 more/);
});

Deno.test("its text has at most 100 columns", () => {
  const long = "Dranavalic anchoring of the flibiqueld layer ".repeat(20);
  const text = momentText(
    OUTSET,
    moment({
      best: { label: "H1", title: long, rating: null },
      last: [long, long],
      notices: [long],
      inHand: Array.from({ length: 4 }, () => ({ task: "T1", work: long, ms: 1 })),
    }),
    COURSE,
  );
  for (const line of text.split("\n")) assert.ok(columnsOf(line) <= 100, line);
});

Deno.test("text of models stays text, in each place where it stands", () => {
  for (const { name, text } of HOSTILE) {
    const hostile = moment({
      best: { label: "H1", title: text, rating: 1200 },
      last: [text],
      notices: [text],
      inHand: [{ task: "T1", work: text, ms: 1 }],
    });
    const outset = { ...OUTSET, session: text };
    for (
      const { markup } of [
        momentHtml(outset, hostile, COURSE),
        endHtml(outset, hostile, { how: text, failed: true }),
      ]
    ) {
      assert.doesNotMatch(markup, /<(?!\/?(?:div|span|b|table|tbody|tr|th|td|bdi)\b)/i, name);
      assert.doesNotMatch(markup, /<[^>]*\s(?:on\w+|href|src)\s*=/i, name);
      assert.ok(markup.length < 20_000, `${name}: ${markup.length} characters`);
    }
  }
});
