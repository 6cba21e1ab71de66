import { BASELINES } from "./baselines.ts";
import { ours } from "./ours.ts";
import type { Policy } from "./policy.ts";
import { REFERENCE_POLICIES } from "./reference.ts";

/** The default policy's name. */
export const DEFAULT_POLICY = "cosci";

/** The name of the default policy when it is to order the whole pool. */
export const WHOLE_POLICY = "cosci_whole";

const OURS: readonly Policy[] = [
  ours({ name: DEFAULT_POLICY, batch: 0.25 }),
  ours({ name: WHOLE_POLICY, batch: 0.25, wholeOrder: 1 }),
  ours({ name: "cosci_one", batch: "one" }),
  ours({ name: "cosci_groups", batch: "one", judgedAtOnce: 4, maxMatchesPerPair: 4 }),
];

/** Every policy by name, ours first. */
export const POLICIES: ReadonlyMap<string, Policy> = new Map(
  [...OURS, ...BASELINES, ...REFERENCE_POLICIES].map((policy) => [policy.name, policy]),
);

/** The policies that run unless others are named. */
export const USUAL_POLICIES: readonly string[] = [
  ...OURS.map(({ name }) => name),
  "seed",
  "three_bucket_elo",
  "swiss_elo",
  "random_elo",
  "reference_f2",
  "reference_f7",
  "reference_f8",
  "reference_e3",
];

/** A policy by name. */
export function policyOf(name: string): Policy {
  const policy = POLICIES.get(name);
  if (policy === undefined) {
    throw new Error(`There is no policy ${name}; there are ${[...POLICIES.keys()].join(", ")}`);
  }
  return policy;
}
