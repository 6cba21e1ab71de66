import { type StartedRunData, startedRunDisplay } from "../displays/started_run.ts";
import { withOutcome } from "../forgotten_await.ts";
import { displayable, JUPYTER_DISPLAY, type MimeBundle } from "../kernel.ts";
import { asJson } from "./as_json.ts";
import { frozenCopy } from "./frozen.ts";
import type { Run } from "./run.ts";
import { shownBundle, shownText } from "./shown.ts";

/** A run that goes on while other cells look and steer. Showing it tells how far it has come. */
export class StartedRun {
  /** What the run came to. */
  readonly done: Promise<Run>;
  readonly #stop: () => void;
  readonly #look: () => StartedRunData;
  readonly #watch: () => Promise<Run>;

  /**
   * Made by `start`.
   *
   * @param done what it comes to
   * @param stop ends it when what is in hand is done
   * @param look how far it has come
   * @param watch shows its progress until it ends
   */
  constructor(
    done: Promise<Run>,
    stop: () => void,
    look: () => StartedRunData,
    watch: () => Promise<Run>,
  ) {
    this.done = withOutcome(done);
    this.#stop = stop;
    this.#look = look;
    this.#watch = watch;
  }

  /** Ends it when what is in hand is done. */
  stop(): Promise<Run> {
    this.#stop();
    return this.done;
  }

  /** Shows its progress here, as `runUntil` does, until it ends; and gives what it came to. */
  watch(): Promise<Run> {
    return withOutcome(this.#watch());
  }

  /** How far it has come. */
  get progress(): StartedRunData {
    return frozenCopy(this.#look());
  }

  /** Notices of the budget since it began. */
  get notices(): readonly string[] {
    return this.progress.notices;
  }

  /** Whether it goes on. */
  get running(): boolean {
    return this.progress.endedBy === null;
  }

  /** How far it has come, as JSON. */
  toJSON(): unknown {
    return asJson(this.#look());
  }

  /** How far it has come, as text of at most 100 columns. */
  toString(): string {
    return shownText(startedRunDisplay, this.#look());
  }

  /** Shows it in a notebook. */
  [JUPYTER_DISPLAY](): Promise<MimeBundle> {
    return displayable(() => shownBundle(startedRunDisplay, this.#look()), () => this.toString())();
  }

  /** Shows it in a terminal. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }
}
