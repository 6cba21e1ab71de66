import assert from "node:assert/strict";
import { join } from "node:path";
import { replaceable, replaceFile } from "../../lib/notebook/replace_file.ts";

const DATA = new TextEncoder().encode("new");

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "cosci-replace-" });
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a file is written whole, or replaced, and nothing else is left in its folder", () =>
  inFolder(async (folder) => {
    const file = await replaceable("export", join(folder, "a.txt"));
    await replaceFile("export", file, DATA);
    await Deno.writeTextFile(file, "what was there, which is longer");
    await replaceFile("export", file, DATA);
    assert.equal(await Deno.readTextFile(file), "new");
    assert.deepEqual(await namesIn(folder), ["a.txt"]);
  }));

Deno.test("a write that fails says so, and leaves what was there and nothing else", () =>
  inFolder(async (folder) => {
    // What is in the way came after the path was looked at.
    const file = await replaceable("export", join(folder, "a.txt"));
    await Deno.mkdir(join(file, "full"), { recursive: true });
    await assert.rejects(replaceFile("export", file, DATA), {
      name: "CosciError",
      code: "input",
      message: /^export: "[^"]*a\.txt" can't be used\. It can't be written \(.+\)\. Give another place\.$/,
    });
    assert.deepEqual(await namesIn(folder), ["a.txt"]);
    assert.deepEqual(await namesIn(file), ["full"]);
  }));

Deno.test("a folder that went away is said to be gone", () =>
  inFolder(async (folder) => {
    const file = await replaceable("export", join(folder, "a.txt"));
    await assert.rejects(replaceFile("export", join(folder, "gone", "a.txt"), DATA), { code: "input" });
    await assert.rejects(replaceable("export", join(folder, "gone", "a.txt")), {
      message: /There is no folder "[^"]*gone": make it first/,
    });
    assert.equal(file, join(await Deno.realPath(folder), "a.txt"));
  }));

async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
}
