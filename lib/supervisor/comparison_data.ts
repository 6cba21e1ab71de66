import { flatten, valueAt } from "../config/patch.ts";
import { canonicalJson, hashOf } from "../domain/ids.ts";
import { sameText, textOf } from "../domain/same_text.ts";
import { costRow } from "../engine/snapshot.ts";
import type {
  ComparedRow,
  ComparedSession,
  ComparisonData,
  Difference,
  OrderAgreement,
  SharedHypothesis,
} from "../notebook/displays/comparison.ts";
import { courseFrame } from "../notebook/frames/course.ts";
import type { Stretch } from "../store/table.ts";
import type { Standing, View } from "../store/view.ts";
import { competitors } from "../tournament/competitors.ts";
import { kendallTau } from "../tournament/kendall.ts";
import { ratingOf } from "../tournament/scale.ts";
import { changesOf } from "./look.ts";

/** A session as a comparison sees it. */
export interface Side {
  /** Its records. */
  readonly view: View;
  /** What its history is made of. */
  readonly stretches: readonly Stretch[];
  /** Where it is. */
  readonly store: string;
  /** Name of its parent, if it is a fork. */
  readonly parent: string | null;
  /** The prompts in force, by name. */
  readonly prompts: ReadonlyMap<string, string>;
  /** What all commits up to one had cost in micro-dollars, by commit. */
  readonly paid: readonly (readonly [seq: number, microUsd: number])[];
}

/**
 * Sessions of one goal side by side. A pure function.
 *
 * @param together whether two of them (by their places) are in one store, so that a commit of the same session is the same
 */
export function comparisonOf(
  sides: readonly Side[],
  together: (a: number, b: number) => boolean,
): Omit<ComparisonData, "cross"> {
  const [first] = sides;
  const everywhere = hypothesesOf(sides);
  const shared = new Set([...everywhere].flatMap(([key, list]) => list.length > 1 ? [key] : []));
  const sharedSeq = commonSeq(sides, together);
  return {
    goal: first?.view.session.goal ?? "",
    simulated: sides.some(({ view }) => view.session.mode === "simulator"),
    sharedSeq,
    sessions: sides.map((side) => compared(side, shared, sharedSeq)),
    shared: sharedRows(sides, everywhere, shared),
    agreement: sides.flatMap((a, i) => sides.slice(i + 1).map((b) => agreementOf(a, b, shared))),
    settings: settingsThatDiffer(sides),
    prompts: promptsThatDiffer(sides),
  };
}

/**
 * What makes two hypotheses of two sessions the same one: id and first text. An id alone says which task made it, and sessions
 * that went different ways have tasks of the same key.
 */
export function hypothesisKey(view: View, id: string): string {
  const [born] = view.versionsOf(id);
  return born === undefined ? id : hashOf(id, canonicalJson(textOf(born)));
}

/** The hypotheses of all sides by their keys, each with those that have it. */
function hypothesesOf(sides: readonly Side[]): Map<string, { side: Side; standing: Standing }[]> {
  const all = new Map<string, { side: Side; standing: Standing }[]>();
  for (const side of sides) {
    for (const standing of side.view.hypotheses) {
      const key = hypothesisKey(side.view, standing.record.id);
      const list = all.get(key);
      if (list === undefined) all.set(key, [{ side, standing }]);
      else list.push({ side, standing });
    }
  }
  return all;
}

/** The last commit that all sides share: they go the same way while their stretches are of the same sessions. */
function commonSeq(sides: readonly Side[], together: (a: number, b: number) => boolean): number {
  const [first, ...others] = sides;
  if (first === undefined) return 0;
  return others.reduce((least, other, i) => {
    if (!together(0, i + 1)) return 0;
    let common = 0;
    for (const [step, a] of first.stretches.entries()) {
      const b = other.stretches[step];
      if (b === undefined || b.session !== a.session) break;
      common = Math.min(a.to, b.to);
      if (a.to !== b.to) break;
    }
    return Math.min(least, common);
  }, Infinity);
}

/** Places on a leaderboard by id, from 1; folded near-duplicates have none. */
function ranksOf(view: View): ReadonlyMap<string, number> {
  return new Map(competitors(view).map((id, i) => [id, i + 1]));
}

