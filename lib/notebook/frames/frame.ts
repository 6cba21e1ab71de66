import { extname } from "node:path";
import { inputError } from "../../domain/errors.ts";
import { type FrameData, frameDisplay } from "../displays/frame.ts";
import { displaysOutcome } from "../forgotten_await.ts";
import { DisplayedList } from "../values/displayed_list.ts";
import { replaceable, replaceFile } from "../replace_file.ts";
import { frozenCopy } from "../values/frozen.ts";
import type { FrameColumn } from "./columns.ts";
import { frameCsv } from "./csv.ts";
import { frameParquet } from "./parquet.ts";

/**
 * Records as plain rows: a frozen array (`filter`, `map` and the like give plain arrays) that displays itself as a short
 * table and goes to other programs as CSV or Parquet. Money is in `usd`, moments are ISO 8601 texts, labels (`H7`) stand for
 * records. It holds what was known when it was made.
 *
 * In files the columns are the fields in snake case, behind `session_name` and `simulated`; the store's views for SQL give
 * them the same names.
 */
export class Frame<R extends object> extends DisplayedList<R, FrameData<R>> {
  readonly #about: Omit<FrameData, "rows">;

  /**
   * Copies what it is given.
   *
   * @param data its rows, and what they are
   */
  constructor(data: FrameData<R>) {
    super(data, frameDisplay);
    const { rows: _, ...about } = data;
    this.#about = frozenCopy(about);
  }

  /** Its name, such as `matches`. */
  get name(): string {
    return this.#about.name;
  }

  /** What a row is. */
  get what(): string {
    return this.#about.what;
  }

  /** The name of the session whose records these are. */
  get session(): string {
    return this.#about.session;
  }

  /** Whether its models are simulated. */
  get simulated(): boolean {
    return this.#about.simulated;
  }

  /** Its columns, in order, each with its type, its unit and what it says. */
  get columns(): readonly FrameColumn[] {
    return this.#about.columns;
  }

  /**
   * The rows as CSV: a line of columns first, empty where something isn't known, lists and plain values as JSON. A text that
   * a spreadsheet would execute as a formula gets an apostrophe before it; Parquet keeps every text as it is.
   */
  toCsv(): string {
    return frameCsv(this.columns, this, this.#about);
  }

  /** The rows as the bytes of a Parquet file, with proper types: integers, doubles, booleans, texts, timestamps, lists. */
  toParquet(): Promise<Uint8Array<ArrayBuffer>> {
    return frameParquet(this.columns, this, this.#about, this.#about);
  }

  /**
   * Writes the rows as CSV; `pandas.read_csv(path)` reads it.
   *
   * @param path ends in `.csv`; a file that is there is replaced
   * @throws CosciError `input` for another ending, where its folder doesn't exist, or where it can't be written; what was
   *   there stays
   */
  @displaysOutcome
  async csv(path: string): Promise<void> {
    requireEnding("csv", path, ".csv");
    const file = await replaceable("csv", path);
    await replaceFile("csv", file, new TextEncoder().encode(this.toCsv()));
  }

  /**
   * Writes the rows as Apache Parquet; `pandas.read_parquet(path)`, `arrow::read_parquet(path)` in R, and DuckDB read it.
   *
   * @param path ends in `.parquet`; a file that is there is replaced
   * @throws CosciError `input` for another ending, where its folder doesn't exist, or where it can't be written; what was
   *   there stays
   */
  @displaysOutcome
  async parquet(path: string): Promise<void> {
    requireEnding("parquet", path, ".parquet");
    const file = await replaceable("parquet", path);
    await replaceFile("parquet", file, await this.toParquet());
  }
}

const OTHER = { ".csv": "csv", ".parquet": "parquet" } as const;

function requireEnding(verb: "csv" | "parquet", path: unknown, ending: ".csv" | ".parquet"): void {
  const given = typeof path === "string" ? extname(path).toLowerCase() : "";
  if (given === ending) return;
  const hint = given === ".csv" || given === ".parquet" ? ` .${OTHER[given]}(path) writes such a file.` : "";
  throw inputError(verb, path, `Give a file name that ends in "${ending}".${hint}`);
}
