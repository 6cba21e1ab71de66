import { recordId, taskId } from "../../../lib/domain/ids.ts";
import type {
  HypothesisRecord,
  HypothesisState,
  MatchVerdict,
  TaskRecord,
} from "../../../lib/domain/records.ts";
import { applyPatch } from "../../../lib/config/patch.ts";
import { DEFAULT_SETTINGS, type SettingsPatch } from "../../../lib/config/settings.ts";
import { type NewTask, taskEntry } from "../../../lib/engine/new_task.ts";
import type { Situation } from "../../../lib/engine/next_steps.ts";
import type { Entry } from "../../../lib/store/records.ts";
import { Store } from "../../../lib/store/store.ts";
import type { View } from "../../../lib/store/view.ts";
import { eloDelta, kFactor, scoreOf } from "../../../lib/tournament/elo.ts";
import { sessionRatings } from "../../../lib/tournament/session_ratings.ts";
import { takeSnapshot } from "../../../lib/tournament/stability.ts";
import { draft, hypothesis, hypothesisId, ManualClock, match, newSession } from "../../store/fixture.ts";

/** Money for everything, one worker, nothing in hand. */
export const FREE: Situation = { freeWorkers: 1, busyPairs: [], affordable: () => true };

/** A session in memory whose records a test writes, to ask the engine's pure decisions about it. */
export class Table implements Disposable {
  readonly store = new Store({
    database: ":memory:",
    clock: new ManualClock(),
    ratings: sessionRatings,
  });
  readonly session: string;
  #n = 0;

  /** With settings that differ from the defaults; with a plan unless said otherwise. */
  constructor(settings: SettingsPatch = {}, planned = true) {
    this.session = this.store.createSession(
      newSession("table", { settings: applyPatch(DEFAULT_SETTINGS, settings) }),
    ).id;
    this.add({ kind: "sessionState", record: { status: "running", reason: null, note: "" } });
    this.task({ key: "plan", action: "parse_goal" });
    if (!planned) return;
    this.end("plan");
    this.add({
      kind: "plan",
      record: {
        id: recordId("pln", "plan"),
        objective: "What makes cells glow?",
        preferences: [],
        constraints: [],
        ideaAttributes: [],
      },
    });
  }

  get view(): View {
    return this.store.view(this.session);
  }

  /** One commit with these records. */
  add(...entries: readonly Entry[]): void {
    this.store.commit(this.session, () => draft(entries));
  }

  /** A commit of a task that came to nothing. */
  fruitless(times = 1): void {
    for (let i = 0; i < times; i++) {
      this.store.commit(this.session, () => draft([], { progress: -1 }));
    }
  }

  /** Enqueues a task; returns its record. */
  task(task: NewTask): TaskRecord {
    this.add(taskEntry(task, 3));
    const found = this.view.task(taskId(task.key))?.record;
    if (found === undefined) throw new Error(`${task.key} was not enqueued`);
    return found;
  }

  /** Ends a task. */
  end(key: string, status: "done" | "dead" = "done", reason = ""): void {
    const attempts = status === "dead" ? 3 : 0;
    this.add({ kind: "taskState", record: { taskId: taskId(key), status, attempts, reason } });
  }

  /** Hypotheses by name, each in a commit of its own. */
  hypotheses(
    names: readonly string[],
    state: HypothesisState = "in_tournament",
    more: Partial<HypothesisRecord> = {},
  ): void {
    for (const name of names) {
      this.add(
        hypothesis(name, more),
        { kind: "hypothesisState", record: { hypothesisId: hypothesisId(name), state, reason: "" } },
      );
    }
  }

  /** A valid match with its line in the ledger. */
  play(first: string, second: string, verdict: Exclude<MatchVerdict, "invalid"> = "first"): void {
    const a = this.view.hypothesis(hypothesisId(first)), b = this.view.hypothesis(hypothesisId(second));
    const score = scoreOf(verdict);
    if (a === undefined || b === undefined || score === null) {
      throw new Error(`${first} can't meet ${second}`);
    }
    const k = kFactor(a.matches, b.matches, this.view.settings.ranking);
    const game = match(`match ${++this.#n}`, a.record.id, b.record.id, { verdict });
    this.add(game, {
      kind: "elo",
      record: {
        epoch: 0,
        matchId: game.record.id,
        firstId: a.record.id,
        secondId: b.record.id,
        k,
        weight: 1,
        score,
        firstBefore: a.elo,
        secondBefore: b.elo,
        delta: eloDelta({ first: a.elo, second: b.elo, score, k, weight: 1 }),
      },
    });
  }

  /** A person's change of settings, by path. */
  configure(changes: Readonly<Record<string, string | number>>): void {
    for (const [target, after] of Object.entries(changes)) {
      const number = this.view.revision + 1;
      const record = {
        id: recordId("rvn", `revision ${number}`),
        number,
        target,
        after,
        before: null,
        undoes: null,
      };
      this.add({ kind: "revision", record: { ...record, kind: "configure", author: "a person" } });
    }
  }

  /** A match that gave no verdict. */
  playInvalid(first: string, second: string): void {
    this.add(match(`match ${++this.#n}`, hypothesisId(first), hypothesisId(second), { verdict: "invalid" }));
  }

  /** A snapshot of the leaders as they stand. */
  snapshot(): void {
    const { view } = this;
    const { eloStabilityK } = view.settings.termination;
    this.add({
      kind: "eloSnapshot",
      record: takeSnapshot(view.validMatches, view.leaderboard, eloStabilityK),
    });
  }

  /** Proposals that repeated the first hypothesis. */
  duplicates(of: string, times: number): void {
    for (let i = 0; i < times; i++) {
      this.add({
        kind: "duplicate",
        record: {
          id: recordId("dup", `${of} ${++this.#n}`),
          title: "Again",
          statement: "The same",
          duplicateOf: hypothesisId(of),
          cosine: 0.99,
          taskId: taskId(`generate/${this.#n}`),
        },
      });
    }
  }

  [Symbol.dispose](): void {
    this.store.close();
  }
}

/** Round after round, everybody against everybody; who comes first in the list wins. */
export function roundRobin(table: Table, names: readonly string[], rounds = 1): void {
  for (let round = 0; round < rounds; round++) {
    for (const [i, a] of names.entries()) {
      for (const b of names.slice(i + 1)) table.play(a, b);
    }
  }
}
