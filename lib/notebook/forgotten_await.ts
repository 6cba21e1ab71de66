import { CosciError, messageOf } from "../domain/errors.ts";
import type { Display } from "./displays/display.ts";
import { note } from "./displays/note.ts";
import { lines, wrapped } from "./displays/plain.ts";
import { alarming, faint, paragraph, prose } from "./displays/prose.ts";
import { card, markup } from "./html.ts";
import { displayable, JUPYTER_DISPLAY, type MimeBundle } from "./kernel.ts";
import { shownBundle } from "./values/shown.ts";

const FORGOTTEN = "The cell ended on a promise: an await was forgotten.";
const NOTE = `${FORGOTTEN} This is what it came to.`;

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
  const message = messageOf(error);
  return shownBundle(errorDisplay, { kind, message, lead });
}

interface ShownError {
  readonly kind: string;
  readonly message: string;
  readonly lead: string;
}

const errorDisplay: Display<ShownError> = {
  html: ({ kind, message, lead }) =>
    card({
      title: `Error (${kind})`,
      body: [alarming(prose(message)), paragraph(faint(lead))],
    }),
  text: ({ kind, message, lead }) => lines(wrapped(message, `${kind}: `, HELD), wrapped(`(${lead})`)),
};

/** Characters of an error's message that are shown. */
const HELD = 20_000;

function kindOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** A remark, and below it a value that doesn't display itself; `null` for none. */
interface Remark {
  readonly text: string;
  readonly value: string | null;
}

const remarkDisplay: Display<Remark> = {
  html: ({ text, value }) =>
    value === null ? note(text) : markup`${note(text)}${card({ body: [prose(value)] })}`,
  text: ({ text, value }) => lines(wrapped(text), value === null ? null : wrapped(value, "", HELD)),
};

async function displayOutcome(promise: Promise<unknown>): Promise<MimeBundle> {
  const settled = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in settled) return await shown(() => errorBundle(settled.error, NOTE));
  const own = hookOf(settled.value);
  if (own === null) {
    const { value } = settled;
    const remark = value === undefined
      ? { text: `Done. ${FORGOTTEN}`, value: null }
      : { text: NOTE, value: typeof value === "string" ? value : Deno.inspect(value) };
    return await shown(() => shownBundle(remarkDisplay, remark));
  }
  // In a kernel the note is sent first, and then the value by its own hook; elsewhere the value's bundle is the answer.
  await shown(() => shownBundle(remarkDisplay, { text: NOTE, value: null }));
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
