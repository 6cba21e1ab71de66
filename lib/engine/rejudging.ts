import { hashOf, recordId, taskId } from "../domain/ids.ts";
import type { MatchRecord, MatchVerdict, RejudgementRecord, TaskRecord } from "../domain/records.ts";
import { rng } from "../domain/rng.ts";
import type { CountChange, TaskStanding, View } from "../store/view.ts";
import { judgeCard } from "../tournament/judge_card.ts";
import { type JudgedMatch, turnedRound } from "../tournament/judge_looks.ts";
import type { JudgeMeasures } from "../tournament/judge_measures.ts";
import { logistic } from "../tournament/normal.ts";
import { type Share, shareOf } from "../tournament/share.ts";
import type { NewTask } from "./new_task.ts";

/** The prompt by which matches are judged again; debates are too, since what is to be tuned is the judge. */
export const REJUDGING_PROMPT = "ranking.pairwise";

/** How stored matches are to be judged again. */
export interface RejudgingPlan {
  /** A prompt's text instead of the one in force. */
  readonly prompt: string | undefined;
  /** A model instead of the route's, or the panel's. */
  readonly model: string | undefined;
  /** Whether each is asked in both orders. */
  readonly bothOrders: boolean;
  /** Ids of the matches, in the order in which they are asked about. */
  readonly matchIds: readonly string[];
}

/** A rejudging as the records have it. */
export interface RejudgingBatch {
  /** Its number: the commit that enqueued its tasks. */
  readonly batch: number;
  /** Its tasks, in order. */
  readonly tasks: readonly TaskStanding[];
}

/** Matches that may be judged again: one a pair, valid, of two that are in play. */
interface Candidate {
  readonly match: MatchRecord;
  /** Whether a person gave a verdict on the pair. */
  readonly byPerson: boolean;
  /** How far the two are apart, in logits. */
  readonly gap: number;
}

/**
 * Which matches a sample asks about: first pairs on which a person gave a verdict, since these tell whether a judge is right;
 * then pairs of near rating, where a judge matters most, spread over the hypotheses. Drawn by the session's seed: the same
 * records give the same sample.
 */
export function rejudgingSample(view: View, size: number): string[] {
  const pairs = candidates(view), chosen: Candidate[] = [];
  const used = new Map<string, number>();
  const chance = rng(view.session.seed, "rejudge", "sample");
  const draw = (from: readonly Candidate[]) => {
    const left = [...from];
    while (left.length > 0 && chosen.length < size) {
      const at = chance.weighted(left.map(({ match: { firstId, secondId }, gap }) => {
        const p = logistic(gap);
        return p * (1 - p) / ((1 + (used.get(firstId) ?? 0)) * (1 + (used.get(secondId) ?? 0)));
      }));
      const [drawn] = at < 0 ? left.splice(0, 1) : left.splice(at, 1);
      if (drawn === undefined) return;
      chosen.push(drawn);
      for (const id of [drawn.match.firstId, drawn.match.secondId]) used.set(id, 1 + (used.get(id) ?? 0));
    }
  };
  draw(pairs.filter(({ byPerson }) => byPerson));
  draw(pairs.filter(({ byPerson }) => !byPerson));
  return chosen.map(({ match }) => match.id);
}

function candidates(view: View): Candidate[] {
  const byPair = new Map<string, { match: MatchRecord; byPerson: boolean }>();
  for (const match of view.counted) {
    if (match.verdict === "invalid") continue;
    const key = pairKey(match), known = byPair.get(key);
    const byPerson = match.author !== "model";
    // Of several matches of a pair the newest that a model judged: its verdict is what is to be compared.
    const keeps = known !== undefined && byPerson && known.match.author === "model";
    byPair.set(key, {
      match: keeps ? known.match : match,
      byPerson: byPerson || (known?.byPerson ?? false),
    });
  }
  return [...byPair.values()].flatMap((pair): Candidate[] => {
    const first = view.hypothesis(pair.match.firstId), second = view.hypothesis(pair.match.secondId);
    if (first?.state !== "in_tournament" || second?.state !== "in_tournament") return [];
    return [{ ...pair, gap: Math.abs((first.strength ?? 0) - (second.strength ?? 0)) }];
  });
}

/** The newest match of two hypotheses that counts. */
export function newestMatch(view: View, one: string, other: string): MatchRecord | undefined {
  const key = pairKey({ firstId: one, secondId: other });
  const own = view.counted.filter((match) => match.verdict !== "invalid" && pairKey(match) === key);
  return own.findLast(({ author }) => author === "model") ?? own.at(-1);
}

