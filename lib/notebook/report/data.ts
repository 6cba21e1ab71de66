import type { PlanRecord } from "../../domain/records.ts";
import type { LeaderboardRow } from "../../engine/snapshot.ts";
import type {
  FeedbackCardData,
  HypothesisCardData,
  MatchLine,
  OverviewCardData,
  ReviewCardData,
} from "../displays/cards.ts";
import type { ChangeRow } from "../displays/changes.ts";
import type { CostTableData } from "../displays/costs.ts";
import type { DirectiveRow } from "../displays/directives.ts";
import type { JudgeCardData } from "../displays/judge_card.ts";
import type { PromptRow } from "../displays/prompt_list.ts";
import type { SettingRow } from "../displays/settings.ts";
import type { SnapshotContent } from "../displays/snapshot.ts";

/** Everything that a report of a session says, apart from its figures: plain data, as of one commit. */
export interface ReportData extends SnapshotContent {
  /** The research plan that the goal was read as; `null` before there is one. */
  readonly plan: Omit<PlanRecord, "id" | "seq"> | null;
  /** The newest overview; `null` where there is none. */
  readonly overview: OverviewCardData | null;
  /** The hypotheses that are told in full, best first. */
  readonly leading: readonly ReportedHypothesis[];
  /** All others: those in the tournament by their place, then those outside. */
  readonly others: readonly HypothesisBrief[];
  /** How the judges judge. */
  readonly judge: JudgeCardData;
  /** What people told the agents, oldest first. */
  readonly directives: readonly DirectiveRow[];
  /** What people changed, oldest first. */
  readonly changes: readonly ChangeRow[];
  /** What it cost. */
  readonly costs: CostTableData;
  /** System feedback, oldest first. */
  readonly feedbacks: readonly FeedbackCardData[];
  /** Settings that differ from their defaults. */
  readonly settings: readonly SettingRow[];
  /** Where it comes from, so that it can be looked at again. */
  readonly provenance: Provenance;
}

/** A hypothesis in full. */
export interface ReportedHypothesis extends Omit<HypothesisCardData, "reviews" | "lastMatches"> {
  /** All its reviews, oldest first. */
  readonly reviews: readonly ReviewCardData[];
  /** Its newest matches, oldest first. */
  readonly judged: readonly ReportedMatch[];
  /** How many matches it was in, void and invalid ones too. */
  readonly judgedInAll: number;
}

/** A match as seen from one of its sides, with what the judge said. */
export interface ReportedMatch extends MatchLine {
  /** Why it was decided so. */
  readonly rationale: string;
  /** The model that judged; `null` for a person. */
  readonly judge: string | null;
}

/** A hypothesis in short. */
export interface HypothesisBrief {
  /** `H7`. */
  readonly label: string;
  /** Its title. */
  readonly title: string;
  /** Where it stands. */
  readonly state: HypothesisCardData["state"];
  /** Why. */
  readonly stateReason: string;
  /** What it says. */
  readonly statement: string;
  /** Its row of the leaderboard; `null` where it is not in the tournament. */
  readonly row: LeaderboardRow | null;
  /** Who wrote it: `model`, or a person's name. */
  readonly author: string;
}

/** Where a report comes from. */
export interface Provenance {
  /** The store's file, without its folder; `null` for a session in memory or in a database that was handed in. */
  readonly store: string | null;
  /** When the session was created: milliseconds since 1970. */
  readonly createdAt: number;
  /** When the commit that is shown was made; `null` before the first. */
  readonly committedAt: number | null;
  /** The seed of all chance in it. */
  readonly seed: string;
  /** Where models come from, in words. */
  readonly provider: string;
  /** The models that answered, each with its calls. */
  readonly models: readonly { readonly name: string; readonly calls: number }[];
  /** The prompts that calls were made from, with the versions in force. */
  readonly prompts: readonly PromptRow[];
  /** Of cosci. */
  readonly version: string;
}
