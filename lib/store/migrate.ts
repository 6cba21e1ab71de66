import { CosciError } from "../domain/errors.ts";
import { number, type Sql } from "./database.ts";
import { APPLICATION_ID, type Migration, MIGRATIONS } from "./schema.ts";

/**
 * Brings a database to the newest version, each step in a transaction of its own.
 *
 * @throws CosciError `store` for a database that is no store of ours or that a newer cosci wrote; it is left untouched
 */
export function migrate(
  sql: Sql,
  name: string,
  now: number,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  // Objects first: a store that another process is making right now has got its id before it has any.
  const objects = number(sql.get("SELECT count(*) AS n FROM sqlite_master") ?? { n: 0 }, "n");
  const application = pragma(sql, "application_id");
  const version = pragma(sql, "user_version");
  const newest = migrations.at(-1)?.version ?? 0;
  if (application !== APPLICATION_ID && objects > 0) {
    throw new CosciError(
      "store",
      `Cannot open the store "${name}": it is a SQLite database of another program. It was left untouched; give another path.`,
    );
  }
  if (version > newest) {
    throw new CosciError(
      "store",
      `Cannot open the store "${name}": its format is version ${version} and this cosci knows ${newest}. ` +
        `It was left untouched; update cosci.`,
    );
  }
  for (const migration of migrations) {
    if (migration.version <= version) continue;
    sql.write(() => {
      // Another process may have migrated while this one waited for the lock.
      if (pragma(sql, "user_version") >= migration.version) return;
      if (migration.version === 1) {
        sql.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
        sql.exec(
          "CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT",
        );
      }
      sql.exec(migration.sql);
      sql.run(
        "INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?)",
        migration.version,
        migration.name,
        now,
      );
      sql.exec(`PRAGMA user_version = ${migration.version}`);
    });
  }
}

function pragma(sql: Sql, name: "application_id" | "user_version"): number {
  return number(sql.get(`PRAGMA ${name}`) ?? { [name]: 0 }, name);
}
