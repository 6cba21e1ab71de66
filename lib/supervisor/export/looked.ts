import type { ChangeList } from "../../notebook/values/change_list.ts";
import type { CostTable } from "../../notebook/values/cost_table.ts";
import type { CriteriaBoard } from "../../notebook/values/criteria_board.ts";
import type { DirectiveList } from "../../notebook/values/directive_list.ts";
import type { JudgeCard } from "../../notebook/values/judge_card.ts";
import type { PromptList } from "../../notebook/values/prompt_list.ts";
import type { SettingsTable } from "../../notebook/values/settings_table.ts";
import type { Snapshot } from "../../notebook/values/snapshot.ts";
import type { Store } from "../../store/store.ts";
import type { View } from "../../store/view.ts";
import type { Card } from "../cards.ts";
import type { Plots } from "../plots.ts";

/** What a session can be looked at by: of a handle, the part that exports are made from. None of it moves anything. */
export interface Looked {
  /** The store that it is in. */
  readonly store: Store;
  /** The records as they stand. */
  view(): View;
  /** Where things stand, or what one record says. */
  inspect(): Snapshot;
  inspect(label: string): Card;
  /** How the judges judge. */
  readonly judge: JudgeCard;
  /** How hypotheses do by the scientist's criteria. */
  readonly criteria: CriteriaBoard;
  /** All settings. */
  readonly settings: SettingsTable;
  /** What people told the agents. */
  readonly directives: DirectiveList;
  /** What people changed. */
  readonly revisions: ChangeList;
  /** What it cost. */
  cost(): CostTable;
  /** The prompts. */
  readonly prompts: { list(): PromptList };
  /** The plots. */
  readonly plots: Plots;
}
