/** Every plot at every size: what it draws, and that it draws what its rows say. */
import assert from "node:assert/strict";
import { CELL_LETTER, LETTER, READABLE, WIDTH } from "../../../lib/notebook/plots/size.ts";
import { textWidth } from "../../../lib/notebook/plots/text_width.ts";
import { columnsOf } from "../../../lib/notebook/displays/plain.ts";
import { comparisonPlot } from "../../../lib/notebook/plots/comparison.ts";
import { budgetPlot } from "../../../lib/notebook/plots/budget.ts";
import { matchesPlot, matchMatrix } from "../../../lib/notebook/plots/matches.ts";
import { proximityPlot } from "../../../lib/notebook/plots/proximity.ts";
import { sweepLayout, sweepPlot } from "../../../lib/notebook/plots/rating_sweep.ts";
import { ratingsPlot } from "../../../lib/notebook/plots/ratings.ts";
import { hypothesisRecord, matchRecord, syntheticView, viewOf } from "../view_double.ts";
import {
  comparedSessions,
  everyFigure,
  type NamedFigure,
  sessionOf,
  SIZES,
  spending,
  sweepOf,
} from "./plot_data.ts";

/** The texts of a picture, in order. */
function texts(svg: string): string[] {
  return [...svg.matchAll(/>([^<>]+)<\/(?:text|tspan)>/g)].flatMap(([, text]) => text ?? []);
}

/** How often something is drawn in one colour. */
function count(svg: string, pattern: RegExp): number {
  return svg.match(pattern)?.length ?? 0;
}

