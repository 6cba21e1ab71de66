import { CosciError } from "../domain/errors.ts";
import type { SettingChange } from "../config/patch.ts";

/** Refuses changes that make no sense once work has begun, saying why. @throws CosciError `state` */
export function refuseFixed(
  { hypotheses }: { readonly hypotheses: { readonly length: number } },
  changes: readonly SettingChange[],
  verb = "configure",
): void {
  for (const { path } of changes) {
    const why = whyFixed(hypotheses.length > 0, path);
    if (why !== null) throw new CosciError("state", `${verb}: ${path} can't be changed now. ${why}`);
  }
}

function whyFixed(begun: boolean, path: string): string | null {
  if (path.startsWith("simulator.")) {
    return "The simulator is made with the session; create another session to try another.";
  }
  const vectors = ["vectors.embedder", "vectors.model", "vectors.dimensions", "vectors.baseUrl"];
  if (vectors.includes(path) && begun) {
    return "Vectors of two embedders can't be compared, and the hypotheses have theirs; create another session.";
  }
  if (path === "ranking.eloInitial" && begun) {
    return "The ratings started from the old value.";
  }
  return null;
}
