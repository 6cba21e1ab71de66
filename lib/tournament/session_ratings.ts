import type { Settings } from "../config/settings.ts";
import type { Belief, RatingFold, Strength, TopChances } from "../domain/ratings.ts";
import type { HypothesisRecord, MatchRecord } from "../domain/records.ts";
import { scoreOf } from "./elo.ts";
import { groupsOf, placingOf } from "./placings.ts";
import { RatingBook } from "./rating_book.ts";
import { tiers, topKInSteps } from "./top_k.ts";

/** Begins the Bradley-Terry ratings of a session: what the store is handed when it is opened. */
export function sessionRatings(settings: Settings["ranking"]): RatingFold {
  return new SessionRatings(settings);
}

/**
 * Whose liking for a place counts in a match: each model with each version of its prompt in each mode is a judge of its
 * own. `null` for a person's verdict, and where both orders were shown.
 */
export function judgeOf(
  match: Pick<MatchRecord, "author" | "judge" | "promptVersion" | "mode" | "bothOrders">,
): string | null {
  if (match.author !== "model" || match.bothOrders !== null) return null;
  return [match.judge ?? "", match.promptVersion ?? "", match.mode].join("\u0000");
}

/** A session's records as lines of a book of ratings. */
class SessionRatings implements RatingFold {
  readonly #book: RatingBook;
  readonly #entered: string[] = [];
  /** What is known of each, until the next line of the book. */
  #strengths: ReadonlyMap<string, Strength> | null = null;

  constructor(settings: Settings["ranking"]) {
    this.#book = new RatingBook(settings);
  }

  enter(hypothesis: HypothesisRecord, score: number | null): void {
    this.#strengths = null;
    this.#entered.push(hypothesis.id);
    this.#book.enter({ id: hypothesis.id, parents: hypothesis.parents, score });
  }

  judge(matches: readonly MatchRecord[]): void {
    this.#strengths = null;
    for (const match of matches) if (match.group === null) this.#pair(match);
    for (const members of groupsOf(matches).values()) {
      const placing = placingOf(members), [head] = members;
      if (placing === null || head === undefined || members.some(({ weight }) => weight !== head.weight)) {
        // A person took a match of the ranking out, or weighs it otherwise: what is left are pairs.
        for (const match of members) this.#pair(match);
        continue;
      }
      // Its pairs weigh 2/k each, so that Elo counts the call as k − 1 matches: as a ranking it weighs 1.
      const weight = head.weight * placing.ids.length / 2;
      this.#book.recordGroup({ ...placing, weight, judge: judgeOf(head) });
    }
  }

  #pair(match: MatchRecord): void {
    const score = scoreOf(match.verdict);
    if (score === null) return;
    const { firstId, secondId, weight } = match;
    this.#book.record({ firstId, secondId, score, weight, judge: judgeOf(match) });
  }

  strength(id: string): Strength | undefined {
    return (this.#strengths ??= this.#allStrengths()).get(id);
  }

  #allStrengths(): Map<string, Strength> {
    const posterior = this.#book.posterior(), places = this.#placesOf(this.#entered);
    const sds = posterior.sdsAgainstField(places);
    return new Map(this.#entered.map((id, i) => [
      id,
      { mean: posterior.mean(places[i] ?? -1), sd: sds[i] ?? NaN },
    ]));
  }

  top(ids: readonly string[], k: number): TopChances {
    const steps = this.topInSteps(ids, k);
    for (;;) {
      const next = steps.next();
      if (next.done === true) return next.value;
    }
  }

  *topInSteps(ids: readonly string[], k: number): Generator<void, TopChances> {
    const known = ids.filter((id) => this.#book.place(id) !== undefined);
    const steps = topKInSteps(this.#book.posterior(), this.#placesOf(known), k);
    const { chances, expectedPrecision } = yield* steps;
    return { chances: new Map(known.map((id, i) => [id, chances[i] ?? 0])), expectedPrecision };
  }

  tiers(ids: readonly string[]): readonly number[] {
    return tiers(this.#book.posterior(), this.#placesOf(ids));
  }

  step(): boolean {
    return this.#book.step();
  }

  place(id: string): number | undefined {
    return this.#book.place(id);
  }

  belief(): Belief {
    return this.#book.posterior();
  }

  #placesOf(ids: readonly string[]): number[] {
    return ids.flatMap((id) => this.#book.place(id) ?? []);
  }
}
