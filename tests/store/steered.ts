import { Supervisor } from "../../mod.ts";
import { recordId, taskId } from "../../lib/domain/ids.ts";
import { draft } from "./fixture.ts";
import { enter, NAME, SMALL } from "../engine/support/session.ts";

/**
 * Makes a store in which everything has happened that views and frames tell of: a session that a person steered in every way,
 * a fork of an early commit, a fork that went on, and a fork of that one.
 */
export async function steeredStore(store: string): Promise<readonly Supervisor[]> {
  const lab = await enter(store, {
    settings: {
      ...SMALL,
      run: { ...SMALL.run, maxIdeas: 8 },
      scope: { criteria: [{ name: "cheap", weight: 2 }, { name: "oral form", weight: 1, must: true }] },
    },
  });
  lab.configure({ ranking: { eloInitial: 1500 } });
  await lab.tick();
  await lab.runUntil({ hypotheses: 2 });
  lab.direct("Prefer what an evening class could test", { author: "Ada" });
  lab.direct("Name the vessel", { kind: "preference", to: "generation", until: { matches: 4 } });
  const [known] = lab.view().hypotheses;
  for (const [i, duplicateOf] of [known?.record.id ?? "hyp_none", "known: metformin"].entries()) {
    lab.store.commit(lab.view().session.id, () =>
      draft([{
        kind: "duplicate",
        record: {
          id: recordId("dup", String(i)),
          title: "Again",
          statement: "The same",
          duplicateOf,
          cosine: 0.97,
          taskId: taskId("generate/1"),
        },
      }]));
  }
  await lab.runFor({ matches: 6 });
  const early = lab.view().seq;
  const [a, b, c, d] = lab.view().leaderboard.map(({ record }) => record.label);
  if (a === undefined || b === undefined || c === undefined) {
    throw new Error("the session has too few hypotheses");
  }
  lab.addResult(c, {
    outcome: "confirmed",
    claim: "=It glowed",
    source: "our lab",
    weight: 2,
    author: "Ada",
  });
  lab.addResult(b, { outcome: "refuted", claim: "It stayed dark" });
  const withdrawn = lab.addResult(a, { outcome: "refuted", claim: "The lamp was broken" });
  lab.voidResult(withdrawn.label, "the lamp was broken");
  lab.addVerdict(a, b, "tie", { author: "Ada", weight: 2, rationale: "Neither,\nnor" });
  const [first] = lab.view().matches;
  if (first !== undefined) lab.voidVerdict(first.label, "the judge was tired");
  lab.addReview(a, {
    verdict: "neutral",
    scores: { novelty: 0.9, criteria: { cheap: 0.3 } },
    notes: "+1",
    author: "Ada",
  });
  const [review] = lab.view().reviews;
  if (review !== undefined) lab.amendReview(review.label, { scores: { correctness: 0.1 } });
  await lab.edit(b, { title: '-Edited "title", with a comma' });
  await lab.addHypothesis("Tamrin makes cells glow in the dark when veltrin is absent, as nobody has tried", {
    author: "Grace",
    force: true,
  });
  lab.pin(a);
  lab.withdraw("D1");
  await lab.runFor({ matches: 6 });
  if (d !== undefined) lab.merge(d, c, { keep: c });
  await lab.rerate({ kFactorNew: 24, apply: true });
  await lab.rejudge({ sample: 3 });
  await lab.resend(3);
  const young = await lab.fork({ name: "young", at: early });
  const other = await lab.fork({ name: "other", settings: { ranking: { topK: 2 } } });
  await other.runFor({ matches: 3 });
  const own = other.view().leaderboard.at(-1)?.record.label;
  if (own !== undefined) other.reject(own, "no light");
  const grandchild = await other.fork({ name: "grandchild" });
  lab.reject(a, "too dear");
  lab.undo();
  await lab.metareview();
  lab.configure({
    ranking: { order: "both", panel: ["claude-opus-4-7", "claude-sonnet-4-6"] },
    run: { maxMatchesPerIdea: 30 },
  });
  await lab.rank(3);
  lab.configure({
    ranking: { order: "coin", judgedAtOnce: 3, debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0 },
  });
  await lab.rank(3);
  const near = lab.view().leaderboard.slice(-2).map(({ record }) => record.id);
  lab.store.commit(lab.view().session.id, (view) =>
    draft([{
      kind: "proximity",
      record: {
        id: recordId("prx", String(view.seq)),
        clusters: [near],
        matchesSeen: view.validMatches,
        vectors: view.hypotheses.length,
      },
    }]));
  return [lab, young, other, grandchild];
}

/** The session's name that is steered most. */
export const STEERED = NAME;