/**
 * The tasks of a rejudging, for a commit on top of the view. Their keys tell what was asked, so that the same question finds
 * its tasks again.
 */
export function rejudgingTasks(view: View, plan: RejudgingPlan): NewTask[] {
  const batch = view.seq + 1, { prompt, model, bothOrders, matchIds } = plan;
  return matchIds.map((matchId, i) => ({
    key: taskKey(questionOf(view, plan), batch, i),
    action: "rejudge",
    payload: {
      rejudge: {
        matchId,
        batch,
        bothOrders,
        ...(prompt === undefined ? {} : { prompt }),
        ...(model === undefined ? {} : { model }),
      },
    },
  }));
}

/**
 * The newest rejudging that asked the same, if it is to be gone on with: some of its tasks are open, or it is done and no text
 * was edited since.
 */
export function sameRejudging(view: View, plan: RejudgingPlan): RejudgingBatch | null {
  const question = questionOf(view, plan);
  const batches = [
    ...view.rejudgements.map(({ batch }) => batch),
    ...[...view.openTasks, ...view.deadTasks].flatMap(({ record }) => record.payload.rejudge?.batch ?? []),
  ];
  for (const batch of [...new Set(batches)].sort((a, b) => b - a)) {
    const tasks = tasksOf(view, question, batch);
    if (tasks.length === 0) continue;
    const open = tasks.some(({ status }) => !["done", "void", "cancelled"].includes(status));
    const said = view.rejudgements.filter((each) => each.batch === batch);
    const fresh = said.length === tasks.length && said.every((each) => !outdated(view, each));
    return open || fresh ? { batch, tasks } : null;
  }
  return null;
}

/** A rejudging by its number. */
export function rejudgingBatch(view: View, batch: number): RejudgingBatch | null {
  const ids = [
    ...view.rejudgements.filter((each) => each.batch === batch).map(({ taskId }) => taskId),
    ...[...view.openTasks, ...view.deadTasks].flatMap(({ record }) =>
      record.payload.rejudge?.batch === batch ? [record.id] : []
    ),
  ];
  const record = ids[0] === undefined ? undefined : view.task(ids[0])?.record;
  const question = record === undefined ? undefined : questionOfKey(record);
  return question === undefined ? null : { batch, tasks: tasksOf(view, question, batch) };
}

/** The numbers of all rejudgings that have an answer. */
export function rejudgings(view: View): number[] {
  return [...new Set(view.rejudgements.map(({ batch }) => batch))];
}

function taskKey(question: string, batch: number, i: number): string {
  return `rejudge/${question}/${batch}/${i}`;
}

/** What is asked, in short: with what is in force where nothing else was said. */
function questionOf(view: View, { prompt, model, bothOrders, matchIds }: RejudgingPlan): string {
  const text = prompt ?? view.prompts.get(REJUDGING_PROMPT) ?? "";
  const judge = model ?? view.settings.models[REJUDGING_PROMPT];
  return hashOf("rejudge", text, judge, String(bothOrders), ...matchIds).slice(0, 16);
}

function questionOfKey({ key }: TaskRecord): string | undefined {
  return key.split("/")[1];
}

function tasksOf(view: View, question: string, batch: number): TaskStanding[] {
  const tasks: TaskStanding[] = [];
  for (let i = 0;; i++) {
    const task = view.task(taskId(taskKey(question, batch, i)));
    if (task === undefined) return tasks;
    tasks.push(task);
  }
}

/** One match, judged again. */
export interface RejudgedPair {
  /** `M12`. */
  readonly match: string;
  /** The one shown first in the match. */
  readonly first: { readonly label: string; readonly title: string };
  /** The one shown second. */
  readonly second: { readonly label: string; readonly title: string };
  /** What it said, by its own first and second. */
  readonly before: MatchVerdict;
  /** Who said so: a model, or a person's name. */
  readonly beforeBy: string | null;
  /** Why. */
  readonly beforeRationale: string;
  /** Whether it was a debate, or one call on several: then it was another question. */
  readonly beforeMode: MatchRecord["mode"];
  /** What is said now. */
  readonly after: MatchVerdict;
  /** What is said with its first shown first, and with its second shown first; `null` where one order was asked. */
  readonly orders: readonly [MatchVerdict, MatchVerdict] | null;
  /** Who says so. */
  readonly afterBy: string | null;
  /** Why. */
  readonly afterRationale: string;
  /** What people say of the pair, all their verdicts together; `null` where none did. */
  readonly people: Exclude<MatchVerdict, "invalid"> | null;
  /** Whether the match was judged on a text that was edited since. */
  readonly stale: boolean;
}

