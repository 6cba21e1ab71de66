import { exactly } from "../domain/exactly.ts";
import { madeVersion } from "../domain/made_version.ts";
import { usd } from "../domain/money.ts";
import { EVOLUTION_STRATEGIES } from "../domain/records.ts";
import type { Past } from "../engine/estimate.ts";
import { redoPrice } from "../engine/redo_price.ts";
import { type ChangedSide, type StaleItem, staleItems, standsFor } from "../engine/staleness.ts";
import type { StaleRow } from "../notebook/displays/stale.ts";
import type { View } from "../store/view.ts";

/** How something stale can be done again. */
export type Redo =
  /** By `refresh()`. */
  | { readonly kind: "refresh" }
  /** By `refresh` with its label. */
  | { readonly kind: "named"; readonly why: string }
  /** Not by a model. */
  | { readonly kind: "not"; readonly why: string };

/** How something stale can be done again, as the records stand. */
export function redoOf(view: View, item: StaleItem): Redo {
  switch (item.kind) {
    case "review": {
      const { author, kind } = item.record;
      return author === "model" ? REFRESH : {
        kind: "not",
        why: `it is ${author}'s: addReview gives another, reflect(…, "${kind}") a model's`,
      };
    }
    case "match": {
      const { author, firstId, secondId } = item.record;
      const out = [firstId, secondId].map((id) => view.hypothesis(standsFor(view, id)))
        .find((side) => side?.state !== "in_tournament");
      if (author !== "model") return { kind: "not", why: `it is ${author}'s: addVerdict gives another` };
      return out === undefined
        ? REFRESH
        : { kind: "not", why: `${out.record.label} is ${out.state}, and isn't judged` };
    }
    case "child": {
      const { strategy, author, parents, id } = item.record;
      if (author !== "model" || !EVOLUTION_STRATEGIES.some((known) => known === strategy)) {
        return {
          kind: "not",
          why: `it is ${author === "model" ? "no child of evolution" : `${author}'s`}: edit it`,
        };
      }
      const sources = parentsOf(view, parents);
      const out = sources.find(({ state }) => state === "rejected" || state === "quarantined");
      if (out !== undefined) return { kind: "not", why: `${out.record.label} is ${out.state}` };
      if (strategy === "combine" && sources.length < 2) {
        return { kind: "not", why: "what it combines was merged into one" };
      }
      const versions = view.versionsOf(id);
      return madeVersion(versions) === versions.at(-1) ? REFRESH : {
        kind: "named",
        why: `it was edited by hand since; refresh("${item.label}") makes it anew all the same`,
      };
    }
    case "overview":
      return REFRESH;
    default:
      return exactly(item);
  }
}

const REFRESH: Redo = { kind: "refresh" };

/** What a child is made anew from: its parents, or those that stand for them. */
export function parentsOf(view: View, parents: readonly string[]) {
  return [...new Set(parents.map((id) => standsFor(view, id)))].flatMap((id) => view.hypothesis(id) ?? []);
}

/** The hypotheses that something stale is about, or was made from: as they are called now. */
export function aboutOf(view: View, item: StaleItem): readonly string[] {
  switch (item.kind) {
    case "review":
      return [item.record.hypothesisId];
    case "match":
      return [
        ...new Set([item.record.firstId, item.record.secondId].flatMap((id) => [id, standsFor(view, id)])),
      ];
    case "child":
      return [...new Set(item.record.parents.flatMap((id) => [id, standsFor(view, id)]))];
    case "overview":
      return item.changed.map(({ id }) => id);
    default:
      return exactly(item);
  }
}

/** What is stale, as people read it. */
export function staleRows(view: View, items: readonly StaleItem[], past: Past): StaleRow[] {
  const labelOf = (id: string) => view.hypothesis(id)?.record.label ?? id;
  return items.map((item): StaleRow => {
    const redo = redoOf(view, item);
    const { microUsd, basis } = redoPrice(view, item, past);
    return {
      label: item.label,
      kind: item.kind,
      of: subjects(item).map(labelOf),
      judgedOn: item.changed.map((side) => wordsOf(view, item, side)).join("; "),
      since: sinceOf(view, item.changed),
      usd: redo.kind === "refresh" ? usd(microUsd) : null,
      basis,
      remark: redo.kind === "refresh" ? "" : redo.why,
    };
  });
}

function subjects(item: StaleItem): readonly string[] {
  switch (item.kind) {
    case "review":
      return [item.record.hypothesisId];
    case "match":
      return [item.record.firstId, item.record.secondId];
    case "child":
      return item.record.parents;
    case "overview":
      return item.changed.map(({ id }) => id);
    default:
      return exactly(item);
  }
}

/** `judged on version 1 of H7, which is at 3`. */
export function wordsOf(
  view: View,
  item: Pick<StaleItem, "kind">,
  { id, judged, newest }: ChangedSide,
): string {
  const label = view.hypothesis(id)?.record.label ?? id;
  const verb = item.kind === "child" ? "made from" : item.kind === "overview" ? "tells of" : "judged on";
  return `${verb} version ${judged} of ${label}, which is at ${newest}`;
}

/** The revision that made the first newer text, or the task, where no person did. */
function sinceOf(view: View, changed: readonly ChangedSide[]): string {
  const first = changed.reduce<ChangedSide | null>(
    (oldest, side) => oldest === null || side.since < oldest.since ? side : oldest,
    null,
  );
  if (first === null) return "";
  const label = view.hypothesis(first.id)?.record.label;
  const revision = view.revisions.find(({ seq, target }) => seq === first.since && target === label);
  if (revision !== undefined) return revision.label;
  const version = view.versionsOf(first.id).find(({ seq }) => seq === first.since);
  return (version?.taskId === null || version === undefined
    ? null
    : view.task(version.taskId)?.record.label) ??
    `commit ${first.since}`;
}

/** What is stale of one hypothesis: what was said of it, or made from it; itself, if it was made from another. */
export function staleOf(view: View, id: string): readonly StaleItem[] {
  return staleItems(view).filter((item) =>
    aboutOf(view, item).includes(id) || (item.kind === "child" && item.id === id)
  );
}
