/** What a handle can do, verb by verb, in the order in which one needs it. */
export const VERBS: readonly { readonly verb: string; readonly what: string }[] = [
  { verb: "peek()", what: "what the next tick would do, why, and what it may cost at most" },
  { verb: "await tick({ tasks? })", what: "one step: the next task, or a few side by side" },
  { verb: "for await (const tick of ticks(until?))", what: "step by step, looking at each" },
  {
    verb: "await runUntil({ matches: 20 })",
    what: "run until there are so many in all, or until a function says yes",
  },
  { verb: "await runFor({ matches: 20 })", what: "run for so many more" },
  {
    verb: "start(until?)",
    what: "run while other cells look and steer; it returns .progress, .stop() and .done",
  },
  {
    verb: "await generate(n), reflect(labels, kind?), rank(n), evolve(strategy, labels?), metareview()",
    what: "one stage now",
  },
  { verb: 'inspect(), inspect("H1")', what: "where things stand; what one record says" },
  {
    verb:
      "plots, plots.elo(), .ratings(), .lineage(), .proximity(), .matches(), .budget(), .judge(), .compare(other)",
    what: 'the list of pictures; one of them; .save("f.svg" | "f.png")',
  },
  {
    verb: 'frames, frame("matches")',
    what: "records as plain rows; .csv(path) and .parquet(path) for pandas and R",
  },
  { verb: "judge", what: "how the judges judge: order bias, flips, ties, preferences, with warnings" },
  { verb: 'criteria, criteria.by("cost")', what: "how hypotheses do by each of your criteria, and overall" },
  {
    verb: "settings, configure({ ranking: { … } })",
    what: "all settings; change some, and hear what that changes from when",
  },
  {
    verb: 'await edit("H1", { statement: "…" } | (record) => …)',
    what: "the next version of a hypothesis; what was said of the one before is stale",
  },
  {
    verb: "stale, await refresh(labels?)",
    what: "what was judged on a text that has changed; do it again, all or some",
  },
  { verb: "revisions, undo(revision?)", what: "all that was changed; take a change back, or the newest" },
  {
    verb: 'direct(text, { kind?, to?, until? }), withdraw("D1"), directives',
    what: 'instructions and preferences that prompts carry; inspect("D1") lists the calls that did',
  },
  {
    verb: "await addHypothesis(textOrParts, { author?, force? })",
    what: "your own hypothesis; answers what it repeats, if it does",
  },
  {
    verb: 'addReview("H1", { verdict?, scores?, notes }), amendReview("V5", patch), voidReview("V5", reason)',
    what: "review yourself; correct a review, or have it not count",
  },
  {
    verb: 'addVerdict("H1", "H2", "H1" | "tie", { rationale?, weight? }), voidVerdict("M12", reason)',
    what: "judge a pair yourself; take a verdict out of the ratings",
  },
  {
    verb: 'addResult("H1", { outcome, claim, kind?, source? }), voidResult("E3", reason)',
    what: "what a test came to: it outranks ratings",
  },
  {
    verb: 'pin("H1"), unpin, reject("H1", reason?), restore("H1"), merge("H1", "H9", { keep? })',
    what: "keep in play, take out, bring back, join duplicates",
  },
  {
    verb: 'await blindSheet({ pairs: 20, path: "sheet" }), importVerdicts("sheet.csv", { author })',
    what: "pairs for a colleague to judge without knowing which is which; their verdicts",
  },
  {
    verb: "await rerate({ kFactorNew?, exclude?, weights?, apply? }), rerate.sweep({ kFactorNew: [16, 32] })",
    what: "rate the match log anew without a model call: both rankings, who moves; several values at once",
  },
  {
    verb: "await rejudge({ prompt?, model?, sample?, apply? })",
    what: "ask again on stored matches: agreement, flips, cost; nothing changes until it is applied",
  },
  { verb: "queue.list(), .cancel(label), .promote(label), .revive(label)", what: "the open tasks, by hand" },
  {
    verb: "queue.take(label), .answer(label, verdict or review), .giveBack(label)",
    what: "do a queued review or match oneself",
  },
  {
    verb: "gate, accept(edit?), refuse(reason)",
    what: "what waits for your yes, where run.gates names such steps; yes, or no",
  },
  {
    verb:
      "prompts.list(), .get(name), .set(name, text), .edit(name, text => …), await .load(folder), .reset(name?)",
    what: "the prompts: what is in force, and changes from the next task on",
  },
  {
    verb:
      'prompts.diff(name, { from?, to? }), await prompts.preview("ranking.pairwise", { on: ["H3", "H7"] })',
    what: "what a model reads otherwise; the exact request and its cost, before paying",
  },
  {
    verb: "transcripts({ last?, prompt?, version?, task?, hypothesis?, directive?, failed? }), transcript(n)",
    what: "model calls, and one in full",
  },
  {
    verb: "await resend(n, { prompt?, model? })",
    what: "asks a call again with another text or model, and shows both answers",
  },
  { verb: "cost(), estimate(until?)", what: "what it cost, what going on would cost" },
  { verb: "events({ last? }), subscribe()", what: "what happened, and what happens" },
  {
    verb: "await overview(), await finish(), reopen()",
    what: "draft an overview; write the last one and close; go on after that",
  },
  {
    verb: "await fork({ name, at?, settings?, prompts?, budget? })",
    what: "a session of its own that goes on from here, or from an earlier commit",
  },
  { verb: "pause(), resume(), abort()", what: "stand still, go on, end without a further call" },
  {
    verb: 'await export("report.html" | ".md" | ".ipynb" | ".json" | ".csv" | ".jsonl")',
    what: "the session as a file: a report, a notebook, or data",
  },
  {
    verb: "name, notes, view(seq?), simulator",
    what: "remarks on how it was opened; the records now or earlier; the server of a simulated session",
  },
  { verb: "await close()", what: "let go; everything is in the store" },
];
