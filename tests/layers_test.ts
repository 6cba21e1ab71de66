import assert from "node:assert/strict";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The house, from the ground up: a folder imports only folders that stand before it (design, section 2). */
const LAYERS = [
  "domain",
  "config",
  "telemetry",
  "store",
  "artifacts",
  "tournament",
  "net",
  "llm",
  "simulator",
  "vectors",
  "retrieval",
  "documents",
  "literature",
  "papers",
  "toolbox",
  "sandbox",
  "chemistry",
  "engine",
  "notebook",
  "supervisor",
  "experiments",
  "serve",
];
/** The last folder that agents may import. */
const FOR_AGENTS = "chemistry";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

function* sources(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(join(ROOT, folder))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) yield* sources(path);
    else if (entry.name.endsWith(".ts")) yield path;
  }
}

/** Project files that a file names in an import, an export, or a URL of a worker. */
function importsOf(path: string): string[] {
  const text = Deno.readTextFileSync(join(ROOT, path));
  const named = [
    ...text.matchAll(/^\s*(?:import|export)\b[^;]*?\bfrom\s+"(\.[^"]+)"/gm),
    ...text.matchAll(/\bimport\(\s*"(\.[^"]+)"\s*\)/g),
    ...text.matchAll(/^\s*import\s+"(\.[^"]+)"/gm),
    ...text.matchAll(/new URL\(\s*"(\.[^"]+\.ts)"\s*,\s*import\.meta\.url\)/g),
  ];
  return named.map((match) => normalize(join(dirname(path), match[1] ?? "")));
}

const files = [...["lib", "agents", "scripts"].flatMap((folder) => [...sources(folder)]), "mod.ts"];
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function folderOf(path: string): string {
  return path.split("/")[1] ?? "";
}

Deno.test("every folder of lib is one of the house", () => {
  for (const entry of Deno.readDirSync(join(ROOT, "lib"))) {
    if (entry.isDirectory) {
      assert.ok(LAYERS.includes(entry.name), `lib/${entry.name} is not in the design's list`);
    }
  }
});

Deno.test("a folder of lib imports only folders above it", () => {
  for (const [file, targets] of imports) {
    if (!file.startsWith("lib/")) continue;
    for (const target of targets) {
      assert.ok(target.startsWith("lib/"), `${file} imports ${target}, which is outside lib`);
      const from = LAYERS.indexOf(folderOf(file)), to = LAYERS.indexOf(folderOf(target));
      assert.ok(to <= from, `${file} imports ${target}, which stands below it`);
    }
  }
});

Deno.test("agents import lib down to chemistry, and each other's helpers", () => {
  for (const [file, targets] of imports) {
    if (!file.startsWith("agents/")) continue;
    for (const target of targets) {
      if (target.startsWith("agents/")) continue;
      assert.ok(target.startsWith("lib/"), `${file} imports ${target}`);
      assert.ok(
        LAYERS.indexOf(folderOf(target)) <= LAYERS.indexOf(FOR_AGENTS),
        `${file} imports ${target}, which agents may not`,
      );
    }
  }
});

Deno.test("nothing imports scripts or tests, and only mod.ts brings agents and lib together", () => {
  for (const [file, targets] of imports) {
    for (const target of targets) {
      assert.ok(!target.startsWith("tests/"), `${file} imports ${target}`);
      if (target.startsWith("scripts/")) assert.ok(file.startsWith("scripts/"), `${file} imports ${target}`);
      if (target.startsWith("agents/")) {
        assert.ok(
          file === "mod.ts" || file.startsWith("agents/") || file.startsWith("scripts/"),
          `${file} imports ${target}`,
        );
      }
    }
  }
});

Deno.test("no file imports itself by way of others", () => {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), `cycle: ${[...path.slice(path.indexOf(file)), file].join(" → ")}`);
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
});

Deno.test("only lib/notebook names Deno.jupyter", () => {
  for (const file of files) {
    if (file.startsWith("lib/notebook/")) continue;
    assert.ok(
      !Deno.readTextFileSync(join(ROOT, file)).includes("Deno.jupyter"),
      relative(ROOT, join(ROOT, file)),
    );
  }
});
