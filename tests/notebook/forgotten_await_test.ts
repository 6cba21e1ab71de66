import assert from "node:assert/strict";
import { inputError } from "../../lib/domain/errors.ts";
import { displaysOutcome, errorBundle, withOutcome } from "../../lib/notebook/forgotten_await.ts";
import { JUPYTER_DISPLAY, type MimeBundle } from "../../lib/notebook/kernel.ts";
import { Supervisor } from "cosci";

/** What a notebook would show of a value that a cell ends on. */
async function shown(value: object): Promise<MimeBundle> {
  const hook: unknown = Reflect.get(value, JUPYTER_DISPLAY);
  assert.ok(typeof hook === "function", "it displays itself");
  return await hook.call(value);
}

Deno.test("a promise that nobody awaited displays what it comes to, and stays the promise that it was", async () => {
  const value = { [JUPYTER_DISPLAY]: () => Promise.resolve({ "text/plain": "Tick of reefs" }) };
  const promise = Promise.resolve(value);
  assert.equal(withOutcome(promise), promise);
  assert.deepEqual(await shown(promise), { "text/plain": "Tick of reefs" });
  assert.equal(await promise, value);
  assert.deepEqual(Object.keys(promise), [], "the hook is no field that shows");
});

Deno.test("without a value it says that it is done, and that an await was forgotten", async () => {
  assert.match(
    (await shown(withOutcome(Promise.resolve())))["text/plain"] ?? "",
    /^Done\. .*await was forgotten/,
  );
});

Deno.test("an error is shown in full, without markup of its own, and is no lost rejection", async () => {
  const error = inputError("export: path", "<script>x</script>", "Give a file name.");
  const bundle = await shown(withOutcome(Promise.reject(error)));
  assert.match(
    bundle["text/plain"] ?? "",
    /input: export: path: .*Give a file name\.[^]*await was forgotten/,
  );
  assert.doesNotMatch(bundle["text/html"] ?? "", /<script>/);
});

Deno.test("what is thrown may be anything", () => {
  assert.match(errorBundle("no reason", "Why?")["text/plain"] ?? "", /no reason[^]*Why\?/);
  assert.match(errorBundle(undefined, "Why?")["text/plain"] ?? "", /^undefined: /);
});

Deno.test("a decorated method keeps its arguments, its object and its errors", async () => {
  class Adder {
    readonly #base = 2;
    @displaysOutcome
    async add(n: number): Promise<number> {
      if (n < 0) throw new RangeError("n is negative");
      return await Promise.resolve(this.#base + n);
    }
  }
  assert.equal(await new Adder().add(3), 5);
  await assert.rejects(new Adder().add(-1), /n is negative/);
});

Deno.test("every asynchronous verb of a handle displays its outcome", async () => {
  await using lab = await Supervisor.create({
    goal: "How could bleached reefs recover faster?",
    store: ":memory:",
    environment: {},
  });
  const forgotten: Record<string, () => unknown> = {
    tick: () => lab.tick(),
    runUntil: () => lab.runUntil({ hypotheses: 2 }),
    runFor: () => lab.runFor({ hypotheses: 1 }),
    generate: () => lab.generate(-1),
    reflect: () => lab.reflect("H99"),
    rank: () => lab.rank(-1),
    evolve: () => lab.evolve("combine", "H99"),
    metareview: () => lab.metareview(),
    overview: () => lab.overview(),
    edit: () => lab.edit("H99", {}),
    refresh: () => lab.refresh("H99"),
    addHypothesis: () => lab.addHypothesis(""),
    blindSheet: () => lab.blindSheet({ pairs: -1 }),
    importVerdicts: () => lab.importVerdicts("nowhere.csv"),
    rejudge: () => lab.rejudge({ sample: -1 }),
    resend: () => lab.resend(-1),
    fork: () => lab.fork({ name: "" }),
    export: () => lab.export("x.doc"),
    rerate: () => lab.rerate({ kFactorNew: -1 }),
    "rerate.sweep": () => lab.rerate.sweep({}),
    "prompts.load": () => lab.prompts.load("nowhere"),
    "prompts.preview": () => lab.prompts.preview("nothing"),
    "start().done": () => lab.start({ hypotheses: 3 }).done,
    "plots.elo().save": () => lab.plots.elo().save("x.doc"),
    create: () => Supervisor.create({ goal: "" }),
    open: () => Supervisor.open({ store: "nowhere.db" }),
    compare: () => Supervisor.compare([]),
    finish: () => lab.finish(),
  };
  const table = await Deno.readTextFile(
    new URL("../../lib/supervisor/SIGNATURES.md", import.meta.url),
  );
  const listed = [...table.matchAll(/^\| `(?:lab|Supervisor)\.([\w.]+)` .*\bPromise</gm)].map((
    [, verb = ""],
  ) => verb);
  assert.ok(listed.length > 20);
  assert.deepEqual(listed.filter((verb) => verb !== "close" && !(verb in forgotten)), []);
  for (const [verb, call] of Object.entries(forgotten)) {
    const promise = call();
    assert.ok(promise instanceof Promise, verb);
    const bundle = await shown(promise);
    assert.ok((bundle["text/plain"] ?? "").length > 10, verb);
    await promise.catch(() => {});
  }
});
