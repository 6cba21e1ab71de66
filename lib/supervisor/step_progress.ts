import type { Clock } from "../domain/clock.ts";
import { messageOf } from "../domain/errors.ts";
import type { TaskReport } from "../engine/report.ts";
import { LiveProgress } from "../notebook/progress/live_progress.ts";
import type { ProgressMode } from "../notebook/progress/mode.ts";
import type { Outset } from "../notebook/progress/moment.ts";
import { sinkFor } from "../notebook/progress/sink_for.ts";
import type { SqlCallLedger } from "../store/budget.ts";
import { type Aim, type LiveLook, liveLook } from "./live_look.ts";
import { originOf } from "./look.ts";
import type { Steered } from "./steer.ts";
import type { StepOptions } from "./verb_options.ts";

/** Some work whose progress is shown. */
export interface Shown<T> {
  /** The verb. */
  readonly verb: string;
  /** What ends it. */
  readonly aim: Aim;
  /** What ended it, in words. */
  readonly ending: (result: T) => string;
}

/** What is told of each task. */
export type OnTask = (report: TaskReport) => void;

/** Shows the progress of a handle's steps. */
export class StepProgress {
  /** Where it is shown, unless a verb is told otherwise. */
  readonly mode: ProgressMode;
  readonly #steered: Steered;
  readonly #clock: Clock;
  readonly #ledger: Pick<SqlCallLedger, "spending">;

  /** @param mode where it is shown, unless a verb is told otherwise */
  constructor(
    steered: Steered,
    clock: Clock,
    ledger: Pick<SqlCallLedger, "spending">,
    mode: ProgressMode,
  ) {
    this.#steered = steered;
    this.#clock = clock;
    this.#ledger = ledger;
    this.mode = mode;
  }

  /** Does some work, with its progress shown. `work` tells of each task by what it is given. */
  async during<T>(
    shown: Shown<T>,
    { progress = this.mode, onTask }: Pick<StepOptions, "progress" | "onTask">,
    work: (onTask: OnTask) => Promise<T>,
  ): Promise<T> {
    const look = progress === "none" ? null : this.#tryLook(shown.aim);
    const going = work((report) => {
      look?.told(report);
      onTask?.(report);
    });
    return look === null ? await going : await this.watch(shown, look, progress, going);
  }

  /** A look at work that begins now. */
  look(aim: Aim): LiveLook {
    return liveLook(this.#steered, this.#clock, this.#ledger, aim);
  }

  #tryLook(aim: Aim): LiveLook | null {
    try {
      return this.look(aim);
    } catch {
      // The work itself will say what is wrong with the store.
      return null;
    }
  }

  /** Shows work that goes on already, until it ends. */
  async watch<T>(
    { verb, ending }: Shown<T>,
    look: LiveLook,
    mode: ProgressMode,
    going: Promise<T>,
  ): Promise<T> {
    const live = this.#open(verb, look, mode);
    if (live === null) return await going;
    try {
      const result = await going;
      await live.end({ how: ending(result), failed: false });
      return result;
    } catch (error) {
      await live.end({ how: messageOf(error), failed: true });
      throw error;
    }
  }

  #open(verb: string, look: LiveLook, mode: ProgressMode): LiveProgress | null {
    try {
      const sink = sinkFor(mode);
      const outset: Outset = { verb, ...originOf(this.#steered.view()) };
      return sink === null ? null : new LiveProgress(outset, () => look.moment(), sink);
    } catch {
      // A display that fails must not fail the work.
      return null;
    }
  }
}