/** What a rejudging says of its judge. */
export interface RejudgingMeasures {
  /** Of the matches that a model had judged, those with the same verdict as before; a tie is a verdict. */
  readonly agreement: Share;
  /** Of those that both decided, the ones with the same winner. */
  readonly winners: Share;
  /** Of those with a person's verdict, the ones with the same verdict. */
  readonly people: Share;
  /** Of those asked in the order and the way of the match, the ones with the same verdict in that order. */
  readonly repeated: Share;
  /** The judge's flips, ties, invalid answers and order bias. */
  readonly judge: Pick<JudgeMeasures, "flips" | "ties" | "invalid" | "first" | "bias" | "why">;
}

/** What was said, pair by pair. */
export function rejudgedPairs(view: View, said: readonly RejudgementRecord[]): RejudgedPair[] {
  const people = peoplesVerdicts(view);
  const counted = new Map(view.counted.map((match) => [match.id, match]));
  const matches = new Map(view.matches.map((match) => [match.id, match]));
  return said.flatMap((each): RejudgedPair[] => {
    const match = matches.get(each.matchId);
    if (match === undefined) return [];
    const sides = counted.get(match.id) ?? match;
    const ref = (id: string) => {
      const { label = id, title = "" } = view.hypothesis(id)?.record ?? {};
      return { label, title };
    };
    const among = people.get(pairKey(sides));
    return [{
      match: match.label,
      first: ref(sides.firstId),
      second: ref(sides.secondId),
      before: match.verdict,
      beforeBy: match.author === "model" ? match.judge : match.author,
      beforeRationale: view.rationale(match.id),
      beforeMode: match.mode,
      after: each.verdict,
      orders: each.bothOrders,
      afterBy: each.judge,
      afterRationale: each.rationale,
      people: among === undefined ? null : among(sides.firstId),
      stale: isStale(view, match),
    }];
  });
}

/** What the answers say of the judge who gave them. */
export function rejudgingMeasures(
  view: View,
  said: readonly RejudgementRecord[],
): RejudgingMeasures {
  const matches = new Map(view.matches.map((match) => [match.id, match]));
  const pairs = said.flatMap((each) => {
    const match = matches.get(each.matchId);
    return match === undefined ? [] : [{ each, match }];
  });
  const share = (of: typeof pairs, agrees: (pair: (typeof pairs)[number]) => boolean) =>
    shareOf(of.filter(agrees).length, of.length);
  const both = pairs.filter(({ each, match }) =>
    match.author === "model" && match.verdict !== "invalid" && each.verdict !== "invalid"
  );
  const decided = (verdict: MatchVerdict) => verdict === "first" || verdict === "second";
  const people = peoplesVerdicts(view);
  const counted = new Map(view.counted.map((match) => [match.id, match]));
  const peopleSay = ({ match }: (typeof pairs)[number]) => {
    const sides = counted.get(match.id) ?? match;
    return people.get(pairKey(sides))?.(sides.firstId);
  };
  const inOrder = ({ each }: (typeof pairs)[number]) => each.bothOrders?.[0] ?? each.verdict;
  const { pooled } = judgeCard({
    matches: pairs.map(({ each, match }): JudgedMatch => ({
      seq: each.seq,
      firstId: match.firstId,
      secondId: match.secondId,
      mode: "pairwise",
      verdict: each.verdict,
      bothOrders: each.bothOrders,
      author: "model",
      weight: 1,
      judge: each.judge,
      promptVersion: each.promptVersion,
    })),
    makers: new Map(),
    lengths: new Map(),
    families: new Map(),
    results: new Map(),
  });
  const { flips, ties, invalid, first, bias, why } = pooled;
  return {
    agreement: share(both, ({ each, match }) => each.verdict === match.verdict),
    winners: share(
      both.filter(({ each, match }) => decided(each.verdict) && decided(match.verdict)),
      ({ each, match }) => each.verdict === match.verdict,
    ),
    people: share(
      pairs.filter((pair) => pair.each.verdict !== "invalid" && peopleSay(pair) !== undefined),
      (pair) => pair.each.verdict === peopleSay(pair),
    ),
    repeated: share(
      both.filter((pair) =>
        pair.match.mode === "pairwise" && pair.match.bothOrders === null && inOrder(pair) !== "invalid"
      ),
      (pair) => inOrder(pair) === pair.match.verdict,
    ),
    judge: { flips, ties, invalid, first, bias, why },
  };
}

