/** Agreement is counted by pairs: one opinion a person and pair, however often they judged it. */
import assert from "node:assert/strict";
import type { MatchVerdict } from "../../lib/domain/records.ts";
import { type Opinion, peopleAgreement } from "../../lib/tournament/people_agreement.ts";

const say = (
  author: string,
  firstId: string,
  secondId: string,
  verdict: MatchVerdict,
  weight = 1,
): Opinion => ({
  author,
  firstId,
  secondId,
  verdict,
  weight,
});

Deno.test("without a person's verdict there is nothing to say", () => {
  assert.equal(peopleAgreement([]), null);
  assert.equal(peopleAgreement([say("model", "a", "b", "first")]), null);
  assert.equal(peopleAgreement([say("Ada", "a", "b", "invalid"), say("Ada", "a", "b", "first", 0)]), null);
});

Deno.test("sides don't matter; what one says of a pair several times is one opinion by its weights; ties are apart", () => {
  const found = peopleAgreement([
    say("model", "a", "b", "first"),
    say("Ada", "b", "a", "second"), // the same
    say("model", "a", "c", "first"),
    say("model", "a", "c", "second"),
    say("Ada", "a", "c", "first"), // the machine is of two minds
    say("model", "b", "c", "first", 0.5),
    say("model", "c", "b", "first"),
    say("Ada", "b", "c", "first"), // the other way by weight
    say("Ada", "c", "d", "tie"), // not judged by the machine
  ]);
  assert.deepEqual([found?.people, found?.verdicts, found?.pairs], [1, 4, 4]);
  const { count, of, tied, low, high } = found?.machine ??
    { count: 0, of: 0, tied: 0, low: null, high: null };
  assert.deepEqual([count, of, tied], [1, 2, 1]);
  assert.ok(low !== null && high !== null && low < 0.5 && high > 0.5);
  assert.equal(found?.between, null);
});

Deno.test("people are compared two by two; of one person, only what concerns them", () => {
  const all = [
    say("Ada", "a", "b", "first"),
    say("Bob", "a", "b", "first"),
    say("Cyd", "a", "b", "second"),
    say("model", "a", "b", "second"),
  ];
  const found = peopleAgreement(all);
  assert.deepEqual([found?.between?.count, found?.between?.of], [1, 3]);
  assert.deepEqual([found?.machine.count, found?.machine.of], [1, 3]);
  const own = peopleAgreement(all, "Cyd");
  assert.deepEqual([own?.people, own?.between?.count, own?.between?.of, own?.machine.count], [1, 0, 2, 1]);
});
