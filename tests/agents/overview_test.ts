import assert from "node:assert/strict";
import { metareview } from "../../agents/metareview.ts";
import { OVERVIEW_PARTS } from "../../agents/overview_check.ts";
import { CosciError } from "../../lib/domain/errors.ts";
import { fences } from "../../lib/domain/text.ts";
import { Deferred } from "../../lib/llm/afford.ts";
import {
  evidence,
  feedback,
  hypothesis,
  makeTask,
  makeView,
  match,
  outcomeOf,
  review,
  runTask,
  type Script,
  ScriptedContext,
  settingsWith,
  type ViewParts,
} from "./support.ts";

const task = makeTask("metareview", "overview", { final: true });
const parts = OVERVIEW_PARTS.map((part) => `## ${part}\n\ntext`).join("\n\n");

const rich: ViewParts = {
  hypotheses: [
    hypothesis(1, { citations: [{ url: "https://c.org/1", title: "A paper" }] }, {
      elo: 1300,
      won: 3,
      lost: 1,
    }),
    hypothesis(2, { parents: ["hyp_1", "hyp_3"], strategy: "combine" }, { elo: 1250 }),
    hypothesis(3, {}, { state: "disproved" }),
    hypothesis(4, {}, { foldedUnder: "hyp_1", elo: 1290 }),
  ],
  reviews: [
    review(1, 1, {
      notes: "Sound but narrow",
      assumptions: [{ assumption: "Films stay whole", plausibility: "uncertain", rationale: "" }],
    }),
  ],
  matches: [match(1, 1, 2), match(2, 2, 3)],
  rationales: { mat_1: "H1 has data" },
  evidence: [
    evidence(1, 2),
    evidence(4, 2, { source: "https://c.org/1", claim: "Films tear", stance: "contradicts" }),
    evidence(2, 1, { source: "https://c.org/1", claim: "Films form" }),
    evidence(3, 1, { kind: "experiment", source: "bench", claim: "Wear fell by half" }),
  ],
  feedback: [feedback("Name the effect size")],
};

async function write(view: ViewParts, script: Script) {
  const { outcome, context } = await runTask(metareview, makeView(view), task, script);
  return { overview: outcomeOf(outcome, "overview_written"), context };
}

Deno.test("the prompt tells the leaders in full, their standing, reviews, results, rationales and sources", async () => {
  const { context } = await write(rich, { prose: [parts] });
  const [sent] = context.sent;
  const found = fences(sent?.text ?? "");
  const of = (tag: string) => found.filter((f) => f.tag === tag);
  assert.equal(sent?.tools, null, "prose without tools");
  assert.deepEqual(of("HYPOTHESIS").map((f) => f.attributes["label"]), ["H1", "H2"]);
  assert.deepEqual(of("HYPOTHESIS")[0]?.attributes, {
    label: "H1",
    standing: "Elo 1300; 3 won, 1 lost, 0 tied",
    duplicates: "H4",
    sources: "1",
  });
  assert.match(of("HYPOTHESIS")[0]?.text ?? "", /Mechanism: Mechanism 1\./);
  assert.equal(of("HYPOTHESIS")[1]?.attributes["parents"], "H1 H3");
  assert.deepEqual([of("HYPOTHESIS")[1]?.attributes["sources"], of("HYPOTHESIS")[1]?.attributes["against"]], [
    "1 2",
    "1",
  ]);
  assert.match(of("SOURCE")[1]?.text ?? "", /A paper\nFilms form · Films tear/);
  assert.match(of("REVIEW")[0]?.text ?? "", /Sound but narrow/);
  assert.deepEqual(of("RATIONALE").map((f) => f.text), ["H1 has data"]);
  assert.match(of("FEEDBACK")[0]?.text ?? "", /effect size/);
  assert.deepEqual(
    of("SOURCE").map((f) => [f.attributes["n"], f.attributes["url"], f.attributes["kind"]]),
    [
      [undefined, undefined, "experiment"],
      ["1", "https://c.org/1", undefined],
      ["2", "https://example.org/1", undefined],
    ],
  );
  assert.match(sent?.text ?? "", /proposed 4 hypotheses\. 3 entered the tournament, which judged 2 matches/);
});