for (const n of SIZES) {
  Deno.test(`every plot of ${n} hypotheses is a self-contained picture that says what it shows`, async () => {
    for (const { name, figure } of everyFigure(n)) {
      const where = `${name} of ${n}`;
      const svg = figure.svg();
      assert.match(
        svg,
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+" viewBox=/,
        where,
      );
      assert.doesNotMatch(svg, /<script|<style|href=|url\(|NaN|undefined|Infinity/i, where);
      assert.ok(texts(svg).includes(figure.title) && texts(svg).includes("SIMULATED"), where);
      const [, width = 0] = /width="(\d+)"/.exec(svg) ?? [];
      assert.equal(Number(width), WIDTH + 32, `${where}: all figures are equally wide`);
      assert.ok(svg.includes(`min-width:${Math.ceil(Number(width) * READABLE / LETTER)}px`), where);
      for (const [, size] of svg.matchAll(/font-size="([\d.]+)"/g)) {
        const least = name === "matches" ? CELL_LETTER : LETTER;
        assert.ok(Number(size) >= least, `${where} has letters of ${size} px`);
      }
      for (const text of texts(svg)) assert.ok(textWidth(text, LETTER) <= WIDTH + 60, `${where}: ${text}`);
      for (const line of String(figure).split("\n")) assert.ok(columnsOf(line) <= 100, `${where}: ${line}`);
      assert.ok(Object.isFrozen(figure.rows));
      // Only well-formed XML can be rendered.
      if (n < 500) assert.equal((await figure.png(1))[1], 0x50, where);
    }
  });
}

Deno.test("a plot of an empty session says in words what is missing and how it comes, and nothing else is drawn", () => {
  for (const { name, figure } of everyFigure(0)) {
    const svg = figure.svg();
    assert.match(texts(svg).join(" "), /(No|no|Nothing|nothing)\b.*\bawait lab\.\w+\(/, name);
    assert.match(String(figure), /await\s+lab\./, name);
    assert.equal(count(svg, /<(circle|path|line)\b/g), 0, name);
  }
});

Deno.test("the same session is drawn the same way", () => {
  const drawn = (figures: readonly NamedFigure[]) => figures.map(({ figure }) => figure.svg());
  assert.deepEqual(drawn(everyFigure(12)), drawn(everyFigure(12)));
});

Deno.test("ratings: a line each for the first 40 in the order of the leaderboard, the others thin and unnamed", () => {
  for (const n of [2, 12, 100, 500]) {
    const figure = ratingsPlot(sessionOf(n));
    const drawn = texts(figure.svg());
    const named = figure.rows.slice(0, 40);
    const at = named.map(({ hypothesis }) => drawn.findIndex((text) => text.startsWith(`${hypothesis} · `)));
    assert.ok(!at.includes(-1), `${n}`);
    assert.deepEqual(at, at.toSorted((a, b) => a - b));
    for (const { rating } of named) assert.ok(drawn.includes(String(Math.round(rating ?? NaN))));
    assert.equal(
      drawn.includes(`places below: ${figure.rows.length - 40} more, unnamed`),
      figure.rows.length > 40,
    );
    // The sign of a rating is a dot, that of Elo a diamond, and each interval a line.
    assert.equal(count(figure.svg(), /<circle [^>]*r="4"/g), named.length);
    for (const word of ["place, hypothesis", "rating", "tier 1", "Elo", "its 90 % interval"]) {
      assert.ok(drawn.includes(word), word);
    }
  }
});

Deno.test("ratings: folded ones have no place, results are marked, the unrated are called so", () => {
  const view = viewOf([1, 2, 3].map((i) => hypothesisRecord(i)), [matchRecord(1, { seq: 9 })], {
    standings: {
      H1: { result: "confirmed" },
      H2: { foldedUnder: "hyp_1" },
      H3: { result: "refuted", strength: null, strengthSd: null },
    },
  });
  const drawn = texts(ratingsPlot(view).svg());
  for (const text of ["H1 ✓ · Title 1", "H2 · Title 2", "H3 ✗ · Title 3", "unrated", "–"]) {
    assert.ok(drawn.includes(text), text);
  }
  assert.match(
    drawn.join(" "),
    /Grey: 1 near-duplicate, folded under a better one\. ✓ confirmed and ✗ refuted/,
  );
});

Deno.test("matches: every match is in one cell from each side, however hypotheses share rows", () => {
  for (const n of [2, 12, 24, 25, 60, 100, 500]) {
    const view = sessionOf(n);
    const figure = matchesPlot(view);
    const { groups, cells, matches, elsewhere } = matchMatrix(view);
    assert.equal(matches + elsewhere, view.counted.length, `${n}`);
    assert.ok(groups.length <= 24);
    assert.deepEqual([groups[0]?.from, groups.at(-1)?.to], [1, view.leaderboard.length]);
    for (const [i, { from }] of groups.entries()) assert.equal(from, (groups[i - 1]?.to ?? 0) + 1);
    const sum = cells.reduce((all, cell) => all + (cell.row === cell.column ? 2 : 1) * cell.matches, 0);
    assert.equal(sum, 2 * matches);
    for (const cell of cells) {
      const other = cells.find(({ row, column }) => row === cell.column && column === cell.row);
      assert.ok(other !== undefined && other.matches === cell.matches);
      if (cell.share !== null) assert.ok(Math.abs(cell.share + (other.share ?? NaN) - 1) < 1e-9);
    }
    const drawn = texts(figure.svg());
    for (const { name } of groups) assert.ok(drawn.some((text) => text.startsWith(name)), name);
    assert.ok(drawn.includes("won all") && drawn.includes("lost all"));
  }
});

Deno.test("matches: what small cells say is narrower than they are, also where thousands of matches share one", () => {
  const view = syntheticView(60, 20_000);
  const { cells } = matchMatrix(view);
  assert.ok(cells.some(({ matches }) => matches >= 1000));
  const drawn = texts(matchesPlot(view).svg());
  assert.ok(drawn.some((text) => /^\d\.\dk$/.test(text)));
  for (const text of drawn.filter((text) => /^\d[\d.]*k?$/.test(text))) {
    assert.ok(textWidth(text, 22 * 0.44) <= 22, text);
  }
});

Deno.test("matches: a cell tells won, lost, tied, and how often the row was shown first", () => {
  const view = viewOf([1, 2].map((i) => hypothesisRecord(i)), [
    matchRecord(1),
    matchRecord(2, { firstId: "hyp_2", secondId: "hyp_1", verdict: "second" }),
    matchRecord(3, { verdict: "tie" }),
  ]);
  const drawn = texts(matchesPlot(view).svg());
  for (const text of ["2–0–1", "0–2–1", "2/3 1st", "1/3 1st"]) assert.ok(drawn.includes(text), text);
});

Deno.test("proximity: everybody is a dot or a cross, the leaders are ringed and named, the largest clusters coloured", () => {
  for (const n of [2, 12, 100, 500]) {
    const view = sessionOf(n);
    const figure = proximityPlot(view);
    const svg = figure.svg();
    const drawn = texts(svg);
    const [leader] = view.leaderboard;
    assert.ok(drawn.some((text) => text.startsWith(`1. ${leader?.record.label} · `)), `${n}`);
    const out = figure.rows.filter(({ state }) => state === "rejected").length;
    const keyed = Math.min(6, Math.max(0, ...figure.rows.map(({ cluster }) => cluster ?? 0)));
    // Dots, and rings of the leaders.
    const ringed = Math.min(10, view.leaderboard.length);
    assert.equal(count(svg, /<circle /g), figure.rows.length - out + ringed);
    for (let i = 1; i <= keyed; i++) assert.ok(drawn.some((text) => text.startsWith(`cluster ${i}: `)));
    assert.equal(drawn.join(" ").includes("Crosses: out of play."), out > 0);
    assert.match(drawn.join(" "), n < 9 ? /Principal coordinates/ : /UMAP of/);
  }
});

Deno.test("proximity: hypotheses without an embedding are counted, not drawn", () => {
  const view = viewOf([1, 2, 3].map((i) => hypothesisRecord(i)), [], {
    vectors: new Map([["hyp_1", Float32Array.of(1, 0)], ["hyp_2", Float32Array.of(0, 1)]]),
  });
  assert.match(
    texts(proximityPlot(view).svg()).join(" "),
    /1 without an embedding of the same model are left out/,
  );
  assert.match(
    String(proximityPlot(viewOf([hypothesisRecord(1)]))),
    /None of the 1 hypothesis has an embedding yet/,
  );
});

Deno.test("budget: a layer for each agent with what it spent, the cap where it is near, and thinned to what can be seen", () => {
  for (const n of [2, 12, 100, 500]) {
    const data = spending(n);
    const figure = budgetPlot(data);
    const drawn = texts(figure.svg());
    const agents = new Set(data.rows.map(({ agent }) => agent));
    const byAgent = Map.groupBy(data.rows, ({ agent }) => agent);
    for (const agent of agents) {
      const usd = (byAgent.get(agent) ?? []).reduce((sum, row) => sum + row.usd, 0);
      const label = drawn.find((text) => text.startsWith(`${agent} · $`));
      assert.ok(Math.abs(Number(label?.split("$")[1]) - usd) < 0.006, `${label} for ${usd}`);
    }
    assert.ok(drawn.some((text) => text.startsWith("cap $")));
    assert.ok(drawn.includes("USD") && drawn.includes("commit of the session"));
    assert.ok(figure.svg().length < 120_000, `${figure.svg().length} characters at ${n}`);
  }
  const far = texts(budgetPlot(spending(2, { capUsd: 900, overviewUsd: 0 })).svg());
  assert.ok(!far.some((text) => text.startsWith("cap $")));
  assert.match(far.join(" "), /The cap lies far above the picture/);
  const over = texts(budgetPlot(spending(12, { over: "time", inheritedUsd: 0.4 })).svg()).join(" ");
  assert.match(over, /minutes since the first call/);
  assert.match(over, /Not shown: \$0\.4000 that the sessions before the fork paid/);
  assert.match(
    texts(budgetPlot(spending(12, { simulated: false })).svg()).join(" "),
    /^(?!.*Simulated calls)/,
  );
});

Deno.test("compare: the first twelve places, lines for what several sessions have, and how the best of each went", () => {
  for (const [n, sessions] of [[2, 2], [12, 2], [12, 1], [100, 3], [500, 8]] as const) {
    const data = comparedSessions(n, sessions);
    const figure = comparisonPlot(data);
    const drawn = texts(figure.svg());
    assert.equal(
      figure.rows.length,
      data.sessions.reduce((sum, { leaderboard }) => sum + leaderboard.length, 0),
    );
    const [first] = data.sessions;
    for (const { label, rating } of first?.leaderboard.slice(0, 12) ?? []) {
      assert.ok(drawn.includes(`${label} · ${Math.round(rating ?? NaN)}`), label);
    }
    assert.equal(drawn.some((text) => text === "beyond the first 12"), (first?.leaderboard.length ?? 0) > 12);
    assert.equal(drawn.join(" ").includes("of which the first 6 are shown"), sessions > 6);
    for (const { name } of data.sessions.slice(0, 6)) assert.ok(drawn.includes(name), name);
    for (
      const axis of [
        "best Elo",
        "rated matches, with those before the fork",
        "USD, with what was paid before the fork",
      ]
    ) {
      assert.ok(drawn.includes(axis), axis);
    }
    // An axis of money says more than that it begins at nothing.
    assert.ok(drawn.filter((text) => /^\$[\d.]+$/.test(text)).length >= 2);
  }
});

Deno.test("sweep: the setting with most values lies along the axis, those of others are pictures of their own", () => {
  for (const n of [2, 12, 100, 500]) {
    for (const both of [false, true]) {
      const data = sweepOf(n, both);
      const layout = sweepLayout(data);
      assert.equal(layout.along?.name, "priorWidth");
      assert.deepEqual(layout.panels, both ? ["rating: bradley_terry", "rating: elo"] : [""]);
      const drawn = texts(sweepPlot(data).svg());
      for (const { label } of data.lines) {
        assert.ok(drawn.some((text) => text.startsWith(`${label} · `)), label);
      }
      for (const value of ["0.5", "1", "2", "4", "priorWidth", "place"]) {
        assert.ok(drawn.includes(value), value);
      }
      const dots = count(sweepPlot(data).svg(), /<circle /g);
      assert.equal(dots, layout.points.length);
    }
  }
});

Deno.test("sweep: many values make the picture wider, which is then scrolled, rather than press them together", () => {
  const data = sweepOf(12);
  const values = Array.from({ length: 20 }, (_, i) => i + 1);
  const [row] = data.rows;
  assert.ok(row !== undefined);
  const svg = sweepPlot({
    ...data,
    settings: [{ name: "kFactorNew", values, inForce: 1 }],
    rows: values.map((value) => ({ ...row, values: [value] })),
    lines: data.lines.map((line) => ({
      ...line,
      places: values.map(() => line.places[0] ?? null),
      ratings: values.map(() => null),
    })),
  }).svg();
  const [, width = 0] = /width="(\d+)"/.exec(svg) ?? [];
  assert.ok(Number(width) > WIDTH + 32);
  assert.ok(svg.includes(`min-width:${Math.ceil(Number(width) * READABLE / LETTER)}px`));
  for (const value of values) assert.ok(texts(svg).includes(String(value)));
});
