import { z } from "zod";
import { CosciError, inputError } from "../domain/errors.ts";
import { MATCH_MODES, type MatchMode, type MatchRecord } from "../domain/records.ts";
import type { CountChange, View } from "../store/view.ts";
import { resolveLabel } from "./labels.ts";

/** Which matches are meant: all that every one of these conditions holds for. */
export interface MatchSelector {
  /** By whom: `model` for those that models judged, or a person's name. */
  readonly author?: string | undefined;
  /** The model that answered. */
  readonly judge?: string | undefined;
  /** How they were judged. */
  readonly mode?: MatchMode | undefined;
  /** The version of the judging prompt, or its first digits as displays show them. */
  readonly promptVersion?: string | undefined;
  /** Recorded before this commit. */
  readonly before?: number | undefined;
  /** Recorded after this commit. */
  readonly after?: number | undefined;
}

/** Matches by label, those of a hypothesis by its label, or those that a selector finds. */
export type MatchChoice = string | MatchSelector;

/** Matches, and what each of them counts from now on. */
export interface WeightedMatches extends MatchSelector {
  /** Labels of matches, or of hypotheses for all of theirs. */
  readonly matches?: string | readonly string[] | undefined;
  /** 1 is what one match counts; a match of a ranked group counts its part of the group's call. 0 leaves them out. */
  readonly weight: number;
}

/** Conditions of a selector, as they are checked. */
export const selectorFields = {
  author: z.string().min(1).optional(),
  judge: z.string().min(1).optional(),
  mode: z.enum(MATCH_MODES).optional(),
  promptVersion: z.string().min(4).optional(),
  before: z.number().int().positive().optional(),
  after: z.number().int().nonnegative().optional(),
} as const;

/** What to do about a wrong condition. */
export const SELECTOR_REMEDY = 'Conditions are author ("model" or a name), judge (a model), ' +
  `mode (${
    MATCH_MODES.join(", ")
  }), promptVersion (at least 4 of its digits), before and after (a commit's number).`;

/** What a choice of matches makes of their weights. */
export interface WeightChange {
  /** The marks, for matches whose weight changes. */
  readonly marks: NonNullable<CountChange["marks"]>;
  /** The same marks as they were. */
  readonly before: NonNullable<CountChange["marks"]>;
  /** Matches that are left out by it. */
  readonly excluded: number;
  /** Matches that count more or less by it. */
  readonly reweighted: number;
}

/**
 * The marks that leave matches out or give them other weights. Void matches and those without a verdict count for nothing already; of
 * several weights for a match the last holds, and what is left out is left out.
 *
 * @throws CosciError `input` for an unknown label, and for a choice that finds no match
 */
export function weightMarks(
  view: View,
  verb: string,
  exclude: readonly MatchChoice[],
  weights: readonly WeightedMatches[],
): WeightChange {
  const given = new Map<string, { readonly match: MatchRecord; readonly weight: number }>();
  const give = (matches: readonly MatchRecord[], weight: number) => {
    for (const match of matches) {
      // A call that ranked a group made several matches, each of which counts a part.
      given.set(match.id, { match, weight: match.group === null ? weight : weight * match.weight });
    }
  };
  for (const [i, { matches, weight, ...selector }] of weights.entries()) {
    const at = `${verb}: weights[${i}]`;
    const labels = matches === undefined ? [] : [matches].flat();
    for (const label of labels) give(named(view, label, at).filter((match) => fits(match, selector)), weight);
    if (labels.length === 0) give(selected(view, selector, at), weight);
  }
  for (const [i, choice] of exclude.entries()) {
    const at = `${verb}: exclude[${i}]`;
    give(typeof choice === "string" ? named(view, choice, at) : selected(view, choice, at), 0);
  }
  const marks: { targetId: string; mark: "weight"; value: unknown }[] = [];
  const before: { targetId: string; mark: "weight"; value: unknown }[] = [];
  let excluded = 0, reweighted = 0;
  for (const { match: { id, weight: own }, weight } of given.values()) {
    const known = view.marked("weight", id);
    if ((typeof known === "number" ? known : own) === weight) continue;
    const mark = { targetId: id, mark: "weight" } as const;
    marks.push({ ...mark, value: weight === own ? null : weight });
    before.push({ ...mark, value: known });
    if (weight === 0) excluded++;
    else reweighted++;
  }
  return { marks, before, excluded, reweighted };
}

/** The match with a label, or all matches of the hypothesis with it, as far as they may count. */
function named(view: View, label: string, at: string): MatchRecord[] {
  const { kind, id } = resolveLabel(view, label, at);
  switch (kind) {
    case "match": {
      const match = view.matches.find((each) => each.id === id);
      if (match !== undefined && mayCount(view, match)) return [match];
      throw new CosciError(
        "state",
        `${at}: ${label} ${
          match?.verdict === "invalid" ? "has no verdict" : "is void"
        }: it counts for nothing already.`,
      );
    }
    case "hypothesis": {
      const stands = standIns(view, id);
      const own = view.matches.filter((match) =>
        (stands.has(match.firstId) || stands.has(match.secondId)) && mayCount(view, match)
      );
      if (own.length > 0) return own;
      throw new CosciError("state", `${at}: no match of ${label} counts.`);
    }
    default:
      throw inputError(at, label, "Give the label of a match (M12), or of a hypothesis (H7) for all of its.");
  }
}

/** A hypothesis and all that were merged into it. */
function standIns(view: View, id: string): ReadonlySet<string> {
  const all = new Set([id]);
  for (let size = 0; size < all.size;) {
    size = all.size;
    for (const { record, mergedInto } of view.hypotheses) {
      if (mergedInto !== null && all.has(mergedInto)) all.add(record.id);
    }
  }
  return all;
}

function selected(view: View, selector: MatchSelector, at: string): MatchRecord[] {
  const may = view.matches.filter((match) => mayCount(view, match));
  const found = may.filter((match) => fits(match, selector));
  if (found.length > 0) return found;
  const values = (of: (match: MatchRecord) => string | null) =>
    [...new Set(may.flatMap((match) => of(match) ?? []))].join(", ") || "none";
  const [first, last] = [may[0]?.seq, may.at(-1)?.seq];
  throw inputError(
    at,
    selector,
    first === undefined
      ? "No match counts yet."
      : `It finds no match. Authors are ${values(({ author }) => author)}; judges ${
        values(({ judge }) => judge)
      }; ` +
        `modes ${values(({ mode }) => mode)}; prompt versions ${
          values(({ promptVersion }) => promptVersion?.slice(0, 8) ?? null)
        }; commits ${first} to ${last}.`,
  );
}

function fits(
  match: MatchRecord,
  { author, judge, mode, promptVersion, before, after }: MatchSelector,
): boolean {
  return (author === undefined || match.author === author) &&
    (judge === undefined || match.judge === judge) &&
    (mode === undefined || match.mode === mode) &&
    (promptVersion === undefined || (match.promptVersion ?? "").startsWith(promptVersion)) &&
    (before === undefined || match.seq < before) &&
    (after === undefined || match.seq > after);
}

function mayCount(view: View, match: MatchRecord): boolean {
  return match.verdict !== "invalid" && view.marked("void", match.id) === null;
}
