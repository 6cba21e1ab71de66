import { CosciError } from "../domain/errors.ts";
import type { SettingChange } from "../config/patch.ts";
import type { View } from "../store/view.ts";

/** Refuses changes that make no sense once work has begun, saying why. @throws CosciError `state` */
export function refuseFixed(view: View, changes: readonly SettingChange[]): void {
  for (const { path } of changes) {
    const why = whyFixed(view, path);
    if (why !== null) throw new CosciError("state", `configure: ${path} can't be changed now. ${why}`);
  }
}

function whyFixed(view: View, path: string): string | null {
  if (path.startsWith("simulator.")) {
    return "The simulator is made with the session; create another session to try another.";
  }
  const vectors = ["vectors.embedder", "vectors.model", "vectors.dimensions", "vectors.baseUrl"];
  if (vectors.includes(path) && view.hypotheses.length > 0) {
    return "Vectors of two embedders can't be compared, and the hypotheses have theirs; create another session.";
  }
  if (path === "ranking.eloInitial" && view.hypotheses.length > 0) {
    return "The ratings started from the old value.";
  }
  return null;
}