Deno.test("at most 40 sources are numbered, and each hypothesis has some among them", async () => {
  const hypotheses = [1, 2].map((n) => hypothesis(n, {}, { elo: 1300 - n }));
  const many = Array.from({ length: 100 }, (_, i) => evidence(i, i < 99 ? 1 : 2));
  const { context } = await write({ hypotheses, evidence: many }, { prose: [parts] });
  const sources = fences(context.sent[0]?.text ?? "").filter((f) => f.tag === "SOURCE");
  assert.equal(sources.length, 40);
  assert.equal(sources[1]?.attributes["url"], "https://example.org/99");
});

Deno.test("invented references, labels and addresses don't survive, and the notes say so", async () => {
  const answer = `# Overview\n\n${parts}\n\n` +
    "[H1] holds [1], [H77] fails [9], see [2, 41] and https://made.up/x and [a link](https://made.up/y). " +
    "Take x in [0, 1] and the year [2024].";
  const { overview } = await write(rich, { prose: [answer] });
  assert.match(overview.markdown, /\[H1\] holds \[1\], \[no such hypothesis\] fails, see \[2\] and/);
  assert.doesNotMatch(overview.markdown.split("## Notes")[0] ?? "", /made\.up|\[9\]|41|H77/);
  assert.match(overview.markdown, /a link\. Take x in \[0, 1\] and the year \[2024\]/);
  assert.equal(overview.notes.length, 3);
  assert.match(overview.notes.join("\n"), /\[9\], \[41\][\s\S]*made\.up\/[\s\S]*\[H77\]/);
});

