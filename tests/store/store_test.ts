import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DbSqliteDouble } from "./db_sqlite_double.ts";
import { storeContract } from "./contract.ts";

const folder = mkdtempSync(join(tmpdir(), "cosci-store-"));
globalThis.addEventListener("unload", () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

storeContract("node:sqlite", () => join(folder, `${files++}.db`));
storeContract("a database like @db/sqlite's", () => new DbSqliteDouble(join(folder, `${files++}.db`)));
storeContract("in memory", () => ":memory:");
