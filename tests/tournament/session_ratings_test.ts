import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import type { HypothesisRecord, MatchRecord } from "../../lib/domain/records.ts";
import { sessionRatings } from "../../lib/tournament/session_ratings.ts";

const IDS = ["a", "b", "c"];

function hypothesis(id: string): HypothesisRecord {
  return {
    seq: 1,
    id,
    label: id,
    version: 1,
    title: id,
    statement: "",
    mechanism: "",
    entities: [],
    anticipatedOutcomes: "",
    noveltyArgument: "",
    strategy: "literature",
    parents: [],
    citations: [],
    droppedCitations: 0,
    author: "model",
    generation: 0,
    model: null,
    taskId: null,
  };
}

function match(firstId: string, secondId: string, more: Partial<MatchRecord> = {}): MatchRecord {
  return {
    seq: 2,
    id: `${firstId}${secondId}`,
    label: "M1",
    firstId,
    secondId,
    mode: "kwise",
    verdict: "first",
    bothOrders: null,
    group: "g",
    author: "model",
    weight: 2 / 3,
    judge: "m",
    panelist: null,
    promptVersion: "v",
    revision: 0,
    taskId: null,
    ...more,
  };
}

function strengths(matches: readonly MatchRecord[]): number[] {
  const ratings = sessionRatings({ ...DEFAULT_SETTINGS.ranking, priorWidth: 1 });
  for (const id of IDS) ratings.enter(hypothesis(id), null);
  ratings.judge(matches);
  return IDS.map((id) => ratings.strength(id)?.mean ?? NaN);
}

Deno.test("a group that lost one of its matches counts by those that are left", () => {
  const [a = NaN, b = NaN, c = NaN] = strengths([match("a", "b"), match("a", "c")]);
  assert.ok(a > b && a > c);
  const pairs = [match("a", "b"), match("a", "c")].map((one) => ({ ...one, group: null }));
  assert.deepEqual([a, b, c], strengths(pairs));
});

Deno.test("a weight on one match of a group is that match's alone, whichever it is", () => {
  const group = [match("a", "b"), match("a", "c"), match("b", "c")];
  const heavier = group.map((one) => one.id === "bc" ? { ...one, weight: 3 } : one);
  const [, before = NaN, last = NaN] = strengths(group), [, after = NaN, least = NaN] = strengths(heavier);
  assert.ok(after - least > before - last);
});
