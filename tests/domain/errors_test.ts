import assert from "node:assert/strict";
import { CosciError, inputError, messageOf, nearest } from "../../lib/domain/errors.ts";

Deno.test("the nearest word is found where it can be a slip, and none where it can't", () => {
  const valid = ["kFactorNew", "kFactorWarm", "eloInitial", "order"];
  assert.equal(nearest("kFactrNew", valid), "kFactorNew");
  assert.equal(nearest("KFACTORWARM", valid), "kFactorWarm");
  assert.equal(nearest("ordre", valid), "order");
  assert.equal(nearest("temperature", valid), undefined);
  assert.equal(nearest("x", []), undefined);
  assert.equal(nearest("order", valid), "order");
});

Deno.test("an input error names key, value, nearest and remedy, however long the value is", () => {
  const error = inputError("ranking.order", "cion", "Give one of coin, fixed.", ["coin", "fixed"]);
  assert.ok(error instanceof CosciError);
  assert.equal(error.code, "input");
  assert.equal(error.name, "CosciError");
  assert.equal(
    error.message,
    'ranking.order: "cion" can\'t be used. Did you mean "coin"? Give one of coin, fixed.',
  );
  assert.match(inputError("k", undefined, "Give one.").message, /^k: nothing can't be used\. Give one\.$/);
  assert.match(inputError("k", { a: 1 }, "Not so.").message, /\{"a":1\}/);
  assert.ok(inputError("k", "x".repeat(1_000), "Shorter.").message.length < 200);
});

Deno.test("anything thrown has a message", () => {
  assert.equal(messageOf(new Error("e")), "e");
  assert.equal(messageOf("text"), "text");
  assert.equal(messageOf(undefined), "undefined");
});