function compared(
  { view, store, parent, paid, prompts: _, stretches: __ }: Side,
  shared: ReadonlySet<string>,
  sharedSeq: number,
): ComparedSession {
  const isShared = (id: string) => shared.has(hypothesisKey(view, id));
  const leaderboard = competitors(view).flatMap((id, i): ComparedRow[] => {
    const standing = view.hypothesis(id);
    if (standing === undefined) return [];
    const { record: { label, title }, elo } = standing;
    return [{ rank: i + 1, label, title, rating: ratingIn(standing), elo, shared: isShared(id) }];
  });
  return {
    name: view.session.name,
    store,
    simulated: view.session.mode === "simulator",
    parent,
    forkedAt: view.session.parentId === null ? null : view.session.parentSeq,
    status: view.status,
    seq: view.seq,
    hypotheses: view.hypotheses.length,
    own: view.hypotheses.flatMap(({ record }) => isShared(record.id) ? [] : [record.label]),
    matches: view.validMatches,
    cost: costRow(view.cost),
    inherited: costRow(view.inherited.cost),
    leaderboard,
    course: courseFrame(view, paid),
    revisions: changesOf(view, view.revisions.filter(({ seq }) => seq > sharedSeq)).rows,
  };
}

function ratingIn({ strength }: Standing): number | null {
  return strength === null ? null : ratingOf(strength);
}

function sharedRows(
  sides: readonly Side[],
  everywhere: ReadonlyMap<string, readonly { side: Side; standing: Standing }[]>,
  shared: ReadonlySet<string>,
): SharedHypothesis[] {
  const ranks = sides.map(({ view }) => ranksOf(view));
  const rows = [...everywhere].filter(([key]) => shared.has(key)).map(([, list]): SharedHypothesis => {
    const standings = sides.map((side) => list.find((each) => each.side === side)?.standing ?? null);
    const places = standings.map((standing, i) =>
      standing === null ? null : ranks[i]?.get(standing.record.id) ?? null
    );
    const there = list.map(({ standing }) => standing.record);
    const [one] = there;
    const from = places.at(0) ?? null, to = places.at(-1) ?? null;
    return {
      title: one?.title ?? "",
      labels: standings.map((standing) => standing?.record.label ?? null),
      ranks: places,
      ratings: standings.map((standing) => standing === null ? null : ratingIn(standing)),
      elos: standings.map((standing) => standing?.elo ?? null),
      edited: one !== undefined && there.some((record) => !sameText(record, one)),
      moved: from === null || to === null ? null : from - to,
    };
  });
  const firstRank = ({ ranks }: SharedHypothesis) => ranks[0] ?? Infinity;
  return rows.sort((a, b) => firstRank(a) === firstRank(b) ? 0 : firstRank(a) - firstRank(b));
}

function agreementOf(a: Side, b: Side, shared: ReadonlySet<string>): OrderAgreement {
  const placesIn = ({ view }: Side) =>
    new Map(view.leaderboard.map(({ record }, i) => [hypothesisKey(view, record.id), i]));
  const inA = placesIn(a), inB = placesIn(b);
  const both = [...inA].flatMap(([key, place]) => {
    const other = inB.get(key);
    return other === undefined || !shared.has(key) ? [] : [[place, other] as const];
  });
  return {
    first: a.view.session.name,
    second: b.view.session.name,
    shared: both.length,
    tau: both.length < 2 ? null : kendallTau(both.map(([place]) => place), both.map(([, place]) => place)),
  };
}

function settingsThatDiffer(sides: readonly Side[]): Difference[] {
  const [first] = sides;
  if (first === undefined) return [];
  return flatten(first.view.settings).map(([name]): Difference => ({
    name,
    values: sides.map(({ view }) => valueAt(view.settings, name)),
  })).filter(differs);
}

function promptsThatDiffer(sides: readonly Side[]): Difference[] {
  const names = [...new Set(sides.flatMap(({ prompts }) => [...prompts.keys()]))].sort();
  return names.map((name): Difference => ({
    name,
    values: sides.map(({ prompts }) => prompts.get(name) ?? null),
  })).filter(differs);
}

function differs({ values: [first, ...others] }: Difference): boolean {
  return others.some((other) => JSON.stringify(other) !== JSON.stringify(first));
}
