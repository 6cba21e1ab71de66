/**
 * The time by which a display is looked after. It is the machine's, whatever clock the session runs by: a display is for
 * people, and must not move a clock that tests hold still.
 */
export interface Pace {
  /** Milliseconds, from whenever on. */
  now(): number;
  /** Calls again and again, until the returned function is called. */
  every(ms: number, call: () => void): () => void;
  /** Comes after so long. */
  sleep(ms: number): Promise<void>;
}

/** The machine's time. */
export const machinePace: Pace = {
  now: () => performance.now(),
  every: (ms, call) => {
    const timer = setInterval(call, ms);
    return () => clearInterval(timer);
  },
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
