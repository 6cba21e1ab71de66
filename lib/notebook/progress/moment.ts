/** What is known of work before it begins. */
export interface Outset {
  /** The verb that does it. */
  readonly verb: string;
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
}

/** How many there are of something, and how many there are to be. */
export interface Count {
  /** Of one. */
  readonly one: string;
  /** Of several. */
  readonly many: string;
  /** How many there are. */
  readonly have: number;
  /** At how many the work ends; `null` where that doesn't end it. */
  readonly goal: number | null;
}

/** A task that somebody is working on. */
export interface InHand {
  /** `T5`. */
  readonly task: string;
  /** What is done: `review H3`. */
  readonly work: string;
  /** For how long, in milliseconds; `null` where it began before anybody looked. */
  readonly ms: number | null;
}

/** How far some work has come, as it was at one moment. Plain data: what shows it looks at nothing else. */
export interface Moment {
  /** What it is about right now, in words. */
  readonly phase: string;
  /** How long it has run, in milliseconds. */
  readonly ranMs: number;
  /** Tasks that ended since it began. */
  readonly done: number;
  /** Tasks that are expected until its end; `null` where that can't be foreseen. */
  readonly left: number | null;
  /** What there is, and what it is to come to. */
  readonly counts: readonly Count[];
  /** The first of the leaderboard; its rating is `null` before it has one. */
  readonly best: { readonly label: string; readonly title: string; readonly rating: number | null } | null;
  /** What it has cost so far, in dollars. */
  readonly usd: number;
  /** What the session has spent, in dollars. */
  readonly spentUsd: number;
  /** What is reserved for calls in flight, in dollars. */
  readonly reservedUsd: number;
  /** What the session may spend, in dollars. */
  readonly budgetUsd: number;
  /** What is being worked on. */
  readonly inHand: readonly InHand[];
  /** What came of the last few tasks, newest last; one line each. */
  readonly last: readonly string[];
  /** What a person should hear: the budget's notices, faults; newest last, one line each. */
  readonly notices: readonly string[];
}

/** How it ended. */
export interface Ending {
  /** In words: `until`, `interrupted`, or what went wrong. */
  readonly how: string;
  /** Whether it ended with an error. */
  readonly failed: boolean;
}
