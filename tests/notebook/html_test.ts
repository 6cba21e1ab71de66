import assert from "node:assert/strict";
import fc from "fast-check";
import { parseHTML } from "linkedom";
import { card, escapeHtml, foreign, markup, table, withBreaks } from "../../lib/notebook/html.ts";

/** How many elements match, and the text of all. */
function parsed(shown: string) {
  const document = Reflect.get(parseHTML(`<!doctype html><html><body>${shown}</body></html>`), "document");
  return {
    count: (selector: string): number => document.querySelectorAll(selector).length,
    text: String(document.body.textContent),
  };
}

Deno.test("text is escaped for text and for attributes", () => {
  assert.equal(
    escapeHtml(`<a href="x" id='y'>&amp;`),
    "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;",
  );
});

Deno.test("a template escapes what it is given, once, and leaves markup of ours as it is", () => {
  const inner = markup`<b>${"<i>"}</b>`;
  assert.equal(
    markup`<p title="${'"'}">${inner}${[1, "&", null]}</p>`.markup,
    '<p title="&quot;"><b>&lt;i&gt;</b>1&amp;</p>',
  );
});

Deno.test("whatever text goes in, only our elements come out, and the text can be read", () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "<script>alert(1)</script>",
      '"><img src=x onerror=alert(1)>',
      "</td></table>",
      "' onclick='x",
    ),
  );
  fc.assert(fc.property(hostile, hostile, (a, b) => {
    const shown = card({ title: a, body: [table([{ head: b, cell: (row: string) => row }], [a, b])] });
    const document = parsed(shown.markup);
    assert.equal(document.count("script, img, style, link, iframe, [onclick], [onerror]"), 0);
    assert.equal(document.count("td"), 2);
  }));
  assert.equal(parsed(foreign("a < b & c").markup).text, "a < b & c");
});

Deno.test("foreign text has its own direction and breaks in long words", () => {
  const shown = foreign("עברית").markup;
  assert.match(shown, /dir="auto"/);
  assert.match(shown, /unicode-bidi:isolate/);
  const broken = (text: string) =>
    [...foreign(text).markup.matchAll(/overflow-wrap:anywhere">([^<]*)</g)].map(([, word]) => word);
  assert.deepEqual(broken("A title of ordinary words, the leukaemic ones too"), []);
  const [address, sequence] = ["https://example.org/a?b", "ACGTACGTACGTACGTACGT"];
  assert.deepEqual(broken(`see ${address} and ${sequence}`), [address, sequence]);
});

Deno.test("very long words get places to break, which cut no tag, entity, emoji or accented letter", () => {
  const long = markup`<b title="${"t".repeat(99)}">${"a".repeat(100)} ${"&".repeat(50)} ${
    "word ".repeat(40)
  }</b>`;
  assert.equal(
    withBreaks(long.markup),
    `<b title="${"t".repeat(99)}">${"a".repeat(48)}<wbr>${"a".repeat(48)}<wbr>aaaa ${
      "&amp;".repeat(48)
    }<wbr>&amp;&amp; ` +
      `${"word ".repeat(40)}</b>`,
  );
  for (const letter of ["a\u0301", "👩‍🔬", "🏳️‍🌈"]) {
    const broken = withBreaks(letter.repeat(200));
    assert.equal(broken.replaceAll("<wbr>", ""), letter.repeat(200));
    assert.ok(broken.split("<wbr>").length > 4);
    for (const piece of broken.split("<wbr>")) assert.equal(piece.replaceAll(letter, ""), "");
  }
});

Deno.test("cards and cells say their own ground and colour, so that dark themes don't swallow them", () => {
  const rows = table([{ head: "n", align: "end", cell: (n: number) => n }], [1]);
  const shown = card({ title: "T", body: [rows] }).markup;
  for (const tag of ["<div style=", "<table", "<tr", "<td", "<th scope"]) {
    const style = shown.slice(shown.indexOf(tag)).split(">")[0] ?? "";
    assert.match(style, /background:#ffffff;color:#1f2328/);
  }
  assert.doesNotMatch(shown, /class=|<style|var\(/);
});

Deno.test("a card of something simulated says so; an empty table says so", () => {
  assert.match(card({ title: "T", simulated: true, body: [] }).markup, />SIMULATED</);
  assert.doesNotMatch(card({ title: "T", body: [] }).markup, /SIMULATED/);
  assert.match(table([{ head: "x", cell: () => "" }], [], "No match yet.").markup, /No match yet\./);
});

Deno.test("alignment is said in words that JupyterLab keeps where it doesn't trust a notebook", () => {
  const rows = table([
    { head: "Name", cell: (row: string) => row },
    { head: "n", align: "end", cell: () => "1" },
    { head: "More", below: true, cell: () => "text" },
  ], ["one"]);
  const shown = card({ body: [rows] }).markup;
  const aligned = [...shown.matchAll(/text-align:([\w-]+)/g)].map(([, word]) => word);
  assert.ok(aligned.length >= 6);
  for (const word of aligned) assert.match(word ?? "", /^(?:left|right|center|justify)$/);
});
