/** A kernel must find its Deno tomorrow: what runs from a cache is kept. */
import assert from "node:assert/strict";
import { lastingDeno, mayVanish } from "../../../scripts/notebook/lasting_deno.ts";
import { workFolder } from "../command_line.ts";

Deno.test("a Deno in a cache of npx is kept once, and is still there when the cache is emptied", async () => {
  await using folder = await workFolder();
  const cache = folder.file("_npx/ab/node_modules/deno");
  await Deno.mkdir(cache, { recursive: true });
  await Deno.writeTextFile(`${cache}/deno`, "a program");
  const first = await lastingDeno(folder.file("kept"), `${cache}/deno`);
  assert.equal(first.kept, true);
  assert.equal((await lastingDeno(folder.file("kept"), `${cache}/deno`)).kept, false);
  await Deno.remove(folder.file("_npx"), { recursive: true });
  assert.equal(await Deno.readTextFile(first.path), "a program");
});

Deno.test("caches and temporary folders may vanish; where programs are installed may not", () => {
  for (
    const path of [
      "/home/a/.npm/_npx/1/deno",
      "/home/a/.cache/pnpm/dlx/1/deno",
      `${Deno.makeTempDirSync()}/deno`,
    ]
  ) {
    assert.equal(mayVanish(path), true, path);
  }
  for (
    const path of ["/usr/bin/deno", "/home/a/.deno/bin/deno", "/opt/homebrew/bin/deno", "C:\\Tools\\deno.exe"]
  ) {
    assert.equal(mayVanish(path), false, path);
  }
});
