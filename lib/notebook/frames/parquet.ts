import type { SchemaElement } from "hyparquet-writer";
import type { FrameColumn } from "./columns.ts";
import { type FrameOrigin, ORIGIN_COLUMNS, originValues } from "./origin.ts";
import { wellFormedJson } from "./well_formed_json.ts";

/** A value as Parquet takes it. */
type ParquetValue = string | number | bigint | boolean | Date | readonly string[] | null;

/**
 * Rows as an Apache Parquet file, compressed by Snappy. Whole numbers are INT64, others DOUBLE, yes and no BOOLEAN, texts
 * STRING, moments TIMESTAMP in UTC to the millisecond, lists LIST of STRING, plain values their JSON as STRING; what isn't
 * known is null. The file's metadata hold, under `cosci`, what the frame and each column are.
 *
 * @param about what the frame holds, for the metadata
 */
export async function frameParquet(
  columns: readonly FrameColumn[],
  rows: readonly object[],
  origin: FrameOrigin,
  about: { readonly name: string; readonly what: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const lead = originValues(origin);
  const columnData = [
    ...ORIGIN_COLUMNS.map(({ column }, i) => ({ name: column, data: rows.map(() => lead[i] ?? null) })),
    ...columns.map((each) => ({
      name: each.column,
      data: rows.map((row) => parquetValue(each, Reflect.get(row, each.name))),
    })),
  ];
  const all = [...ORIGIN_COLUMNS, ...columns];
  const buffer = parquetWriteBuffer({
    columnData,
    schema: [{ name: "root", num_children: all.length }, ...all.flatMap(schemaOf)],
    kvMetadata: [{
      key: "cosci",
      value: JSON.stringify({
        frame: about.name,
        what: about.what,
        ...origin,
        columns: all.map(({ name: _, ...column }) => column),
      }),
    }],
    createdBy: "cosci",
  });
  return new Uint8Array(buffer);
}

const STRING = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;

/** A column's part of the schema; of a list the three levels that the format asks for. */
function schemaOf({ column: name, type }: FrameColumn): SchemaElement[] {
  const element = { name, repetition_type: "OPTIONAL" } as const;
  switch (type) {
    case "integer":
      return [{ ...element, type: "INT64" }];
    case "double":
      return [{ ...element, type: "DOUBLE" }];
    case "boolean":
      return [{ ...element, type: "BOOLEAN" }];
    case "text":
    case "json":
      return [{ ...element, ...STRING }];
    case "time":
      return [{
        ...element,
        type: "INT64",
        converted_type: "TIMESTAMP_MILLIS",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
      }];
    case "list":
      return [
        { ...element, num_children: 1, converted_type: "LIST", logical_type: { type: "LIST" } },
        { name: "list", repetition_type: "REPEATED", num_children: 1 },
        { name: "element", repetition_type: "OPTIONAL", ...STRING },
      ];
  }
}

function parquetValue({ type }: FrameColumn, value: unknown): ParquetValue {
  if (value === null || value === undefined) return null;
  switch (type) {
    case "integer":
      return BigInt(Number(value));
    case "double":
      return Number(value);
    case "boolean":
      return value === true;
    case "text":
      return String(value);
    case "json":
      return wellFormedJson(value);
    case "time":
      return new Date(String(value));
    case "list":
      return Array.isArray(value) ? value.map(String) : [String(value)];
  }
}
