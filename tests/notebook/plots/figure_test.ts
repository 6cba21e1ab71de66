import assert from "node:assert/strict";
import { join } from "node:path";
import { CosciError } from "../../../lib/domain/errors.ts";
import { JUPYTER_DISPLAY } from "../../../lib/notebook/kernel.ts";
import { eloPlot } from "../../../lib/notebook/plots/elo.ts";
import { Figure } from "../../../lib/notebook/plots/figure.ts";
import { judgePlot } from "../../../lib/notebook/plots/judge.ts";
import { lineagePlot } from "../../../lib/notebook/plots/lineage.ts";
import { pngOf } from "../../../lib/notebook/plots/png.ts";
import { judgeData, judgesData } from "../display_data.ts";
import { panel } from "./plot_data.ts";
import {
  hypothesisRecord,
  matchRecord,
  revisionRecord,
  syntheticView,
  type ViewDouble,
  viewOf,
} from "../view_double.ts";

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47];

const views: [string, ViewDouble][] = [
  ["nothing", viewOf([])],
  ["one", viewOf([hypothesisRecord(1)])],
  ["two", viewOf([hypothesisRecord(1), hypothesisRecord(2)], [matchRecord(1, { seq: 9 })])],
  ["12", syntheticView(12, 80)],
  ["500", syntheticView(500, 1000)],
];

