import { CosciError } from "../domain/errors.ts";
import { recordId } from "../domain/ids.ts";
import { exactly } from "../domain/exactly.ts";
import { textOf } from "../domain/same_text.ts";
import { type NewTask, PRIORITY } from "../engine/new_task.ts";
import { costRow } from "../engine/snapshot.ts";
import type { CrossMatches } from "../notebook/displays/comparison.ts";
import type { Entry } from "../store/records.ts";
import type { Standing, View } from "../store/view.ts";
import { shareOf } from "../tournament/share.ts";
import { competitors } from "../tournament/competitors.ts";
import { hypothesisKey } from "./comparison_data.ts";
import { INSIDE } from "./inside.ts";
import { SOMEBODY, steer } from "./steer.ts";
import type { Comparable } from "./comparable.ts";
import type { StepOptions } from "./verb_options.ts";

/** How matches between the best of two sessions are played. */
export interface CrossPlan {
  /** How many. */
  readonly matches: number;
  /** What they may cost in all, in dollars; as much as the first session may spend where it isn't said. */
  readonly usd: number | undefined;
  /** What ends them at once, and where their progress is shown. */
  readonly step: StepOptions;
}

/**
 * Plays the best of two sessions against each other: in a fork of the first, which the other's best enter as they stand,
 * with what was found and said about them, so that a judge reads as much of one side as of the other. Called again for
 * sessions that stand where they stood it plays only what is missing.
 *
 * @throws CosciError `state` where one of them has nothing of its own to play with
 */
export async function playCrossMatches(
  first: Comparable,
  second: Comparable,
  { matches, usd, step }: CrossPlan,
): Promise<CrossMatches> {
  const a = first.view(), b = second.view();
  const { topK } = a.settings.ranking;
  const ours = bestOwn(a, b, topK), theirs = bestOwn(b, a, topK);
  const guests = theirs.map((standing) => guestOf(b, standing));
  const cross = await first.fork({ name: freeName(first, b, guests), at: a.seq });
  try {
    // All that is given is for matches; what the overview would need stays aside, as in each session.
    cross.configure({
      ...(usd === undefined ? {} : { run: { budgetUsd: usd } }),
      budgetShares: {
        generation: 0,
        reflection: 0,
        evolution: 0,
        metareview: 0,
        proximity: 0,
        reserve: 0,
        ranking: 1,
      },
    }, { author: SOMEBODY });
    const notes = letIn(cross, b, guests, ours);
    const tasks = pairings(ours, guests, matches);
    const run = await cross[INSIDE].play("compare", tasks, step);
    return resultOf(cross.view(), { a, b, ours, guests, tasks: tasks.map(({ key }) => key) }, [
      ...notes,
      ...(run.stop === null ? [] : [run.stop.note]),
    ]);
  } finally {
    await cross.close();
  }
}

/** A hypothesis of the other session, with the id that it gets. */
interface Guest {
  readonly id: string;
  readonly standing: Standing;
}

function guestOf(view: View, standing: Standing): Guest {
  const { id, version } = standing.record;
  return { id: recordId("hyp", `compare/${view.session.id}/${id}/${version}`), standing };
}

/** The best of a session that the other one doesn't have. */
function bestOwn(view: View, other: View, most: number): Standing[] {
  const known = new Set(other.hypotheses.map(({ record }) => hypothesisKey(other, record.id)));
  const own = competitors(view).filter((id) => !known.has(hypothesisKey(view, id)));
  if (own.length === 0) {
    throw new CosciError(
      "state",
      `compare: crossMatches: "${view.session.name}" has no hypothesis in its tournament that "${other.session.name}" ` +
        "doesn't have. Run it on first, or compare without crossMatches.",
    );
  }
  return own.slice(0, most).flatMap((id) => view.hypothesis(id) ?? []);
}

/** The name of the fork in which these sides play, or played already; another one where either session has moved on. */
function freeName(first: Comparable, other: View, guests: readonly Guest[]): string {
  const { session, seq } = first.view();
  const base = `${session.name} × ${other.session.name}`.slice(0, 190);
  for (let n = 1;; n++) {
    const name = n === 1 ? base : `${base} ${n}`;
    const known = first.store.findSession(name);
    if (known === undefined) return name;
    if (known.parentId !== session.id || known.parentSeq !== seq) continue;
    const there = first.store.view(known.id).hypotheses.filter(({ bornSeq }) => bornSeq > seq);
    if (there.length === 0) return name;
    const ids = new Set(there.map(({ record }) => record.id));
    if (ids.size === guests.length && guests.every(({ id }) => ids.has(id))) return name;
  }
}

