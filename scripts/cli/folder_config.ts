import { join } from "node:path";
import { z } from "zod";

const config = z.object({
  imports: z.record(z.string(), z.string()),
  compilerOptions: z.record(z.string(), z.unknown()),
});

/**
 * Writes what lets notebooks of a folder import `cosci` from this checkout: a `deno.json`, and the lock file.
 *
 * What cosci imports by bare names is resolved by the `deno.json` of whoever uses it, and so stands in there too; the lock
 * file makes it the same versions.
 */
export async function writeFolderConfig(folder: string): Promise<void> {
  const root = new URL("../../", import.meta.url);
  const own = config.parse(JSON.parse(await Deno.readTextFile(new URL("deno.json", root))));
  const packages = Object.entries(own.imports).filter(([, target]) => target.startsWith("npm:"));
  const made = {
    imports: { cosci: new URL("mod.ts", root).href, ...Object.fromEntries(packages) },
    nodeModulesDir: "none",
    compilerOptions: own.compilerOptions,
  };
  await Deno.writeTextFile(join(folder, "deno.json"), `${JSON.stringify(made, null, 2)}\n`);
  await Deno.copyFile(new URL("deno.lock", root), join(folder, "deno.lock"));
}
