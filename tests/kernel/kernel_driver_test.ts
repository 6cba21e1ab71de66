import assert from "node:assert/strict";
import type { Output } from "../../scripts/notebook/outputs.ts";
import { kernelTest, startKernel, textOf } from "./support/kernel_tests.ts";

kernelTest("a cell's output is complete, in its order, although the kernel is idle before", async () => {
  await using kernel = await startKernel();
  for (let i = 0; i < 10; i++) {
    const cell = await kernel.execute(`for (let i = 0; i < 10; i++) console.log(i);\n"value ${i}"`);
    assert.equal(cell.status, "ok");
    assert.equal(textOf(cell.outputs), `0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n\n"value ${i}"`);
  }
});

kernelTest("outputs are told of as they come, and a display that changes is one output", async () => {
  await using kernel = await startKernel();
  const told: [number, Output][] = [];
  const cell = await kernel.execute(
    `const show = (text: string, update: boolean) =>
       Deno.jupyter.display({ "text/plain": text }, { raw: true, display_id: "one", update });
     await show("first", false);
     await new Promise((done) => setTimeout(done, 60));
     await show("second", true);`,
    { output: (output, index) => told.push([index, output]) },
  );
  assert.deepEqual(cell.outputs.map((output) => textOf([output])), ["second"]);
  assert.deepEqual(told.map(([index, output]) => [index, textOf([output])]), [[0, "first"], [0, "second"]]);
});

kernelTest("an error, a cell that takes too long and a kernel that dies are three things", async () => {
  await using kernel = await startKernel();
  const failed = await kernel.execute(`throw new RangeError("too far")`);
  assert.deepEqual([failed.status, failed.error?.ename, failed.error?.evalue], [
    "error",
    "RangeError",
    "too far",
  ]);
  const hung = await kernel.execute("await new Promise(() => {})", { timeout: 0.3 });
  assert.equal(hung.status, "timeout");
  assert.equal(await kernel.alive(), true);
  await kernel.restart({ now: true });
  assert.equal(textOf((await kernel.execute("6 * 7")).outputs), "42");
  const dead = await kernel.execute("Deno.exit(3)");
  assert.equal(dead.status, "died");
  assert.equal(await kernel.alive(), false);
});

kernelTest("a cell can be interrupted while it runs", async () => {
  await using kernel = await startKernel();
  const running = Promise.withResolvers<void>();
  const cell = kernel.execute(
    `const stopped = Promise.withResolvers<string>();
     Deno.addSignalListener("SIGINT", () => stopped.resolve("interrupted"));
     console.log("running");
     await stopped.promise`,
    { output: () => running.resolve() },
  );
  await running.promise;
  await kernel.interrupt();
  assert.equal(textOf((await cell).outputs), 'running\n\n"interrupted"');
});

kernelTest("two kernels of one driver know nothing of each other, and end with it", async () => {
  const first = await startKernel();
  const second = await first.driver.startKernel({ cwd: Deno.cwd() });
  await Promise.all([first.execute("const mine = 1"), second.execute("const mine = 2")]);
  const pids = await Promise.all([first.execute("Deno.pid"), second.execute("Deno.pid")]);
  assert.deepEqual(
    (await Promise.all([first.execute("mine"), second.execute("mine")])).map((cell) => textOf(cell.outputs)),
    ["1", "2"],
  );
  await first[Symbol.asyncDispose]();
  for (const { outputs } of pids) {
    assert.throws(() => Deno.kill(Number(textOf(outputs)), "SIGCONT"), Deno.errors.NotFound);
  }
});
