/** What Ctrl+C does: first it pauses, then it aborts. */
export interface CtrlC {
  /** Presses so far. */
  readonly presses: number;
  /** Stops listening; Ctrl+C ends the program again. */
  release(): void;
}

/** One press may arrive twice: from the terminal, and from `deno task`, which passes it on. */
const SAME_PRESS_MS = 300;

/** Listens for Ctrl+C. @param now the time in milliseconds @param onPress told of each press by its number, from 1 on */
export function listenForCtrlC(now: () => number, onPress: (press: number) => void): CtrlC {
  let presses = 0, last = -Infinity;
  const listener = () => {
    const at = now();
    if (at - last < SAME_PRESS_MS) return;
    last = at;
    presses++;
    onPress(presses);
  };
  Deno.addSignalListener("SIGINT", listener);
  return {
    get presses() {
      return presses;
    },
    release: () => Deno.removeSignalListener("SIGINT", listener),
  };
}
