import assert from "node:assert/strict";
import { parseHTML } from "linkedom";
import { STOP_REASONS } from "../../lib/domain/records.ts";
import { clean } from "../../lib/notebook/displays/clean.ts";
import { conversation } from "../../lib/notebook/displays/conversation.ts";
import { afterRun, afterStop } from "../../lib/notebook/displays/going_on.ts";
import { withFolded } from "../../lib/notebook/displays/leaders.ts";
import { link } from "../../lib/notebook/displays/link.ts";
import { markdownHtml, safeMarkdown } from "../../lib/notebook/displays/markdown.ts";
import { columnsOf, fit, textTable, wrapped } from "../../lib/notebook/displays/plain.ts";
import { sparkline } from "../../lib/notebook/displays/sparkline.ts";
import { duration, tokens } from "../../lib/notebook/displays/wording.ts";
import { JUPYTER_DISPLAY } from "../../lib/notebook/kernel.ts";
import { pngOf } from "../../lib/notebook/plots/png.ts";
import { EventList } from "../../lib/notebook/values/event_list.ts";
import { HypothesisCard } from "../../lib/notebook/values/hypothesis_card.ts";
import { JudgeCard } from "../../lib/notebook/values/judge_card.ts";
import { MatchCard } from "../../lib/notebook/values/match_card.ts";
import { OverviewCard } from "../../lib/notebook/values/overview_card.ts";
import { QueueList } from "../../lib/notebook/values/queue_list.ts";
import { Run } from "../../lib/notebook/values/run.ts";
import { SettingsTable } from "../../lib/notebook/values/settings_table.ts";
import { Snapshot } from "../../lib/notebook/values/snapshot.ts";
import { Tick } from "../../lib/notebook/values/tick.ts";
import { TranscriptList } from "../../lib/notebook/values/transcript_list.ts";
import * as data from "./display_data.ts";
import { everyFigure } from "./every_figure.ts";
import { everyValue, type Shown } from "./every_value.ts";
import { HOSTILE } from "./hostile_corpus.ts";
import { OWN_PICTURE } from "./own_pictures.ts";

async function htmlOf(value: Shown): Promise<string> {
  return (await value[JUPYTER_DISPLAY]())["text/html"] ?? "";
}

/** All elements of a card, and its text. */
function parsed(html: string) {
  const document = Reflect.get(parseHTML(`<!doctype html><html><body>${html}</body></html>`), "document");
  const elements: Element[] = [...document.querySelectorAll("*")];
  return { elements, text: String(document.body.textContent) };
}

/** As much of an element as is asked for here. */
interface Element {
  readonly tagName: string;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
}

const OWN_TAGS = new Set(
  ("A B BDI BODY CIRCLE CODE DETAILS DIV HTML HEAD I IMG LINE POLYLINE SPAN SUMMARY SVG TABLE TBODY TD TH THEAD TR " +
    // A picture within a card, and places to break a long word.
    "G PATH RECT TEXT TITLE WBR")
    .split(" "),
);

/** Characters of HTML that a value holds at most, whatever stands in each of its texts. */
const LARGEST = 750_000;

for (const { name, text: foreign } of HOSTILE) {
  Deno.test(`hostile text is only read, in any value: ${name}`, async () => {
    for (const value of everyValue(foreign)) {
      const kind = value.constructor.name;
      const bundle = await value[JUPYTER_DISPLAY]();
      const html = bundle["text/html"] ?? "";
      assert.ok(html.length < LARGEST, `${kind}: ${html.length}`);
      for (const { tagName, attributes } of parsed(html).elements) {
        assert.ok(OWN_TAGS.has(tagName.toUpperCase()), `${kind}: <${tagName}>`);
        for (const { name, value: content } of attributes) {
          assert.doesNotMatch(name, /^on|^srcset|^xlink/i, kind);
          if (name === "src") assert.match(content, OWN_PICTURE, kind);
          if (name === "href") assert.match(content, /^https?:\/\//, kind);
        }
      }
      for (const text of Object.values(bundle)) {
        assert.doesNotMatch(text, /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]|\p{M}{9}|\p{Cf}{9}/u, kind);
        assert.ok(text.isWellFormed(), kind);
      }
      for (const row of value.toString().split("\n")) {
        assert.ok(columnsOf(row) <= 100, `${kind}: ${columnsOf(row)} ${row.slice(0, 300)}`);
      }
    }
  });
}

