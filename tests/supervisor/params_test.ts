import assert from "node:assert/strict";
import { z } from "zod";
import { CosciError } from "../../lib/domain/errors.ts";
import { params, PARAMS_VARIABLE } from "../../lib/supervisor/params.ts";

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof CosciError && error.code === "input", String(error));
    return error.message;
  }
  assert.fail("nothing was refused");
}

Deno.test("without anything given the defaults are the values", () => {
  const values = params({ goal: "bees", n: 3, deep: false, genes: ["FLT3"], doses: [1, 2] }, {});
  assert.deepEqual(values, { goal: "bees", n: 3, deep: false, genes: ["FLT3"], doses: [1, 2] });
  assert.ok(Object.isFrozen(values));
  // The kinds are known to the type checker: a text is no literal, a number can be counted with.
  const goal: string = values.goal, more: number = values.n + 1, genes: string[] = values.genes;
  assert.deepEqual([goal, more, genes], ["bees", 4, ["FLT3"]]);
});

Deno.test("texts of a command line become what the default is", () => {
  const spec = { goal: "bees", n: 3, deep: false, genes: ["FLT3"], doses: [1, 2] };
  assert.deepEqual(params(spec, { goal: "42", n: "5e-1", deep: "true", genes: "A, B", doses: "[3, 4.5]" }), {
    goal: "42",
    n: 0.5,
    deep: true,
    genes: ["A", "B"],
    doses: [3, 4.5],
  });
  assert.deepEqual(params(spec, { n: 7, deep: true, genes: ["x"], goal: "" }), {
    goal: "",
    n: 7,
    deep: true,
    genes: ["x"],
    doses: [1, 2],
  });
});

Deno.test("a parameter may be a zod schema: required, bounded, one of some words", () => {
  const spec = {
    goal: z.string().min(3),
    n: z.int().min(1).max(9).default(3),
    mode: z.enum(["fast", "deep"]),
  };
  assert.deepEqual(params(spec, { goal: "123", n: "4", mode: "deep" }), { goal: "123", n: 4, mode: "deep" });
  const wrong = refusal(() => params(spec, { n: "12", mode: "slow" }));
  assert.match(wrong, /parameter goal: it must be given, with -p goal=…/);
  assert.match(wrong, /parameter n: "12" can't be used: .*9/);
  assert.match(wrong, /parameter mode: "slow" can't be used: .*"fast"\|"deep"/);
});

Deno.test("an unknown parameter is an error that names the near one and all of them", () => {
  assert.equal(
    refusal(() => params({ goal: "bees", n: 3 }, { gaol: "wasps" })),
    'parameter: "gaol" can\'t be used. Did you mean "goal"? This notebook has: goal, n.',
  );
  assert.match(
    refusal(() => params({}, { toString: "1" })),
    /"toString" can't be used\. This notebook has none\./,
  );
});

Deno.test("what is not of the default's kind is an error that says what is wanted", () => {
  const spec = { n: 3, deep: false, doses: [1] };
  const wrong = refusal(() => params(spec, { n: "many", deep: "yes", doses: "1,x" }));
  assert.match(wrong, /parameter n: "many" can't be used: it must be a number/);
  assert.match(wrong, /parameter deep: "yes" can't be used: it must be true or false/);
  assert.match(wrong, /parameter doses: "1,x" can't be used at 1: it must be a number/);
  for (const n of ["", " ", "NaN", "Infinity", "1e999", null, {}]) {
    assert.match(refusal(() => params({ n: 3 }, { n })), /it must be a number/, String(n));
  }
});

Deno.test("the environment gives them as a JSON object, and anything else there is an error that names it", () => {
  const before = Deno.env.get(PARAMS_VARIABLE);
  try {
    Deno.env.set(PARAMS_VARIABLE, '{"n": "4"}');
    assert.deepEqual(params({ n: 3 }), { n: 4 });
    Deno.env.set(PARAMS_VARIABLE, "");
    assert.deepEqual(params({ n: 3 }), { n: 3 });
    Deno.env.set(PARAMS_VARIABLE, "n=4");
    assert.match(refusal(() => params({ n: 3 })), /environment variable COSCI_PARAMS: "n=4" can't be used/);
    Deno.env.set(PARAMS_VARIABLE, "[4]");
    assert.match(refusal(() => params({ n: 3 })), /parameters: \[4\] can't be used/);
  } finally {
    if (before === undefined) Deno.env.delete(PARAMS_VARIABLE);
    else Deno.env.set(PARAMS_VARIABLE, before);
  }
});
