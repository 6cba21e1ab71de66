import { usd } from "../../domain/money.ts";
import type { HypothesisState, Strategy } from "../../domain/records.ts";
import { ratingRow } from "../../engine/snapshot.ts";
import type { Standing } from "../../store/view.ts";
import { boolean, type ColumnsOf, double, integer, list, text, time } from "./columns.ts";
import { type FrameSource, hypothesisLabel, taskLabels } from "./source.ts";

/** A hypothesis with its text, where it stands and where it comes from. */
export interface HypothesisRow {
  /** `H7`. */
  readonly label: string;
  /** Its title. */
  readonly title: string;
  /** Where it stands. */
  readonly state: HypothesisState;
  /** Why. */
  readonly stateReason: string;
  /** Bradley-Terry rating on the Elo scale. */
  readonly rating: number | null;
  /** The lower end of its 90 % interval. */
  readonly ratingLow: number | null;
  /** The upper end. */
  readonly ratingHigh: number | null;
  /** Elo. */
  readonly elo: number;
  /** Matches that count. */
  readonly matches: number;
  /** Won. */
  readonly won: number;
  /** Lost. */
  readonly lost: number;
  /** Tied. */
  readonly tied: number;
  /** What results say of it. */
  readonly result: Standing["result"];
  /** How it came about. */
  readonly strategy: Strategy;
  /** Labels of what it was made from. */
  readonly parentLabels: readonly string[];
  /** 0 without parents. */
  readonly generation: number;
  /** `model`, or a person's name. */
  readonly author: string;
  /** The model that wrote it. */
  readonly model: string | null;
  /** The commit that first recorded it. */
  readonly bornSeq: number;
  /** When. */
  readonly at: string | null;
  /** Its newest version. */
  readonly version: number;
  /** Whether a person keeps it in play. */
  readonly pinned: boolean;
  /** Label of the near-duplicate that is drawn in its stead. */
  readonly foldedUnder: string | null;
  /** Label of the one that it was merged into. */
  readonly mergedInto: string | null;
  /** Reviews of it that are not void. */
  readonly reviews: number;
  /** What writing and reviewing it cost. */
  readonly usd: number;
  /** The claim. */
  readonly statement: string;
  /** How it would work. */
  readonly mechanism: string;
  /** What it is about. */
  readonly entities: readonly string[];
  /** What would be seen if it held. */
  readonly anticipatedOutcomes: string;
  /** Why it is new. */
  readonly noveltyArgument: string;
  /** Where its sources are. */
  readonly sources: readonly string[];
  /** Sources that no tool had returned: dropped. */
  readonly droppedCitations: number;
  /** Label of the task that made its newest version. */
  readonly task: string | null;
}

/** The columns of {@linkcode hypothesisFrame}. */
export const HYPOTHESIS_COLUMNS: ColumnsOf<HypothesisRow> = {
  label: text("the hypothesis"),
  state: text("draft, reviewed, in_tournament, disproved, unfit, rejected, merged or quarantined"),
  rating: double("Bradley-Terry rating on the Elo scale: 1200 + 173.7 · strength", "Elo points"),
  ratingLow: double("lower end of its 90 % interval", "Elo points"),
  ratingHigh: double("upper end of its 90 % interval", "Elo points"),
  elo: double("Elo in the newest epoch", "Elo points"),
  won: integer("of these, won"),
  lost: integer("of these, lost"),
  tied: integer("of these, tied"),
  matches: integer("matches that count"),
  strategy: text("how it came about"),
  title: text("its title"),
  stateReason: text("why"),
  result: text("what results say of it: confirmed or refuted"),
  parentLabels: list("labels of the hypotheses that it was made from"),
  generation: integer("0 without parents, else one more than the oldest parent"),
  author: text("model, or a person's name"),
  model: text("the model that wrote it"),
  bornSeq: integer("the commit that first recorded it"),
  at: time("when that was"),
  version: integer("its newest version: 1, and one more for each edit"),
  pinned: boolean("whether a person keeps it in play"),
  foldedUnder: text("label of the near-duplicate that is drawn in its stead"),
  mergedInto: text("label of the hypothesis that it was merged into"),
  reviews: integer("reviews of it that are not void"),
  usd: double("what the tasks cost that wrote and reviewed it; matches not included, they are shared", "USD"),
  statement: text("the claim in one sentence"),
  mechanism: text("how it would work"),
  entities: list("what it is about"),
  anticipatedOutcomes: text("what would be seen if it held"),
  noveltyArgument: text("why it is new"),
  sources: list("addresses of its citations"),
  droppedCitations: integer("citations that it gave and no tool had returned: dropped"),
  task: text("label of the task that made its newest version"),
};

/** All hypotheses, in order of birth, those out of the tournament too. */
export function hypothesisFrame(
  source: Pick<FrameSource, "view" | "tasks" | "calls" | "at">,
): HypothesisRow[] {
  const { view } = source;
  const taskOf = taskLabels(source);
  const costOf = costsByHypothesis(source);
  return view.hypotheses.map((standing): HypothesisRow => {
    const { record } = standing;
    const label = (id: string | null) => id === null ? null : hypothesisLabel(source, id);
    return {
      label: record.label,
      title: record.title,
      state: standing.state,
      stateReason: standing.stateReason,
      ...ratingRow(standing),
      elo: standing.elo,
      matches: standing.matches,
      won: standing.won,
      lost: standing.lost,
      tied: standing.tied,
      result: standing.result,
      strategy: record.strategy,
      parentLabels: record.parents.map((id) => hypothesisLabel(source, id)),
      generation: record.generation,
      author: record.author,
      model: record.model,
      bornSeq: standing.bornSeq,
      at: source.at(standing.bornSeq),
      version: record.version,
      pinned: standing.pinned,
      foldedUnder: label(standing.foldedUnder),
      mergedInto: label(standing.mergedInto),
      reviews: view.reviewsOf(record.id).length,
      usd: usd(costOf(record.id)),
      statement: record.statement,
      mechanism: record.mechanism,
      entities: record.entities,
      anticipatedOutcomes: record.anticipatedOutcomes,
      noveltyArgument: record.noveltyArgument,
      sources: record.citations.map(({ url }) => url),
      droppedCitations: record.droppedCitations,
      task: taskOf(record.taskId),
    };
  });
}

/** What the tasks that made a hypothesis's versions, and those of its reviews, cost together. */
function costsByHypothesis(
  { view, tasks, calls }: Pick<FrameSource, "view" | "tasks" | "calls">,
): (id: string) => number {
  const byTask = new Map<string, number>();
  for (const { taskId, cost } of calls) byTask.set(taskId, (byTask.get(taskId) ?? 0) + cost.microUsd);
  const reviewing = Map.groupBy(
    tasks.filter(({ record }) => record.action === "review"),
    ({ record }) => record.targetId,
  );
  return (id) => {
    const made = view.versionsOf(id).flatMap(({ taskId }) => taskId ?? []);
    const reviewed = (reviewing.get(id) ?? []).map(({ record }) => record.id);
    return [...new Set([...made, ...reviewed])].reduce((sum, task) => sum + (byTask.get(task) ?? 0), 0);
  };
}
