import {
  boolean,
  double,
  frameColumns,
  integer,
  json,
  list,
  text,
  time,
} from "../../../lib/notebook/frames/columns.ts";
import { Frame } from "../../../lib/notebook/frames/frame.ts";

/** A row with a field of each type. */
export interface Sample {
  readonly label: string | null;
  readonly inputTokens: number | null;
  readonly usd: number | null;
  readonly inForce: boolean | null;
  readonly at: string | null;
  readonly parents: readonly string[] | null;
  readonly before: unknown;
}

/** Texts that break out of cells, files, or minds. */
export const HOSTILE = [
  '=HYPERLINK("https://evil.example","click")',
  "+1+1",
  "-2",
  "@SUM(A1)",
  "\tcmd",
  'quotes " and, commas',
  "two\nlines",
  "line\r\nends",
  "line\rends",
  "ünïcode 🧪 漢字",
  "\u202Ereversed",
  "a\u0000null",
  "\ud800half a pair",
  "<script>alert(1)</script>",
  "",
  "NA",
  "x".repeat(100_000),
];

/** Rows with everything that is awkward. */
export const SAMPLES: readonly Sample[] = [
  {
    label: "H1",
    inputTokens: 5_000_000_000,
    usd: -0.25,
    inForce: true,
    at: "2026-12-01T01:02:03.004Z",
    parents: ["H2", "H3"],
    before: { a: [1, null] },
  },
  { label: null, inputTokens: null, usd: null, inForce: null, at: null, parents: null, before: null },
  {
    label: "H3",
    inputTokens: -1,
    usd: 1e-7,
    inForce: false,
    at: "1969-12-31T23:59:59.999Z",
    parents: [],
    before: "=1",
  },
  ...HOSTILE.map((hostile, i) => ({
    label: hostile,
    inputTokens: i,
    usd: i / 3,
    inForce: i % 2 === 0,
    at: "2026-12-01T00:00:00.000Z",
    parents: [hostile, hostile],
    before: [hostile],
  })),
];

/** A frame of such rows. */
export function sampleFrame(rows: readonly Sample[] = SAMPLES, session = "aml"): Frame<Sample> {
  return new Frame({
    name: "samples",
    what: "a sample",
    session,
    simulated: true,
    columns: frameColumns({
      label: text("its label"),
      inputTokens: integer("tokens read", "tokens"),
      usd: double("money", "USD"),
      inForce: boolean("whether it holds"),
      at: time("when"),
      parents: list("from whom"),
      before: json("anything"),
    }),
    rows,
  });
}
