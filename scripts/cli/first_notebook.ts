/** The cells of the first notebook: prose and code by turns. */
const CELLS: readonly { readonly type: "markdown" | "code"; readonly lines: readonly string[] }[] = [
  {
    type: "markdown",
    lines: [
      "# A first session",
      "",
      "The notebook is the scheduler: each step is a call that returns something to look at, and before the next one anything may be changed.",
      "Models and literature are simulated here: no key is needed, nothing is paid, and nothing that they say is true.",
    ],
  },
  {
    type: "code",
    lines: [
      'import { Supervisor } from "cosci";',
      "",
      "const lab = await Supervisor.create({",
      '  name: "first",',
      '  goal: "What could help the winter survival of honey bee colonies?",',
      '  store: "first.db",',
      "  settings: { run: { maxIdeas: 12 }, evolution: { minMature: 4 } },",
      "});",
    ],
  },
  {
    type: "markdown",
    lines: [
      "One step: the goal becomes a research plan. Run the cell again for the next step. A restart loses nothing: the first cell opens the session again, and everything is in `first.db`.",
    ],
  },
  { type: "code", lines: ["await lab.tick();"] },
  {
    type: "markdown",
    lines: [
      "Many steps: until twenty matches are judged in all. The Stop button ends a run with what it has so far.",
    ],
  },
  { type: "code", lines: ["await lab.runUntil({ matches: 20 });"] },
  { type: "markdown", lines: ["Where things stand, and how it came to that."] },
  { type: "code", lines: ["lab.inspect();"] },
  { type: "code", lines: ["lab.plots.elo();"] },
  { type: "code", lines: ["lab.plots.lineage();"] },
];

/** A first notebook, by nbformat 4.5. */
export function firstNotebook(): Record<string, unknown> {
  return {
    cells: CELLS.map(({ type, lines }, i) => ({
      cell_type: type,
      id: `cell-${i + 1}`,
      metadata: {},
      source: lines.map((line, n) => (n === lines.length - 1 ? line : `${line}\n`)),
      ...(type === "code" ? { execution_count: null, outputs: [] } : {}),
    })),
    metadata: {
      kernelspec: { display_name: "Deno", language: "typescript", name: "deno" },
      language_info: { name: "typescript", file_extension: ".ts", mimetype: "text/x.typescript" },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
}