Deno.test("hostile text is only read, in any figure: as SVG, which stays well-formed, and as text", async () => {
  for (const { name, text: foreign } of HOSTILE) {
    for (const [kind, figure] of everyFigure(foreign)) {
      const svg = figure.svg(), where = `${kind}: ${name}`;
      assert.ok(svg.length < 200_000, `${where}: ${svg.length}`);
      assert.equal(svg.match(/<\/?svg\b/g)?.length, 2, where);
      for (const { tagName, attributes } of parsed(svg).elements) {
        assert.doesNotMatch(
          tagName,
          /^(?:script|style|a|image|use|foreignobject|animate|set|iframe)$/i,
          where,
        );
        for (const { name } of attributes) assert.doesNotMatch(name, /^on|href|^src/i, where);
      }
      for (const shown of [svg, String(figure)]) {
        assert.ok(shown.isWellFormed(), where);
        // What is written from right to left is isolated from what stands beside it, and each isolation ends.
        assert.doesNotMatch(shown, /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066\u2067]/u, where);
        assert.equal(shown.split("\u2068").length, shown.split("\u2069").length, where);
      }
      for (const row of String(figure).split("\n")) {
        assert.ok(columnsOf(row) <= 100, `${where}: ${row.slice(0, 200)}`);
      }
      // Whoever draws it refuses what isn't well-formed.
      await pngOf(svg, 0.1);
    }
  }
});

Deno.test("no card holds a very long text whole, but for documents, which hold their own", async () => {
  const documents = ["GateCard", "OverviewCard", "PromptText"];
  for (const value of everyValue("A".repeat(100_000))) {
    const kind = value.constructor.name;
    const html = (await htmlOf(value)).replaceAll("<wbr>", "");
    const whole = [...html.matchAll(/A+/g)].filter(([found]) => found.length > 20_000);
    assert.ok(whole.length <= (documents.includes(kind) ? 1 : 0), `${kind}: ${whole.length}`);
  }
});

Deno.test("every kind of value is among those that are looked at here and in a browser", async () => {
  const folder = new URL("../../lib/notebook/values/", import.meta.url);
  const kinds = new Set<string>(["Frame"]);
  for await (const { name } of Deno.readDir(folder)) {
    const source = await Deno.readTextFile(new URL(name, folder));
    for (const [, kind = ""] of source.matchAll(/^export class (\w+)/gm)) kinds.add(kind);
  }
  assert.ok(kinds.size > 40, `${kinds.size}`);
  assert.deepEqual(kinds.difference(new Set(everyValue().map((value) => value.constructor.name))), new Set());
});

Deno.test("texts keep within 100 columns, for Latin, Hebrew, Chinese and emoji alike", () => {
  for (
    const foreign of [undefined, "שלום עולם ".repeat(30), "白血病的新疗法".repeat(30), "👩‍🔬🧬 ".repeat(40)]
  ) {
    for (const value of everyValue(foreign)) {
      for (const row of value.toString().split("\n")) {
        assert.ok(columnsOf(row) <= 100, `${value.constructor.name}: ${columnsOf(row)} ${row.slice(0, 300)}`);
      }
    }
  }
});

