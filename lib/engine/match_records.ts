import type { Outcome } from "../domain/agent.ts";
import { recordId } from "../domain/ids.ts";
import type { MatchRecord } from "../domain/records.ts";
import type { Entry } from "../store/records.ts";
import type { Standing, View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { pairsAmong } from "../tournament/group.ts";
import { snapshotDue } from "../tournament/stability.ts";
import { epochEntries, markEntries } from "./elo_epoch.ts";
import { type RatedGames, ratedGames } from "./rated_games.ts";
import { done, type Settled, voided, type Work } from "./settled.ts";

type Judged = Extract<Outcome, { kind: "match_judged" | "group_judged" }>;

/** The records of a judged match: the match, both ratings, and the snapshot and clusters that are due with it. */
export function matchJudged(
  outcome: Extract<Outcome, { kind: "match_judged" }>,
  work: Work,
  view: View,
): Settled {
  const first = view.hypothesis(outcome.firstId), second = view.hypothesis(outcome.secondId);
  if (first === undefined || second === undefined) {
    return voided(work, "A hypothesis of the match is not there.");
  }
  const out = [first, second].find((side) => side.state !== "in_tournament");
  if (out !== undefined) {
    return voided(work, `${out.record.label} is ${out.state}: the match does not count.`);
  }
  const { mode, verdict, bothOrders } = outcome;
  const labels = { first: first.record.label, second: second.record.label };
  const weight = work.person?.weight ?? 1;
  const game: Game = { first, second, mode, verdict, bothOrders, group: null, weight };
  if (verdict === "invalid") return invalid(outcome, work, game);
  const replaced = replacedBy(work, view);
  const { entries, gains } = replaced === null
    ? rated([game], outcome, work, view)
    : inPlaceOf(replaced, game, outcome, work, view);
  const [delta = 0] = gains;
  const winner = verdict === "first" ? labels.first : verdict === "second" ? labels.second : "tie";
  return ended(
    1,
    entries,
    {
      type: "match_complete",
      payload: {
        ...labels,
        mode,
        verdict,
        delta,
        elo: [first.elo + delta, second.elo - delta],
        ...(replaced === null ? {} : { replaces: replaced.label }),
      },
    },
    `${labels.first} – ${labels.second}: ${winner === "tie" ? "a tie" : `${winner} wins`}${
      replaced === null ? "" : `, in place of ${replaced.label}`
    }`,
    work,
    view,
  );
}

/**
 * The records of a ranked group: each pair is a match between the one that was shown earlier and the one shown later, all in
 * one commit. They weigh 2 / k each: a call says less than k (k − 1) / 2 calls would, and a hypothesis, which plays k − 1
 * of the matches, moves by at most twice what one match moves it. Ratings go from match to match in the order of the pairs,
 * as a rating of the log afresh would have them go.
 *
 * Whoever left the tournament or was edited meanwhile is left out, and the rest stays a ranking: how the others were ranked doesn't hang
 * on it. A call without a ranking is one invalid match of the first two.
 */
export function groupJudged(
  outcome: Extract<Outcome, { kind: "group_judged" }>,
  work: Work,
  view: View,
): Settled {
  const { ranking } = outcome;
  const members = outcome.ids.flatMap((id) => view.hypothesis(id) ?? []).filter((member) =>
    member.state === "in_tournament" && member.record.seq <= work.claimSeq
  );
  const [one, two] = members;
  if (one === undefined || two === undefined) {
    return voided(work, "Of the group fewer than two are in the tournament: the ranking does not count.");
  }
  const group = recordId("grp", work.task.key);
  const weight = (work.person?.weight ?? 1) * 2 / members.length;
  const game = { mode: "kwise", bothOrders: null, group, weight } as const;
  if (ranking === null) {
    return invalid(outcome, work, { ...game, first: one, second: two, verdict: "invalid" });
  }
  const place = (member: Standing) => ranking.indexOf(member.record.id);
  const games = pairsAmong(members).map(([first, second]): Game => ({
    ...game,
    first,
    second,
    verdict: place(first) < place(second) ? "first" : "second",
  }));
  // The judge speaks of numbers; whoever reads the rationale beside one of the matches can't tell whose they are.
  const numbers = outcome.ids.map((id, i) => `${i + 1} is ${view.hypothesis(id)?.record.label ?? id}`).join(
    ", ",
  );
  const told = { ...outcome, rationale: `As shown (${numbers}): ${outcome.rationale}` };
  const { entries, elos } = rated(games, told, work, view);
  const best = [...members].sort((a, b) => place(a) - place(b));
  const gist = best.map(({ record }) => record.label).join(" > ");
  return ended(
    games.length,
    entries,
    {
      type: "group_complete",
      payload: {
        ranking: gist,
        shown: members.map(({ record }) => record.label),
        matches: games.length,
        elo: best.map(({ record, elo }) => elos.get(record.id) ?? elo),
      },
    },
    gist,
    work,
    view,
  );
}

/** How many valid matches an outcome makes, as far as can be told before the commit. */
export function matchesMade(outcome: Outcome): number {
  switch (outcome.kind) {
    case "match_judged":
      return outcome.verdict === "invalid" ? 0 : 1;
    case "group_judged":
      return outcome.ranking === null ? 0 : pairsAmong(outcome.ids).length;
    default:
      return 0;
  }
}

/** A match before it is a record: two standings and what was said of them. */
interface Game extends Pick<MatchRecord, "mode" | "verdict" | "bothOrders" | "group" | "weight"> {
  readonly first: Standing;
  readonly second: Standing;
}

function matchEntry(game: Game, i: number, outcome: Judged, work: Work): Extract<Entry, { kind: "match" }> {
  const { first, second, mode, verdict, bothOrders, group, weight } = game;
  const { decision } = work;
  return {
    kind: "match",
    record: {
      id: recordId("mat", work.task.key, i),
      firstId: first.record.id,
      secondId: second.record.id,
      mode,
      verdict,
      bothOrders,
      group,
      author: work.person?.author ?? "model",
      weight,
      judge: outcome.judge,
      // A person who judges in its stead leaves the turn to the same member.
      panelist: work.person !== undefined
        ? null
        : decision.kind === "match" || decision.kind === "group"
        ? decision.judge ?? null
        : null,
      promptVersion: outcome.promptVersion,
      revision: work.revision,
      taskId: work.task.id,
      rationale: outcome.rationale,
    },
  };
}

function invalid(outcome: Judged, work: Work, game: Game): Settled {
  const labels = { first: game.first.record.label, second: game.second.record.label };
  const what = game.group === null ? "no verdict" : "no ranking of their group";
  return done(work, "invalid", -1, [matchEntry(game, 0, outcome, work)], [
    { type: "match_invalid", payload: { ...labels, reason: outcome.rationale } },
  ], `${labels.first} – ${labels.second}: ${what}`);
}

/** The match that this one takes the place of, unless it is void already. */
function replacedBy({ task }: Work, view: View): MatchRecord | null {
  const { replaces } = task.payload;
  if (replaces === undefined || view.marked("void", replaces) !== null) return null;
  return view.matches.find(({ id }) => id === replaces) ?? null;
}

/**
 * A valid match in the place of another, which is void from now on. Where that one counted, Elo begins anew: its ledger has
 * a line of it.
 */
function inPlaceOf(
  replaced: MatchRecord,
  game: Game,
  outcome: Judged,
  work: Work,
  view: View,
): { readonly entries: readonly Entry[]; readonly gains: readonly number[] } {
  const marks = [{ mark: "void", targetId: replaced.id, value: true }] as const;
  if (!view.counted.some(({ id }) => id === replaced.id)) {
    const { entries, gains } = rated([game], outcome, work, view);
    return { entries: [...entries, ...markEntries(marks)], gains };
  }
  const entry = matchEntry(game, 0, outcome, work);
  const epoch = epochEntries(view, { marks }, { played: [entry.record] });
  const gains = epoch.flatMap(({ kind, record }) =>
    kind === "elo" && record.matchId === entry.record.id ? [record.delta] : []
  );
  return { entries: [entry, ...epoch], gains };
}

/** Valid matches with their lines in the ledger, and the snapshot that is due after them. */
function rated(games: readonly Game[], outcome: Judged, work: Work, view: View): RatedGames {
  const all = games.map((game, i) => ({ ...game, id: recordId("mat", work.task.key, i) }));
  const { entries, ...rest } = ratedGames(all, work.settings.ranking, view);
  return { ...rest, entries: [...games.map((game, i) => matchEntry(game, i, outcome, work)), ...entries] };
}

/** A task whose matches count, with the clusters that are due after them. */
function ended(
  matches: number,
  entries: readonly Entry[],
  event: EventDraft,
  gist: string,
  work: Work,
  view: View,
): Settled {
  const { clusters } = work;
  const matchesSeen = view.validMatches + matches;
  if (clusters === null || !reclusterDue(view, matchesSeen, clusters.vectors)) {
    return done(work, "match", 1, entries, [event], gist);
  }
  return done(
    work,
    "match",
    1,
    [...entries, {
      kind: "proximity",
      record: {
        id: recordId("prx", work.task.key),
        clusters: clusters.clusters,
        matchesSeen,
        vectors: clusters.vectors,
      },
    }],
    [event, {
      type: "proximity_updated",
      payload: { clusters: clusters.clusters.length, vectors: clusters.vectors },
    }],
    gist,
  );
}

/**
 * Whether near-duplicates are to be looked for again: a multiple of `vectors.reclusterEveryMatches` was reached or passed,
 * and there are other vectors than the last time.
 */
export function reclusterDue(view: View, matches: number, vectors: number): boolean {
  const last = view.proximity;
  return vectors > 1 && vectors !== (last?.vectors ?? 0) &&
    snapshotDue(matches, last?.matchesSeen ?? 0, view.settings.vectors.reclusterEveryMatches);
}
