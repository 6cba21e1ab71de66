import assert from "node:assert/strict";
import fc from "fast-check";
import { formatUsd, microUsd, usd } from "../../lib/domain/money.ts";

Deno.test("dollars become whole micro-dollars, rounded up but not for what binary fractions add", () => {
  assert.equal(microUsd(1), 1_000_000);
  assert.equal(microUsd(0.1 + 0.2), 300_000);
  assert.equal(microUsd(0.0000001), 1);
  assert.equal(microUsd(0.0000011), 2);
  assert.ok(Object.is(microUsd(0), 0));
});

Deno.test("every whole amount survives the way to dollars and back", () => {
  fc.assert(fc.property(fc.nat(2_000_000_000), (micro) => assert.equal(microUsd(usd(micro)), micro)));
});

Deno.test("small amounts show four digits, others two", () => {
  assert.equal(formatUsd(12_300), "$0.0123");
  assert.equal(formatUsd(1_234_567), "$1.23");
  assert.equal(formatUsd(0), "$0.0000");
});
