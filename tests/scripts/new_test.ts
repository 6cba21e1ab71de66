import assert from "node:assert/strict";
import { z } from "zod";
import { cosci, workFolder } from "./command_line.ts";

const notebook = z.object({
  nbformat: z.literal(4),
  nbformat_minor: z.literal(5),
  metadata: z.object({ kernelspec: z.object({ name: z.literal("deno") }) }),
  cells: z.array(z.discriminatedUnion("cell_type", [
    z.strictObject({
      cell_type: z.literal("markdown"),
      id: z.string().regex(/^[\w-]{1,64}$/),
      metadata: z.object({}),
      source: z.array(z.string()),
    }),
    z.strictObject({
      cell_type: z.literal("code"),
      id: z.string().regex(/^[\w-]{1,64}$/),
      metadata: z.object({}),
      source: z.array(z.string()),
      execution_count: z.null(),
      outputs: z.array(z.never()),
    }),
  ])),
});

Deno.test("new makes a folder in which the cells of its notebook run, from whatever project they come", async () => {
  await using folder = await workFolder();
  const made = await cosci(folder.path, "new", "mine");
  assert.equal(made.code, 0, made.stderr);
  const { cells } = notebook.parse(JSON.parse(await folder.read("mine/first.ipynb")));
  const code = cells.filter((cell) => cell.cell_type === "code").map((cell) => cell.source.join(""));
  assert.equal(new Set(cells.map((cell) => cell.id)).size, cells.length);

  // Cells show their last expression; a script is the same with a line that prints it.
  const script = `${
    code.map((cell) => cell.replace(/^((?:await )?lab\..*);$/m, "console.log($1);")).join("\n")
  }\nawait lab.close();\n`;
  await Deno.writeTextFile(folder.file("mine/first.ts"), script);
  const deno = (...args: string[]) =>
    new Deno.Command(Deno.execPath(), {
      args,
      cwd: folder.file("mine"),
      env: { NO_COLOR: "1" },
      clearEnv: false,
    }).output();
  const ran = await deno("run", "-A", "first.ts");
  const text = new TextDecoder().decode(ran.stdout);
  assert.equal(ran.code, 0, new TextDecoder().decode(ran.stderr));
  assert.match(text, /SIMULATED/);
  assert.match(text, /20 × match|20 matches/);
});

Deno.test("new refuses a folder that holds something, and says what to do", async () => {
  await using folder = await workFolder();
  await Deno.mkdir(folder.file("full"));
  await Deno.writeTextFile(folder.file("full/notes.txt"), "mine");
  const { code, stderr } = await cosci(folder.path, "new", "full");
  assert.equal(code, 2);
  assert.match(
    stderr,
    /"full" is not empty \(it holds notes\.txt\)\. Give the name of a folder that is empty/,
  );
  assert.deepEqual(await folder.list("full"), ["notes.txt"]);
});
