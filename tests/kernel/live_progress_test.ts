/** Live progress in the real kernel: one display that updates in its place, so often at most, and ends as one line. */
import assert from "node:assert/strict";
import { isLive, type Output } from "../../scripts/notebook/outputs.ts";
import { normalised } from "../../scripts/notebook/normalise.ts";
import { kernelTest, startKernel, type TestKernel, textOf } from "./support/kernel_tests.ts";

/** A cell that makes `lab`, whose calls take so long each. */
function labCell(name: string, latencyMs: number): string {
  return `import { Supervisor } from "cosci";
const ${name} = await Supervisor.create({
  name: "${name}", goal: "What makes invented cells glow?", store: ":memory:", environment: {}, seed: "live",
  settings: { run: { concurrency: 1, maxIdeas: 6 }, simulator: { latencyMs: ${latencyMs} } },
});`;
}

/** What a client is told while a cell runs: each text of each output, as it came. */
async function watched(kernel: TestKernel, code: string) {
  const told: { readonly at: number; readonly index: number; readonly output: Output }[] = [];
  const { status, outputs } = await kernel.execute(code, {
    timeout: 60,
    output: (output, index) => told.push({ at: performance.now(), index, output }),
  });
  assert.equal(status, "ok", textOf(outputs));
  const live = told.filter(({ output }) => isLive(output));
  return { outputs, live, texts: live.map(({ output }) => textOf([output])) };
}

kernelTest("what people see of a run while it goes on", async (t) => {
  await using kernel = await startKernel();
  for (const cell of [labCell("slow", 60), labCell("quick", 0), labCell("again", 60)]) {
    assert.equal((await kernel.execute(cell)).status, "ok");
  }
  const CELL = "slow.runUntil({ matches: 3 })";
  let ending = "";

  await t.step("one display, updated in its place, before the result; it ends as one line", async () => {
    const { outputs, live, texts } = await watched(kernel, `await ${CELL}`);
    assert.equal(outputs.filter(isLive).length, 1, "one output is left");
    assert.ok(live.every(({ index }) => index === 0), "in one place, above the result");
    assert.match(textOf(outputs.slice(1)), /Run of slow[^]*Ended by: until/);
    assert.ok(live.length > 4, `shown ${live.length} times`);
    // Each 200 ms at most, the first after half a second, and the end: however many tasks ended meanwhile.
    const [first, last] = [live[0]?.at ?? 0, live.at(-1)?.at ?? 0];
    assert.ok(live.length <= (last - first) / 200 + 3, `${live.length} times in ${last - first} ms`);
    for (
      const part of [
        /^runUntil: slow \(SIMULATED\)/,
        /\d+% · /,
        /of 3 matches/,
        /Budget: +\$/,
        /In flight: +T\d/,
      ]
    ) {
      assert.ok(texts.slice(0, -1).some((text) => part.test(text)), `${part} in\n${texts.join("\n\n")}`);
    }
    ending = texts.at(-1) ?? "";
    assert.match(
      ending,
      /^SIMULATED · runUntil of slow: done · \d+ tasks in [\d.]+ s · \$[\d.]+ of \$25\.00 spent$/,
    );
  });

  await t.step("its end is the same for the same work, but for how long it took", async () => {
    const { outputs } = await watched(kernel, "await again.runUntil({ matches: 3 })");
    const one = normalised(
      { output_type: "display_data", data: { "text/plain": ending }, metadata: {} },
      "/",
    );
    const other = normalised({
      output_type: "display_data",
      data: { "text/plain": textOf(outputs.filter(isLive)).replaceAll("again", "slow") },
      metadata: {},
    }, "/");
    assert.deepEqual(other, one);
  });

  await t.step("a run that is over at once shows its result, and nothing else", async () => {
    await kernel.execute("await quick.runUntil({ matches: 1 });");
    const { outputs, live } = await watched(kernel, "await quick.tick()");
    assert.deepEqual([live.length, outputs.filter((output) => textOf([output]) !== "").length], [0, 1]);
    assert.deepEqual((await watched(kernel, "const tick = await quick.tick();")).outputs, []);
  });

  await t.step(
    "nothing is shown where it was told so, and wrong words are told with the right ones",
    async () => {
      const { live } = await watched(kernel, 'await slow.runFor({ matches: 3 }, { progress: "none" })');
      assert.equal(live.length, 0);
      const { status, outputs } = await kernel.execute(
        'await slow.runFor({ matches: 1 }, { progress: "line" })',
      );
      assert.equal(status, "error");
      assert.match(textOf(outputs), /progress: "line" can't be used\. .*Did you mean "lines"\?/);
    },
  );

  await t.step("a run that was stopped says so in its place", async () => {
    const flying = Promise.withResolvers<void>();
    const cell = kernel.execute("await slow.runFor({ matches: 50 })", {
      timeout: 30,
      output: () => flying.resolve(),
    });
    await flying.promise;
    await kernel.interrupt();
    const { outputs } = await cell;
    assert.match(textOf(outputs.filter(isLive)), /^SIMULATED · runFor of slow: interrupted · /);
    assert.match(textOf(outputs), /Ended by: interrupted/);
  });

  await t.step("an error that ends it is told in its place, too, and thrown", async () => {
    const { status, outputs } = await kernel.execute(
      `const until = performance.now() + 1200;
       await slow.runUntil(() => {
         if (performance.now() > until) throw new RangeError("the reef is gone");
         return false;
       })`,
      { timeout: 30 },
    );
    assert.equal(status, "error");
    const [shown, ...others] = outputs;
    assert.ok(shown !== undefined && isLive(shown));
    assert.match(
      textOf([shown]),
      /^SIMULATED · runUntil of slow failed after \d+ tasks? in .*: .*the reef is gone/,
    );
    assert.match(textOf(others), /the reef is gone/);
  });
});
