import { systemClock } from "../domain/clock.ts";
import { messageOf } from "../domain/errors.ts";

/** The method by which a kernel asks a value how it wants to be shown. */
export const JUPYTER_DISPLAY: unique symbol = Symbol.for("Jupyter.display");

/** The method by which a value of ours gives its renderings without showing them: the same that {@linkcode JUPYTER_DISPLAY} shows. */
export const BUNDLE: unique symbol = Symbol("cosci.bundle");

/** Renderings of one value by MIME type; the reader's program takes the one that it shows best. */
export type MimeBundle = Readonly<Record<string, string>>;

/** How long the kernel takes to send what it was given: with less, output is lost (Deno 2.9, nbclient: 0 of 80 lost). */
export const SETTLE_MS = 25;

/** How a kernel sends a bundle. */
export interface DisplayOptions {
  /** It is a bundle already. */
  readonly raw: true;
  /** A name by which it can be replaced. */
  readonly display_id?: string | undefined;
  /** Whether it takes the place of what has that name. */
  readonly update?: boolean | undefined;
}

/** What a notebook's kernel offers, as far as it is used here. */
export interface Kernel {
  /** Sends a bundle to be shown under the cell. */
  display(value: MimeBundle, options: DisplayOptions): Promise<void>;
}

/** Whether this program is a notebook's kernel. */
export function inKernel(): boolean {
  return kernelOfThisProgram() !== null;
}

/**
 * Sends a bundle to the notebook and waits until it has left. To be returned from a display hook: in a kernel the answer
 * is empty, since all was sent; elsewhere it is the bundle.
 *
 * @param bundle what to show
 * @param kernel where it is sent: the kernel that this program is, or `null` for none
 */
export async function displayBundle(
  bundle: MimeBundle,
  kernel: Kernel | null = kernelOfThisProgram(),
): Promise<MimeBundle> {
  if (kernel === null) return bundle;
  await kernel.display(bundle, { raw: true });
  await systemClock.sleep(SETTLE_MS);
  return {};
}

/**
 * A display hook of a bundle that may fail to come about. It never throws, because a kernel reports a cell as successful
 * although its display failed: what can't be drawn is shown as text, with the reason.
 *
 * @param bundle makes what is shown
 * @param fallback the value as text
 * @param kernel as for {@linkcode displayBundle}
 */
export function displayable(
  bundle: () => MimeBundle | Promise<MimeBundle>,
  fallback: () => string,
  kernel: Kernel | null = kernelOfThisProgram(),
): () => Promise<MimeBundle> {
  return async () => {
    const shown = await attempt(bundle, fallback);
    try {
      return await displayBundle(shown, kernel);
    } catch {
      // The kernel then shows what the hook returns.
      return shown;
    }
  };
}

async function attempt(
  bundle: () => MimeBundle | Promise<MimeBundle>,
  fallback: () => string,
): Promise<MimeBundle> {
  try {
    return await bundle();
  } catch (error) {
    return { "text/plain": `${fallback()}\n(It could not be drawn: ${messageOf(error)})` };
  }
}

/** `Deno.jupyter` where there is one. Its getter throws outside a kernel, and the types don't know it. */
export function kernelOfThisProgram(): Kernel | null {
  try {
    const jupyter: unknown = Reflect.get(Deno, "jupyter");
    return isKernel(jupyter) ? jupyter : null;
  } catch {
    return null;
  }
}

function isKernel(value: unknown): value is Kernel {
  return typeof value === "object" && value !== null && "display" in value &&
    typeof value.display === "function";
}
