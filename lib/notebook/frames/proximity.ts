import { rng } from "../../domain/rng.ts";
import type { HypothesisState } from "../../domain/records.ts";
import type { View } from "../../store/view.ts";
import { cosine } from "../../vectors/cosine.ts";
import { projectByCosine } from "../../vectors/projection.ts";
import { type ColumnsOf, double, integer, text } from "./columns.ts";

/** A hypothesis on the map of what is alike. */
export interface ProximityRow {
  /** Its label, e.g. `H7`. */
  readonly hypothesis: string;
  /** Its title as it now reads. */
  readonly title: string;
  /** From left to right on the map. No unit: near is alike. */
  readonly x: number;
  /** From bottom to top on the map. */
  readonly y: number;
  /** The number of its cluster of near-duplicates, from 1, the largest first; `null` for one that stands alone. */
  readonly cluster: number | null;
  /** Its place on the leaderboard, from 1; `null` for one that is folded or not in the tournament. */
  readonly rank: number | null;
  /** Where it stands. */
  readonly state: HypothesisState;
  /** The label of the one that is most like it; `null` for one that is alone on the map. */
  readonly nearest: string | null;
  /** How alike the two are: the cosine of their embeddings, from -1 to 1. */
  readonly cosine: number | null;
  /** How the map was made: UMAP, or principal coordinates where there are too few for it. */
  readonly method: "umap" | "principal_coordinates";
}

/** The columns of {@linkcode proximityFrame}. */
export const PROXIMITY_COLUMNS: ColumnsOf<ProximityRow> = {
  hypothesis: text("its label"),
  title: text("its title as it now reads"),
  x: double("from left to right on the map; no unit: near is alike"),
  y: double("from bottom to top on the map; no unit"),
  cluster: integer(
    "number of its cluster of near-duplicates, from 1, the largest first; empty for one alone",
  ),
  rank: integer("place on the leaderboard, from 1; empty for one that is folded or not in the tournament"),
  state: text("where it stands"),
  nearest: text("label of the one that is most like it; empty for one that is alone on the map"),
  cosine: double("how alike the two are: the cosine of their embeddings, from -1 to 1"),
  method: text("umap, or principal_coordinates where there are too few for it"),
};

/** What the frame of the map reads. */
export type ProximityView = Pick<
  View,
  "session" | "hypotheses" | "leaderboard" | "vector" | "embedding" | "proximity"
>;

/**
 * The map of the hypotheses' embeddings, in order of birth. Hypotheses without an embedding are left out, and those whose
 * embedding is of another model than most.
 */
export function proximityFrame(view: ProximityView): ProximityRow[] {
  const placed = comparable(view);
  const { method, points } = projectByCosine(
    placed.map(({ id, vector }) => ({ id, vector })),
    rng(view.session.seed, "proximity", "map"),
  );
  const places = new Map(points.map((point) => [point.id, point]));
  const clusters = clusterNumbers(view, new Set(places.keys()));
  const ranks = new Map(
    view.leaderboard.filter(({ foldedUnder }) => foldedUnder === null)
      .map(({ record }, i) => [record.id, i + 1]),
  );
  return placed.map(({ id, label, title, state, vector }): ProximityRow => {
    let nearest: string | null = null, most: number | null = null;
    for (const other of placed) {
      if (other.id === id) continue;
      const alike = cosine(vector, other.vector);
      if (most === null || alike > most) [nearest, most] = [other.label, alike];
    }
    return {
      hypothesis: label,
      title,
      x: places.get(id)?.x ?? 0,
      y: places.get(id)?.y ?? 0,
      cluster: clusters.get(id) ?? null,
      rank: ranks.get(id) ?? null,
      state,
      nearest,
      cosine: most,
      method,
    };
  });
}

interface Placed {
  readonly id: string;
  readonly label: string;
  readonly title: string;
  readonly state: HypothesisState;
  readonly vector: Float32Array;
}

/** Those whose vectors are of the model that most are of: vectors of different models can't be compared. */
function comparable(view: ProximityView): Placed[] {
  const all = view.hypotheses.flatMap(({ record: { id, label, title, version }, state }) => {
    const vector = view.vector(id);
    if (vector === undefined) return [];
    const space = `${view.embedding(id, version)?.model ?? ""} ${vector.length}`;
    return [{ space, placed: { id, label, title, state, vector } }];
  });
  const [most = []] = [...Map.groupBy(all, ({ space }) => space).values()].sort((a, b) =>
    b.length - a.length
  );
  return most.map(({ placed }) => placed);
}

/** Numbers of the newest clusters, of those on the map, the largest first. */
function clusterNumbers({ proximity }: ProximityView, shown: ReadonlySet<string>): Map<string, number> {
  const clusters = (proximity?.clusters ?? []).map((ids) => ids.filter((id) => shown.has(id)))
    .filter((ids) => ids.length > 1).sort((a, b) => b.length - a.length);
  return new Map(clusters.flatMap((ids, i) => ids.map((id) => [id, i + 1] as const)));
}
