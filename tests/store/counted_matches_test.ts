import assert from "node:assert/strict";
import { applyPatch } from "../../lib/config/patch.ts";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import { recordId } from "../../lib/domain/ids.ts";
import type { MarkKind, MatchRecord, MatchVerdict } from "../../lib/domain/records.ts";
import { countedMatches, type CountRule } from "../../lib/store/counted_matches.ts";
import type { Entry } from "../../lib/store/records.ts";
import { Store } from "../../lib/store/store.ts";
import { sessionRatings } from "../../lib/tournament/session_ratings.ts";
import { draft, hypothesis, hypothesisId, match, newSession } from "./fixture.ts";

const NOTHING_DONE: CountRule = {
  isVoid: () => false,
  weightOf: () => null,
  rootOf: (id) => id,
  isStale: () => false,
};

/** Two matches: `ab` and `bc`. */
const PLAYED: readonly MatchRecord[] = [["a", "b"], ["b", "c"]].map(([first = "", second = ""], i) => ({
  seq: i + 1,
  ...match(first + second, first, second).record,
  label: `M${i + 1}`,
}));

function count(rule: Partial<CountRule>, matches = PLAYED): readonly MatchRecord[] {
  return countedMatches(matches, { ...NOTHING_DONE, ...rule });
}

const pairs = (matches: readonly MatchRecord[]) =>
  matches.map(({ firstId, secondId, weight }) => [firstId, secondId, weight]);

const [AB, BC] = PLAYED;

Deno.test("a match that nothing was done to is the very record", () => {
  const counted = count({ weightOf: (id) => (id === AB?.id ? 3 : null) });
  assert.equal(counted[1], BC);
  assert.deepEqual(counted[0], { ...AB, weight: 3 });
  assert.equal(AB?.weight, 1, "the record itself stays as it was played");
  assert.equal(count({ weightOf: () => 1 })[0], AB, "a person's weight that is the match's own");
});

Deno.test("a void match, a stale one and one of weight 0 don't count", () => {
  assert.deepEqual(count({ isVoid: (id) => id === AB?.id }), [BC]);
  assert.deepEqual(count({ isStale: (played) => played === AB }), [BC]);
  assert.deepEqual(count({ weightOf: (id) => (id === AB?.id ? 0 : null) }), [BC]);
  assert.deepEqual(count({}, PLAYED.map((played, i) => ({ ...played, weight: i }))), [BC], "its own weight");
});

Deno.test("a person's weight stands instead of the match's own, which may be 0", () => {
  assert.deepEqual(pairs(count({ weightOf: () => 2 }, PLAYED.map((played) => ({ ...played, weight: 0 })))), [
    ["a", "b", 2],
    ["b", "c", 2],
  ]);
});

Deno.test("matches of a merged hypothesis are those of the one that stands for both; between the two none is left", () => {
  assert.deepEqual(pairs(count({ rootOf: (id) => (id === "a" ? "b" : id) })), [["b", "c", 1]]);
  assert.deepEqual(pairs(count({ rootOf: (id) => (id === "b" ? "c" : id) })), [["a", "c", 1]]);
  assert.equal(count({ rootOf: (id) => (id === "a" ? "b" : id) })[0], BC);
});

/** A session with a, b, c in the tournament. */
class Pool implements Disposable {
  readonly store: Store;
  readonly #session: string;

