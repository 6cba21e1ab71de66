import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Owners } from "../../lib/store/owners.ts";
import { Store } from "../../lib/store/store.ts";
import { enqueue, newSession, task } from "./fixture.ts";
import { historyTasks } from "./history.ts";
import { viewState } from "./view_state.ts";

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** A process of Deno's whose lines are read one by one and that can be told to go on. */
class Helper {
  readonly #process: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;
  #rest = "";

  constructor(file: string, ...args: string[]) {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--config", here("../../deno.json"), here(file), ...args],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#lines = this.#process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  async line(): Promise<string> {
    while (!this.#rest.includes("\n")) {
      const { value, done } = await this.#lines.read();
      if (done) throw new Error("the process ended");
      this.#rest += value;
    }
    const end = this.#rest.indexOf("\n");
    const line = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end + 1);
    return line;
  }

  async goOn(): Promise<void> {
    const writer = this.#process.stdin.getWriter();
    await writer.write(new TextEncoder().encode("\n"));
    await writer.close();
  }

  async ended(signal?: Deno.Signal): Promise<void> {
    if (signal !== undefined) {
      this.#process.kill(signal);
      await this.#process.stdin.close();
    }
    await this.#process.status;
    await this.#lines.cancel();
  }
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cosci-processes-"));
  try {
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

Deno.test("an owner lives as long as its process: a killed one is dead at once", () =>
  inFolder(async (folder) => {
    const path = join(folder, "s.db");
    const owners = new Owners(path);
    const me = owners.enter();
    const killed = new Helper("owner_process.ts", path), left = new Helper("owner_process.ts", path);
    const [a, b] = [await killed.line(), await left.line()];
    assert.notEqual(a, b);
    assert.ok(owners.alive(me) && owners.alive(a) && owners.alive(b));
    await killed.ended("SIGKILL");
    assert.equal(owners.alive(a), false);
    assert.equal(owners.alive(b), true);
    await left.goOn();
    await left.ended();
    assert.equal(owners.alive(b), false);
    assert.equal(owners.alive(me), true);
    owners.leave(me);
    assert.equal(owners.alive(me), false);
    assert.equal(existsSync(`${path}-owners`), false, "the last one out removes the folder");
  }));

Deno.test("who leaves sweeps up after those that were killed", () =>
  inFolder(async (folder) => {
    const path = join(folder, "s.db");
    const killed = new Helper("owner_process.ts", path);
    await killed.line();
    const owners = new Owners(path);
    const me = owners.enter();
    await killed.ended("SIGKILL");
    assert.equal(readdirSync(`${path}-owners`).length, 2);
    owners.leave(me);
    assert.equal(existsSync(`${path}-owners`), false);
  }));

Deno.test("owners of two handles in one process see each other; strange names are dead", () =>
  inFolder((folder) => {
    const path = join(folder, "s.db");
    const one = new Owners(path), two = new Owners(path);
    const a = one.enter(), b = two.enter();
    assert.ok(one.alive(b) && two.alive(a));
    two.leave(b);
    assert.equal(one.alive(b), false);
    assert.equal(one.alive("../s.db"), false);
    assert.equal(one.alive("nobody"), false);
    assert.ok(two.alive(a));
    one.leave(a);
    one.leave(a);
    return Promise.resolve();
  }));

Deno.test("without a folder every owner counts as alive", () => {
  const owners = new Owners(null);
  const me = owners.enter();
  owners.leave(me);
  assert.equal(owners.alive("anybody"), true);
});

Deno.test("two processes that claim from one queue share it out: each task once", () =>
  inFolder(async (folder) => {
    const path = join(folder, "s.db");
    const store = new Store({ database: path });
    const session = store.createSession(newSession("s")).id;
    const keys = Array.from({ length: 200 }, (_, i) => `t${i}`);
    enqueue(store, session, ...keys.map((key) => task(key)));
    const helpers = [1, 2].map(() => new Helper("claiming_process.ts", path, session));
    for (const helper of helpers) assert.equal(await helper.line(), "ready");
    await Promise.all(helpers.map((helper) => helper.goOn()));
    const had = await Promise.all(
      helpers.map(async (helper) => z.array(z.string()).parse(JSON.parse(await helper.line()))),
    );
    for (const helper of helpers) await helper.ended();
    assert.deepEqual(had.flat().sort(), [...keys].sort());
    assert.equal(store.view(session).endedTasks.done, 200);
    assert.equal(store.view(session).seq, 201);
    const fresh = new Store({ database: path });
    assert.equal(viewState(fresh.view(session), historyTasks), viewState(store.view(session), historyTasks));
    fresh.close();
    store.close();
  }));

Deno.test("processes that make one store at the same moment all get it", () =>
  inFolder(async (folder) => {
    const path = join(folder, "new.db");
    const helpers = [1, 2, 3, 4].map(() => new Helper("opening_process.ts", path));
    for (const helper of helpers) assert.equal(await helper.line(), "ready");
    await Promise.all(helpers.map((helper) => helper.goOn()));
    for (const helper of helpers) assert.equal(await helper.line(), "open");
    for (const helper of helpers) await helper.ended();
  }));