Deno.test("figures of 0, 1, 2, 12 and 500 hypotheses are self-contained SVG with title and own colours", () => {
  for (const [name, view] of views) {
    for (const figure of [eloPlot(view), lineagePlot(view)]) {
      const svg = figure.svg();
      assert.match(
        svg,
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+" viewBox=/,
        name,
      );
      assert.match(svg, /<title>[^<]+<\/title><rect [^>]*fill="#ffffff"/);
      assert.doesNotMatch(svg, /<script|<style|href=|url\(h|NaN|undefined/i);
      assert.ok(svg.includes(`>${figure.title}</text>`));
    }
  }
});

Deno.test("figures can be rendered, which only well-formed XML can", async () => {
  for (const [, view] of views.slice(0, 4)) {
    for (const figure of [eloPlot(view), lineagePlot(view)]) {
      assert.deepEqual([...(await figure.png(1)).slice(0, 4)], PNG_SIGNATURE);
    }
  }
});

Deno.test("where there is nothing to show the figure says so", () => {
  assert.match(eloPlot(viewOf([])).svg(), /No hypothesis has entered the tournament yet\./);
  assert.match(lineagePlot(viewOf([])).svg(), /There is no hypothesis yet\./);
  assert.match(String(eloPlot(viewOf([]))), /No hypothesis has entered the tournament yet\./);
});

Deno.test("a simulated session's figures are marked, in the picture and as text; a live one's are not", () => {
  for (const plot of [eloPlot, lineagePlot]) {
    const simulated = plot(syntheticView(5, 10, "simulator")), live = plot(syntheticView(5, 10, "live"));
    assert.match(simulated.svg(), />SIMULATED<\/text>/);
    assert.match(String(simulated), /SIMULATED/);
    assert.doesNotMatch(live.svg() + String(live), /SIMULATED/);
  }
});

Deno.test("text of hypotheses is data: it can't break the picture", async () => {
  const title = '</text></svg><script>alert("x")</script>&nbsp;\u0000\ud800 عنوان';
  const records = [
    hypothesisRecord(1, { title }),
    hypothesisRecord(2, { title, parents: ["hyp_1"], generation: 1 }),
  ];
  const view = viewOf(records, [matchRecord(1, { seq: 9 })]);
  for (const figure of [eloPlot(view), lineagePlot(view)]) {
    assert.doesNotMatch(figure.svg(), /<script/);
    assert.equal(figure.svg().match(/<\/svg>/g)?.length, 1);
    assert.deepEqual([...(await figure.png(1)).slice(0, 4)], PNG_SIGNATURE);
  }
});

Deno.test("the leaders are labelled with rating and title, revisions are marked", () => {
  const view = syntheticView(60, 400);
  const svg = eloPlot(view).svg();
  const byElo = view.leaderboard.toSorted((a, b) => b.elo - a.elo);
  for (const { record, elo } of byElo.slice(0, 7)) {
    assert.ok(svg.includes(`>${record.label} · ${Math.round(elo)}<`), record.label);
  }
  assert.equal(byElo.slice(7).some(({ record }) => svg.includes(`>${record.label} · `)), false);
  assert.match(svg, />R1</);
  assert.match(svg, />R2–R3</);
});

Deno.test("a mark names all revisions since the one before it, also those under which no match was judged", () => {
  const view = viewOf([hypothesisRecord(1), hypothesisRecord(2)], [
    matchRecord(1, { seq: 9 }),
    matchRecord(2, { seq: 10, revision: 2 }),
    matchRecord(3, { seq: 11, revision: 3 }),
  ], { revisions: [1, 2, 3].map((number) => revisionRecord(number, number)) });
  const svg = eloPlot(view).svg();
  assert.match(svg, />R1–R2</);
  assert.match(svg, />R3</);
});

Deno.test("leaders of the Elo figure are those by Elo, whatever orders the leaderboard", () => {
  const view = syntheticView(60, 400);
  const other = { ...view, leaderboard: view.leaderboard.toReversed() };
  assert.equal(eloPlot(other).svg(), eloPlot(view).svg());
  const [first] = view.leaderboard;
  assert.match(String(eloPlot(other)), new RegExp(`rated matches\\n  ${first?.record.label} `));
});

Deno.test("a lineage shows every label, its generations, and a legend of what occurs", () => {
  const view = syntheticView(60, 400);
  const svg = lineagePlot(view).svg();
  for (const { record } of view.hypotheses) assert.ok(svg.includes(`>${record.label}<`), record.label);
  for (const text of ["generation 0", "generation 1", "combine", "out of box", "out of play"]) {
    assert.ok(svg.includes(text), text);
  }
  assert.doesNotMatch(lineagePlot(viewOf([hypothesisRecord(1)])).svg(), />combine<|out of play/);
});

Deno.test("letters are drawn in a PNG although the renderer has no fonts of its own", async () => {
  const picture = (text: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text x="2" y="15" font-family="Arial, sans-serif">${text}</text></svg>`;
  const [blank, letters, greek] = await Promise.all(
    ["", "Elo", "αβγ"].map((text) => pngOf(picture(text), 1)),
  );
  assert.ok(blank !== undefined && letters !== undefined && greek !== undefined);
  assert.ok(letters.length > blank.length + 100 && greek.length > blank.length + 100);
});

Deno.test("a figure displays as SVG, PNG and text, is drawn only then, and once", async () => {
  let drawn = 0;
  const figure = new Figure({
    title: "T",
    simulated: false,
    text: "in words",
    rows: () => [],
    draw: () => (drawn++, { subtitle: "S", panels: [] }),
  });
  assert.ok(Object.isFrozen(figure));
  assert.equal(String(figure), "T\nin words");
  assert.equal(drawn, 0);
  const bundle = await figure[JUPYTER_DISPLAY]();
  assert.deepEqual(Object.keys(bundle).sort(), ["image/png", "image/svg+xml", "text/plain"]);
  assert.equal(bundle["image/svg+xml"], figure.svg());
  assert.equal(atob(bundle["image/png"] ?? "").slice(1, 4), "PNG");
  assert.equal(drawn, 1);
  assert.equal(Deno.inspect(figure), "T\nin words");
});

Deno.test("a figure that can't be drawn is shown as its text with the reason", async () => {
  const figure = new Figure({
    title: "T",
    simulated: true,
    text: "in words",
    rows: () => [],
    draw: () => {
      throw new Error("out of ink");
    },
  });
  const bundle = await figure[JUPYTER_DISPLAY]();
  assert.deepEqual(bundle, {
    "text/plain": "T (SIMULATED)\nin words\n(It could not be drawn: out of ink)",
    "application/vnd.cosci.error": "It could not be drawn: out of ink",
  });
});

Deno.test("saving: the ending decides the format, another one and a missing folder are named", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const figure = lineagePlot(syntheticView(5, 5));
    await figure.save(join(folder, "a.svg"));
    await figure.save(join(folder, "A.PNG"));
    assert.ok((await Deno.readTextFile(join(folder, "a.svg"))).includes(figure.svg()));
    assert.deepEqual([...(await Deno.readFile(join(folder, "A.PNG"))).slice(0, 4)], PNG_SIGNATURE);
    const refused = (words: RegExp) => (error: unknown) =>
      error instanceof CosciError && error.code === "input" && words.test(error.message);
    await assert.rejects(figure.save("plot.jpg"), refused(/plot\.jpg.*\.svg.*\.png/));
    await assert.rejects(
      figure.save(join(folder, "no", "a.svg")),
      refused(/no folder ".*no": make it first/),
    );
    await assert.rejects(figure.save(join(folder, "a.svg", "b.svg")), refused(/is a file, and no folder/));
    assert.deepEqual((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort(), [
      "A.PNG",
      "a.svg",
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("judges, from none to twelve, are drawn as self-contained SVG that grows with their number", async () => {
  const heights: number[] = [];
  for (const judges of [0, 1, 2, 12]) {
    const figure = judgePlot(judgesData(panel(judges)));
    const svg = figure.svg();
    assert.doesNotMatch(svg, /<script|<style|href=|url\(h|NaN|undefined/i);
    for (const { judge } of panel(judges)) assert.ok(svg.includes(`>${judge}</text>`), judge);
    assert.equal(svg.includes(">all together</text>"), judges > 1);
    assert.deepEqual([...(await figure.png(1)).slice(0, 4)], PNG_SIGNATURE);
    heights.push(Number(/height="(\d+)"/.exec(svg)?.[1]));
  }
  assert.deepEqual(heights, heights.toSorted((a, b) => a - b));
  assert.match(judgePlot(judgesData([])).svg(), /No match was judged yet\./);
});

Deno.test("the picture of judges marks −1, 0 and 1, what is beyond a limit, and what is from few verdicts", () => {
  const figure = judgePlot(judgeData());
  const svg = figure.svg();
  for (const tick of ["−1", "0", "+1"]) assert.ok(svg.includes(`>${tick}</text>`), tick);
  for (const part of ["Order bias", "Flips", "Ties", "Invalid", "% of verdicts", "(logits)"]) {
    assert.ok(svg.includes(part), part);
  }
  // Bias of the one that always names the first, ties of gpt-5, invalid answers of llama.
  assert.equal(
    svg.match(/stroke="#d55e00" [^>]*fill="#d55e00"|fill="#d55e00" [^>]*stroke="#d55e00"/g)?.length,
    3,
  );
  assert.match(String(figure), /claude-sonnet-4-6, debate · 9f31c2aa · 24 verdicts: order bias \+\d/);
  assert.match(String(figure), /\n! .*tied 12 of 23/);
  assert.match(svg, />SIMULATED<\/text>/);
  assert.doesNotMatch(judgePlot({ ...judgeData(), simulated: false }).svg(), /SIMULATED/);
});

Deno.test("names of judges are data: they can't break the picture", () => {
  const svg = judgePlot(judgeData('</text></svg><script>alert("x")</script>\u0000\ud800')).svg();
  assert.doesNotMatch(svg, /<script/);
  assert.equal(svg.match(/<\/svg>/g)?.length, 1);
});
