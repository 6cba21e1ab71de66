import type { MatchRecord } from "../domain/records.ts";
import { type Share, shareOf } from "./share.ts";

/** How often two opinions on a pair agree, among the pairs that both decided. */
export interface Agreement extends Share {
  /** Pairs on which one of the two is tied: in neither number of the share. */
  readonly tied: number;
}

/** How people's verdicts agree with the machine's, and with each other's. */
export interface PeopleAgreement {
  /** People who gave verdicts. */
  readonly people: number;
  /** Their verdicts. */
  readonly verdicts: number;
  /** Pairs that they were about. */
  readonly pairs: number;
  /** With the machine, over each person's pairs that it judged too. */
  readonly machine: Agreement;
  /** Between any two people, over the pairs that both judged; `null` where no pair was judged by two. */
  readonly between: Agreement | null;
}

/** What is read of a match. */
export type Opinion = Pick<MatchRecord, "firstId" | "secondId" | "verdict" | "author" | "weight">;

/**
 * How people's verdicts agree with the machine's and with each other's; `null` where no person gave one. Who judged a pair
 * several times, the machine too, has one opinion of it: what the verdicts say together by their weights.
 *
 * The unit is a pair and two opinions of it; its interval takes them to be independent of each other. Agreement by chance is 50 %: which of the
 * two is shown first is drawn by lot.
 *
 * @param matches those that count
 * @param author only what concerns this person
 */
export function peopleAgreement(matches: Iterable<Opinion>, author?: string): PeopleAgreement | null {
  const byPair = new Map<string, Map<string, number>>();
  const people = new Set<string>();
  let verdicts = 0;
  for (const { firstId, secondId, verdict, author: judge, weight } of matches) {
    if (verdict === "invalid" || weight === 0) continue;
    if (judge !== MACHINE && (author === undefined || judge === author)) {
      people.add(judge);
      verdicts++;
    }
    const turned = firstId > secondId;
    const key = turned ? `${secondId} ${firstId}` : `${firstId} ${secondId}`;
    const opinions = byPair.get(key) ?? new Map<string, number>();
    const says = verdict === "tie" ? 0 : (verdict === "first") === turned ? -1 : 1;
    byPair.set(key, opinions.set(judge, (opinions.get(judge) ?? 0) + weight * says));
  }
  if (people.size === 0) return null;
  const machine = new Tally(), between = new Tally();
  let pairs = 0;
  for (const opinions of byPair.values()) {
    const own = [...opinions].filter(([judge]) => judge !== MACHINE);
    if (own.some(([judge]) => people.has(judge))) pairs++;
    const asked = opinions.get(MACHINE);
    for (const [i, [one, says]] of own.entries()) {
      if (asked !== undefined && people.has(one)) machine.add(asked, says);
      for (const [other, alsoSays] of own.slice(i + 1)) {
        if (people.has(one) || people.has(other)) between.add(says, alsoSays);
      }
    }
  }
  return {
    people: people.size,
    verdicts,
    pairs,
    machine: machine.value,
    between: between.any ? between.value : null,
  };
}

/** Who a machine's matches are by. */
const MACHINE = "model";

class Tally {
  #same = 0;
  #other = 0;
  #tied = 0;

  add(one: number, other: number): void {
    if (one === 0 || other === 0) this.#tied++;
    else if (one > 0 === other > 0) this.#same++;
    else this.#other++;
  }

  get any(): boolean {
    return this.#same + this.#other + this.#tied > 0;
  }

  get value(): Agreement {
    return { ...shareOf(this.#same, this.#same + this.#other), tied: this.#tied };
  }
}
