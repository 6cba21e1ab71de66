/** The Stop button in the real kernel: what runs ends with what it has, and the next cell goes on. */
import assert from "node:assert/strict";
import { kernelTest, startKernel } from "./support/kernel_tests.ts";
import { labCell, stopped, valueOf, WHEN_STOPPED } from "./support/stopping.ts";

kernelTest(
  "the Stop button ends what is at work with its result so far, and the next cell goes on",
  async (t) => {
    await using kernel = await startKernel();
    for (const cell of [WHEN_STOPPED, labCell(":memory:")]) {
      assert.equal((await kernel.execute(cell)).status, "ok");
    }

    await t.step("a run, while a call is in flight: cut at once, booked without an answer", async () => {
      await kernel.execute("await lab.tick(); hold = true;");
      const text = await stopped(kernel, "await lab.runUntil({ hypotheses: 2 })");
      assert.match(text, /Ended by: interrupted/);
      assert.match(text, /Everything up to here is in the store/);
      const at = await valueOf(
        kernel,
        `{ cuts, cutMs, inHand: lab.inspect().now.inHand, reserved: lab.inspect().now.reservedUsd,
         cut: lab.transcripts({ last: 1 })[0].unconfirmed, status: lab.inspect().status }`,
      );
      const { cuts, cutMs, ...rest } = Object(at);
      assert.deepEqual(rest, { inHand: [], reserved: 0, cut: true, status: "running" });
      assert.equal(cuts, 1);
      assert.ok(cutMs < 200, `the call was cut after ${cutMs} ms`);
    });

    await t.step("the next cell goes on where it was stopped", async () => {
      const run = await valueOf(kernel, "(hold = false, await lab.runUntil({ hypotheses: 2 }))");
      assert.equal(Object(run).endedBy, "until");
      assert.ok(Object(run).cost.unconfirmedUsd > 0, "the cut call's cost is the task's");
    });

    await t.step("pressed while nothing runs, twice: nothing happens", async () => {
      await kernel.interrupt();
      await kernel.interrupt();
      assert.equal(await valueOf(kernel, "lab.inspect().counts.hypotheses"), 2);
      assert.equal(await kernel.alive(), true);
    });

    await t.step("pressed twice in a row: the same as once", async () => {
      const text = await stopped(kernel, "hold = true; await lab.runFor({ matches: 1 })", 2);
      assert.match(text, /Ended by: interrupted/);
      assert.equal(await valueOf(kernel, "(hold = false, (await lab.tick()).ran[0].status)"), "done");
    });

    await t.step("a tick, a stage, ticks in a loop", async () => {
      const tick = await stopped(kernel, "hold = true; await lab.tick()");
      assert.match(tick, /Stopped in the middle; it goes on later/);
      const stage = await stopped(kernel, "await lab.generate()");
      assert.match(stage, /Ended by: interrupted/);
      const loop = await stopped(
        kernel,
        "let ticks = 0; for await (const tick of lab.ticks({ matches: 9 })) ticks += tick.ran.length;\nticks",
      );
      assert.match(loop, /1$/, "the tick that was cut is the last one");
      const looped = await valueOf(kernel, "(hold = false, (await lab.runUntil({ matches: 4 })).endedBy)");
      assert.equal(looped, "until");
    });

    await t.step("rejudging tells what it has; the same call goes on", async () => {
      const text = await stopped(kernel, "hold = true; await lab.rejudge({ sample: 2 })");
      assert.match(text, /Not all was asked: it was interrupted/);
      assert.deepEqual(
        await valueOf(kernel, "(hold = false, (await lab.rejudge({ sample: 2 })).progress)"),
        { answered: 2, waiting: 0, failed: 0 },
      );
    });

    await t.step(
      "an overview isn't written, which is an error that says so; the next try writes it",
      async () => {
        const text = await stopped(kernel, "hold = true; await lab.overview()");
        assert.match(text, /no overview was written: .*overview\(\) tries again/i);
        assert.equal(await valueOf(kernel, "(hold = false, (await lab.overview()).label)"), "O1");
      },
    );

    await t.step("a call that is sent again beside the queue", async () => {
      const text = await stopped(kernel, "hold = true; await lab.resend(lab.transcripts({ last: 1 })[0].n)");
      assert.match(text, /interrupted/);
    });

    await t.step("where an await was forgotten", async () => {
      const shown = await stopped(kernel, "lab.runFor({ matches: 2 })");
      assert.match(shown, /an await was forgotten[^]*Ended by: interrupted/);
      const lost = await kernel.execute("const lost = lab.runFor({ matches: 2 });\n1");
      assert.equal(lost.status, "ok");
      await kernel.interrupt();
      assert.equal(await valueOf(kernel, "(await lost).endedBy"), "interrupted");
      assert.equal(await valueOf(kernel, "(hold = false, (await lab.tick()).ran.length)"), 1);
    });

    await t.step("a run in the background, and who watches it", async () => {
      const text = await stopped(
        kernel,
        "hold = true; const run = lab.start({ matches: 99 });\nawait run.watch()",
      );
      assert.match(text, /Ended by: interrupted/);
      assert.equal(await valueOf(kernel, "run.running"), false);
    });

    await t.step("what is computed: rating anew by many settings", async () => {
      await kernel.execute("hold = false; await lab.runFor({ matches: 6 });");
      const text = await stopped(
        kernel,
        `const kFactorNew = Array.from({ length: 64 }, (_, i) => 10 + i);
       const sweeping = async () => { for (;;) await lab.rerate.sweep({ kFactorNew }); };
       console.log("in flight");
       await sweeping()`,
      );
      assert.match(text, /AbortError: The cell was interrupted/);
      assert.equal(await valueOf(kernel, "(await lab.rerate({ kFactorNew: 16 })).applied"), null);
    });

    await t.step("a server that makes the vector of one's own hypothesis", async () => {
      const { status } = await kernel.execute(`
      const remote = await Supervisor.create({
        goal: "Remote vectors", store: ":memory:", environment: { VOYAGE_API_KEY: "x" }, progress: "none",
        settings: { vectors: { embedder: "voyage" } },
        fetch: (input, init) => {
          console.log("in flight");
          return new Promise((_, reject) => init.signal.addEventListener("abort", () => reject(init.signal.reason)));
        },
      });`);
      assert.equal(status, "ok");
      const text = await stopped(
        kernel,
        'await remote.addHypothesis("Luciferin is recycled by a carrier protein.")',
      );
      assert.match(text, /interrupted/);
      assert.equal(await valueOf(kernel, "(await remote.close(), 1)"), 1);
    });

    await t.step("opening and making sessions: both are at once, and the kernel lives", async () => {
      const cell = kernel.execute(
        `console.log("in flight");
       const other = await Supervisor.create({ goal: "Another one", store: ":memory:", environment: {} });
       other.inspect().status`,
        { timeout: 30, output: () => void kernel.interrupt() },
      );
      assert.equal((await cell).status, "ok");
      assert.equal(await valueOf(kernel, "other.inspect().status"), "created");
      assert.equal(await valueOf(kernel, "(await lab.close(), await other.close(), 1)"), 1);
    });
  },
);
