import { inKernel } from "./kernel.ts";

let listening = false;
const waiting = new Set<AbortController>();

/** A signal that the notebook's Stop button aborts while it is held. */
export interface Interruptible {
  /** Aborts when the cell is interrupted. */
  readonly signal: AbortSignal;
  /** Lets go: later interrupts don't concern it any more. */
  release(): void;
}

/**
 * A signal for one run. In a kernel the first call registers the one listener without which an interrupt kills the kernel
 * process; it stays for good. Outside a kernel Ctrl+C is the program's own business, and the signal only follows
 * `signals`.
 */
export function interruptible(...signals: readonly AbortSignal[]): Interruptible {
  const controller = new AbortController();
  if (!listening && inKernel()) {
    listening = true;
    Deno.addSignalListener("SIGINT", () => {
      for (const each of waiting) each.abort(new DOMException("The cell was interrupted", "AbortError"));
    });
  }
  waiting.add(controller);
  return {
    signal: AbortSignal.any([controller.signal, ...signals]),
    release: () => waiting.delete(controller),
  };
}
