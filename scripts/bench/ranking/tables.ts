import type { ChanceBin } from "./figures.ts";
import type { Results } from "./results.ts";
import { BUDGETS, type Scenario } from "./scenarios.ts";

/** Rows of cells as aligned plain text: the first column to the left, the others to the right. */
export function alignedTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [c, cell] of row.entries()) widths[c] = Math.max(widths[c] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row.map((cell, c) => c === 0 ? cell.padEnd(widths[c] ?? 0) : cell.padStart(widths[c] ?? 0)).join("  ")
      .trimEnd()
  ).join("\n");
}

/** A share without its leading zero: `.524`, `-.010`, `1.25`. */
export function short(value: number): string {
  return Number.isNaN(value) ? "-" : value.toFixed(3).replace(/^(-?)0\./, "$1.");
}

/** The columns of a scenario that its table shows. */
export function shownColumns(scenario: Scenario): readonly number[] {
  return scenario.asksExpectation === true
    ? scenario.columns
    : scenario.columns.filter((column) => BUDGETS.includes(column));
}

function columnLabel(scenario: Scenario, column: number): string {
  return scenario.asksExpectation === true ? `E≥${column}` : `${column}N`;
}

/** Means with standard errors, a row a policy. */
export function meansTable(scenario: Scenario, policies: readonly string[], results: Results): string {
  const columns = shownColumns(scenario);
  const head = [
    "policy",
    ...scenario.metrics.flatMap((metric) => columns.map((c) => `${metric} ${columnLabel(scenario, c)}`)),
    "s",
  ];
  const rows = policies.filter((policy) => results.has(scenario.name, policy)).map((policy) => [
    policy,
    ...scenario.metrics.flatMap((metric) =>
      columns.map((column) => {
        const { mean, se } = results.estimate(scenario, policy, column, metric);
        return `${short(mean)} ±${short(se)}`;
      })
    ),
    results.seconds(scenario.name, policy).toFixed(0),
  ]);
  return alignedTable([head, ...rows]);
}

/** What the first policy said of chances and what was true, a column a bin. */
export function chancesTable(bins: readonly ChanceBin[]): string {
  return alignedTable([
    ["chance", ...bins.map(({ bin }) => `${(bin / 10).toFixed(1)}–${((bin + 1) / 10).toFixed(1)}`)],
    ["said", ...bins.map(({ said }) => short(said))],
    ["true", ...bins.map(({ really }) => short(really))],
    ["cases", ...bins.map(({ cases }) => String(cases))],
  ]);
}

/** Paired differences of one policy from each of the others, with their z. */
export function differencesTable(
  scenario: Scenario,
  policy: string,
  others: readonly string[],
  metrics: readonly string[],
  results: Results,
): string {
  const columns = shownColumns(scenario);
  const shown = metrics.filter((metric) => scenario.metrics.includes(metric));
  const head = [
    `${policy} minus`,
    ...shown.flatMap((metric) => columns.map((c) => `${metric} ${columnLabel(scenario, c)}`)),
  ];
  const rows = others.filter((other) => other !== policy && results.has(scenario.name, other)).map((
    other,
  ) => [
    other,
    ...shown.flatMap((metric) =>
      columns.map((column) => {
        const { mean, se, z } = results.difference(scenario, policy, other, column, metric);
        return `${mean >= 0 ? "+" : ""}${short(mean)} ±${short(se)} (z ${z.toFixed(1)})`;
      })
    ),
  ]);
  return alignedTable([head, ...rows]);
}
