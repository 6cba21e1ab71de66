import assert from "node:assert/strict";
// @ts-types="../../../lib/notebook/d3_dsv.d.ts"
import { csvParse } from "d3-dsv";
import { HOSTILE, sampleFrame, SAMPLES } from "./rows.ts";

Deno.test("CSV begins with whose the rows are, and has a column for each field, in snake case", () => {
  const rows = csvParse(sampleFrame().toCsv());
  assert.deepEqual(rows.columns, [
    "session_name",
    "simulated",
    "label",
    "input_tokens",
    "usd",
    "in_force",
    "at",
    "parents",
    "before",
  ]);
  assert.equal(rows.length, SAMPLES.length);
  assert.deepEqual(Object.values(rows[0] ?? {}), [
    "aml",
    "true",
    "H1",
    "5000000000",
    "-0.25",
    "true",
    "2026-12-01T01:02:03.004Z",
    '["H2","H3"]',
    '{"a":[1,null]}',
  ]);
  assert.deepEqual(
    Object.values(rows[1] ?? {}),
    ["aml", "true", "", "", "", "", "", "", ""],
    "nothing is known",
  );
  assert.deepEqual(rows[2]?.["usd"], "1e-7");
});

Deno.test("a text that a spreadsheet would execute gets an apostrophe; all others come back as they were", () => {
  const rows = csvParse(sampleFrame().toCsv()).slice(-HOSTILE.length);
  const guarded = HOSTILE.filter((_, i) => rows[i]?.["label"] !== HOSTILE[i]);
  assert.deepEqual(guarded, [
    '=HYPERLINK("https://evil.example","click")',
    "+1+1",
    "-2",
    "@SUM(A1)",
    "\tcmd",
  ]);
  for (const row of rows) assert.doesNotMatch(row["label"] ?? "", /^[=+\-@\t\r\n]/);
  assert.match(sampleFrame(SAMPLES.slice(0, 1), "=1+1").toCsv(), /\n'=1\+1,/, "nor by the session's name");
});

Deno.test("CSV of no rows is the line of columns", () => {
  assert.equal(
    sampleFrame([]).toCsv(),
    "session_name,simulated,label,input_tokens,usd,in_force,at,parents,before\n",
  );
});
