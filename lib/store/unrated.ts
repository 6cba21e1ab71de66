import type { RatingFold } from "../domain/ratings.ts";

/** Ratings of a store that was opened without any: nobody has one. */
export function unrated(): RatingFold {
  const nothing = {
    mean: () => 0,
    average: () => 0,
    variance: () => 0,
    covariance: () => 0,
    stretch: () => 0,
    expect: () => {},
    copy: () => nothing,
  };
  return {
    enter: () => {},
    judge: () => {},
    strength: () => undefined,
    top: () => ({ chances: new Map(), expectedPrecision: 0 }),
    // deno-lint-ignore require-yield -- there is nothing to compute
    *topInSteps() {
      return { chances: new Map(), expectedPrecision: 0 };
    },
    tiers: () => [],
    step: () => false,
    place: () => undefined,
    belief: () => nothing,
  };
}