Deno.test("each display brings HTML without script, style sheet or net, and text; the terminal shows that text", async () => {
  for (const value of everyValue()) {
    const bundle = await value[JUPYTER_DISPLAY]();
    const html = bundle["text/html"] ?? "";
    assert.doesNotMatch(html, /<script|<style|<link|@import|url\(/);
    assert.match(html, /background:#ffffff;color:#1f2328/);
    // Amounts such as $5 and $6 are no TeX.
    assert.match(html, /^<div class="tex2jax_ignore mathjax_ignore">/);
    assert.equal(bundle["text/plain"], value.toString());
    assert.equal(Deno.inspect(value), value.toString());
    assert.notEqual(value.toString(), "");
  }
});

Deno.test("whatever is simulated says so, in HTML and in text; what is live doesn't", async () => {
  const neutral = ["SessionList", "Help"];
  for (const value of everyValue().filter((one) => !neutral.includes(one.constructor.name))) {
    assert.match(value.toString().split("\n")[0] ?? "", /\(SIMULATED\)$/, value.constructor.name);
    assert.match(await htmlOf(value), />SIMULATED</);
  }
  const live = new Snapshot({ ...data.snapshotData(), simulated: false });
  assert.doesNotMatch(`${live}${await htmlOf(live)}`, /SIMULATED/);
});

Deno.test("values are frozen copies: neither they nor what they were made from can change by the other", () => {
  const source = data.snapshotData();
  const value = new Snapshot(source);
  assert.ok(
    Object.isFrozen(value) && Object.isFrozen(value.leaderboard) && Object.isFrozen(value.leaderboard[0]),
  );
  assert.ok(!Object.isFrozen(source.leaderboard));
  assert.equal(value.leaderboard[0]?.label, source.leaderboard[0]?.label);
  assert.equal(value.session, "aml");
  assert.throws(() => Object.assign(value, { session: "x" }), TypeError);
});

Deno.test("JSON has money in usd and moments by ISO 8601", () => {
  const json = JSON.parse(JSON.stringify(new Tick(data.tickData())));
  assert.deepEqual(json.ran[0].cost, {
    usd: 0.023411,
    inputTokens: 12_044,
    outputTokens: 2310,
    calls: 3,
    unconfirmedUsd: 0,
  });
  const calls = JSON.parse(JSON.stringify(new TranscriptList(data.transcriptsData())));
  assert.equal(calls[0].at, new Date(1_787_000_301_000).toISOString());
  for (const value of everyValue()) assert.doesNotMatch(JSON.stringify(value), /icroUsd/);
});

Deno.test("lists are arrays; what is made from them is a plain array", () => {
  const list = new QueueList(data.queueData());
  assert.ok(Array.isArray(list) && Object.isFrozen(list));
  assert.equal(list.length, 3);
  assert.deepEqual(list.map((row) => row.label), ["T90", "T91", "T88"]);
  const dead = list.filter((row) => row.status === "dead");
  assert.equal(dead.constructor, Array);
  assert.equal(dead[0]?.label, "T88");
});

Deno.test("a display that fails says why, as text, and never throws", async () => {
  const value = new Tick({ ...data.tickData(), nextLine: "x", ran: JSON.parse('[{"label":"T1"}]') });
  assert.match(value.toString(), /could not be written/);
  assert.match((await value[JUPYTER_DISPLAY]())["text/plain"] ?? "", /could not be drawn/);
});

Deno.test("a tick says what ran, what failed and why, what it cost, what is next", async () => {
  const tick = new Tick(data.tickData());
  for (const shown of [tick.toString(), parsed(await htmlOf(tick)).text]) {
    for (
      const part of ["T5", "review", "H3", "$0.0234", "3 calls", "12.3 s", "empty mechanism", "put off", "F1"]
    ) {
      assert.ok(shown.includes(part), part);
    }
    assert.match(shown, /Next: match H3–H7/);
  }
});

Deno.test("a tick in which nothing ran says why; one that stopped says how to go on", () => {
  const idle = new Tick(data.tickData({ ran: [], waiting: "2 reviews wait for another try" }));
  assert.match(idle.toString(), /Nothing ran: 2 reviews wait for another try/);
  const stop = { reason: "budget", note: "The budget of $2 is spent." } as const;
  assert.match(
    new Tick(data.tickData({ ran: [], stop })).toString(),
    /Stopped \(budget\): The budget of \$2 is spent\.\nTo go on: .*run\.budgetUsd/,
  );
});

Deno.test("a run says what ended it, what it did, what failed, who leads and how to go on", () => {
  const run = new Run(data.runData()).toString();
  assert.match(run, /Ended by: stopped \(budget\)/);
  assert.match(run, /6 × generate, 12 × review, 40 × match/);
  assert.match(run, /7 failed attempts, the last of them/);
  assert.match(run, /lab\.configure/);
  assert.match(run, / 1310 /);
  assert.match(new Run(data.runData({ endedBy: "paused", stop: null })).toString(), /lab\.resume\(\)/);
});

Deno.test("a hypothesis's card has its place, its rating and how sure they are, as far as they are known", async () => {
  const card = new HypothesisCard(data.hypothesisData());
  assert.match(
    card.toString(),
    /\nrank 2 · rating 1321 \(90 %: 1249–1394\) · in top 5: 78 % · tier 1\nElo 1285 · 6–2–1 in 9 matches/,
  );
  assert.match(await htmlOf(card), /in top 5: 78 %<.*tier 1<.*Elo 1285<.*6–2–1 in 9 matches</);
  const outside = new HypothesisCard({
    ...data.hypothesisData(),
    rank: null,
    rating: null,
    ratingLow: null,
    ratingHigh: null,
    topChance: null,
    tier: null,
  });
  assert.match(
    outside.toString(),
    /commit 12\nTested: confirmed by results\.\n! Stale: made from[^\n]*\nElo 1285 · /,
  );
  assert.match(await htmlOf(outside), />Elo 1285<.*>6–2–1 in 9 matches</);
});

Deno.test("there is a way on after every stop and every end of a run", () => {
  for (const reason of STOP_REASONS) assert.match(afterStop(reason), /lab|run on|Start/);
  for (const endedBy of ["until", "paused", "interrupted", "stopped"] as const) {
    assert.notEqual(afterRun(endedBy, null), "");
  }
});

Deno.test("trouble, faults and screens stand in the open; what is outside the tournament can be opened", async () => {
  const html = await htmlOf(new Snapshot(data.snapshotData()));
  const open = parsed(html.replaceAll(/<details[\s\S]*?<\/details>/g, "")).text;
  for (const part of ["529 overloaded_error", "no citations", "call degraded", "names a toxin"]) {
    assert.ok(open.toLowerCase().includes(part.toLowerCase()), part);
  }
  assert.match(html, /Outside the tournament: 1 disproved, 1 quarantined, 1 rejected, 2 draft/);
});

Deno.test("a match says what was said in both orders, whose turn it was in the panel, and its group's ranking", async () => {
  const both = new MatchCard({
    ...data.matchData(),
    verdict: "tie",
    bothOrders: ["first", "second"],
    judge: "sonnet",
    panelist: "opus",
  });
  for (const text of [both.toString(), parsed(await htmlOf(both)).text]) {
    assert.match(text, /A tie: the two orders gave different verdicts/);
    assert.match(text, /H3 first: H3; H7 first: H7/);
    assert.match(text, /by sonnet in the stead of opus of the panel/);
  }
  const agreed = new MatchCard({
    ...data.matchData(),
    bothOrders: ["first", "first"],
    panelist: data.matchData().judge,
  });
  assert.match(agreed.toString(), /H3 won in both orders[^]*by claude-sonnet-4-6 of the panel/);
  const ranking = ["H3", "H1", "H7"].map((label) => ({ label, title: "" }));
  const group = new MatchCard({ ...data.matchData(), mode: "kwise", group: "grp_1", weight: 2 / 3, ranking });
  for (const text of [group.toString(), parsed(await htmlOf(group)).text]) {
    assert.match(text, /H3 won, which was shown earlier/);
    assert.match(text, /H3 > H1 > H7/);
    assert.match(text, /weight 0\.667/);
  }
  const invalid = new MatchCard({
    ...data.matchData(),
    mode: "kwise",
    group: "grp_1",
    verdict: "invalid",
    judge: null,
    panelist: "opus",
  });
  assert.match(invalid.toString(), /no ranking of the group[^]*by opus of the panel/);
});

Deno.test("a card of judges warns first, has a row for each judge and all together, and says what is missing", async () => {
  const value = new JudgeCard(data.judgeData());
  const { elements, text: html } = parsed(await htmlOf(value));
  const text = value.toString();
  assert.equal(elements.filter(({ tagName }) => tagName.toUpperCase() === "TR").length, 1 + 5 + 1);
  for (const shown of [html, text.replaceAll(/\s+/g, " ")]) {
    assert.match(
      shown,
      /claude-sonnet-4-6 \(debate\) named the one shown first in all of its 24 decided verdicts[^]*gpt-5 \(pairwise\) tied 12 of 23/,
    );
    assert.ok(
      shown.indexOf("named the one shown first") < shown.indexOf("verdicts of 5 judges"),
    );
    for (
      const part of ["119 verdicts of 5 judges", "all together", "9f31c2aa", "2 of them have fewer than 10"]
    ) {
      assert.ok(shown.includes(part), part);
    }
    assert.match(shown, /who makes the judge is not known/);
    for (
      const column of ["Order bias", "Flips", "Ties", "Invalid", "Twice as long", "Own family", "Results"]
    ) {
      assert.ok(shown.includes(column), column);
    }
  }
  assert.match(text, /^gpt-5 +pairwise 9f31c2aa +23 +−0\.\d\d \(.* 52 % +4 %$/m);
  assert.match(html, /4 warnings/);
});

Deno.test("a card of a single judge has no row for all; one of nobody says that nothing was judged", async () => {
  const one = new JudgeCard(data.judgesData([{ judge: "gpt-5", first: 12, second: 11 }]));
  assert.doesNotMatch(one.toString() + await htmlOf(one), /all together|warning</);
  assert.match(one.toString(), /23 verdicts of 1 judge /);
  const none = new JudgeCard(data.judgesData([]));
  for (const shown of [none.toString(), await htmlOf(none)]) {
    assert.match(shown, /No match was judged yet\. await lab\.rank\(5\)/);
    assert.doesNotMatch(shown, /NaN|undefined|null/);
  }
  const json = JSON.parse(JSON.stringify(one));
  assert.deepEqual([json.judges[0].judge, json.judges[0].verdicts, json.warnings], ["gpt-5", 23, []]);
});

Deno.test("a near-duplicate stands right under its best, without a rank", () => {
  const rows = withFolded(data.leaderboard(18).toReversed());
  for (const [i, row] of rows.entries()) {
    if (row.foldedUnder !== null) assert.equal(rows[i - 1]?.label, row.foldedUnder);
  }
  assert.equal(rows.length, 18);
});

Deno.test("the same work that took a little longer is shown the same, but for the time itself", async () => {
  const content = data.snapshotData();
  const after = async (ranSeconds: number) =>
    (await htmlOf(new Snapshot({ ...content, now: { ...content.now, ranSeconds, wallClockSeconds: 7200 } })))
      .replaceAll(/\d+(?:\.\d+)? (?:ms|s|min)\b/g, "‹time›");
  assert.equal(await after(3.1), await after(21));
  assert.notEqual(await after(3.1), await after(1800));
});

Deno.test("a leaderboard shows 15 ranks and has the others at hand", async () => {
  const { elements, text } = parsed(await htmlOf(new Snapshot(data.snapshotData(40))));
  const lines = elements.flatMap(({ attributes }) =>
    [...attributes].filter(({ value }) => value.includes("%3Cpolyline"))
  );
  assert.equal(lines.length, 18);
  assert.match(text, /22 more hypotheses/);
  for (const row of data.leaderboard(40)) assert.ok(text.includes(row.label), row.label);
});

Deno.test("a snapshot of 1,000 hypotheses stays below 200 kB, and says how many it doesn't list", async () => {
  const large = data.snapshotData(600);
  const outside = Array.from({ length: 400 }, (_, i) => ({
    label: `H${1000 + i}`,
    title: "Inhibition of DHODH by leflunomide forces differentiation of NPM1-mutant blasts in relapse "
      .repeat(3),
    state: "rejected" as const,
    reason: "Its review says that the effect was refuted in two trials of adults. ".repeat(3),
  }));
  const html = await htmlOf(new Snapshot({ ...large, outside }));
  assert.ok(new TextEncoder().encode(html).length < 200_000, String(html.length));
  const { text } = parsed(html);
  assert.match(text, /58\d more hypotheses.*34\d more: lab\.view\(\)\.leaderboard/);
  assert.match(text, /Outside the tournament: 400 rejected.*280 more: lab\.view\(\)\.hypotheses/);
});

Deno.test("changed settings come first, with who changed them and since when", () => {
  const text = new SettingsTable(data.settingsData()).toString();
  assert.match(
    text,
    /2 settings changed:\n.*\nrun\.budgetUsd +2 +25 +creation, by iris \(2026[^)]*\)\n.*R3, by iris, undoing R2 \(commit 101, 2026/,
  );
  assert.match(text, /3 with their defaults/);
});

Deno.test("a long list shows its newest rows, and says so", () => {
  const { rows: [row], ...origin } = data.eventsData();
  assert.ok(row !== undefined);
  const list = new EventList({
    ...origin,
    rows: Array.from({ length: 200 }, (_, i) => ({ ...row, n: i + 1 })),
  });
  assert.equal(list.length, 200);
  assert.match(list.toString(), /\n200 {2}/);
  assert.match(list.toString(), /The last 60 of 200\./);
});

Deno.test("an overview is shown as Markdown too, and as text of the page, not of the program", async () => {
  const bundle = await new OverviewCard(data.overviewData())[JUPYTER_DISPLAY]();
  assert.match(bundle["text/markdown"] ?? "", /^\*\*SIMULATED\*\*\n\n# Repurposed/);
  assert.match(bundle["text/html"] ?? "", /role="heading" aria-level="2"[^>]*>.*Executive summary/);
  assert.match(bundle["text/html"] ?? "", /<b>Claim:<\/b>/);
});

Deno.test("Markdown given to a reader's program holds no HTML, image, or link but to the web", () => {
  assert.equal(safeMarkdown("a <b>\\<i>"), "a &lt;b>&lt;i>");
  assert.equal(safeMarkdown("![x](https://e.org)"), "&#33;[x](https://e.org)");
  assert.equal(
    safeMarkdown("[x](javascript:1) [y](https://e.org)"),
    "[x&#93;(javascript:1) [y](https://e.org)",
  );
  assert.equal(safeMarkdown("[z]: javascript:1"), "[z&#93;: javascript:1");
  assert.equal(safeMarkdown("<https://e.org/a_b>"), "[https://e.org/a_b](https://e.org/a_b)");
  assert.equal(safeMarkdown("$\\href{javascript:1}{x}$"), "$\\ href{javascript:1}{x}$");
});

Deno.test("Markdown as HTML: escapes are taken back, and links of the web work unless they are simulated", () => {
  assert.match(markdownHtml("a \\[b\\] \\<c>", false).markup, /a \[b\] &lt;c&gt;/);
  assert.match(markdownHtml("[x](https://e.org/)", false).markup, /<a href="https:\/\/e\.org\/"/);
  assert.doesNotMatch(markdownHtml("[x](https://e.org/) <https://e.org/>", true).markup, /<a /);
  assert.match(markdownHtml("```\n**x**\n```", false).markup, /\*\*x\*\*/);
});

Deno.test("only addresses of the web become links, and none of a simulated source", () => {
  assert.match(
    link("https://e.org/?a=1&b", false).markup,
    /href="https:\/\/e\.org\/\?a=1&amp;b" rel="noopener/,
  );
  for (
    const url of [
      "javascript:alert(1)",
      " JavaScript:alert(1)",
      "data:text/html,x",
      "//e.org",
      "file:///etc/passwd",
    ]
  ) {
    assert.doesNotMatch(link(url, false).markup, /<a/, url);
  }
  assert.doesNotMatch(link("https://e.org", true).markup, /<a/);
});

Deno.test("a transcript reads as a conversation; what isn't one stands as it is", () => {
  const turns = conversation(data.transcriptData().request, data.transcriptData().response);
  assert.deepEqual(turns.map((turn) => turn.who), ["system", "user", "assistant", "user", "answer"]);
  assert.deepEqual(turns.at(-1)?.parts.map((part) => part.kind), ["thinking", "text", "call"]);
  assert.equal(conversation("not JSON", "")[0]?.parts[0]?.text, "not JSON");
  assert.equal(conversation('{"messages":[]}', '{"error":1}').at(-1)?.parts[0]?.text, '{"error":1}');
});

Deno.test("text is cleaned of what acts, and of nothing else", () => {
  assert.equal(clean("a\r\nb\tc\u001b[2J\u202E\ud800"), "a\nb\tc\uFFFD[2J\uFFFD\uFFFD");
  assert.equal(clean("שלום 👩‍🔬 é 白"), "שלום 👩‍🔬 é 白");
});

Deno.test("text layout counts columns, cuts and wraps by them, and keeps indents", () => {
  assert.equal(columnsOf("a白👩‍🔬e\u0301"), 6);
  assert.equal(columnsOf("20 matches · $5.00 – 1 µs ± 2"), 29, "a middle dot is narrow");
  assert.equal(fit("白血病", 5), "白血…");
  assert.equal(fit("short", 5), "short");
  assert.equal(wrapped("  b", "Key: "), "Key:   b");
  assert.match(wrapped("b", `${"long ".repeat(40)}: `), /^(?:long )+lon… b$/);
  const rows = wrapped("word ".repeat(60), "Key: ").split("\n");
  assert.ok(rows.slice(1).every((row) => row.startsWith("     word")));
  assert.equal(
    textTable([{ head: "n", cell: String, align: "end" }, { head: "x", cell: () => "y" }], [1, 10]),
    " n  x\n 1  y\n10  y",
  );
});

Deno.test("a table that is too wide narrows its widest columns, so that each of them keeps something", () => {
  const wide = textTable([
    { head: "id", cell: () => "R2" },
    { head: "a", cell: () => "a".repeat(44), max: 44 },
    { head: "b", cell: () => "b".repeat(28) },
    { head: "c", cell: () => "白".repeat(20) },
    { head: "since", cell: () => "since a commit of long ago" },
  ], [1]);
  const [, row = ""] = wide.split("\n");
  assert.equal(columnsOf(row), 100);
  assert.match(row, /^R2 {2}a{20,}… {2}b{20,}… {2}白{10,}… {2}since a commit …$/);
  const many = Array.from({ length: 60 }, (_, i) => ({ head: `column ${i}`, cell: () => "value" }));
  for (const text of textTable(many, [1]).split("\n")) assert.ok(columnsOf(text) <= 100);
});

Deno.test("quantities read as people write them", () => {
  assert.deepEqual([870, 12_345, 99_960, 1_250_000].map(tokens), ["870", "12.3k", "100k", "1.25M"]);
  assert.deepEqual([40, 3210, 245_000, 3_780_000].map(duration), [
    "40 ms",
    "3.2 s",
    "4 min 05 s",
    "1 h 03 min",
  ]);
});

Deno.test("a sparkline needs two numbers, and never holds NaN", () => {
  assert.equal(sparkline([1200]), null);
  assert.equal(sparkline([NaN, 1200]), null);
  assert.doesNotMatch(sparkline([1200, 1200, Infinity])?.markup ?? "NaN", /NaN|Infinity/);
});
