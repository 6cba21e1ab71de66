import { madeVersion } from "../domain/made_version.ts";
import type {
  HypothesisRecord,
  HypothesisState,
  MatchRecord,
  OverviewRecord,
  ReviewRecord,
} from "../domain/records.ts";
import { exactly } from "../domain/exactly.ts";
import { sameText } from "../domain/same_text.ts";
import { isReviewReplaced, isReviewStale } from "../store/stale_review.ts";
import type { Standing, View } from "../store/view.ts";

/** A hypothesis of which something was said that has another text by now. */
export interface ChangedSide {
  /** The hypothesis; of a merged one the one that stands for both, if that one's text changed. */
  readonly id: string;
  /** The version that was judged, or made from. */
  readonly judged: number;
  /** The newest version. */
  readonly newest: number;
  /** The commit of the first version since then. */
  readonly since: number;
}

/** Something that was said of, or made from, a text that has changed since. */
export type StaleItem =
  & {
    /** Its record's id. */
    readonly id: string;
    /** `V3`, `M12`, `H9`, `O1`. */
    readonly label: string;
    /** Which of what it is about, or was made from, has changed. */
    readonly changed: readonly ChangedSide[];
  }
  & (
    | { readonly kind: "review"; readonly record: ReviewRecord }
    | { readonly kind: "match"; readonly record: MatchRecord }
    | { readonly kind: "child"; readonly record: HypothesisRecord }
    | { readonly kind: "overview"; readonly record: OverviewRecord }
  );

/** A kind of thing that may be stale. */
export type StaleKind = StaleItem["kind"];

/** What is said of hypotheses in these states is not asked for any more, and what was made from others stays as it is. */
const OUT: ReadonlySet<HypothesisState> = new Set<HypothesisState>(["rejected", "merged", "quarantined"]);

/**
 * Everything that is stale at a view's seq. A pure function of the records:
 *
 * - a review of a version whose text differs from the newest one's, unless a newer one of its kind and author is of the
 *   present text and stands in for it;
 * - a match in which either side, or the one that it was merged into, said something else than it does now;
 * - a hypothesis that was made from a text which one of its parents no longer has;
 * - the newest overview, if it names a hypothesis whose text has changed since.
 *
 * Texts are compared, not versions: an edit back to an earlier text makes fresh again what was said of that. A merge joins
 * what says the same, so it makes nothing stale. Void reviews and matches, matches without a verdict, and whatever is about
 * a hypothesis out of play are left out.
 */
export function staleItems(view: View): readonly StaleItem[] {
  const known = KNOWN.get(view);
  if (known?.seq === view.seq) return known.items;
  const items = find(view);
  KNOWN.set(view, { seq: view.seq, items });
  return items;
}

/** What was found last, for views that are asked more than once. */
const KNOWN = new WeakMap<View, { readonly seq: number; readonly items: readonly StaleItem[] }>();

function find(view: View): StaleItem[] {
  const edited = new Set(
    view.hypotheses.filter(({ record }) => record.version > 1).map(({ record }) => record.id),
  );
  // Most sessions have none, and needn't read their matches for that.
  if (edited.size === 0) return [];
  const inPlay = view.hypotheses.filter(({ state }) => !OUT.has(state));
  return [
    ...inPlay.filter(({ record }) => edited.has(record.id)).flatMap((of) => staleReviews(view, of)),
    ...view.matches.flatMap((match) => staleMatch(view, match)),
    ...inPlay.flatMap((child) => staleChild(view, child)),
    ...staleOverview(view),
  ];
}

function staleReviews(view: View, { record: newest }: Standing): StaleItem[] {
  const versions = view.versionsOf(newest.id);
  return view.reviewsOf(newest.id).flatMap((record): StaleItem[] => {
    if (!isReviewStale(view, record) || isReviewReplaced(view, record)) return [];
    const judged = versions.find(({ version }) => version === record.hypothesisVersion) ?? newest;
    return [{
      kind: "review",
      id: record.id,
      label: record.label,
      record,
      changed: [sideOf(versions, judged)],
    }];
  });
}

