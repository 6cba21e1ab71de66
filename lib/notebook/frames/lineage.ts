import type { HypothesisState, Strategy } from "../../domain/records.ts";
import type { Standing, View } from "../../store/view.ts";
import { ratingOf } from "../../tournament/scale.ts";
import { type ColumnsOf, double, integer, list, text } from "./columns.ts";

/** A hypothesis in the lineage. */
export interface LineageRow {
  /** Its id. */
  readonly id: string;
  /** Its label. */
  readonly label: string;
  /** Its title. */
  readonly title: string;
  /** How it came about. */
  readonly strategy: Strategy;
  /** 0 without parents, else by its parents. */
  readonly generation: number;
  /** Bradley-Terry rating on the Elo scale; `null` where it never entered the tournament. */
  readonly rating: number | null;
  /** Elo. */
  readonly elo: number;
  /** Valid matches that stand behind the ratings. */
  readonly matches: number;
  /** Where it stands. */
  readonly state: HypothesisState;
  /** Ids of the hypotheses it was made from; all are in the frame. */
  readonly parents: readonly string[];
}

/** The columns of {@linkcode lineageFrame}. */
export const LINEAGE_COLUMNS: ColumnsOf<LineageRow> = {
  id: text("the hypothesis's id"),
  label: text("its label"),
  title: text("its title"),
  strategy: text("how it came about"),
  generation: integer("0 without parents, else one more than the oldest parent"),
  rating: double("Bradley-Terry rating; empty where it never entered the tournament", "Elo points"),
  elo: double("Elo in the newest epoch", "Elo points"),
  matches: integer("matches that count"),
  state: text("where it stands"),
  parents: list("ids of the hypotheses that it was made from; all are in the frame"),
};

/** All hypotheses with their parents, in order of birth. Parents that the view doesn't know are left out. */
export function lineageFrame(view: Pick<View, "hypotheses" | "hypothesis">): LineageRow[] {
  return view.hypotheses.map((standing: Standing) => ({
    id: standing.record.id,
    label: standing.record.label,
    title: standing.record.title,
    strategy: standing.record.strategy,
    generation: standing.record.generation,
    rating: standing.strength === null ? null : ratingOf(standing.strength),
    elo: standing.elo,
    matches: standing.matches,
    state: standing.state,
    parents: standing.record.parents.filter((id) => view.hypothesis(id) !== undefined),
  }));
}
