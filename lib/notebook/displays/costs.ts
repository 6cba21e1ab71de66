import type { CostRow } from "../../engine/snapshot.ts";
import { card, type Column, table } from "../html.ts";
import type { Display } from "./display.ts";
import { blocks, headline, textTable, wrapped } from "./plain.ts";
import { faint, fold, line, paragraph, section, short } from "./prose.ts";
import { meter } from "./meter.ts";
import { costLine, dollars, tokens } from "./wording.ts";

/** The cost of one agent, model or prompt. */
export interface CostLine extends CostRow {
  /** Which. */
  readonly name: string;
}

/** The cost of one version of a prompt. */
export interface VersionCostLine extends CostLine {
  /** The prompt; empty for embeddings. */
  readonly prompt: string;
  /** The version. */
  readonly version: string;
}

/** The cost of one commit: of the attempt at a task that ended with it, or of a call that was resent. */
export interface CommitCostLine extends CostLine {
  /** The commit; `null` for attempts that have not ended. */
  readonly seq: number | null;
  /** Which work. */
  readonly tasks: readonly string[];
}

/** What a session cost, in breakdowns of the same sum; the last one tells the newest commits only. */
export interface CostTableData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated: then no money was really spent. */
  readonly simulated: boolean;
  /** The sum. */
  readonly total: CostRow;
  /** What a fork inherited: paid by the sessions before it, and in none of the sums here. */
  readonly inherited: CostRow;
  /** Money at most, in dollars. */
  readonly budgetUsd: number;
  /** By agent. */
  readonly byAgent: readonly CostLine[];
  /** By model. */
  readonly byModel: readonly CostLine[];
  /** By prompt. */
  readonly byPrompt: readonly CostLine[];
  /** By version of the prompt. */
  readonly byVersion: readonly VersionCostLine[];
  /** By commit, the newest hundred that cost something, oldest first. */
  readonly byCommit: readonly CommitCostLine[];
}

/** How a session's cost is shown. */
export const costsDisplay: Display<CostTableData> = {
  html: (costs) =>
    card({
      title: `Cost of ${costs.session}`,
      simulated: costs.simulated,
      body: [
        paragraph(meter(costs.total.usd, costs.budgetUsd), " ", total(costs)),
        inherited(costs) === null ? null : paragraph(faint(inherited(costs))),
        costs.simulated ? paragraph(faint(UNREAL)) : null,
        parts(costs).map(([name, rows]) =>
          section(name, table(columns(costs, rows), ordered(rows), "No calls."))
        ),
        costs.byVersion.length === costs.byPrompt.length ? null : section(
          "By version of the prompt",
          table(columns(costs, costs.byVersion), ordered(costs.byVersion), "No calls."),
        ),
        costs.byCommit.length === 0 ? null : fold(
          `By tick: the newest ${newest(costs).length} of those that cost something`,
          table([
            { head: "Commit", cell: (row) => short(row.name) },
            { head: "Work", cell: (row) => line(row.tasks.join(", "), 100) },
            ...columns(costs, newest(costs)).slice(1),
          ], newest(costs)),
        ),
      ],
    }),
  text: (costs) =>
    blocks(
      headline(`Cost of ${costs.session}`, costs.simulated),
      wrapped(total(costs)),
      wrapped(inherited(costs) ?? ""),
      costs.simulated ? UNREAL : null,
      ...parts(costs).map(([name, rows]) => partText(costs, name, ordered(rows))),
      costs.byVersion.length === costs.byPrompt.length
        ? null
        : partText(costs, "By version", ordered(costs.byVersion)),
      partText(
        costs,
        "By tick",
        newest(costs).map((row) => ({ ...row, name: `${row.name}: ${row.tasks.join(", ")}` })),
      ),
    ),
};

const UNREAL = "The models are simulated: this is what the calls would cost, and nothing was paid.";

function parts(costs: CostTableData): [string, readonly CostLine[]][] {
  return [["By agent", costs.byAgent], ["By model", costs.byModel], ["By prompt", costs.byPrompt]];
}

function partText(costs: CostTableData, name: string, rows: readonly CostLine[]): string | null {
  return rows.length === 0 ? null : textTable([
    { head: name.toLowerCase(), cell: (row) => row.name, max: 44 },
    { head: "usd", cell: (row) => dollars(row.usd), align: "end" },
    { head: "part", cell: (row) => share(row, costs), align: "end" },
    { head: "calls", cell: (row) => String(row.calls), align: "end" },
    { head: "read", cell: (row) => tokens(row.inputTokens), align: "end" },
    { head: "written", cell: (row) => tokens(row.outputTokens), align: "end" },
    ...(rows.some(isUnconfirmed) ? [{ head: "unconfirmed", cell: unconfirmed, align: "end" } as const] : []),
  ], rows);
}

/** Commits that are shown. */
const COMMITS_SHOWN = 12;

function newest({ byCommit }: CostTableData): readonly CommitCostLine[] {
  return byCommit.slice(-COMMITS_SHOWN).toReversed();
}

function columns(costs: CostTableData, rows: readonly CostLine[]): Column<CostLine>[] {
  return [
    { head: "Name", cell: (row) => line(row.name, 100) },
    { head: "USD", align: "end", cell: (row) => short(dollars(row.usd)) },
    { head: "Part", align: "end", cell: (row) => short(share(row, costs)) },
    { head: "Calls", align: "end", cell: (row) => short(row.calls) },
    { head: "Read", align: "end", cell: (row) => short(tokens(row.inputTokens)) },
    { head: "Written", align: "end", cell: (row) => short(tokens(row.outputTokens)) },
    ...(rows.some(isUnconfirmed)
      ? [{ head: "Unconfirmed", align: "end", cell: (row: CostLine) => short(unconfirmed(row)) } as const]
      : []),
  ];
}

function ordered(rows: readonly CostLine[]): CostLine[] {
  return rows.toSorted((a, b) => b.usd - a.usd);
}

function share(row: CostLine, { total }: CostTableData): string {
  return total.usd === 0 ? "–" : `${Math.round(row.usd / total.usd * 100)}%`;
}

function isUnconfirmed({ unconfirmedUsd }: CostLine): boolean {
  return unconfirmedUsd > 0;
}

function unconfirmed(row: CostLine): string {
  return row.unconfirmedUsd === 0 ? "" : dollars(row.unconfirmedUsd);
}

/** What a fork inherited, in a line; `null` for a session that inherited nothing. */
function inherited({ inherited }: CostTableData): string | null {
  return inherited.calls === 0
    ? null
    : `Inherited: ${costLine(inherited)}; paid before the fork, and no part of this budget.`;
}

function total(costs: CostTableData): string {
  return `${costLine(costs.total)} · of a budget of ${dollars(costs.budgetUsd)}`;
}
