import { CosciError, messageOf } from "../domain/errors.ts";
import { clean } from "./displays/clean.ts";
import { card, foreign, markup } from "./html.ts";
import { displayable, ERROR_MIME, JUPYTER_DISPLAY, type MimeBundle } from "./kernel.ts";

const NOTE = "The cell ended on a promise: an await was forgotten. This is what it came to.";

/**
 * A promise that displays what it comes to, also an error, where a cell ends on it without `await`; the notebook waits for
 * it meanwhile. A kernel would otherwise print `Promise { <pending> }` and lose the result. Nothing else changes: the same
 * promise is returned.
 */
export function withOutcome<T>(promise: Promise<T>): Promise<T> {
  Object.defineProperty(promise, JUPYTER_DISPLAY, { value: () => displayOutcome(promise) });
  return promise;
}

/** For asynchronous methods that notebooks call: their promises are {@linkcode withOutcome}. */
export function displaysOutcome<This, A extends unknown[], T>(
  method: (this: This, ...args: A) => Promise<T>,
  _: ClassMethodDecoratorContext<This, (this: This, ...args: A) => Promise<T>>,
): (this: This, ...args: A) => Promise<T> {
  return function (this: This, ...args: A): Promise<T> {
    return withOutcome(method.apply(this, args));
  };
}

/** An error as a notebook shows it. `lead`: what it happened to, a sentence. */
export function errorBundle(error: unknown, lead: string): MimeBundle {
  const kind = error instanceof CosciError ? `${error.name}, ${error.code}` : kindOf(error);
  const message = clean(messageOf(error));
  const html = card({
    title: `Error (${kind})`,
    body: [
      markup`<div style="color:#b3261e;white-space:pre-wrap">${foreign(message)}</div>`,
      markup`<div style="color:#52595f;margin-top:4px">${lead}</div>`,
    ],
  });
  return {
    "text/html": html.markup,
    "text/plain": `${kind}: ${message}\n(${lead})`,
    [ERROR_MIME]: `${kind}: ${message}`,
  };
}

function kindOf(error: unknown): string {
  return error instanceof Error ? clean(error.name) : typeof error;
}

async function displayOutcome(promise: Promise<unknown>): Promise<MimeBundle> {
  const settled = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in settled) return await shown(() => errorBundle(settled.error, NOTE));
  const own = hookOf(settled.value);
  if (own === null) {
    return await shown(() => ({ "text/plain": settled.value === undefined ? `Done. (${NOTE})` : NOTE }));
  }
  // In a kernel the note is sent first, and then the value by its own hook; elsewhere the value's bundle is the answer.
  await shown(() => ({ "text/plain": NOTE }));
  return await own();
}

function shown(bundle: () => MimeBundle): Promise<MimeBundle> {
  return displayable(bundle, () => NOTE)();
}

/** The display hook of a value, bound to it. */
function hookOf(value: unknown): (() => Promise<MimeBundle>) | null {
  if (typeof value !== "object" || value === null) return null;
  const hook: unknown = Reflect.get(value, JUPYTER_DISPLAY);
  return typeof hook === "function" ? () => hook.call(value) : null;
}