function staleMatch(view: View, record: MatchRecord): StaleItem[] {
  const { id, label, firstId, secondId, seq } = record;
  const changed = [...changedSides(view, firstId, seq), ...changedSides(view, secondId, seq)];
  if (changed.length === 0 || record.verdict === "invalid" || view.marked("void", id) !== null) return [];
  const sides = [firstId, secondId].map((side) => view.hypothesis(standsFor(view, side)));
  if (view.marked("weight", id) === 0 || sides[0] === sides[1]) return [];
  if (sides.some((side) => side === undefined || OUT.has(side.state))) return [];
  return [{ kind: "match", id, label, record, changed }];
}

function staleChild(view: View, { record }: Standing): StaleItem[] {
  const made = madeVersion(view.versionsOf(record.id));
  if (made === undefined) return [];
  const changed = record.parents.flatMap((parent) => changedSides(view, parent, made.seq));
  return changed.length === 0 ? [] : [{ kind: "child", id: record.id, label: record.label, record, changed }];
}

function staleOverview(view: View): StaleItem[] {
  const record = view.overviews.at(-1);
  if (record === undefined) return [];
  const named = new Set(record.markdown.match(/\bH\d+\b/g) ?? []);
  const changed = view.hypotheses.filter((of) => named.has(of.record.label))
    .flatMap((of) => changedSides(view, of.record.id, record.readSeq));
  return changed.length === 0
    ? []
    : [{ kind: "overview", id: record.id, label: record.label, record, changed }];
}

/** The hypothesis itself if its text has changed since a commit; else the one that stands for it, if that one's has. */
function changedSides(view: View, id: string, seq: number): ChangedSide[] {
  if (!view.changedSince(id, seq)) return [];
  const versions = view.versionsOf(id);
  const judged = view.versionAt(id, seq), newest = versions.at(-1);
  if (judged === undefined || newest === undefined) return [];
  if (!sameText(judged, newest)) return [sideOf(versions, judged)];
  // What the one that stands for both said when they were merged, its mark doesn't tell: the newest other text that it had.
  for (const root of standsForEach(view, id)) {
    const others = view.versionsOf(root), last = others.at(-1);
    const before = last === undefined ? undefined : others.findLast((version) => !sameText(version, last));
    if (before !== undefined) return [sideOf(others, before)];
  }
  return [sideOf(versions, judged)];
}

function sideOf(versions: readonly HypothesisRecord[], judged: HypothesisRecord): ChangedSide {
  const newest = versions.at(-1) ?? judged;
  const next = versions.find(({ seq }) => seq > judged.seq) ?? newest;
  return { id: newest.id, judged: judged.version, newest: newest.version, since: next.seq };
}

/** The hypothesis that stands for this one: itself, unless it was merged. */
export function standsFor(view: View, id: string): string {
  return standsForEach(view, id).at(-1) ?? id;
}

/** Those that a hypothesis was merged into, one after the other. */
function standsForEach(view: View, id: string): string[] {
  const way: string[] = [];
  for (let at = view.hypothesis(id)?.mergedInto ?? null; at !== null && !way.includes(at) && at !== id;) {
    way.push(at);
    at = view.hypothesis(at)?.mergedInto ?? null;
  }
  return way;
}

/** How much that bears on each hypothesis is stale, by its id: reviews and matches of it, and itself as a child. */
export function staleCounts(view: View): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (id: string) => counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const item of staleItems(view)) {
    switch (item.kind) {
      case "review":
        count(item.record.hypothesisId);
        break;
      case "match":
        for (const id of new Set([item.record.firstId, item.record.secondId])) count(standsFor(view, id));
        break;
      case "child":
        count(item.id);
        break;
      case "overview":
        break;
      default:
        exactly(item);
    }
  }
  return counts;
}
