import assert from "node:assert/strict";
import type { Decision } from "../../lib/domain/agent.ts";
import { nextJudge } from "../../lib/tournament/panel.ts";

const asked = (panelist: string | null, more: { judge?: string | null; group?: string } = {}) => ({
  panelist,
  judge: more.judge ?? null,
  group: more.group ?? null,
});
const inHand = (judge: string): Decision => ({
  kind: "match",
  firstId: "a",
  secondId: "b",
  mode: "debate",
  bucket: "new",
  judge,
});

Deno.test("whoever was asked least is next, those in hand included; of equals the first named", () => {
  const panel = ["x", "y", "z"];
  assert.equal(nextJudge([], [], []), undefined);
  assert.equal(nextJudge(panel, [], []), "x");
  assert.equal(nextJudge(panel, [asked("x")], []), "y");
  assert.equal(nextJudge(panel, [asked("x")], [inHand("y")]), "z");
  assert.equal(nextJudge(panel, [asked("x"), asked("z")], [inHand("y")]), "x");
  assert.equal(nextJudge(panel, [asked("y"), asked("y"), asked("x")], [inHand("z"), inHand("z")]), "x");
});

Deno.test("whoever gives no verdict, or is stood in for, isn't asked again for that", () => {
  assert.equal(nextJudge(["x", "y"], [asked("x"), asked("y", { judge: "x" })], []), "x");
  assert.equal(nextJudge(["x", "y"], [asked("x", { judge: "y" })], []), "y");
});

Deno.test("a group counts once; matches before there was a panel count for who judged them", () => {
  const group = Array.from({ length: 6 }, () => asked("x", { group: "g" }));
  assert.equal(nextJudge(["x", "y"], [...group, asked("y")], []), "x");
  assert.equal(
    nextJudge(["x", "y"], [...group, ...group.map((m) => ({ ...m, group: "h" })), asked("y")], []),
    "y",
  );
  assert.equal(
    nextJudge(["x", "y"], [asked(null, { judge: "x" }), asked(null, { judge: "other" })], []),
    "y",
  );
  const busy: Decision[] = [{ kind: "group", ids: ["a", "b", "c"], bucket: "new", judge: "x" }];
  assert.equal(nextJudge(["x", "y"], [], busy), "y");
});

Deno.test("the order of the calls that come and go doesn't matter: at any moment nobody is ahead by more than one", () => {
  const panel = ["x", "y", "z"];
  const done: ReturnType<typeof asked>[] = [];
  const busy: Decision[] = [];
  const counts = new Map(panel.map((member) => [member, 0]));
  for (let n = 0; n < 200; n++) {
    const judge = nextJudge(panel, done, busy) ?? "";
    counts.set(judge, (counts.get(judge) ?? 0) + 1);
    busy.push(inHand(judge));
    // Up to seven are in hand, and end in another order than they began.
    while (busy.length > n % 7) {
      const [ended] = busy.splice((n * 31) % busy.length, 1);
      if (ended?.kind === "match") done.push(asked(ended.judge ?? null));
    }
    assert.ok(Math.max(...counts.values()) - Math.min(...counts.values()) <= 1);
  }
});
