import { z } from "zod";
import { CosciError, inputError } from "../domain/errors.ts";
import type { ActionCounts } from "../domain/count_actions.ts";
import { snapshot, type SnapshotData } from "../engine/snapshot.ts";
import type { Totals } from "../engine/totals.ts";
import type { View } from "../store/view.ts";
import { matchesPerCall } from "../tournament/group.ts";

/** When a run ends: at totals, or when a question about the snapshot is answered with yes. */
export type Until = Totals | ((snapshot: SnapshotData) => boolean);

/** The totals that a condition may name. */
export const KEYS = ["matches", "hypotheses", "reviews", "evolved", "feedback", "usd"] as const;
/** A total that a condition may name. */
export type Key = (typeof KEYS)[number];

const totals = z.record(z.string(), z.number().positive());

/** Checks a condition at the door. @throws CosciError `input`, naming the key and the nearest valid one */
export function readUntil(until: unknown, verb: string): Until {
  if (typeof until === "function") {
    return (data) => {
      const answer: unknown = until(data);
      if (typeof answer !== "boolean") {
        throw inputError(`${verb}: the condition`, answer, "It must answer true or false.");
      }
      return answer;
    };
  }
  if (typeof until !== "object" || until === null) {
    throw inputError(verb, until, `Give totals such as { matches: 20 } or a function of the snapshot.`);
  }
  const entries = Object.entries(until).filter(([, value]) => value !== undefined);
  for (const [key, value] of entries) {
    if (!KEYS.some((known) => known === key)) {
      throw inputError(`${verb}: ${key}`, key, `Totals are ${KEYS.join(", ")}.`, KEYS);
    }
    if (!totals.safeParse({ [key]: value }).success) {
      throw inputError(`${verb}: ${key}`, value, "Give a number above 0.");
    }
  }
  return Object.fromEntries(entries);
}

/** Checks totals at the door, where a function can't be used. @throws CosciError `input` */
export function readTotals(until: unknown, verb: string): Totals {
  const checked = readUntil(until, verb);
  if (typeof checked !== "function") return checked;
  throw new CosciError(
    "input",
    `${verb}: a function can't be foreseen. Give totals such as { matches: 20 }, or nothing for all that is to come.`,
  );
}

/** The totals that "so much more" means now. */
export function more(view: View, by: Until): Until {
  if (typeof by === "function") return by;
  return Object.fromEntries(
    KEYS.flatMap((key) => {
      const value = by[key];
      return value === undefined ? [] : [[key, have(view, key) + value]];
    }),
  );
}

/**
 * Whether a condition is reached. `wait`: what is in hand may reach it, so that no more is claimed; thus twenty matches
 * are twenty, however many workers there are.
 */
export function reached(until: Until, view: View, inHand: ActionCounts): "yes" | "wait" | "no" {
  if (typeof until === "function") return until(snapshot(view)) ? "yes" : "no";
  let answer: "wait" | "no" = "no";
  for (const key of KEYS) {
    const goal = until[key];
    if (goal === undefined) continue;
    const now = have(view, key);
    if (now >= goal) return "yes";
    if (now + coming(key, inHand, view) >= goal) answer = "wait";
  }
  return answer;
}

/** How many there are now. */
export function have(view: View, key: Key): number {
  switch (key) {
    case "matches":
      return view.validMatches;
    case "hypotheses":
      return view.hypotheses.length;
    case "reviews":
      return view.reviews.length;
    case "evolved":
      return view.hypotheses.filter((standing) => standing.record.parents.length > 0).length;
    case "feedback":
      return view.feedback.length;
    case "usd":
      return view.cost.microUsd / 1e6;
  }
}

/** What is in hand at most. A group's matches come together: the last one may pass a total. */
function coming(key: Key, inHand: ActionCounts, view: View): number {
  switch (key) {
    case "matches":
      return inHand.match * matchesPerCall(view.settings.ranking);
    case "hypotheses":
      return inHand.generate + inHand.evolve;
    case "reviews":
      return inHand.review;
    case "evolved":
      return inHand.evolve;
    case "feedback":
      return inHand.system_feedback;
    case "usd":
      return 0;
  }
}
