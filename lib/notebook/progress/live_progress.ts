import { type Course, courseOf } from "./course.ts";
import type { Ending, Moment, Outset } from "./moment.ts";
import { machinePace, type Pace } from "./pace.ts";

/** Where progress is shown. */
export interface Sink {
  /** How long work must go on before anything is shown, in milliseconds: what is over sooner shows its result alone. */
  readonly firstMs: number;
  /** How often it is shown at most, in milliseconds. */
  readonly everyMs: number;
  /** Shows a moment, in the place of the one before it where it can. */
  show(outset: Outset, moment: Moment, course: Course): void | Promise<void>;
  /** Tells a line of its own between. */
  note(line: string): void | Promise<void>;
  /** Shows the end; comes when it has arrived. Asked only where something was shown before. */
  end(outset: Outset, moment: Moment, ending: Ending): void | Promise<void>;
}

/** How often it is asked whether it is time to show something, in milliseconds. */
const TURN_MS = 100;

/**
 * Shows how far some work has come while it goes on: looks now and then and hands what it sees to a sink. It never fails
 * the work that it shows: a display that fails is shown no more.
 */
export class LiveProgress {
  readonly #outset: Outset;
  readonly #look: () => Moment;
  readonly #sink: Sink;
  readonly #pace: Pace;
  readonly #stop: () => void;
  readonly #began: number;
  #shownAt: number | null = null;
  #share: number | null = null;
  #sending: Promise<void> | null = null;
  #last: Moment | null = null;
  #broken = false;

  /** Begins. @param look how far it is; cheap, since it is asked several times a second */
  constructor(outset: Outset, look: () => Moment, sink: Sink, pace: Pace = machinePace) {
    this.#outset = outset;
    this.#look = look;
    this.#sink = sink;
    this.#pace = pace;
    this.#began = pace.now();
    // A timer must never throw: the kernel would swallow it and stall.
    this.#stop = pace.every(Math.min(TURN_MS, sink.everyMs), () => this.#turn());
    this.#turn();
  }

  /** Tells a line between, without disturbing what is shown. */
  async note(line: string): Promise<void> {
    try {
      await this.#sink.note(line);
    } catch {
      // Nobody can be told, then; the work goes on.
    }
  }

  /** Ends it; comes when the last state has arrived, so that a cell that ends now loses nothing. */
  async end(ending: Ending): Promise<void> {
    this.#stop();
    await this.#sending;
    if (this.#shownAt === null) return;
    await this.#attempt(async () => {
      const moment = this.#seen();
      if (moment !== null) await this.#sink.end(this.#outset, moment, ending);
    });
  }

  #turn(): void {
    if (this.#broken || this.#sending !== null || !this.#due()) return;
    const sending = this.#attempt(async () => {
      const moment = this.#seen();
      this.#shownAt = this.#pace.now();
      if (moment === null) return;
      const course = courseOf(moment, this.#share);
      this.#share = course.share;
      await this.#sink.show(this.#outset, moment, course);
    });
    this.#sending = sending.finally(() => {
      this.#sending = null;
    });
  }

  #due(): boolean {
    const now = this.#pace.now();
    return this.#shownAt === null
      ? now - this.#began >= this.#sink.firstMs
      : now - this.#shownAt >= this.#sink.everyMs;
  }

  /** What can be seen now, or was seen last where that fails: the handle may be closed by now. */
  #seen(): Moment | null {
    try {
      this.#last = this.#look();
    } catch {
      // Then nothing new is seen this time.
    }
    return this.#last;
  }

  async #attempt(show: () => void | Promise<void>): Promise<void> {
    if (this.#broken) return;
    try {
      await show();
    } catch {
      this.#broken = true;
    }
  }
}
