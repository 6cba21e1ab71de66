import assert from "node:assert/strict";
import { inputError } from "../../lib/domain/errors.ts";
import { displaysOutcome, errorBundle, withOutcome } from "../../lib/notebook/forgotten_await.ts";
import { JUPYTER_DISPLAY, type MimeBundle } from "../../lib/notebook/kernel.ts";
import { showRejection } from "../../lib/notebook/listeners.ts";
import { Tick } from "../../lib/notebook/values/tick.ts";
import { Supervisor } from "cosci";
import { tickData } from "./display_data.ts";

/** What a notebook shows where a cell ends on a promise. */
async function shown(promise: Promise<unknown>): Promise<MimeBundle> {
  return await displayOf(withOutcome(promise));
}

/** What a value shows by itself. */
async function displayOf(value: object): Promise<MimeBundle> {
  const hook: unknown = Reflect.get(value, JUPYTER_DISPLAY);
  assert.ok(typeof hook === "function", "it displays itself");
  return await hook.call(value);
}

Deno.test("a promise without await shows the value as it shows itself", async () => {
  const tick = new Tick(tickData());
  assert.deepEqual(await shown(Promise.resolve(tick)), await tick[JUPYTER_DISPLAY]());
});

Deno.test("a value that shows nothing by itself stands below the note, as HTML and as text", async () => {
  const path = await shown(Promise.resolve("/home/iris/<report>.html"));
  assert.match(path["text/plain"] ?? "", /an await was forgotten[^]*\/home\/iris\/<report>\.html$/);
  assert.match(path["text/html"] ?? "", /an await was forgotten[^]*\/home\/iris\/&lt;report&gt;\.html/);
  const numbers = await shown(Promise.resolve([1, 2]));
  assert.match(numbers["text/plain"] ?? "", /\[ 1, 2 \]$/);
  const nothing = await shown(Promise.resolve());
  assert.equal(nothing["text/plain"], "Done. The cell ended on a promise: an await was forgotten.");
});

Deno.test("an error of a promise without await is a card that names it, with all of its message", async () => {
  const error = inputError("topK", "33", "Give a whole number from 1 to 20.");
  const bundle = await shown(Promise.reject(error));
  assert.match(
    bundle["text/plain"] ?? "",
    /^CosciError, input: [^]*topK[^]*33[^]*\n\(The cell ended on a promise/,
  );
  assert.match(
    bundle["text/html"] ?? "",
    /Error \(CosciError, input\)[^]*topK[^]*33[^]*an await was forgotten/,
  );
});

Deno.test("errors are data: no command to a terminal, no element, no line beyond 100 columns", () => {
  const { "text/html": html = "", "text/plain": text = "" } = errorBundle(
    new TypeError("<script>\u001b[2J\u202e " + "x".repeat(400)),
    "It failed.",
  );
  assert.doesNotMatch(html, /<script/);
  assert.doesNotMatch(html + text, /(?![\n\t])\p{Cc}|[\u202a-\u202e]/u);
  for (const row of text.split("\n")) assert.ok(row.length <= 100, row);
  assert.match(
    errorBundle("a string", "It failed.")["text/plain"] ?? "",
    /^string: a string\n\(It failed\.\)$/,
  );
});

Deno.test("a rejection that nobody awaits is sent to the notebook, and a notebook that is gone breaks nothing", async () => {
  const sent: MimeBundle[] = [];
  showRejection({ display: (bundle) => Promise.resolve(void sent.push(bundle)) }, new Error("lost"));
  assert.match(sent[0]?.["text/plain"] ?? "", /^Error: lost\n\(A promise was rejected and nobody awaited it/);
  showRejection({ display: () => Promise.reject(new Error("socket closed")) }, new Error("lost"));
  await Promise.resolve();
});

Deno.test("a promise that nobody awaited displays what it comes to, and stays the promise that it was", async () => {
  const value = { [JUPYTER_DISPLAY]: () => Promise.resolve({ "text/plain": "Tick of reefs" }) };
  const promise = Promise.resolve(value);
  assert.equal(withOutcome(promise), promise);
  assert.deepEqual(await displayOf(promise), { "text/plain": "Tick of reefs" });
  assert.equal(await promise, value);
  assert.deepEqual(Object.keys(promise), [], "the hook is no field that shows");
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
    const bundle = await displayOf(promise);
    assert.ok((bundle["text/plain"] ?? "").length > 10, verb);
    await promise.catch(() => {});
  }
});
