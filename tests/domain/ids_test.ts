import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalJson, hashOf, recordId, taskId } from "../../lib/domain/ids.ts";

Deno.test("hashes tell lists of parts apart, not only their concatenation", () => {
  assert.notEqual(hashOf("ab", "c"), hashOf("a", "bc"));
  assert.notEqual(hashOf("a"), hashOf("a", ""));
  assert.match(hashOf("a"), /^[0-9a-f]{64}$/);
  assert.equal(hashOf("a", "b"), hashOf("a", "b"));
});

Deno.test("ids name their kind and follow from task key and ordinal", () => {
  assert.match(recordId("hyp", "key"), /^hyp_[0-9a-f]{16}$/);
  assert.equal(recordId("hyp", "key"), recordId("hyp", "key", 0));
  assert.notEqual(recordId("hyp", "key"), recordId("hyp", "key", 1));
  assert.notEqual(recordId("hyp", "key").slice(4), recordId("rev", "key").slice(4));
  assert.equal(taskId("key"), recordId("tsk", "key"));
});

Deno.test("canonical JSON is JSON, the same for equal values whatever the order of their keys", () => {
  fc.assert(fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
    assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)));
    assert.equal(canonicalJson(reversed(value)), canonicalJson(value));
  }));
  assert.equal(
    canonicalJson({ b: 1, a: [undefined, { d: null, c: undefined }], z: undefined }),
    '{"a":[null,{"d":null}],"b":1}',
  );
  assert.equal(canonicalJson(-0), "0");
});

Deno.test("canonical JSON refuses what JSON can't hold", () => {
  for (const value of [NaN, Infinity, { a: -Infinity }, [() => 1], 1n, Symbol("s"), undefined]) {
    assert.throws(() => canonicalJson(value));
  }
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).reverse().map(([key, item]) => [key, reversed(item)]));
}
