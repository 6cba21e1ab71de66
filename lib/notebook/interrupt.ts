import { onInterrupt } from "./listeners.ts";

/** A signal that the notebook's Stop button aborts while it is held. */
export interface Interruptible {
  /** Aborts when the cell is interrupted. */
  readonly signal: AbortSignal;
  /** Lets go: later interrupts don't concern it any more. */
  release(): void;
}

/**
 * A signal for one run: it aborts when the notebook's cell is interrupted, and it follows `signals`. Outside a kernel
 * Ctrl+C is the program's own business.
 */
export function interruptible(...signals: readonly AbortSignal[]): Interruptible {
  const controller = new AbortController();
  const release = onInterrupt(() =>
    controller.abort(new DOMException("The cell was interrupted", "AbortError"))
  );
  return { signal: AbortSignal.any([controller.signal, ...signals]), release };
}

/** Work that the notebook's Stop button ends, by the signal that it is given. */
export async function whileInterruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, release } = interruptible();
  try {
    return await work(signal);
  } finally {
    release();
  }
}
