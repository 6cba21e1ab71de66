import assert from "node:assert/strict";
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { type Sample, sampleFrame, SAMPLES } from "./rows.ts";

async function read(frame: ReturnType<typeof sampleFrame>): Promise<Record<string, unknown>[]> {
  const rows = await parquetReadObjects({ file: (await frame.toParquet()).buffer });
  // The reader says `undefined` of a list that is null.
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null]))
  );
}

/** A row as it comes back: whole numbers are bigints, moments are dates, plain values their JSON, halves of pairs U+FFFD. */
function back(row: Sample): Record<string, unknown> {
  const whole = (value: string | null) => value?.toWellFormed() ?? null;
  return {
    session_name: "aml",
    simulated: true,
    label: whole(row.label),
    input_tokens: row.inputTokens === null ? null : BigInt(row.inputTokens),
    usd: row.usd,
    in_force: row.inForce,
    at: row.at === null ? null : new Date(row.at),
    parents: row.parents?.map(whole) ?? null,
    before: row.before === null ? null : JSON.stringify(row.before).replaceAll("\\ud800", "\ufffd"),
  };
}

Deno.test("Parquet gives every value back, hostile texts and what isn't known too", async () => {
  assert.deepEqual(await read(sampleFrame()), SAMPLES.map(back));
});

Deno.test("columns have proper types, those of a frame without rows too", async () => {
  for (const frame of [sampleFrame(), sampleFrame([])]) {
    const metadata = parquetMetadata((await frame.toParquet()).buffer);
    assert.equal(Number(metadata.num_rows), frame.length);
    const types = parquetSchema(metadata).children.map(({ element }) =>
      `${element.name} ${element.type ?? "group"} ${
        element.logical_type?.type ?? "–"
      } ${element.repetition_type}`
    );
    assert.deepEqual(types, [
      "session_name BYTE_ARRAY STRING OPTIONAL",
      "simulated BOOLEAN – OPTIONAL",
      "label BYTE_ARRAY STRING OPTIONAL",
      "input_tokens INT64 – OPTIONAL",
      "usd DOUBLE – OPTIONAL",
      "in_force BOOLEAN – OPTIONAL",
      "at INT64 TIMESTAMP OPTIONAL",
      "parents group LIST OPTIONAL",
      "before BYTE_ARRAY STRING OPTIONAL",
    ]);
    const about = metadata.key_value_metadata?.find(({ key }) => key === "cosci")?.value ?? "{}";
    const { frame: name, session, simulated, columns } = JSON.parse(about);
    assert.deepEqual([name, session, simulated, columns.length], ["samples", "aml", true, 9]);
    assert.deepEqual(columns[3], {
      column: "input_tokens",
      type: "integer",
      what: "tokens read",
      unit: "tokens",
    });
  }
});

Deno.test("long frames keep their order across groups of rows", async () => {
  const rows = Array.from({ length: 20_000 }, (_, i): Sample => ({
    label: `H${i}`,
    inputTokens: i,
    usd: i / 7,
    inForce: i % 3 === 0 ? null : i % 3 === 1,
    at: i % 5 === 0 ? null : new Date(i * 1e9).toISOString(),
    parents: i % 4 === 0 ? null : Array.from({ length: i % 4 }, (_, j) => `P${i}.${j}`),
    before: i,
  }));
  assert.deepEqual(await read(sampleFrame(rows)), rows.map(back));
});
