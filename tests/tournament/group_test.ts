import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import { rng } from "../../lib/domain/rng.ts";
import { chooseGroup, groupSize, matchesPerCall, pairsAmong, pairsOf } from "../../lib/tournament/group.ts";
import { unrated } from "../../lib/store/unrated.ts";
import type { PairCandidate } from "../../lib/tournament/pair_rules.ts";
import type { PairingInput } from "../../lib/tournament/pairing.ts";

const NEVER = () => ({ total: 0, firstShown: 0 });

function input(elos: readonly number[], over: Partial<PairingInput> = {}, key = "0"): PairingInput {
  return {
    candidates: elos.map((elo, i): PairCandidate => ({ id: `h${i}`, elo, matches: 5, bornSeq: i + 1 })),
    met: NEVER,
    cosine: () => 0,
    ratings: unrated(),
    busy: [],
    settings: DEFAULT_SETTINGS.ranking,
    matureMatches: 3,
    rng: rng("seed", key, "group"),
    ...over,
  };
}

const pair = (first: number, second: number) =>
  ({ firstId: `h${first}`, secondId: `h${second}`, mode: "pairwise", bucket: "random" }) as const;

Deno.test("a group is the pair and those nearest to it in rating", () => {
  const given = input([1200, 1210, 1500, 1190, 1230, 900]);
  assert.deepEqual([...chooseGroup(given, pair(0, 1), 4) ?? []].sort(), ["h0", "h1", "h3", "h4"]);
  assert.equal(chooseGroup(given, pair(0, 1), 6)?.length, 6);
  assert.equal(chooseGroup(input([1200, 1210, 1190]), pair(0, 1), 6)?.length, 3, "as many as there are");
});

Deno.test("of equally near ones the lot decides", () => {
  const thirds = new Set<string>();
  for (let n = 0; n < 60; n++) {
    const group = chooseGroup(input([1200, 1200, 1250, 1150, 1250], {}, String(n)), pair(0, 1), 3) ?? [];
    for (const id of group) if (id !== "h0" && id !== "h1") thirds.add(id);
  }
  assert.deepEqual([...thirds].sort(), ["h2", "h3", "h4"]);
});

Deno.test("nobody joins who may not meet each of the others", () => {
  const { maxMatchesPerPair } = DEFAULT_SETTINGS.ranking;
  // h2 has met h1 as often as it may, and h3 is being judged against h4.
  const met = (a: string, b: string) =>
    [a, b].sort().join(" ") === "h1 h2" ? { total: maxMatchesPerPair, firstShown: 1 } : NEVER();
  const busy = [["h4", "h3"]] as const;
  const given = input([1200, 1200, 1200, 1210, 1220], { met, busy });
  const group = chooseGroup(given, pair(0, 1), 6);
  assert.deepEqual([...group ?? []].sort(), ["h0", "h1", "h3"]);
});

Deno.test("where not even three come together the pair is judged alone", () => {
  assert.equal(chooseGroup(input([1200, 1210]), pair(0, 1), 4), null);
  const busy = [["h2", "h0"]] as const;
  assert.equal(chooseGroup(input([1200, 1210, 1220], { busy }), pair(0, 1), 4), null);
});

Deno.test("by coin each place falls to each equally often; by fixed order the older ones stand first", () => {
  const places = new Map<string, number>();
  for (let n = 0; n < 1200; n++) {
    const group = chooseGroup(input([1200, 1200, 1200, 1200], {}, String(n)), pair(2, 1), 4) ?? [];
    for (const [place, id] of group.entries()) {
      places.set(`${id} ${place}`, (places.get(`${id} ${place}`) ?? 0) + 1);
    }
  }
  assert.equal(places.size, 16);
  for (const n of places.values()) assert.ok(n > 240 && n < 360, `${n} of 300 expected`);
  const settings = { ...DEFAULT_SETTINGS.ranking, order: "fixed" as const };
  assert.deepEqual(chooseGroup(input([1200, 1210, 1190], { settings }), pair(2, 0), 3), ["h0", "h1", "h2"]);
});

Deno.test("who met before is shown the other way round, as far as the others allow", () => {
  // h0 stood before h1 and h2 before h3 in the only meetings so far.
  const met = (a: string, b: string) => {
    const first = `${a} ${b}` === "h0 h1" || `${a} ${b}` === "h2 h3";
    const second = `${b} ${a}` === "h0 h1" || `${b} ${a}` === "h2 h3";
    return { total: first || second ? 1 : 0, firstShown: first ? 1 : 0 };
  };
  const orders = new Set<string>();
  for (let n = 0; n < 80; n++) {
    const group = chooseGroup(input([1200, 1200, 1200, 1200], { met }, String(n)), pair(0, 1), 4) ?? [];
    assert.ok(group.indexOf("h1") < group.indexOf("h0") && group.indexOf("h3") < group.indexOf("h2"));
    orders.add(group.join(" "));
  }
  assert.equal(orders.size, 6, "and otherwise by lot");
});

Deno.test("a group is no larger than the matches that are left", () => {
  assert.deepEqual([2, 3, 4, 5, 6].map((judgedAtOnce) => matchesPerCall({ judgedAtOnce })), [
    1,
    3,
    6,
    10,
    15,
  ]);
  assert.deepEqual([100, 15, 14, 6, 5, 3, 2, 1, 0].map((left) => groupSize({ judgedAtOnce: 6 }, left)), [
    6,
    6,
    5,
    4,
    3,
    3,
    2,
    2,
    2,
  ]);
});

Deno.test("the pairs that are taken are those of matches and all those of groups", () => {
  assert.deepEqual(pairsAmong(["a", "b", "c"]), [["a", "b"], ["a", "c"], ["b", "c"]]);
  assert.deepEqual(
    pairsOf([
      { kind: "group", ids: ["a", "b", "c"], bucket: "new" },
      { kind: "none" },
      { kind: "match", firstId: "d", secondId: "a", mode: "debate", bucket: "new" },
    ]),
    [["a", "b"], ["a", "c"], ["b", "c"], ["d", "a"]],
  );
});
