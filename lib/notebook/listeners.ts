import { errorBundle } from "./forgotten_await.ts";
import { type Kernel, kernelOfThisProgram } from "./kernel.ts";

/** What is told of an interrupt. */
export type Interrupted = () => void;

const interrupted = new Set<Interrupted>();
let listening = false;

/**
 * Registers, in a notebook's kernel and once, what keeps it usable; does nothing elsewhere. Stays for good.
 *
 * - Without a listener of its own an interrupt (the Stop button) kills the kernel's process, also while it is idle.
 * - A rejection that nobody awaits is swallowed by the kernel: the cell stays green. It is shown instead, under the cell
 *   that ran last.
 */
export function listenInKernel(): void {
  const kernel = kernelOfThisProgram();
  if (listening || kernel === null) return;
  listening = true;
  Deno.addSignalListener("SIGINT", () => {
    for (const tell of interrupted) tell();
  });
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    showRejection(kernel, event.reason);
  });
}

/** Calls back at each interrupt, until the returned function is called. */
export function onInterrupt(tell: Interrupted): () => void {
  interrupted.add(tell);
  return () => void interrupted.delete(tell);
}

/** Shows an error that nobody awaited. Never throws and never rejects, since nobody would see that either. */
export function showRejection(kernel: Kernel, reason: unknown): void {
  const bundle = errorBundle(reason, "A promise was rejected and nobody awaited it: is an await missing?");
  kernel.display(bundle, { raw: true }).catch(() => {});
}
