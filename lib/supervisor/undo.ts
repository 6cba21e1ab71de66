import { z } from "zod";
import { applyPatch, valueAt } from "../config/patch.ts";
import { CosciError, inputError } from "../domain/errors.ts";
import { canonicalJson } from "../domain/ids.ts";
import {
  HYPOTHESIS_STATES,
  type HypothesisState,
  type MarkKind,
  MARKS,
  type RevisionRecord,
} from "../domain/records.ts";
import { epochEntries, markEntries } from "../engine/elo_epoch.ts";
import { taskEntry } from "../engine/new_task.ts";
import { undoneBy } from "../engine/undone_by.ts";
import type { Change } from "../engine/revision_entry.ts";
import type { Entry } from "../store/records.ts";
import type { Standing, View } from "../store/view.ts";
import { refuseFixed } from "./fixed_settings.ts";
import { idleTasksAbout, type Steered, type Steering } from "./steer.ts";

/** A mark to be put on, or taken off. */
interface Mark {
  readonly mark: MarkKind;
  readonly targetId: string;
  readonly value: unknown;
}

/** What takes one revision back. */
interface Inverse {
  readonly marks?: readonly Mark[];
  readonly entries?: readonly Entry[];
  /** The revision's own words for what it was and is, where they aren't the undone one's the other way round. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** States in which nothing is done about a hypothesis. */
const OUT: ReadonlySet<HypothesisState> = new Set<HypothesisState>(["rejected", "merged"]);

const stateShape = z.enum(HYPOTHESIS_STATES);
const versionShape = z.object({ version: z.number(), state: stateShape.optional() }).nullable();
const amendedShape = z.object({ amends: z.string() });
const mergedShape = z.union([z.object({ into: z.string() }), z.object({ state: stateShape })]);
const ratingShape = z.object({
  marks: z.array(z.object({ targetId: z.string(), mark: z.enum(MARKS), value: z.unknown() })),
});

/** The revisions of one commit: what one verb changed, which is undone as a whole. */
export function undoGroup(view: View, reference: unknown): readonly RevisionRecord[] {
  const chosen = reference === undefined ? newestToUndo(view) : named(view, reference);
  const made = view.revisions.filter(({ seq }) => seq === chosen.seq);
  // A task that a verdict or a review answered on its way stays answered.
  const group = made.some(({ kind }) => kind !== "queue")
    ? made.filter(({ kind }) => kind !== "queue")
    : made;
  for (const revision of group) {
    const why = whyIrreversible(revision);
    if (why !== null) throw new CosciError("state", `undo: ${revision.label} (${revision.target}): ${why}`);
    const by = undoneBy(view, revision);
    if (by !== null) {
      throw new CosciError(
        "state",
        `undo: ${revision.label} is undone already, by ${by.label}. undo("${by.label}") brings it back.`,
      );
    }
  }
  return group;
}

/**
 * What takes a group of revisions back: the newest first, all in one commit. What has been changed again since can't be
 * taken back before the later change is.
 *
 * @throws CosciError `state`, naming the later change
 */
export function undoing(on: Steered, view: View, group: readonly RevisionRecord[]): Steering {
  const marks: Mark[] = [], entries: Entry[] = [], changes: Omit<Change, "author">[] = [];
  for (const revision of group.toReversed()) {
    const inverse = inverseOf(view, revision);
    marks.push(...inverse.marks ?? []);
    entries.push(...inverse.entries ?? []);
    changes.push({
      kind: revision.kind,
      target: revision.target,
      before: inverse.before ?? revision.after,
      after: inverse.after ?? revision.before,
      undoes: revision.number,
    });
  }
  const settings = settingsAfter(view, changes);
  const texts = new Map(
    entries.flatMap((entry) => entry.kind === "hypothesis" ? [[entry.record.id, entry.record] as const] : []),
  );
  const counts = group.some(({ kind }) => kind === "rating") ||
    marks.some((mark) => bearsOnMatches(view, mark)) ||
    settings.ranking.staleMatches !== view.settings.ranking.staleMatches ||
    (texts.size > 0 && settings.ranking.staleMatches === "leave_out");
  return {
    entries: [
      ...entries,
      ...(counts
        ? epochEntries(view, { marks, texts }, {
          ranking: settings.ranking,
          undone: new Set(group.map(({ number }) => number)),
        })
        : markEntries(marks)),
    ],
    changes,
    // What is open about one that is taken out would be paid for and then be void.
    cancels: {
      tasks: [
        ...new Set(
          entries.flatMap((entry) =>
            entry.kind === "hypothesisState" && OUT.has(entry.record.state)
              ? idleTasksAbout(on, view, entry.record.hypothesisId)
              : []
          ),
        ),
      ],
      reason: `taken back with ${group.map(({ label }) => label).join(", ")}`,
    },
    events: [{ type: "undone", payload: { revisions: group.map(({ label }) => label) } }],
  };
}

function newestToUndo(view: View): RevisionRecord {
  const found = view.revisions.findLast((revision) =>
    revision.undoes === null && undoneBy(view, revision) === null && whyIrreversible(revision) === null
  );
  if (found !== undefined) return found;
  throw new CosciError(
    "state",
    "undo: there is no change left to undo. lab.revisions lists what was changed.",
  );
}

function named(view: View, reference: unknown): RevisionRecord {
  const word = typeof reference === "number" ? `R${reference}` : reference;
  const found = typeof word === "string"
    ? view.revisions.find(({ label, id }) => label === word.trim().toUpperCase() || id === word.trim())
    : undefined;
  if (found !== undefined) return found;
  const last = view.revisions.at(-1)?.label;
  throw inputError(
    "undo",
    reference,
    last === undefined
      ? "Nothing was changed yet."
      : `Changes are R1 to ${last}; without one the newest is undone.`,
    view.revisions.map(({ label }) => label),
  );
}

function whyIrreversible({ kind }: RevisionRecord): string | null {
  switch (kind) {
    case "queue":
      return "a change of the queue can't be undone; queue.list() shows what is open, and stages do work again.";
    case "gate":
      return "an answered gate can't be undone: what it let through has begun.";
    case "session":
      return "a session's status has verbs of its own: pause, resume, reopen.";
    case "configure":
    case "prompt":
    case "directive":
    case "hypothesis":
    case "state":
    case "pin":
    case "merge":
    case "review":
    case "verdict":
    case "result":
    case "rating":
      return null;
    default:
      return kind satisfies never;
  }
}

function inverseOf(view: View, revision: RevisionRecord): Inverse {
  const { kind, target, before, after } = revision;
  switch (kind) {
    case "configure":
      requireUnchanged(view, revision, valueAt(view.settings, target) ?? null);
      return {};
    case "prompt":
      requireUnchanged(view, revision, view.prompts.get(target) ?? null);
      return {};
    case "directive": {
      const { id } = found(view.directives, target);
      return { marks: [{ mark: "withdrawn", targetId: id, value: before === null ? true : null }] };
    }
    case "hypothesis":
      return hypothesisBack(view, revision);
    case "state":
      return stateBack(view, revision);
    case "pin": {
      const { record } = standingOf(view, target);
      return { marks: [{ mark: "pinned", targetId: record.id, value: before === true ? true : null }] };
    }
    case "merge":
      return mergeBack(view, revision);
    case "review": {
      const { id } = found(view.reviews, target);
      const amended = amendedShape.safeParse(before);
      const amends = amendedShape.safeParse(after);
      if (amended.success) return swapped(view, id, amended.data.amends, true);
      if (amends.success) return swapped(view, id, amends.data.amends, false);
      return { marks: [voided(id, before === null || before === "void")] };
    }
    case "verdict":
      return { marks: [voided(found(view.matches, target).id, before === null || before === "void")] };
    case "result":
      return { marks: [voided(found(view.allEvidence, target).id, before === null || before === "void")] };
    case "rating":
      return { marks: ratingShape.parse(before).marks };
    case "queue":
    case "gate":
    case "session":
      throw new CosciError("internal", `undo: ${revision.label} is not reversible`);
    default:
      return kind satisfies never;
  }
}

function voided(targetId: string, on: boolean): Mark {
  return { mark: "void", targetId, value: on ? true : null };
}

/** A review and the one that it stands in for: one of the two is void. */
function swapped(view: View, id: string, amended: string, back: boolean): Inverse {
  return { marks: [voided(id, back), voided(found(view.reviews, amended).id, !back)] };
}

/** An added hypothesis is taken out, an edited one gets its earlier text as a new version; and the other way round. */
function hypothesisBack(view: View, revision: RevisionRecord): Inverse {
  const standing = standingOf(view, revision.target), { record } = standing;
  const to = versionShape.parse(revision.before), from = versionShape.parse(revision.after);
  if (to === null) {
    if (standing.state === "merged") {
      throw new CosciError("state", `undo: ${record.label} is merged; undo the merge first.`);
    }
    return {
      entries: stateEntries(view, standing, "rejected", `taken back (undo of ${revision.label})`),
      before: { version: record.version, state: standing.state },
    };
  }
  if (from === null) {
    return {
      entries: stateEntries(view, standing, to.state ?? "draft", `brought back (undo of ${revision.label})`),
    };
  }
  const versions = view.versionsOf(record.id);
  if (from.version !== record.version) {
    const later = view.revisions.findLast((each) =>
      each.kind === "hypothesis" && each.target === revision.target && each.number > revision.number
    );
    throw new CosciError(
      "state",
      `undo: ${record.label} was edited again since${
        later === undefined ? "" : ` (${later.label})`
      }; undo that first.`,
    );
  }
  const earlier = versions.find(({ version }) => version === to.version);
  const embedding = view.embedding(record.id, to.version);
  if (earlier === undefined) throw new CosciError("internal", `${record.label} has no version ${to.version}`);
  const { seq: _, label: __, ...text } = earlier;
  const version = record.version + 1;
  return {
    entries: [
      { kind: "hypothesis", record: { ...text, version } },
      ...(embedding === undefined ? [] : [
        {
          kind: "embedding",
          record: { hypothesisId: record.id, version, model: embedding.model, vector: embedding.vector },
        } as const,
      ]),
    ],
    // The text goes back, the version goes on: taken back in its turn, it is this one that must still be the newest.
    after: { version },
  };
}

function stateBack(view: View, revision: RevisionRecord): Inverse {
  const standing = standingOf(view, revision.target);
  const to = stateShape.parse(revision.before), from = stateShape.parse(revision.after);
  if (standing.state !== from) {
    throw new CosciError(
      "state",
      `undo: ${standing.record.label} is ${standing.state} by now (${standing.stateReason}), not ${from}.`,
    );
  }
  return { entries: stateEntries(view, standing, to, `undo of ${revision.label}`) };
}

function mergeBack(view: View, revision: RevisionRecord): Inverse {
  const { record } = standingOf(view, revision.target);
  const standing = standingOf(view, revision.target);
  const to = mergedShape.parse(revision.before);
  if ("state" in to) {
    return {
      marks: [{ mark: "merged", targetId: record.id, value: null }],
      entries: stateEntries(view, standing, to.state, `undo of ${revision.label}`),
    };
  }
  const into = standingOf(view, to.into);
  return {
    marks: [{ mark: "merged", targetId: record.id, value: into.record.id }],
    entries: stateEntries(view, standing, "merged", `into ${into.record.label}`),
  };
}

/** A change of state; a draft whose review was cancelled meanwhile gets another one. */
function stateEntries(view: View, { record }: Standing, state: HypothesisState, reason: string): Entry[] {
  const change: Entry = { kind: "hypothesisState", record: { hypothesisId: record.id, state, reason } };
  const waits = view.openTasks.some((task) =>
    task.record.action === "review" && task.record.targetId === record.id
  );
  if (state !== "draft" || waits) return [change];
  return [
    change,
    taskEntry({
      key: `review/${record.id}/${record.version}/full/${view.seq + 1}`,
      action: "review",
      targetId: record.id,
      payload: { kind: "full" },
    }, view.settings.lease.maxAttempts),
  ];
}

/** The settings with what is put back; checked as a whole, since other settings may have changed meanwhile. */
function settingsAfter(view: View, changes: readonly Omit<Change, "author">[]): View["settings"] {
  let { settings } = view;
  for (const { kind, target, after, before } of changes) {
    if (kind !== "configure") continue;
    refuseFixed(view, [{ path: target, before, after }]);
    const dot = target.indexOf(".");
    settings = applyPatch(settings, { [target.slice(0, dot)]: { [target.slice(dot + 1)]: after } }, "undo");
  }
  return settings;
}

/** Whether a mark changes which matches count. */
function bearsOnMatches(view: View, { mark, targetId }: Mark): boolean {
  switch (mark) {
    case "weight":
    case "merged":
      return true;
    case "void":
      return view.matches.some(({ id }) => id === targetId);
    case "pinned":
    case "withdrawn":
    case "answered":
    case "epoch":
      return false;
    default:
      return mark satisfies never;
  }
}

function requireUnchanged(
  view: View,
  { label, kind, target, after, number }: RevisionRecord,
  now: unknown,
): void {
  if (canonicalJson(now) === canonicalJson(after)) return;
  const later = view.revisions.findLast((each) =>
    each.kind === kind && each.target === target && each.number > number
  );
  throw new CosciError(
    "state",
    `undo: ${target} was changed again since ${label}${
      later === undefined ? "" : `, by ${later.label}`
    }; undo that first.`,
  );
}

function found<T extends { readonly id: string; readonly label: string }>(
  list: readonly T[],
  label: string,
): T {
  const record = list.find((each) => each.label === label || each.id === label);
  if (record === undefined) throw new CosciError("internal", `There is no ${label} any more`);
  return record;
}

function standingOf(view: View, label: string): Standing {
  const standing = view.hypotheses.find(({ record }) => record.label === label);
  if (standing === undefined) throw new CosciError("internal", `There is no ${label} any more`);
  return standing;
}