  constructor(entered = ["a", "b", "c"], staleMatches: "count" | "leave_out" = "count") {
    this.store = new Store({ database: ":memory:", ratings: sessionRatings });
    this.#session = this.store.createSession(
      newSession("s", { settings: applyPatch(DEFAULT_SETTINGS, { ranking: { staleMatches } }) }),
    ).id;
    this.add(...["a", "b", "c"].map((name) => hypothesis(name)));
    this.enter(...entered);
  }

  get view() {
    return this.store.view(this.#session);
  }

  /** The same, read afresh from the records. */
  get rebuilt() {
    const { seq } = this.view;
    this.add();
    return this.store.view(this.#session, seq);
  }

  add(...entries: readonly Entry[]): void {
    this.store.commit(this.#session, () => draft(entries));
  }

  enter(...names: readonly string[]): void {
    this.add(...names.map((name): Entry => ({
      kind: "hypothesisState",
      record: { hypothesisId: hypothesisId(name), state: "in_tournament", reason: "" },
    })));
  }

  /** Plays a match with its line in the ledger; returns its id. */
  play(first: string, second: string, verdict: MatchVerdict = "first"): string {
    const entry = match(
      `${first}${second}${this.view.matchCount}`,
      hypothesisId(first),
      hypothesisId(second),
      {
        verdict,
      },
    );
    const { id: matchId, firstId, secondId } = entry.record;
    const { epoch } = this.view;
    const line = {
      epoch,
      matchId,
      firstId,
      secondId,
      k: 32,
      weight: 1,
      firstBefore: 1200,
      secondBefore: 1200,
    };
    this.add(entry, {
      kind: "elo",
      record: { ...line, score: verdict === "first" ? 1 : 0, delta: verdict === "first" ? 16 : -16 },
    });
    return matchId;
  }

  mark(mark: MarkKind, targetId: string, value: unknown): void {
    this.add({ kind: "mark", record: { mark, targetId, value } });
  }

  merge(name: string, into: string | null): void {
    this.mark("merged", hypothesisId(name), into === null ? null : hypothesisId(into));
  }

  edit(name: string, statement: string): void {
    const version = this.view.versionsOf(hypothesisId(name)).length + 1;
    this.add(hypothesis(name, { version, statement }));
  }

  /** A person's or a model's full review with one score. */
  review(name: string, of: string, author: string, novelty: number, weight = 1): string {
    const id = recordId("rev", name);
    this.add({
      kind: "review",
      record: {
        id,
        hypothesisId: hypothesisId(of),
        hypothesisVersion: 1,
        kind: "full",
        verdict: "neutral",
        scores: { novelty },
        assumptions: [],
        evidence: [],
        droppedEvidence: 0,
        notes: "",
        author,
        weight,
        amends: null,
        taskId: null,
      },
    });
    return id;
  }

  /** Who meets whom in the matches that count. */
  get counted(): string[] {
    return this.names(this.view.counted);
  }

  names(matches: readonly MatchRecord[]): string[] {
    const nameOf = (id: string) => ["a", "b", "c"].find((name) => hypothesisId(name) === id) ?? id;
    return matches.map(({ firstId, secondId, weight }) =>
      `${nameOf(firstId)}${nameOf(secondId)}${weight === 1 ? "" : ` ×${weight}`}`
    );
  }

  strength(name: string): number {
    return this.view.ratings.strength(hypothesisId(name))?.mean ?? NaN;
  }

  [Symbol.dispose](): void {
    this.store.close();
  }
}

Deno.test("a view's counted matches are its matches while nobody did anything to them", () => {
  using pool = new Pool();
  pool.play("a", "b");
  pool.play("b", "c");
  assert.deepEqual(pool.counted, ["ab", "bc"]);
  for (const [i, played] of pool.view.matches.entries()) assert.equal(pool.view.counted[i], played);
});

Deno.test("a void match is out of counted, met and ratings, and in again once the mark is taken off", () => {
  using pool = new Pool();
  const ab = pool.play("a", "b");
  pool.play("b", "c");
  const rated = pool.strength("a");
  assert.ok(rated > pool.strength("b"));
  pool.mark("void", ab, true);
  assert.deepEqual(pool.counted, ["bc"]);
  assert.equal(pool.view.counted[0], pool.view.matches[1]);
  assert.equal(pool.view.met(hypothesisId("a"), hypothesisId("b")).total, 0);
  assert.ok(pool.strength("a") < rated);
  assert.deepEqual(pool.names(pool.view.matches), ["ab", "bc"], "what was played stays to be seen");
  assert.equal(pool.view.validMatches, 2);
  pool.mark("void", ab, null);
  assert.deepEqual(pool.counted, ["ab", "bc"]);
  assert.equal(pool.strength("a"), rated);
});

Deno.test("a match that a person gave more weight moves ratings further", () => {
  using pool = new Pool();
  const ab = pool.play("a", "b");
  const rated = pool.strength("a");
  pool.mark("weight", ab, 4);
  assert.deepEqual(pool.counted, ["ab ×4"]);
  assert.ok(pool.strength("a") > rated);
  pool.mark("weight", ab, 0);
  assert.deepEqual(pool.counted, []);
  pool.mark("weight", ab, null);
  assert.equal(pool.strength("a"), rated);
});

Deno.test("a match of weight 0 doesn't count, whether or not anything was marked", () => {
  using pool = new Pool();
  pool.add(match("none", hypothesisId("a"), hypothesisId("b"), { weight: 0 }));
  const bc = pool.play("b", "c");
  assert.deepEqual(pool.counted, ["bc"]);
  assert.equal(pool.view.met(hypothesisId("a"), hypothesisId("b")).total, 0);
  pool.mark("weight", bc, 2);
  assert.deepEqual(pool.counted, ["bc ×2"]);
});

Deno.test("through a chain of merges the last one stands for all", () => {
  using pool = new Pool();
  pool.play("a", "c");
  pool.play("a", "b");
  pool.play("b", "c", "second");
  pool.merge("a", "b");
  assert.deepEqual(pool.counted, ["bc", "bc"]);
  assert.deepEqual(pool.view.met(hypothesisId("c"), hypothesisId("b")), { total: 2, firstShown: 0 });
  assert.equal(pool.view.hypothesis(hypothesisId("a"))?.mergedInto, hypothesisId("b"));
  assert.equal(pool.view.ratings.strength(hypothesisId("a")), undefined);
  pool.merge("b", "c");
  assert.deepEqual(pool.counted, []);
  pool.merge("a", null);
  assert.deepEqual(pool.counted, ["ac", "ac"]);
});

Deno.test("two that were merged into each other are one, whichever is asked, and no verdict is turned round", () => {
  using pool = new Pool();
  pool.play("a", "b");
  pool.play("a", "c");
  pool.play("b", "c");
  pool.merge("a", "b");
  pool.merge("b", "a");
  const [one = "", other = ""] = pool.counted;
  assert.equal(pool.counted.length, 2);
  assert.equal(one, other);
  assert.match(one, /^[ab]c$/);
  const entered = ["a", "b"].filter((name) => !Number.isNaN(pool.strength(name)));
  assert.deepEqual(entered, [one.slice(0, 1)]);
});

Deno.test("a match that comes in after a merge counts for the one that stands for both", () => {
  using pool = new Pool();
  pool.merge("a", "b");
  assert.equal(pool.view.met(hypothesisId("b"), hypothesisId("c")).total, 0);
  const before = pool.strength("b");
  pool.play("a", "c");
  assert.equal(pool.view.met(hypothesisId("b"), hypothesisId("c")).total, 1);
  assert.ok(pool.strength("b") > before);
  const b = hypothesisId("b");
  assert.deepEqual(pool.view.ratings.strength(b), pool.rebuilt.ratings.strength(b));
});

Deno.test("what is known of a merged hypothesis isn't lost where the other one entered after it", () => {
  using pool = new Pool(["a", "c"]);
  pool.play("a", "c");
  pool.play("a", "c");
  pool.merge("a", "b");
  assert.equal(pool.view.ratings.strength(hypothesisId("b")), undefined, "it isn't in the tournament");
  pool.enter("b");
  assert.ok(pool.strength("b") > pool.strength("c") + 0.3);
  const b = hypothesisId("b");
  assert.deepEqual(pool.view.ratings.strength(b), pool.rebuilt.ratings.strength(b));
});

Deno.test("stale matches count unless the setting leaves them out", () => {
  using pool = new Pool();
  pool.play("a", "b");
  pool.play("b", "c");
  pool.edit("a", "Another one");
  assert.deepEqual(pool.counted, ["ab", "bc"]);
  assert.deepEqual(pool.names(pool.view.countedIf({ staleMatches: "leave_out" })), ["bc"]);
  assert.deepEqual(pool.counted, ["ab", "bc"], "asking what would be changes nothing");
  pool.add({
    kind: "revision",
    record: {
      id: recordId("rvn", "revision 1"),
      number: 1,
      kind: "configure",
      target: "ranking.staleMatches",
      before: "count",
      after: "leave_out",
      author: "Ada",
      undoes: null,
    },
  });
  assert.deepEqual(pool.counted, ["bc"]);
  assert.equal(pool.view.met(hypothesisId("a"), hypothesisId("b")).total, 0);
  assert.deepEqual(pool.names(pool.view.countedIf({ staleMatches: "count" })), ["ab", "bc"]);
});

Deno.test("an edit leaves the matches before it out, and one that goes back to their text makes them count again", () => {
  using pool = new Pool(undefined, "leave_out");
  pool.play("a", "b");
  const rated = pool.strength("a");
  pool.edit("a", "Another one");
  assert.deepEqual(pool.counted, []);
  assert.ok(pool.strength("a") < rated);
  pool.play("a", "c", "second");
  assert.deepEqual(pool.counted, ["ac"]);
  pool.edit("a", hypothesis("a").record.statement);
  assert.deepEqual(pool.counted, ["ab"]);
  assert.equal(pool.view.counted[0], pool.view.matches[0]);
  assert.equal(pool.view.met(hypothesisId("a"), hypothesisId("c")).total, 0);
});

Deno.test("what would count under other marks can be asked without making them", () => {
  using pool = new Pool();
  const ab = pool.play("a", "b");
  const bc = pool.play("b", "c");
  const a = hypothesisId("a"), c = hypothesisId("c");
  pool.mark("void", ab, true);
  const counted = (mark: MarkKind, targetId: string, value: unknown) =>
    pool.names(pool.view.countedIf({ marks: [{ mark, targetId, value }] }));
  assert.deepEqual(counted("void", bc, true), [], "marks that are not named stay");
  assert.deepEqual(counted("void", ab, null), ["ab", "bc"]);
  assert.deepEqual(counted("weight", bc, 3), ["bc ×3"]);
  assert.deepEqual(counted("merged", c, a), ["ba"]);
  assert.deepEqual(pool.counted, ["bc"]);
  assert.equal(pool.view.marked("void", ab), true);
  assert.equal(pool.view.marked("void", bc), null);
});

Deno.test("a new epoch in which no match counts begins everybody's Elo anew", () => {
  using pool = new Pool();
  const ab = pool.play("a", "b");
  const elos = () => pool.view.leaderboard.map(({ elo, matches }) => [elo, matches]);
  assert.deepEqual(elos(), [[1216, 1], [1200, 0], [1184, 1]]);
  pool.add(
    { kind: "mark", record: { mark: "void", targetId: ab, value: true } },
    { kind: "mark", record: { mark: "epoch", targetId: "elo", value: 1 } },
  );
  assert.deepEqual(elos(), [[1200, 0], [1200, 0], [1200, 0]]);
  assert.deepEqual([pool.view.epoch, pool.view.eloJournal], [1, []]);
  assert.equal(pool.rebuilt.epoch, 1);
});

Deno.test("a person's review tells of a hypothesis that has entered already, by its weight, until it is void", () => {
  using pool = new Pool(["a", "b"]);
  pool.review("the model's", "c", "model", 0.5);
  pool.enter("c");
  pool.play("a", "b");
  const rated = pool.strength("c");
  pool.review("a later one of the model", "c", "model", 1);
  assert.equal(pool.strength("c"), rated, "a prior is what was known at the entrance");
  const id = pool.review("Ada's", "c", "Ada", 1);
  pool.review("for comparison", "b", "Ada", 0.5);
  const kept = pool.strength("c");
  assert.notEqual(kept, rated);
  const c = hypothesisId("c");
  assert.deepEqual(pool.view.ratings.strength(c), pool.rebuilt.ratings.strength(c));
  pool.mark("void", id, true);
  assert.equal(pool.view.reviewsOf(c).length, 2);
  assert.equal(pool.view.reviews.length, 4);
  assert.notEqual(pool.strength("c"), kept);
});

Deno.test("a later version that names other parents doesn't change what a hypothesis entered with", () => {
  using pool = new Pool();
  pool.play("a", "b");
  const rated = pool.strength("c");
  pool.add(hypothesis("c", { version: 2, parents: [hypothesisId("a")] }));
  pool.play("a", "b");
  const c = hypothesisId("c");
  assert.equal(rated, pool.strength("c"));
  assert.deepEqual(pool.view.ratings.strength(c), pool.rebuilt.ratings.strength(c));
});
