import assert from "node:assert/strict";
import fc from "fast-check";
import { pairsAmong } from "../../lib/tournament/group.ts";
import { groupsOf, placingOf } from "../../lib/tournament/placings.ts";

/** The matches that one call makes of a group. */
function matchesOf(shown: readonly string[], best: readonly string[]) {
  return pairsAmong(shown).map(([firstId, secondId]) => ({
    firstId,
    secondId,
    verdict: best.indexOf(firstId) < best.indexOf(secondId) ? "first" as const : "second" as const,
  }));
}

Deno.test("ranking and places are read back from the matches of a group, in whatever order they come", () => {
  const matches = matchesOf(["c", "a", "d", "b"], ["a", "b", "c", "d"]);
  assert.equal(matches.length, 6);
  assert.deepEqual(placingOf(matches), { ids: ["a", "b", "c", "d"], slots: [1, 3, 0, 2] });
  assert.deepEqual(placingOf(matches.toReversed()), placingOf(matches));
});

Deno.test("any order shown and any ranking of up to six come back as they were", () => {
  const ids = ["a", "b", "c", "d", "e", "f"];
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 6 }),
      fc.shuffledSubarray(ids, { minLength: 6 }),
      fc.shuffledSubarray(ids, { minLength: 6 }),
      (k, one, two) => {
        const members = ids.slice(0, k);
        const shown = one.filter((id) => members.includes(id)),
          best = two.filter((id) => members.includes(id));
        const placing = placingOf(matchesOf(shown, best));
        assert.deepEqual(placing?.ids, best);
        assert.deepEqual(placing?.slots.map((slot) => shown[slot]), best);
      },
    ),
  );
});

Deno.test("what is not the whole of one ranking has none", () => {
  const whole = matchesOf(["a", "b", "c"], ["b", "a", "c"]);
  assert.equal(placingOf([]), null);
  assert.equal(placingOf([{ firstId: "a", secondId: "b", verdict: "invalid" }]), null, "an invalid call");
  assert.equal(placingOf(whole.slice(1)), null, "a match is missing");
  assert.equal(placingOf([...whole, ...whole]), null, "twice");
  const tied = whole.map((match, i) => i === 0 ? { ...match, verdict: "tie" as const } : match);
  assert.equal(placingOf(tied), null);
  const circle = [["a", "b", "first"], ["b", "c", "first"], ["a", "c", "second"]] as const;
  assert.equal(
    placingOf(circle.map(([firstId, secondId, verdict]) => ({ firstId, secondId, verdict }))),
    null,
  );
});

Deno.test("matches are told apart by their group; those of pairs are left out", () => {
  const matches = [{ group: "x", n: 1 }, { group: null, n: 2 }, { group: "y", n: 3 }, { group: "x", n: 4 }];
  assert.deepEqual([...groupsOf(matches)].map(([group, of]) => [group, of.map(({ n }) => n)]), [
    ["x", [1, 4]],
    ["y", [3]],
  ]);
});
