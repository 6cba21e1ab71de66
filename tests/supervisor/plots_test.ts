/** `lab.plots`: what there is, and that pictures and frames say the same. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { columnsOf } from "../../lib/notebook/displays/plain.ts";
import { JUPYTER_DISPLAY } from "../../lib/notebook/kernel.ts";
import { FRAME_NAMES } from "../../lib/supervisor/frames.ts";
import { PLOTS, Plots } from "../../lib/supervisor/plots.ts";
import { enter } from "../engine/support/session.ts";
import { steeredStore } from "../store/steered.ts";
import { assertRefused, withFolder, writesOf } from "./support.ts";

/** The names of the methods that draw. */
const NAMES = Object.getOwnPropertyNames(Plots.prototype).filter((name) =>
  name !== "constructor" && name !== "toString"
);

Deno.test("lab.plots lists every plot there is, in a notebook and as text", async () => {
  await using lab = await enter(":memory:");
  const listed = PLOTS.flatMap(({ call }) => /^lab\.plots\.(\w+)\(/.exec(call)?.[1] ?? []);
  assert.deepEqual(listed.toSorted(), NAMES.toSorted());
  const text = String(lab.plots);
  for (const { call, what } of PLOTS) {
    assert.ok(text.includes(call) && text.includes(what.slice(0, 20)), call);
  }
  for (const line of text.split("\n")) assert.ok(columnsOf(line) <= 100, line);
  assert.equal(Deno.inspect(lab.plots), text);
  const bundle = await lab.plots[JUPYTER_DISPLAY]();
  assert.match(bundle["text/html"] ?? "", /lab\.plots\.elo\(\).*lab\.frame\(&quot;elo&quot;\)/s);
  assert.match(bundle["text/html"] ?? "", /SIMULATED/);
  assert.equal(bundle["text/plain"], text);
});

Deno.test("each plot's name is a frame's, and its rows are those of the frame that the list names", () =>
  withFolder(async (folder) => {
    const labs = await steeredStore(join(folder, "s.db"));
    const filled = new Set<string>();
    for (const lab of labs) {
      const before = writesOf(lab);
      const { plots } = lab;
      const pairs = [
        [plots.elo().rows, lab.frame("elo")],
        [plots.ratings().rows, lab.frame("ratings")],
        [plots.lineage().rows, lab.frame("lineage")],
        [plots.proximity().rows, lab.frame("proximity")],
        [plots.matches().rows, lab.frame("pairs")],
        [plots.budget().rows, lab.frame("budget")],
        [plots.budget({ over: "time" }).rows, lab.frame("budget")],
        [plots.judge().rows, lab.frame("judge")],
      ] as const;
      for (const [rows, frame] of pairs) {
        assert.deepEqual([...rows], [...frame], frame.name);
        if (rows.length > 0) filled.add(frame.name);
      }
      assert.deepEqual(
        [...new Set(pairs.map(([, { name }]) => name))],
        PLOTS.flatMap(({ frame }) => frame ?? []),
      );
      assert.deepEqual(NAMES.filter((name) => name !== "compare" && !FRAME_NAMES.includes(name)), []);
      // A pair's matches are those of the log that count.
      const counted = lab.frame("matches").filter(({ counted, verdict }) => counted && verdict !== "invalid");
      const met = lab.frame("pairs").reduce((sum, { matches }) => sum + matches, 0);
      assert.ok(met > 0 && met <= 2 * counted.length);
      assert.deepEqual(writesOf(lab), before, "looking writes nothing");
    }
    assert.deepEqual([...filled].toSorted(), PLOTS.flatMap(({ frame }) => frame ?? []).toSorted());
    const [first, second] = labs;
    assert.ok(first !== undefined && second !== undefined);
    const figure = first.plots.compare(second);
    assert.deepEqual(
      figure.rows.filter(({ session }) => session === first.name).map((
        { hypothesis, place },
      ) => [hypothesis, place]),
      first.frame("ratings").filter(({ rank }) => rank !== null).map((
        { hypothesis, rank },
      ) => [hypothesis, rank]),
    );
    for (const lab of labs) await lab.close();
  }));

Deno.test("a plot holds the records as they stood when it was asked for", async () => {
  await using lab = await enter(":memory:");
  const before = lab.plots.lineage(), elo = lab.plots.elo();
  await lab.runUntil({ matches: 2 });
  assert.equal(before.rows.length, 0);
  assert.match(elo.svg(), /No hypothesis has entered the tournament yet/);
  assert.ok(lab.plots.lineage().rows.length > 0);
  assert.doesNotMatch(lab.plots.elo().svg(), /has entered the tournament yet/);
});

Deno.test("wrong options and others that are no handles are refused with what is right", async () => {
  await using lab = await enter(":memory:");
  await assertRefused(() => Reflect.apply(lab.plots.budget, lab.plots, [{ over: "days" }]), {
    code: "input",
    says: ["over", "days", '"commits" or "time"'],
  });
  await assertRefused(() => lab.plots.compare(), {
    code: "input",
    says: ["plots.compare", "nothing", "fork"],
  });
  await assertRefused(() => Reflect.apply(lab.plots.compare, lab.plots, ["aml.db"]), {
    code: "input",
    says: ["plots.compare", "aml.db", "Supervisor.open"],
  });
  await assertRefused(() => lab.plots.compare(lab), { code: "input", says: ["named twice"] });
});