/** Enters the guests, if they aren't there yet. Returns what is to be said of it. */
function letIn(
  cross: Comparable,
  home: View,
  guests: readonly Guest[],
  ours: readonly Standing[],
): string[] {
  const session = cross.view().session.id;
  const missing = guests.filter(({ id }) => cross.view().hypothesis(id) === undefined);
  const on = { store: cross.store, session, view: () => cross.view(), changed: () => {} };
  const [host] = ours;
  const sameSpace = host === undefined ? undefined : embeddingOf(cross.view(), host);
  if (missing.length > 0) {
    steer(on, "compare", SOMEBODY, (view) => ({
      entries: missing.flatMap((guest) => guestEntries(guest, home, sameSpace)),
      changes: missing.map((_, i) => ({
        kind: "hypothesis",
        target: `H${view.hypotheses.length + 1 + i}`,
        before: null,
        after: { version: 1 },
      })),
      events: missing.map(({ id, standing: { record } }) => ({
        type: "hypothesis_created",
        payload: { id, title: record.title, strategy: record.strategy, state: "in_tournament" },
      })),
    }));
  }
  const without = guests.filter(({ id }) => cross.view().vector(id) === undefined).length;
  return without === 0 ? [] : [
    `The vectors of "${home.session.name}" are of another embedder: its hypotheses play without one.`,
  ];
}

/** The embedder and the length of a hypothesis's vector. */
function embeddingOf(view: View, { record }: Standing) {
  const embedding = view.embedding(record.id, record.version);
  return embedding === undefined ? undefined : { model: embedding.model, length: embedding.vector.length };
}

/** A guest as records: in the tournament at once, with its vector, its reviews and what was found about it. */
function guestEntries(
  { id, standing }: Guest,
  home: View,
  space: { readonly model: string; readonly length: number } | undefined,
): Entry[] {
  const { record } = standing;
  const { citations, droppedCitations, strategy, generation, model } = record;
  const author = authorOf(home.session.name);
  const embedding = home.embedding(record.id, record.version);
  const comparable = embedding !== undefined && embedding.model === space?.model &&
    embedding.vector.length === space.length;
  const own = (recordId: string) => `compare/${home.session.id}/${recordId}`;
  return [
    {
      kind: "hypothesis",
      record: {
        id,
        version: 1,
        ...textOf(record),
        strategy,
        // Its parents are not in this session.
        parents: [],
        citations,
        droppedCitations,
        author,
        generation,
        model,
        taskId: null,
      },
    },
    {
      kind: "hypothesisState",
      record: {
        hypothesisId: id,
        state: "in_tournament",
        reason: `${record.label} of "${home.session.name}"`,
      },
    },
    ...(comparable
      ? [
        {
          kind: "embedding",
          record: { hypothesisId: id, version: 1, model: embedding.model, vector: embedding.vector },
        } satisfies Entry,
      ]
      : []),
    ...home.reviewsOf(record.id).filter(({ hypothesisVersion }) => hypothesisVersion === record.version).map(
      ({ seq: _, label: __, ...review }): Entry => ({
        kind: "review",
        record: {
          ...review,
          id: recordId("rev", own(review.id)),
          hypothesisId: id,
          hypothesisVersion: 1,
          amends: null,
          taskId: null,
        },
      }),
    ),
    ...home.evidence.filter(({ hypothesisId }) => hypothesisId === record.id).map(
      ({ seq: _, label: __, ...item }): Entry => ({
        kind: "evidence",
        record: { ...item, id: recordId("evd", own(item.id)), hypothesisId: id },
      }),
    ),
  ];
}

/** The other session's name; never one that would make its hypotheses the machine's own. */
function authorOf(name: string): string {
  return name === "model" || name === "engine" ? `session ${name}` : name;
}

/** So many matches between the two sides: the best against the best first, and round again where there are more than pairs. */
function pairings(ours: readonly Standing[], guests: readonly Guest[], matches: number): NewTask[] {
  const pairs = ours.flatMap(({ record }, i) =>
    guests.map(({ id }, j) => ({ pair: [record.id, id] as const, order: i + j }))
  ).sort((x, y) => x.order - y.order);
  return Array.from({ length: matches }, (_, i): NewTask => {
    const { pair: [one, other] } = pairs[i % pairs.length] ?? { pair: ["", ""] };
    return {
      key: `compare/${one}/${other}/${i}`,
      action: "match",
      payload: { pair: [one, other] },
      priority: PRIORITY.asked,
    };
  });
}

function resultOf(
  view: View,
  played: {
    readonly a: View;
    readonly b: View;
    readonly ours: readonly Standing[];
    readonly guests: readonly Guest[];
    readonly tasks: readonly string[];
  },
  notes: readonly string[],
): CrossMatches {
  const { a, b, ours, guests, tasks } = played;
  const ids = new Set(tasks.map((key) => recordId("tsk", key)));
  const home = new Set(ours.map(({ record }) => record.id));
  let won = 0, lost = 0, ties = 0, invalid = 0;
  for (const { taskId, verdict, firstId } of view.matches) {
    if (taskId === null || !ids.has(taskId)) continue;
    switch (verdict) {
      case "first":
      case "second":
        if (home.has(firstId) === (verdict === "first")) won++;
        else lost++;
        break;
      case "tie":
        ties++;
        break;
      case "invalid":
        invalid++;
        break;
      default:
        exactly(verdict);
    }
  }
  return {
    session: view.session.name,
    first: a.session.name,
    second: b.session.name,
    firstSide: ours.map(({ record }) => record.label),
    secondSide: guests.map(({ id }) => view.hypothesis(id)?.record.label ?? id),
    wins: shareOf(won, won + lost),
    ties,
    invalid,
    unplayed: tasks.length - won - lost - ties - invalid,
    cost: costRow(view.cost),
    notes,
  };
}