/** What applying a rejudging makes of the match log. */
export interface Replacement {
  /** The marks on the matches that are replaced. */
  readonly marks: NonNullable<CountChange["marks"]>;
  /** The matches that stand in for them, with why. */
  readonly added: readonly (MatchRecord & { readonly rationale: string })[];
  /** Answers that can't be used, in words. */
  readonly left: readonly string[];
}

/**
 * The matches that a rejudging would replace, and what with: the same pair in the same order, with the new verdict and the weight
 * that the old one has. A person's verdict is never replaced.
 */
export function replacementOf(view: View, said: readonly RejudgementRecord[]): Replacement {
  const counted = new Map(view.counted.map((match) => [match.id, match]));
  const matches = new Map(view.matches.map((match) => [match.id, match]));
  const marks: { targetId: string; mark: "void"; value: unknown }[] = [];
  const added: (MatchRecord & { rationale: string })[] = [];
  const left: string[] = [];
  for (const each of said) {
    const match = matches.get(each.matchId);
    if (match === undefined) continue;
    const why = whyNot(view, match, each);
    if (why !== null) {
      left.push(`${match.label} ${why}`);
      continue;
    }
    const sides = counted.get(match.id) ?? match;
    marks.push({ targetId: match.id, mark: "void", value: true });
    added.push({
      seq: view.seq + 1,
      id: recordId("mat", `rejudge/${view.seq + 1}`, added.length),
      label: "",
      firstId: sides.firstId,
      secondId: sides.secondId,
      mode: "pairwise",
      verdict: each.verdict,
      bothOrders: each.bothOrders,
      group: null,
      author: "model",
      weight: sides.weight,
      judge: each.judge,
      panelist: null,
      promptVersion: each.promptVersion,
      revision: view.revision + 1,
      taskId: each.taskId,
      rationale: each.rationale,
    });
  }
  return { marks, added, left };
}

function whyNot(view: View, match: MatchRecord, each: RejudgementRecord): string | null {
  if (each.verdict === "invalid") return "got no verdict";
  if (match.author !== "model") return `is ${match.author}'s own verdict, and stays`;
  if (view.marked("void", match.id) !== null) return "is void already";
  return outdated(view, each) ? "is about a text that was edited after it was judged again" : null;
}

/** Whether a text was edited after an answer was given. */
function outdated(view: View, { matchId, seq }: RejudgementRecord): boolean {
  const match = view.counted.find(({ id }) => id === matchId) ??
    view.matches.find(({ id }) => id === matchId);
  return match !== undefined && [match.firstId, match.secondId].some((id) => view.changedSince(id, seq));
}

/** Whether a match was judged on a text that was edited since. */
export function isStale(view: View, { firstId, secondId, seq }: MatchRecord): boolean {
  return [firstId, secondId].some((id) => view.changedSince(id, seq));
}

/** What people say of each pair, by pair: a function of the one whose side is asked about as the first. */
function peoplesVerdicts(view: View): Map<string, (first: string) => Exclude<MatchVerdict, "invalid">> {
  const sums = new Map<string, { low: string; sum: number }>();
  for (const match of view.counted) {
    if (match.author === "model" || match.verdict === "invalid") continue;
    const low = match.firstId < match.secondId ? match.firstId : match.secondId;
    const verdict = match.firstId === low ? match.verdict : turnedRound(match.verdict);
    const known = sums.get(pairKey(match)) ?? { low, sum: 0 };
    known.sum += match.weight * (verdict === "first" ? 1 : verdict === "second" ? -1 : 0);
    sums.set(pairKey(match), known);
  }
  return new Map([...sums].map(([key, { low, sum }]) => [
    key,
    (first: string) => {
      const own = first === low ? sum : -sum;
      return own > 0 ? "first" : own < 0 ? "second" : "tie";
    },
  ]));
}

function pairKey({ firstId, secondId }: Pick<MatchRecord, "firstId" | "secondId">): string {
  return firstId < secondId ? `${firstId} ${secondId}` : `${secondId} ${firstId}`;
}
