import assert from "node:assert/strict";
import { OWN_PICTURE } from "../../notebook/own_pictures.ts";
import { parseHTML } from "linkedom";
import { z } from "zod";
import { sessionHtml } from "../../../lib/supervisor/export/html.ts";
import { FIGURES } from "../../../lib/supervisor/export/figures.ts";
import { exportFolder, PLAIN, steered } from "./sessions.ts";

/** What is asked of an element. */
interface Element {
  readonly textContent: string;
  readonly tagName: string;
  readonly id: string;
  readonly nextElementSibling: Element | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

/** The page as a document, and its text without white space that doesn't show. */
function read(html: string) {
  const page: Element = z.custom<Element>().parse(Reflect.get(parseHTML(html), "document"));
  const all = (selector: string) => [...page.querySelectorAll(selector)];
  const text = (selector: string) =>
    all(selector).map((each) => each.textContent.replaceAll(/\s+/g, " ").trim()).join(" ");
  return { all, text };
}

Deno.test("a report tells of goal, state, overview, leaders, figures, judges, people, cost and provenance", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await steered(lab);
  await lab.export(folder.path("a.html"));
  const { all, text } = read(await folder.read("a.html"));
  assert.equal(text("h1"), "ships SIMULATED");
  assert.deepEqual(all("h2").map(({ textContent }) => textContent), [
    "Contents",
    "How it stands",
    "Overview",
    "Leaderboard",
    "Leading hypotheses",
    "Other hypotheses",
    "Figures",
    "Judges",
    "What people changed",
    "System feedback",
    "Cost",
    "Settings that differ from the defaults",
    "Where this comes from",
  ]);
  const main = text("main");
  assert.match(text("header"), /Which coatings could keep ships free of barnacles\?/);
  for (const said of [PLAIN.notes, PLAIN.claim, PLAIN.directive, PLAIN.title]) {
    assert.ok(main.includes(said), said);
  }
  assert.ok(text("details").includes(PLAIN.rationale), "rationales are one click away");
  assert.match(main, /confirmed by results/);
  assert.deepEqual(
    all('[aria-label="Settings"] tbody tr').map((row) =>
      [...row.querySelectorAll("td")].map(({ textContent }) => textContent)
    ).find(([path]) => path === "ranking.kFactorNew"),
    ["ranking.kFactorNew", "24", "32", "R2, by Dr. Grün"],
  );
  assert.equal(
    all("dt").find((each) => each.textContent === "Store")?.nextElementSibling?.textContent,
    "store.db",
  );
  assert.match(main, /Supervisor\.open\(\{ store: "store\.db", session: "ships" \}\)/);

  const { leaderboard } = lab.inspect();
  assert.equal(all('[aria-label="Leaderboard"] tbody tr').length, leaderboard.length);
  for (const { label } of leaderboard) assert.equal(all(`#h-${label}`).length, 1, `${label} is told of once`);
  const [leader] = leaderboard;
  assert.match(
    text(`#h-${leader?.label}`),
    new RegExp(`rating ${leader?.rating?.toFixed(0)} \\(90 % interval`),
  );
  const reviews = lab.view().reviews.filter(({ hypothesisId }) =>
    lab.view().hypothesis(hypothesisId)?.record.label === leader?.label
  );
  for (const { label } of reviews) assert.match(text(`#h-${leader?.label}`), new RegExp(`\\b${label}\\b`));
  assert.equal(all("figure svg").length, FIGURES.length);
});

Deno.test("a report is complete in itself, and may load and run nothing", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await steered(lab);
  const html = await sessionHtml(lab);
  const { all } = read(html);
  const policy = all("meta[http-equiv]").map((
    each,
  ) => [each.getAttribute("http-equiv"), each.getAttribute("content")]);
  assert.deepEqual(policy, [[
    "Content-Security-Policy",
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'",
  ]]);
  assert.deepEqual(
    all("script, link, iframe, object, embed, form, base, [src]:not(img), [srcset], [onload], [onclick]")
      .length,
    0,
  );
  assert.ok(all("img").length > 0);
  for (const picture of all("img")) assert.match(picture.getAttribute("src") ?? "", OWN_PICTURE);
  for (const link of all("a")) {
    const href = link.getAttribute("href") ?? "";
    if (href.startsWith("#")) assert.equal(all(href).length, 1, `${href} leads nowhere`);
    else assert.match(href, /^https?:\/\//);
  }
  assert.doesNotMatch(html, /url\((?!#)|@import/);
});

Deno.test("headings come in order, figures and regions have names, ids are unique, sources of simulations lead nowhere", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await steered(lab);
  const { all, text } = read(await sessionHtml(lab));
  let last = 0;
  for (const each of all("h1, h2, h3, h4, h5, h6, [role=heading]")) {
    const level = Number(each.getAttribute("aria-level") ?? each.tagName.slice(1));
    assert.ok(level <= last + 1, `"${each.textContent}" is of level ${level} after one of ${last}`);
    last = level;
  }
  assert.equal(all("h1").length, 1);
  assert.deepEqual(["main", "nav", "header", "footer"].map((name) => all(name).length), [1, 1, 1, 1]);
  const ids = all("[id]").map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const each of all("figure, [role=region], svg[role=img]")) {
    assert.notEqual(each.getAttribute("aria-label") ?? each.querySelector("title")?.textContent ?? "", "");
  }
  for (const each of all("[aria-labelledby]")) {
    assert.equal(all(`#${each.getAttribute("aria-labelledby")}`).length, 1);
  }
  assert.equal(all("th:not([scope])").length, all(".sheet th:not([scope])").length);
  assert.match(text("main"), /sim:/);
  assert.ok(all("a").every((link) => !(link.getAttribute("href") ?? "").includes("sim:")));
});

Deno.test("a session that has just begun has a report without figures, and says how to get an overview", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  const { all, text } = read(await sessionHtml(lab));
  assert.match(text("main"), /There is no overview yet\. await lab\.overview\(\) drafts one/);
  assert.match(text("main"), /No hypothesis is in the tournament/);
  assert.match(text("main"), /Nothing: nobody steered it/);
  assert.equal(all("figure").length, 0);
});

Deno.test("pinned hypotheses, and those that results speak of, are told in full whatever their place", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await lab.runUntil({ matches: 6 });
  for (const title of ["Copper ions", "Biofilm of diatoms", "Ultrasound"]) {
    await lab.addHypothesis({ title, statement: `${title} keep larvae from settling.` }, { force: true });
  }
  await lab.runUntil({ matches: 14 });
  lab.configure({ ranking: { topK: 1 } });
  const last = lab.inspect().leaderboard.at(-1)?.label ?? "";
  assert.equal(read(await sessionHtml(lab)).all(`article#h-${last}`).length, 0);
  lab.addResult(last, { outcome: "refuted", claim: "It was tried, and settled on." });
  const { all, text } = read(await sessionHtml(lab));
  assert.equal(all(`article#h-${last}`).length, 1);
  assert.match(text(`#h-${last}`), /refuted by results/);
});
