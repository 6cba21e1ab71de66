import type { Settings } from "../config/settings.ts";
import { criteriaScore, type Criterion } from "../domain/criteria.ts";
import type { RatingFold, Ratings } from "../domain/ratings.ts";
import type {
  HypothesisRecord,
  HypothesisState,
  HypothesisText,
  MarkKind,
  MarkRecord,
  MatchRecord,
  ReviewRecord,
  RevisionRecord,
} from "../domain/records.ts";
import { countedMatches } from "./counted_matches.ts";
import { rootOf } from "./merged_root.ts";
import type { Archive, Summary } from "./archive.ts";
import type { Effect } from "./records.ts";
import { RememberedRatings, type SavedRatings } from "./remembered_ratings.ts";
import type { CountChange, OpenRatings } from "./view.ts";

/** What ratings depend on besides the matches. */
export interface Around {
  /** The last commit. */
  seq(): number;
  /** The settings in force. */
  settings(): Settings;
  /** The marks of a kind, by the records that they are on. */
  marks(mark: MarkKind): ReadonlyMap<string, unknown> | undefined;
  /** The version of a hypothesis at a commit. */
  version(id: string, seq: number): HypothesisRecord | undefined;
  /** Where a hypothesis stands; `undefined` where there is none. */
  state(id: string): HypothesisState | undefined;
  /** Reviews of a hypothesis that are not void. */
  reviewsOf(id: string): readonly ReviewRecord[];
  /** A review by its id. */
  reviewOf(id: string): ReviewRecord | undefined;
  /** Whether an id is that of a finding. */
  isResult(id: string): boolean;
  /** Whether a hypothesis has another text than at a commit, with such texts and merges. */
  changedSince(
    id: string,
    seq: number,
    texts: ReadonlyMap<string, HypothesisText>,
    merged: ReadonlyMap<string, unknown>,
  ): boolean;
  /** Told when everybody's rating may be another. */
  moved(): void;
}

/** Matches that are folded into ratings between two steps. */
const FOLDED_AT_ONCE = 2000;

const NO_MARKS: ReadonlyMap<string, unknown> = new Map();
const NO_TEXTS: ReadonlyMap<string, HypothesisText> = new Map();

/** Valid matches of two hypotheses, by the lesser id, then the greater; counted when first asked for. */
type Meetings = Map<string, Map<string, { total: number; firstShown: number }>>;

/**
 * The matches of a session, those of them that count, and the ratings that come of them: the part of a projection that a
 * person's changes of what counts are about.
 */
export class RatedMatches {
  readonly #around: Around;
  readonly #archive: Archive;
  /** All matches; `null` until somebody asks for them, since most readers need only their number. */
  #matches: MatchRecord[] | null = null;
  #counted: readonly MatchRecord[] | null = null;
  #matchCount = 0;
  #validMatches = 0;
  #met: Meetings | null = null;
  /** Who entered the tournament for the first time, and when, with the score of its review. */
  readonly #entrants: Entrant[] = [];
  readonly #entered = new Map<string, Entrant>();
  readonly #openRatings: OpenRatings;
  /** Folded on demand: most readers of an old seq ask for no rating. */
  #fold: RatingFold | null = null;
  #ratings: RememberedRatings | null = null;
  /** The last commit that ratings depend on. */
  #ratedSeq = 0;

  /** @param around the rest of the projection @param archive what stays in the store @param openRatings how ratings are computed */
  constructor(around: Around, archive: Archive, openRatings: OpenRatings) {
    this.#around = around;
    this.#archive = archive;
    this.#openRatings = openRatings;
  }

  /** Starts from the numbers of matches so far. */
  begin({ matches, validMatches }: Pick<Summary, "matches" | "validMatches">): void {
    this.#matchCount = matches;
    this.#validMatches = validMatches;
  }

  /** Another setting: what depends on it is rated anew. */
  settingChanged({ target, seq }: RevisionRecord): void {
    if (target.startsWith("ranking.")) {
      this.#recount();
      this.#fold = null;
      this.#rateFrom(seq);
    }
    if (target === "scope.criteria") this.#scoreAllAnew(seq);
  }

