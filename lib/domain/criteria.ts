import type { ReviewScores } from "./records.ts";

/** What the scientist asks of every hypothesis. */
export interface Criterion {
  /** How it is called, in prompts and on boards. */
  name: string;
  /** How much it counts beside the others. */
  weight: number;
  /** Whether it is a hard constraint. */
  must?: boolean | undefined;
}

/** From this score on, from 0 to 1, a hard constraint is met. */
export const MET_FROM = 0.5;

/**
 * The keys under which a record tool asks for the scores of criteria, in their order. A tool's keys may hold ASCII letters, digits
 * and `_` alone, and a criterion may be called anything; its full name stands in the key's description.
 */
export function criterionKeys(criteria: readonly Pick<Criterion, "name">[]): string[] {
  const taken = new Set<string>();
  return criteria.map(({ name }, i) => {
    const plain = name.normalize("NFKD").toLowerCase().replaceAll(/[^a-z0-9]+/g, "_").replaceAll(
      /^_+|_+$/g,
      "",
    );
    const short = plain.slice(0, 40);
    const key = short === "" || taken.has(short) ? `${short || "criterion"}_${i + 1}` : short;
    taken.add(key);
    return key;
  });
}

/** The mean of a review's scores by criteria, each by its weight; `null` where it has a score by none of them. */
export function criteriaScore(
  { criteria: given = {} }: Pick<ReviewScores, "criteria">,
  criteria: readonly Criterion[],
): number | null {
  let sum = 0, weights = 0;
  for (const { name, weight } of criteria) {
    const score = Object.hasOwn(given, name) ? given[name] : undefined;
    if (score === undefined) continue;
    sum += weight * score;
    weights += weight;
  }
  return weights === 0 ? null : sum / weights;
}

/** The hard constraints that a review finds a hypothesis to fail. One that it doesn't judge counts as met. */
export function unmetCriteria(
  { criteria: given = {} }: Pick<ReviewScores, "criteria">,
  criteria: readonly Criterion[],
): Criterion[] {
  return criteria.filter(({ name, must }) =>
    must === true && Object.hasOwn(given, name) && (given[name] ?? 1) < MET_FROM
  );
}

/** Criteria as a list for prompts and pages, one a line. */
export function criteriaList(criteria: readonly Criterion[]): string {
  return criteria.map(({ name, weight, must }) =>
    `- ${name} (weight ${weight}${must === true ? ", must" : ""})`
  )
    .join("\n");
}
