/** The kernel's end in the middle of a tick: the first cell again goes on, and nothing is lost or paid twice. */
import assert from "node:assert/strict";
import { canonicalExport } from "../../lib/store/canonical.ts";
import { Store } from "../../lib/store/store.ts";
import { sessionRatings } from "../../lib/tournament/session_ratings.ts";
import { createSimulator } from "../../lib/simulator/server.ts";
import { systemClock } from "../../lib/domain/clock.ts";
import { Supervisor } from "../../mod.ts";
import { assertSameSession } from "../engine/support/invariants.ts";
import { kernelTest, startKernel, type TestKernel, textOf } from "./support/kernel_tests.ts";
import { labCell, SESSION, valueOf, WHEN_STOPPED } from "./support/stopping.ts";

const UNTIL = { matches: 3 };

/** The same session, undisturbed. */
async function undisturbed(): Promise<string> {
  const simulator = createSimulator({ seed: SESSION.seed, clock: systemClock });
  await using lab = await Supervisor.create({
    ...SESSION,
    store: ":memory:",
    fetch: (input, init) => simulator.fetch(input, init),
  });
  await lab.runUntil(UNTIL);
  return canonicalExport(lab.store, lab.view().session.id);
}

/**
 * Runs until the `holdAt`-th call is in flight, and ends the kernel then: by its process's end without a word where `now`
 * is asked for (Jupyter's own restart presses Stop before it kills, which the process may or may not hear in time).
 */
async function cutShort(kernel: TestKernel, holdAt: number, how: { now: boolean }): Promise<void> {
  const pid = Number(await valueOf(kernel, "Deno.pid"));
  const flying = Promise.withResolvers<void>();
  const cell = kernel.execute(`holdAt = ${holdAt}; await lab.runUntil(${JSON.stringify(UNTIL)})`, {
    output: (output) => {
      if (textOf([output]).includes("in flight")) flying.resolve();
    },
  });
  await flying.promise;
  if (how.now) Deno.kill(pid, "SIGKILL");
  const ended = how.now ? (await cell).status : null;
  await kernel.restart(how);
  assert.equal(ended ?? (await cell).status, how.now ? "died" : "restarted");
}

kernelTest(
  "a kernel that ends in the middle of a tick: the first cell again goes on, and nothing is lost or paid twice",
  async (t) => {
    const folder = await Deno.makeTempDir({ prefix: "cosci_restart_" });
    const reference = await undisturbed();
    await using kernel = await startKernel();
    const firstCell = async (cell: string) => {
      for (const code of [WHEN_STOPPED, cell]) {
        const { status, outputs } = await kernel.execute(code, { timeout: 30 });
        assert.equal(status, "ok", textOf(outputs));
      }
    };
    /** Cuts a session short as often as calls are named, goes on, and gives its canonical export. */
    const cutAndGoOn = async (
      name: string,
      holdAt: readonly number[],
      now: boolean,
      doors: readonly ("create" | "open")[],
    ) => {
      const store = `${folder}/${name}.db`, log = `${folder}/${name}.log`, path = `${folder}/${name}.jsonl`;
      await firstCell(labCell(store, { log }));
      for (const [i, at] of holdAt.entries()) {
        await cutShort(kernel, at, { now });
        const before = inStore(store);
        assert.ok(before.length > 5, "something is there to be lost");
        await firstCell(labCell(store, { log, door: doors[i] ?? "create" }));
        assert.deepEqual(inStore(store), before, "every record is there as it was, and no other");
      }
      const { endedBy, inHand, lostUsd } = Object(
        await valueOf(
          kernel,
          `{ endedBy: (await lab.runUntil(${JSON.stringify(UNTIL)})).endedBy, ...lab.inspect().now }`,
        ),
      );
      assert.deepEqual([endedBy, inHand], ["until", []]);
      const told = (await Deno.readTextFile(log)).trimEnd().split("\n");
      const again = told.filter((line, i) => line.startsWith("sent ") && told.indexOf(line) < i);
      assert.equal(again.length, holdAt.length, "the calls that were in flight are sent again, and no other");
      assert.equal(new Set(again).size, holdAt.length);
      for (const line of again) {
        const answered = told.indexOf(line.replace("sent", "answered"));
        assert.ok(answered > told.lastIndexOf(line), "no call is sent again after its answer");
      }
      await valueOf(kernel, `(await lab.export(${JSON.stringify(path)}), await lab.close(), 1)`);
      return { canonical: await Deno.readTextFile(path), lostUsd };
    };
    try {
      await t.step(
        "killed, twice: the same session as undisturbed; the calls in flight are booked",
        async () => {
          const { canonical, lostUsd } = await cutAndGoOn("killed", [7, 4], true, ["create", "open"]);
          assertSameSession(canonical, reference, "killed twice");
          assert.ok(lostUsd > 0, "the server may have billed them");
        },
      );
      await t.step(
        "restarted: its Stop comes first, so that the cut call is booked with its task",
        async () => {
          const { canonical, lostUsd } = await cutAndGoOn("restarted", [5], false, ["open"]);
          const { cut, others } = cutApart(canonical);
          assert.equal(cut.length, 1, "the call that was in flight has a transcript, which says so");
          assertSameSession(withoutTokens(others), withoutTokens(reference), "restarted");
          assert.notEqual(others, reference, "its task's tokens count the call that was cut");
          assert.equal(lostUsd, 0);
        },
      );
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

/** The records of a store that nobody has open, as text. */
function inStore(path: string): string[] {
  const store = new Store({ database: path, ratings: sessionRatings });
  try {
    const [session] = store.sessions();
    assert.ok(session !== undefined);
    return canonicalExport(store, session.id).split("\n");
  } finally {
    store.close();
  }
}

/** The transcripts of calls that were cut, and all other records. */
function cutApart(canonical: string): { readonly cut: readonly string[]; readonly others: string } {
  const lines = canonical.split("\n");
  const isCut = (line: string) => line.includes('"error":"stopped after sending');
  return { cut: lines.filter(isCut), others: lines.filter((line) => !isCut(line)).join("\n") };
}

function withoutTokens(canonical: string): string {
  return canonical.replaceAll(/"tokens":\{[^}]*\}/g, '"tokens":{}');
}
