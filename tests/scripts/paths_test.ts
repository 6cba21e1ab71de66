import assert from "node:assert/strict";
import { basename, join, resolve } from "node:path";
import fc from "fast-check";
import { folderName } from "../../scripts/cli/paths.ts";

Deno.test("a plain name is its own folder", () => {
  for (const name of ["aml", "Run_2", "v1.2", "a-b"]) assert.equal(folderName(name), name);
});

Deno.test("whatever a name holds, its folder is one harmless part of a path", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (name) => {
    const folder = folderName(name);
    assert.match(folder, /^[A-Za-z0-9_][A-Za-z0-9._-]{0,70}$/);
    assert.equal(basename(folder), folder);
    assert.equal(resolve("/out", folder), join("/out", folder));
    assert.doesNotMatch(folder, /\.\.|\.$|^(con|nul|prn|aux)$/i);
  }));
  for (const name of ["../../etc", "C:\\temp", "/", "..", "con", "NUL", "a/b", "日本", "x".repeat(500)]) {
    assert.match(folderName(name), /^[A-Za-z0-9._-]{1,67}$/);
  }
});

Deno.test("names that look alike once they are made harmless keep folders of their own", () => {
  const names = ["a b", "a/b", "a?b", "a-b", "日本", "中国"];
  assert.equal(new Set(names.map(folderName)).size, names.length);
});
