// @ts-types="../notebook/d3_dsv.d.ts"
import { dsvFormat } from "d3-dsv";
import { CosciError, inputError } from "../domain/errors.ts";
import type { MatchVerdict } from "../domain/records.ts";

/** A row of a blind sheet that was filled in. */
export interface SheetRow {
  /** Its line in the file, from 1. */
  readonly line: number;
  /** The sheet's code; `null` where the row bears the pair's number alone. */
  readonly code: string | null;
  /** The pair's number on the sheet, from 1. */
  readonly pair: number;
  /** What the reader chose; `null` for a pair that was skipped. */
  readonly choice: Exclude<MatchVerdict, "invalid"> | null;
  /** What the reader remarked; may be empty. */
  readonly comment: string;
}

const CHOICES = {
  first: ["1", "first", "1st", "one", "a", "left", "1.0"],
  second: ["2", "second", "2nd", "two", "b", "right", "2.0"],
  tie: ["tie", "tied", "t", "draw", "equal", "even", "="],
  skip: ["", "skip", "skipped", "s", "-", "–", "—", "?", "n/a"],
} as const;
const WORDS: ReadonlyMap<string, keyof typeof CHOICES> = new Map(
  (["first", "second", "tie", "skip"] as const).flatMap((choice) =>
    CHOICES[choice].map((word): [string, keyof typeof CHOICES] => [word, choice])
  ),
);

/**
 * The rows of a sheet as spreadsheets save them: with commas, semicolons or tabs, with or without a byte order mark, in UTF-8,
 * UTF-16 or the old Windows encoding, with columns in any order and words in any case. Every line is read before anything
 * is returned.
 *
 * @throws CosciError `input`, naming line and value
 */
export function readSheet(bytes: Uint8Array): SheetRow[] {
  const text = decoded(bytes);
  const delimiter = delimiterOf(text);
  const cells = dsvFormat(delimiter).parseRows(text);
  let line = 1;
  const lines = cells.map((row) => {
    const own = line;
    line += 1 + row.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
    return { line: own, row };
  }).filter(({ row }) => row.some((cell) => cell.trim() !== "") && !/^sep=/i.test(row[0] ?? ""));
  const [head, ...body] = lines;
  const names = head?.row.map((cell) => cell.trim().toLowerCase()) ?? [];
  const at = {
    pair: names.indexOf("pair"),
    choice: names.indexOf("choice"),
    comment: names.indexOf("comment"),
  };
  if (at.pair < 0 || at.choice < 0) {
    throw new CosciError(
      "input",
      `importVerdicts: the file's first line must name the columns pair, choice, comment; it has ${
        names.length === 0 ? "nothing" : names.slice(0, 8).map((name) => `"${name.slice(0, 40)}"`).join(", ")
      }. Fill in the .csv that lab.blindSheet wrote.`,
    );
  }
  return body.map(({ line, row }) => readRow(line, row, at));
}

function readRow(
  line: number,
  row: readonly string[],
  at: { readonly pair: number; readonly choice: number; readonly comment: number },
): SheetRow {
  const pairCell = (row[at.pair] ?? "").normalize("NFKC").trim();
  const found = /^(?:([A-Za-z]{4,16})\s*[-‐‑–—_ ]\s*)?(?:pair\s*)?(\d{1,4})(?:\.0)?$/i.exec(pairCell);
  if (found === null) {
    throw inputError(
      `importVerdicts: line ${line}, pair`,
      row[at.pair] ?? "",
      "Leave the first column as it was written: the sheet's code, a hyphen and the pair's number.",
    );
  }
  const said = (row[at.choice] ?? "").normalize("NFKC").trim().toLowerCase().replaceAll(
    /^["'(]+|["').]+$/g,
    "",
  );
  const choice = WORDS.get(said);
  if (choice === undefined) {
    throw inputError(
      `importVerdicts: line ${line} (pair ${found[2]}), choice`,
      row[at.choice] ?? "",
      "Write 1 or 2 (or first, second, a, b), tie, or nothing to skip the pair.",
      WORDS.keys(),
    );
  }
  return {
    line,
    code: found[1]?.toUpperCase() ?? null,
    pair: Number(found[2]),
    choice: choice === "skip" ? null : choice,
    comment: at.comment < 0 ? "" : (row[at.comment] ?? "").trim(),
  };
}

function decoded(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** What parts the cells: whatever the line of the columns' names holds most of. */
function delimiterOf(text: string): string {
  const head = text.split(/\r\n|\r|\n/).find((line) => line.trim() !== "" && !/^sep=/i.test(line)) ?? "";
  const count = (sign: string) => head.split(sign).length;
  return [",", ";", "\t"].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}
