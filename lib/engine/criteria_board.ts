import type { Criterion } from "../domain/criteria.ts";
import type { HypothesisState } from "../domain/records.ts";
import { sameText } from "../domain/same_text.ts";
import type { Standing, View } from "../store/view.ts";
import { ratingOf } from "../tournament/scale.ts";
import { type CriteriaScores, criteriaScores, newestFullReview } from "../tournament/criteria_scores.ts";

/** A hypothesis on the board of the criteria. */
export interface CriteriaRow extends CriteriaScores {
  /** `H7`. */
  readonly label: string;
  /** Its title. */
  readonly title: string;
  /** Where it stands. */
  readonly state: HypothesisState;
  /** Its place on the leaderboard, from 1; `null` for a folded one, and outside of the tournament. */
  readonly place: number | null;
  /** Bradley-Terry rating on the Elo scale; `null` where there is none. */
  readonly rating: number | null;
  /** The label of the review whose scores these are: the newest full one in force; `null` without one. */
  readonly review: string | null;
}

/** How the hypotheses of a session do by each of the scientist's criteria, and overall. */
export interface CriteriaTable {
  /** What is asked of every hypothesis. */
  readonly criteria: readonly Readonly<Criterion>[];
  /** The hypotheses that were reviewed, by their place on the leaderboard; those outside of it last. */
  readonly rows: readonly CriteriaRow[];
  /** What is missing or out of date, and what to do about it. */
  readonly notes: readonly string[];
}

/** States of hypotheses that stand on the board: those that a person or the screen took out of play don't. */
const SHOWN: ReadonlySet<HypothesisState> = new Set<HypothesisState>([
  "reviewed",
  "in_tournament",
  "unfit",
  "disproved",
]);

/** Labels that a note names. */
const NAMED = 12;

/** The board of the criteria at a view's seq. A pure function. */
export function criteriaTable(view: View): CriteriaTable {
  const { criteria } = view.settings.scope;
  if (criteria.length === 0) {
    return {
      criteria,
      rows: [],
      notes: [
        'No criteria are set. lab.configure({ scope: { criteria: [{ name: "oral form", weight: 2 }] } }) sets some.',
      ],
    };
  }
  const places = new Map(
    view.leaderboard.filter(({ foldedUnder }) => foldedUnder === null).map((
      { record },
      i,
    ) => [record.id, i + 1]),
  );
  const ranked = new Map(view.leaderboard.map(({ record }, i) => [record.id, i]));
  const shown = view.hypotheses.filter(({ state }) => SHOWN.has(state));
  const rows = shown.map((standing): CriteriaRow => rowOf(view, standing, places)).toSorted((a, b) =>
    byTotal(b, a)
  );
  const rankOf = new Map(shown.map(({ record }) => [record.label, ranked.get(record.id) ?? Infinity]));
  return {
    criteria,
    // A sort keeps the order of equals: those without a rank stay by their total.
    rows: rows.toSorted((a, b) => compare(rankOf.get(a.label) ?? Infinity, rankOf.get(b.label) ?? Infinity)),
    notes: notesOf(view, shown),
  };
}

/** Rows by their score by one criterion, the best first; of equals, those with the better place. */
export function byCriterion(rows: readonly CriteriaRow[], name: string): CriteriaRow[] {
  return rows.toSorted((a, b) => compare(b.scores[name] ?? -1, a.scores[name] ?? -1));
}

/** Rows by the weighted mean of all criteria, the best first; of equals, those with the better place. */
export function byCriteriaTotal(rows: readonly CriteriaRow[]): CriteriaRow[] {
  return rows.toSorted((a, b) => byTotal(b, a));
}

function rowOf(
  view: View,
  { record, state, strength }: Standing,
  places: ReadonlyMap<string, number>,
): CriteriaRow {
  const { id, label, title } = record;
  return {
    label,
    title,
    state,
    place: places.get(id) ?? null,
    rating: strength === null ? null : ratingOf(strength),
    review: newestFullReview(view, id)?.label ?? null,
    ...(criteriaScores(view, id) ?? { scores: {}, total: null, unmet: [] }),
  };
}

function notesOf(view: View, shown: readonly Standing[]): string[] {
  const inPlay = shown.filter(({ state }) => state === "in_tournament" || state === "unfit");
  const lacking = new Map<string, string[]>();
  const outdated: string[] = [];
  for (const { record } of inPlay) {
    const missing = Object.entries(criteriaScores(view, record.id)?.scores ?? {})
      .flatMap(([name, score]) => (score === null ? [`"${name}"`] : []));
    if (missing.length > 0) {
      const key = missing.join(", ");
      lacking.set(key, [...lacking.get(key) ?? [], record.label]);
      continue;
    }
    const review = newestFullReview(view, record.id);
    const read = view.versionsOf(record.id).find(({ version }) => version === review?.hypothesisVersion);
    if (read !== undefined && !sameText(read, record)) outdated.push(record.label);
  }
  return [
    ...[...lacking].map(([missing, labels]) => `Not judged by ${missing} yet: ${redo(labels)}`),
    ...(outdated.length === 0 ? [] : [`Judged on a text that was edited since: ${redo(outdated)}`]),
  ];
}

/** Labels, and the call that has them reviewed. */
function redo(labels: readonly string[]): string {
  const named = labels.slice(0, NAMED), more = labels.length - named.length;
  const list = named.map((label) => `"${label}"`).join(", ");
  return `${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}. await lab.reflect([${list}]) reviews ${
    labels.length === 1 ? "it" : more === 0 ? "them" : "these"
  }.`;
}

function byTotal(a: CriteriaRow, b: CriteriaRow): number {
  return compare(a.total ?? -1, b.total ?? -1);
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
