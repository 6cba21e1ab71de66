import { CosciError, inputError } from "../domain/errors.ts";
import type { HypothesisState } from "../domain/records.ts";
import { epochEntries, markEntries } from "../engine/elo_epoch.ts";
import { move } from "../engine/in_play.ts";
import type { Change } from "../engine/revision_entry.ts";
import type { Entry } from "../store/records.ts";
import type { Committed } from "../store/store.ts";
import type { Standing, View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { idsOf } from "../tournament/absorbed.ts";
import { hypothesisOf } from "./labels.ts";
import { idleTasksAbout, readAuthor, steer, type Steered } from "./steer.ts";
import { requireSteeringOptions } from "./verb_options.ts";
import { readOptions, readText } from "./wrong_option.ts";
import { z } from "zod";

/** Who does it. */
export interface AuthorOptions {
  /** Who. @default "person" */
  readonly author?: string;
}

/** Characters of a reason at most. */
export const REASON = 2000;

/** Keeps a hypothesis in play, or ends that. Pinning what is pinned changes nothing. @throws CosciError */
export function pin(on: Steered, label: unknown, pinned: boolean, options: AuthorOptions): Committed | null {
  const verb = pinned ? "pin" : "unpin";
  requireSteeringOptions(verb, options);
  return steer(on, verb, readAuthor(verb, options.author), (view) => {
    const standing = hypothesisOf(view, label, verb);
    if (standing.pinned === pinned) return null;
    if (pinned) requireState(standing, verb, IN_PLAY);
    const pinning = pinChange(standing, pinned);
    return { entries: pinning.entries, changes: [pinning.change], events: [pinning.event] };
  });
}

/** Takes a hypothesis out at once; its open tasks are cancelled. @throws CosciError */
export function reject(
  on: Steered,
  label: unknown,
  reason: unknown,
  options: AuthorOptions,
): Committed | null {
  requireSteeringOptions("reject", options);
  const author = readAuthor("reject", options.author);
  const why = reason === undefined ? `rejected by ${author}` : readText("reject: reason", reason, REASON);
  return steer(on, "reject", author, (view) => {
    const standing = hypothesisOf(view, label, "reject");
    requireState(standing, "reject", [...IN_PLAY, "disproved", "unfit"]);
    const { record } = standing;
    const unpinned = standing.pinned ? pinChange(standing, false) : null;
    const moved = moveByPerson(view, standing, "rejected", why);
    return {
      entries: [...moved.entries, ...unpinned?.entries ?? []],
      changes: [...moved.changes, ...(unpinned === null ? [] : [unpinned.change])],
      events: [...moved.events, ...(unpinned === null ? [] : [unpinned.event])],
      cancels: {
        tasks: idleTasksAbout(on, view, record.id),
        reason: `${record.label} was rejected`,
      },
    };
  });
}

/**
 * Brings a rejected, disproved or unfit hypothesis back: into the tournament where it was reviewed, else as a draft with
 * its review to come. @throws CosciError
 */
export function restore(on: Steered, label: unknown, options: AuthorOptions): Committed | null {
  requireSteeringOptions("restore", options);
  const author = readAuthor("restore", options.author);
  return steer(on, "restore", author, (view) => {
    const standing = hypothesisOf(view, label, "restore");
    requireState(standing, "restore", ["rejected", "disproved", "unfit"]);
    const reviewed = view.reviewsOf(standing.record.id).length > 0 || standing.matches > 0;
    return moveByPerson(view, standing, reviewed ? "in_tournament" : "draft", `restored by ${author}`);
  });
}

/** What `merge` takes. */
export interface MergeOptions extends AuthorOptions {
  /** Which of the two stays. By default the first, unless only the second is in the tournament. */
  readonly keep?: string;
}

const MERGE = {
  shape: z.strictObject({ keep: z.unknown().optional(), author: z.unknown().optional() }),
  example: '{ keep: "H3" }',
  remedies: {},
};

/**
 * Joins two duplicates: one stays and stands for both, with the matches, results and findings of both; the other one is
 * given up, and what is open about it is cancelled. @throws CosciError
 */
export function merge(on: Steered, a: unknown, b: unknown, options: unknown): Committed | null {
  const read = readOptions("merge", options, MERGE);
  const author = readAuthor("merge", read.author);
  return steer(on, "merge", author, (view) => {
    const first = hypothesisOf(view, a, "merge"), second = hypothesisOf(view, b, "merge");
    if (first === second) {
      throw new CosciError(
        "input",
        `merge: ${first.record.label} can't be merged into itself. Name its duplicate.`,
      );
    }
    for (const each of [first, second]) requireState(each, "merge", IN_PLAY);
    const kept = keptOf(view, first, second, read.keep);
    const given = kept === first ? second : first;
    const { id, label } = given.record;
    const marks = [{ mark: "merged", targetId: id, value: kept.record.id }] as const;
    // Elo is rated anew only where a match changes sides by it.
    const ids = idsOf(view, id);
    const played = view.matches.some(({ firstId, secondId }) => ids.has(firstId) || ids.has(secondId));
    const gone = move(view, given, "merged", `into ${kept.record.label}`);
    // What the other one's matches say needs somebody in the tournament to be said of.
    const enters = given.state === "in_tournament" && kept.state !== "in_tournament"
      ? moveByPerson(view, kept, "in_tournament", `${label} was merged into it`)
      : null;
    const pins = !given.pinned
      ? []
      : [pinChange(given, false), ...(kept.pinned ? [] : [pinChange(kept, true)])];
    return {
      entries: [
        ...gone.entries,
        ...enters?.entries ?? [],
        ...pins.flatMap((each) => each.entries),
        ...(played ? epochEntries(view, { marks }) : markEntries(marks)),
      ],
      changes: [
        {
          kind: "merge",
          target: label,
          before: { state: given.state },
          after: { into: kept.record.label },
        },
        ...enters?.changes ?? [],
        ...pins.map((each) => each.change),
      ],
      events: [
        { type: "hypotheses_merged", payload: { given: label, kept: kept.record.label } },
        ...gone.events,
        ...enters?.events ?? [],
        ...pins.map((each) => each.event),
      ],
      cancels: {
        tasks: idleTasksAbout(on, view, id),
        reason: `${label} was merged into ${kept.record.label}`,
      },
    };
  });
}

function keptOf(view: View, first: Standing, second: Standing, keep: unknown): Standing {
  if (keep === undefined) {
    return first.state !== "in_tournament" && second.state === "in_tournament" ? second : first;
  }
  const kept = hypothesisOf(view, keep, "merge: keep");
  if (kept === first || kept === second) return kept;
  throw inputError(
    "merge: keep",
    keep,
    `Give one of the two, ${first.record.label} or ${second.record.label}.`,
  );
}

/** States in which a hypothesis is in play. */
export const IN_PLAY: readonly HypothesisState[] = ["draft", "reviewed", "in_tournament"];

/** Refuses a verb for a hypothesis in the wrong state, saying what is wrong and what helps. @throws CosciError `state` */
export function requireState(
  standing: Standing,
  verb: string,
  states: readonly HypothesisState[],
): void {
  const { record: { label }, state, stateReason } = standing;
  if (states.includes(state)) return;
  throw new CosciError(
    "state",
    `${verb}: ${label} is ${state.replaceAll("_", " ")}${stateReason === "" ? "" : ` (${stateReason})`}. ${
      remedyFor(label, state, verb)
    }`,
  );
}

function remedyFor(label: string, state: HypothesisState, verb: string): string {
  switch (state) {
    case "draft":
    case "reviewed":
    case "in_tournament":
      return verb === "restore"
        ? "It is in play already."
        : `It takes one that is in the tournament; ${label} gets there by its review.`;
    case "disproved":
    case "unfit":
    case "rejected":
      return verb === "reject" ? "It is out already." : `restore("${label}") brings it back first.`;
    case "merged":
      return "Name the one that stands for both; undo() takes a merge back.";
    case "quarantined":
      return "What the safety screen blocked stays out.";
    default:
      return state satisfies never;
  }
}

/** What a person's verb does to a hypothesis's state, with the revision that tells of it. */
export interface PersonsMove {
  readonly entries: readonly Entry[];
  readonly changes: readonly Omit<Change, "author">[];
  readonly events: readonly EventDraft[];
}

/** Moves a hypothesis to a state by a person's hand. */
export function moveByPerson(
  view: View,
  standing: Standing,
  state: HypothesisState,
  reason: string,
): PersonsMove {
  const { entries, events } = move(view, standing, state, reason);
  return {
    entries,
    events,
    changes: [{ kind: "state", target: standing.record.label, before: standing.state, after: state }],
  };
}

/** Puts a pin on, or takes it off. */
export function pinChange({ record: { id, label } }: Standing, pinned: boolean): {
  readonly entries: readonly Entry[];
  readonly change: Omit<Change, "author">;
  readonly event: EventDraft;
} {
  return {
    entries: markEntries([{ mark: "pinned", targetId: id, value: pinned ? true : null }]),
    change: { kind: "pin", target: label, before: !pinned, after: pinned },
    event: { type: "hypothesis_pinned", payload: { hypothesis: label, pinned } },
  };
}
