/**
 * The hypothesis that stands for this one; of those that were merged in a circle, the one with the least id.
 *
 * @param merged what each merged one was merged into
 */
export function rootOf(id: string, merged: ReadonlyMap<string, unknown> | undefined): string {
  let into = merged?.get(id);
  if (typeof into !== "string") return id;
  const way = [id];
  while (typeof into === "string") {
    const back = way.indexOf(into);
    if (back >= 0) return way.slice(back).reduce((a, b) => (a < b ? a : b));
    way.push(into);
    into = merged?.get(into);
  }
  return way.at(-1) ?? id;
}
