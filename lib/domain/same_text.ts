import type { HypothesisText } from "./records.ts";

/** Whether two versions say the same: what was said of one then holds for the other. */
export function sameText(a: HypothesisText, b: HypothesisText): boolean {
  return a === b || (
    a.title === b.title && a.statement === b.statement && a.mechanism === b.mechanism &&
    a.anticipatedOutcomes === b.anticipatedOutcomes && a.noveltyArgument === b.noveltyArgument &&
    a.entities.length === b.entities.length && a.entities.every((entity, i) => entity === b.entities[i])
  );
}

/** The texts of a version, without what else its record holds. */
export function textOf(record: HypothesisText): HypothesisText {
  const { title, statement, mechanism, entities, anticipatedOutcomes, noveltyArgument } = record;
  return { title, statement, mechanism, entities, anticipatedOutcomes, noveltyArgument };
}