  /** Adds a match that was played. */
  add(match: MatchRecord): void {
    this.#matchCount++;
    this.#matches?.push(match);
    this.#counted = null;
    if (match.verdict === "invalid") return;
    this.#validMatches++;
    if (this.#met !== null) { for (const counted of this.#count([match], {})) count(this.#met, counted); }
  }

  /** What a commit means for the ratings; after all its records, so that their order within it doesn't matter. */
  follow(seq: number, saved: readonly Effect[]): void {
    const matches: MatchRecord[] = [];
    for (const item of saved) {
      if (item.kind === "match") matches.push(item.record);
      else if (item.kind === "hypothesisState" && this.#entered.has(item.record.hypothesisId)) {
        this.#comesOrGoes(item.record.hypothesisId, seq);
      } else if (item.kind === "hypothesisState" && item.record.state === "in_tournament") {
        const { hypothesisId: id } = item.record;
        if (this.#around.state(id) === undefined) continue;
        const entrant = { seq, id, score: this.#scoreAt(id, seq) };
        this.#entered.set(id, entrant);
        this.#entrants.push(entrant);
        // One that stands for others as well enters where the first of them did: before it, perhaps.
        if ((this.#around.marks("merged")?.size ?? 0) > 0) this.#fold = null;
        if (this.#fold !== null) this.#enter(this.#fold, entrant);
        this.#rateFrom(seq);
      } else if (item.kind === "elo") this.#rateFrom(seq);
      else if (item.kind === "review" && item.record.author !== "model") {
        this.#scoreAnew(item.record.hypothesisId, seq);
      } else if (item.kind === "mark") this.#markRates(item.record);
      else if (item.kind === "hypothesis" && item.record.version > 1) {
        this.#recount();
        if (this.#around.settings().ranking.staleMatches === "leave_out") this.#foldAnew(seq);
      }
    }
    const counted = this.#count(matches, {});
    if (counted.length === 0 || this.#fold === null) return;
    if (this.#bringsBack(this.#fold, counted)) this.#fold = null;
    else this.#fold.judge(counted);
  }

  /** Whether matches leave a trace of one that had left without any: it belongs into the ratings from where it entered. */
  #bringsBack(fold: RatingFold, counted: readonly MatchRecord[]): boolean {
    return counted.some(({ firstId, secondId }) =>
      [firstId, secondId].some((id) => this.#entered.has(id) && fold.place(id) === undefined)
    );
  }

  /** What a mark means for the ratings. */
  #markRates({ seq, targetId, mark }: MarkRecord): void {
    switch (mark) {
      case "void": {
        const review = this.#around.reviewOf(targetId);
        if (review !== undefined) return this.#scoreAnew(review.hypothesisId, seq);
        if (this.#around.isResult(targetId)) return;
        break;
      }
      case "weight":
      case "merged":
        break;
      case "epoch":
        return this.#rateFrom(seq);
      case "pinned":
      case "withdrawn":
      case "answered":
        return;
      default:
        mark satisfies never;
    }
    this.#recount();
    this.#foldAnew(seq);
  }

  /** One that entered is in play again, or no longer: without a match that counts it is in the ratings only while it is. */
  #comesOrGoes(id: string, seq: number): void {
    this.#rateFrom(seq);
    if (this.#fold === null) return;
    const root = rootOf(id, this.#around.marks("merged"));
    if (!this.counted.some(({ firstId, secondId }) => firstId === root || secondId === root)) {
      this.#fold = null;
    }
  }

  #recount(): void {
    this.#counted = null;
    this.#met = null;
  }

  #foldAnew(seq: number): void {
    this.#fold = null;
    this.#rateFrom(seq);
    this.#around.moved();
  }

  /** A person's review, or one that is void, tells something else of one that has entered already. */
  #scoreAnew(hypothesisId: string, seq: number): void {
    const entrant = this.#entered.get(hypothesisId);
    if (entrant === undefined) return;
    const score = this.#scoreAt(hypothesisId, entrant.seq);
    if (score === entrant.score) return;
    entrant.score = score;
    this.#foldAnew(seq);
  }

  /**
   * Other criteria, or other weights, say something else of all that has entered. Which reviews are looked at stays, and what they
   * said: a criterion that they did not judge by counts in none of them.
   */
  #scoreAllAnew(seq: number): void {
    for (const { id } of this.#entrants) this.#scoreAnew(id, seq);
  }

  /**
   * The score of what was reviewed when a hypothesis entered, by the criteria in force; a person's reviews count whenever
   * they came.
   */
  #scoreAt(id: string, seq: number): number | null {
    return scoreOf(
      this.#around.reviewsOf(id).filter((review) => review.seq <= seq || review.author !== "model"),
      this.#around.settings().scope.criteria,
    );
  }

  #rateFrom(seq: number): void {
    this.#ratedSeq = seq;
    this.#ratings = null;
  }

  /** Lets a hypothesis in, as the version that it entered with; its later ones don't move it. */
  #enter(
    ratings: RatingFold,
    { seq, id, score }: Entrant,
    merged: ReadonlyMap<string, unknown> | undefined = this.#around.marks("merged"),
  ): void {
    const record = this.#around.version(id, seq);
    if (record === undefined) return;
    const parents = [...new Set(record.parents.map((parent) => rootOf(parent, merged)))];
    ratings.enter({ ...record, parents: parents.filter((parent) => parent !== id) }, score);
  }

  /** Folds all entrances and matches so far, in the order of their commits. */
  #foldRatings(): RatingFold {
    const steps = this.foldIf({}, this.#around.settings().ranking);
    for (;;) {
      const next = steps.next();
      if (next.done === true) return next.value;
    }
  }
  *foldIf(change: CountChange, ranking: Settings["ranking"]): Generator<void, RatingFold> {
    const ratings = this.#openRatings(ranking);
    // The session may go on between two steps: all that is read later is copied now.
    const counted = [...this.countedIf({ staleMatches: ranking.staleMatches, ...change })];
    const merged = new Map(this.#markedIf("merged", change));
    const entrants = this.#entrants.map((entrant) => ({ ...entrant })), last = this.#around.seq();
    const byId = new Map(entrants.map((entrant) => [entrant.id, entrant]));
    const inPlay = new Set(
      entrants.flatMap(({ id }) => this.#around.state(id) === "in_tournament" ? [id] : []),
    );
    yield;
    // Who left without a match that counts has left no trace.
    for (const { firstId, secondId } of counted) inPlay.add(firstId).add(secondId);
    const entered = new Set<string>();
    let next = 0, sinceYield = 0;
    const enterUpTo = (seq: number) => {
      for (
        let entrant = entrants[next];
        entrant !== undefined && entrant.seq <= seq;
        entrant = entrants[++next]
      ) {
        const stands = byId.get(rootOf(entrant.id, merged));
        if (stands === undefined || entered.has(stands.id) || !inPlay.has(stands.id)) continue;
        entered.add(stands.id);
        this.#enter(ratings, stands, merged);
      }
    };
    let batch: MatchRecord[] = [];
    for (const match of counted) {
      const [head] = batch;
      if (head !== undefined && head.seq !== match.seq) {
        enterUpTo(head.seq);
        ratings.judge(batch);
        sinceYield += batch.length;
        batch = [];
        if (sinceYield >= FOLDED_AT_ONCE) {
          sinceYield = 0;
          yield;
        }
      }
      batch.push(match);
    }
    const [head] = batch;
    if (head !== undefined) {
      enterUpTo(head.seq);
      ratings.judge(batch);
    }
    enterUpTo(last);
    return ratings;
  }

  get counted(): readonly MatchRecord[] {
    return this.#counted ??= this.countedIf({});
  }
  countedIf(change: CountChange): readonly MatchRecord[] {
    const { added = [] } = change;
    return this.#count(added.length === 0 ? this.matches : [...this.matches, ...added], change);
  }
  /** Those of the matches that count, as they count. */
  #count(matches: readonly MatchRecord[], change: CountChange): readonly MatchRecord[] {
    const isVoid = this.#markedIf("void", change);
    const weights = this.#markedIf("weight", change);
    const merged = this.#markedIf("merged", change);
    const { texts = NO_TEXTS } = change;
    const leaveOut = (change.staleMatches ?? this.#around.settings().ranking.staleMatches) === "leave_out";
    const touched = leaveOut || isVoid.size + weights.size + merged.size > 0;
    if (!touched && matches.every(({ weight }) => weight !== 0)) return matches;
    const changed = (id: string, seq: number) => this.#around.changedSince(id, seq, texts, merged);
    return countedMatches(matches, {
      isVoid: (id) => (isVoid.get(id) ?? null) !== null,
      weightOf: (id) => {
        const weight = weights.get(id);
        return typeof weight === "number" ? weight : null;
      },
      rootOf: (id) => rootOf(id, merged),
      isStale: ({ firstId, secondId, seq }) => leaveOut && (changed(firstId, seq) || changed(secondId, seq)),
    });
  }
  /** The marks of a kind, with those that a change brings. */
  #markedIf(mark: MarkKind, { marks = [] }: CountChange): ReadonlyMap<string, unknown> {
    const known = this.#around.marks(mark) ?? NO_MARKS;
    const brought = marks.filter((change) => change.mark === mark);
    return brought.length === 0
      ? known
      : new Map([...known, ...brought.map(({ targetId, value }) => [targetId, value] as const)]);
  }
  get matches(): readonly MatchRecord[] {
    return this.#matches ??= this.#archive.matches();
  }
  get matchCount(): number {
    return this.#matchCount;
  }
  get validMatches(): number {
    return this.#validMatches;
  }
  met(a: string, b: string): { readonly total: number; readonly firstShown: number } {
    const all = this.#met ??= meetings(this.counted);
    const met = a < b ? all.get(a)?.get(b) : all.get(b)?.get(a);
    if (met === undefined) return { total: 0, firstShown: 0 };
    return a < b ? met : { total: met.total, firstShown: met.total - met.firstShown };
  }
  get ratings(): Ratings {
    return this.#remembered();
  }
  #remembered(): RememberedRatings {
    if (this.#ratings !== null) return this.#ratings;
    const kept = this.#fold === null ? this.#archive.ratings(this.#ratedSeq) : null;
    return this.#ratings = new RememberedRatings(kept, () => this.#fold ??= this.#foldRatings());
  }
  /** The ratings as they are to be kept in the store. */
  save(): SavedRatings {
    return this.#remembered().save(this.#ratedSeq, this.#entrants.map(({ id }) => id));
  }
}

function meetings(matches: readonly MatchRecord[]): Meetings {
  const all: Meetings = new Map();
  for (const match of matches) if (match.verdict !== "invalid") count(all, match);
  return all;
}

function count(all: Meetings, { firstId, secondId }: MatchRecord): void {
  const [low, high] = firstId < secondId ? [firstId, secondId] : [secondId, firstId];
  let others = all.get(low);
  if (others === undefined) all.set(low, others = new Map());
  let met = others.get(high);
  if (met === undefined) others.set(high, met = { total: 0, firstShown: 0 });
  met.total++;
  if (firstId === low) met.firstShown++;
}

/** A hypothesis as it entered the tournament. */
interface Entrant {
  readonly seq: number;
  readonly id: string;
  score: number | null;
}

/**
 * What full reviews say of a hypothesis: the mean of the scores of the newest one by a model and of all by people, each by
 * its weight; `null` where there are none. A review that judged by criteria in force counts with their weighted mean, any other
 * with the mean of its four usual scores.
 */
function scoreOf(reviews: readonly ReviewRecord[], criteria: readonly Criterion[]): number | null {
  const full = reviews.filter((review) => review.kind === "full");
  const newest = full.findLast(({ author }) => author === "model");
  let sum = 0, weights = 0;
  for (const review of full) {
    if (review.author === "model" && review !== newest) continue;
    const score = criteriaScore(review.scores, criteria) ?? usualScore(review.scores);
    if (score === null) continue;
    sum += review.weight * score;
    weights += review.weight;
  }
  return weights === 0 ? null : sum / weights;
}

function usualScore({ criteria: _, ...usual }: ReviewRecord["scores"]): number | null {
  const scores = Object.values(usual).filter((score) => score !== undefined);
  return scores.length === 0 ? null : scores.reduce((total, score) => total + score, 0) / scores.length;
}
