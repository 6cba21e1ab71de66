import { usd } from "../../domain/money.ts";
import type { AgentName } from "../../domain/records.ts";
import type { CommitSpending } from "../../store/transcripts.ts";
import type { View } from "../../store/view.ts";
import { iso } from "../displays/wording.ts";
import { type ColumnsOf, double, integer, text, time } from "./columns.ts";

/** What one agent's calls of one commit cost. Money in dollars. */
export interface BudgetRow {
  /** The commit that ended their attempt; `null` for those of tasks that have not ended. */
  readonly seq: number | null;
  /** When the last of them was made, by ISO 8601. */
  readonly at: string;
  /** Whose calls. */
  readonly agent: AgentName;
  /** What they cost. */
  readonly usd: number;
  /** What this agent has spent up to here. */
  readonly agentUsd: number;
  /** What all agents have spent up to here. */
  readonly totalUsd: number;
  /** The cap of the session at that commit. */
  readonly capUsd: number;
}

/** The columns of {@linkcode budgetFrame}. */
export const BUDGET_COLUMNS: ColumnsOf<BudgetRow> = {
  seq: integer("the commit that ended the attempt of the calls; empty for tasks that have not ended"),
  at: time("when the last of the calls was made"),
  agent: text("whose calls"),
  usd: double("what they cost", "USD"),
  agentUsd: double("what this agent has spent up to here", "USD"),
  totalUsd: double("what all agents have spent up to here", "USD"),
  capUsd: double("the cap of the session at that commit", "USD"),
};

/** What the frame of spending reads. */
export type BudgetView = Pick<View, "settings" | "revisions">;

/**
 * A session's own spending, oldest first; what a fork inherited is none of it.
 *
 * @param spending what was spent, in order of commits, that of tasks that have not ended last
 */
export function budgetFrame(view: BudgetView, spending: readonly CommitSpending[]): BudgetRow[] {
  const capAt = capsOf(view);
  const byAgent = new Map<AgentName, number>();
  let total = 0;
  return spending.map(({ seq, at, agent, microUsd }): BudgetRow => {
    const own = (byAgent.get(agent) ?? 0) + microUsd;
    byAgent.set(agent, own);
    total += microUsd;
    return {
      seq,
      at: iso(at),
      agent,
      usd: usd(microUsd),
      agentUsd: usd(own),
      totalUsd: usd(total),
      capUsd: capAt(seq),
    };
  });
}

/** The cap that was in force at a commit: what the last change before it made of it, or what the first one after it found. */
function capsOf({ settings, revisions }: BudgetView): (seq: number | null) => number {
  const changes = revisions.filter(({ kind, target }) => kind === "configure" && target === CAP);
  const now = settings.run.budgetUsd;
  return (seq) => {
    if (seq === null) return now;
    const before = changes.findLast((change) => change.seq <= seq);
    const cap = before === undefined ? changes[0]?.before : before.after;
    return typeof cap === "number" ? cap : now;
  };
}

const CAP = "run.budgetUsd";