Deno.test("the list of references is made from the sources that were used, instead of the model's", async () => {
  const answer = `${parts}\n\nFilms form [1].\n\n## References\n\n[1] Invented title, 1901.\n`;
  const { overview } = await write(rich, { prose: [answer] });
  assert.match(overview.markdown, /## References\n\n- \[1\] A paper\. <https:\/\/c\.org\/1>\n$/);
  assert.doesNotMatch(overview.markdown, /Invented title|example\.org/);
  assert.match(overview.markdown, /^# Research overview\n/);
  assert.deepEqual([overview.source, overview.model], ["model", "model"]);
});

Deno.test("a missing part and what money forced are noted in the record and in the text", async () => {
  const { overview } = await write(rich, {
    prose: [parts.replace("Caveats and limitations", "Outlook")],
    concessions: ["less effort: budget"],
  });
  assert.match(overview.notes.join("\n"), /Caveats and limitations[\s\S]*less effort/);
  assert.match(overview.markdown, /## Notes on this overview[\s\S]*less effort/);
});

Deno.test("a failing model gives way to an overview from the records that says so", async () => {
  for (const code of ["provider", "output", "prompt"] as const) {
    const { overview } = await write(rich, {
      fails: { call: 0, error: new CosciError(code, "no answer today") },
    });
    assert.deepEqual([overview.source, overview.model], ["fallback", null]);
    assert.match(overview.notes.join(), /no answer today/);
    assert.match(overview.markdown, /Not written by a model[\s\S]*no answer today/);
    const at = OVERVIEW_PARTS.map((part) => overview.markdown.indexOf(`## ${part}`));
    assert.ok(at.every((place, i) => place > (at[i - 1] ?? 0)), "four parts in order");
    assert.match(overview.markdown, /\*\*Claim:\*\* Statement 1\./);
    assert.match(overview.markdown, /\*\*Open questions:\*\* Films stay whole/);
    assert.match(overview.markdown, /\[H2\] was made from \[H1\], \[H3\]/);
    assert.match(overview.markdown, /## References\n\n- \[1\] A paper[\s\S]*\[2\] Claim 1/);
  }
});

Deno.test("where money allows no whole prompt, the model is shown less of it, and the overview says so", async () => {
  const { overview, context } = await write(rich, {
    fails: { call: 0, error: new CosciError("budget", "too dear") },
    prose: [`${parts}\n\nFilms form [1], as [H2] says.`],
  });
  assert.equal(overview.source, "model");
  assert.match(overview.notes.join(), /shown 2 of 2 hypotheses, without the matches' rationales/);
  const tags = context.sent.map((sent) => new Set(fences(sent.text).map((fence) => fence.tag)));
  assert.deepEqual(tags.map((tag) => tag.has("RATIONALE") || tag.has("FEEDBACK")), [true, false]);
  assert.match(overview.markdown, /\[1\], as \[H2\]/, "what the session knows may still be referred to");
});

Deno.test("an empty answer gives way, too", async () => {
  const { overview } = await write(rich, { prose: ["  \n"] });
  assert.equal(overview.source, "fallback");
  assert.match(overview.notes.join(), /empty/);
});

Deno.test("without a hypothesis no model is asked", async () => {
  const { overview, context } = await write({}, {});
  assert.equal(context.sent.length, 0);
  assert.equal(overview.source, "fallback");
  assert.match(overview.markdown, /0 hypotheses came of it/);
});

Deno.test("before the tournament the overview is about what is in play", async () => {
  const hypotheses = [hypothesis(1, {}, { state: "draft" }), hypothesis(2, {}, { state: "rejected" })];
  const { context } = await write({ hypotheses }, { prose: [parts] });
  assert.deepEqual(
    fences(context.sent[0]?.text ?? "").filter((f) => f.tag === "HYPOTHESIS").map((f) =>
      f.attributes["label"]
    ),
    ["H1"],
  );
});

Deno.test("what is put off, stopped or missing on a tape is no reason for a fallback", async () => {
  const failures = [
    new Deferred("money is reserved"),
    new CosciError("aborted", "stopped"),
    new CosciError("tape", "missed"),
    new TypeError("a fault"),
  ];
  for (const error of failures) await assert.rejects(write(rich, { fails: { call: 0, error } }), error);
  const stopped = new ScriptedContext(
    task,
    { fails: { call: 0, error: new CosciError("provider", "cut off") } },
    AbortSignal.abort(),
  );
  const input = metareview.prepare(makeView(rich), task, { kind: "none" });
  await assert.rejects(metareview.run(input, stopped), /cut off/);
});

Deno.test("a simulated session's overview begins by saying so, whoever wrote it", async () => {
  const simulated: ViewParts = { ...rich, session: { mode: "simulator" } };
  for (const prose of [[parts], [""]]) {
    const { overview } = await write(simulated, { prose });
    assert.match(overview.markdown.split("\n")[0] ?? "", /SIMULATED/);
  }
  const { overview } = await write(rich, { prose: [parts] });
  assert.doesNotMatch(overview.markdown, /SIMULATED/);
});

Deno.test("the whole text is screened, unless safety is off", async () => {
  const { overview, context } = await write(rich, { prose: [parts], screen: "blocked" });
  assert.equal(overview.screen?.result, "blocked");
  assert.deepEqual(context.screened, [{ target: "overview", text: overview.markdown }]);
  const off = await write({ ...rich, settings: settingsWith({ safety: { enabled: false } }) }, {
    prose: [parts],
  });
  assert.equal(off.overview.screen, null);
});

Deno.test("a record's text can open no link or tag in the fallback", async () => {
  const hypotheses = [hypothesis(1, { title: "<img src=x> [a](https://made.up)" })];
  const { overview } = await write({ hypotheses }, { prose: [""] });
  assert.doesNotMatch(overview.markdown, /(?<!\\)<img|(?<!\\)\[a/);
});
