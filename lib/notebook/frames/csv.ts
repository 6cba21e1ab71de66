// @ts-types="../d3_dsv.d.ts"
import { csvFormat } from "d3-dsv";
import type { FrameColumn } from "./columns.ts";
import { type FrameOrigin, ORIGIN_COLUMNS, originValues } from "./origin.ts";
import { spreadsheetText } from "./spreadsheet_text.ts";
import { wellFormedJson } from "./well_formed_json.ts";

/**
 * Rows as CSV by RFC 4180, a line of columns first. What isn't known is empty; yes and no are `true` and `false`; moments
 * are ISO 8601; lists and plain values are JSON. Texts that a spreadsheet would execute get an apostrophe before them.
 */
export function frameCsv(
  columns: readonly FrameColumn[],
  rows: readonly object[],
  origin: FrameOrigin,
): string {
  const [session, simulated] = originValues(origin);
  const lead = { session_name: spreadsheetText(session), simulated: String(simulated) };
  const lines = rows.map((row): Record<string, string | number> => ({
    ...lead,
    ...Object.fromEntries(columns.map((each) => [each.column, cell(each, Reflect.get(row, each.name))])),
  }));
  return `${csvFormat(lines, [...ORIGIN_COLUMNS, ...columns].map(({ column }) => column))}\n`;
}

function cell({ type }: FrameColumn, value: unknown): string | number {
  if (value === null || value === undefined) return "";
  switch (type) {
    case "integer":
    case "double":
      return Number(value);
    case "boolean":
    case "time":
      return String(value);
    case "text":
      return spreadsheetText(String(value));
    case "list":
    case "json":
      return spreadsheetText(wellFormedJson(value));
  }
}
