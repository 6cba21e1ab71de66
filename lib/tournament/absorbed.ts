import type { Standing, View } from "../store/view.ts";

/** The hypotheses that were merged into this one, also by way of others; oldest first. */
export function absorbed(view: View, id: string): Standing[] {
  const all = view.hypotheses.filter((standing) => standing.mergedInto !== null);
  const found = new Set<string>([id]);
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const { record, mergedInto } of all) {
      if (mergedInto !== null && found.has(mergedInto)) found.add(record.id);
    }
  }
  return all.filter(({ record }) => record.id !== id && found.has(record.id));
}

/** The ids whose matches, results and findings stand for this hypothesis: its own, and those that were merged into it. */
export function idsOf(view: View, id: string): ReadonlySet<string> {
  return new Set([id, ...absorbed(view, id).map(({ record }) => record.id)]);
}
