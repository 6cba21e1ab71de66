import type { Display } from "../displays/display.ts";
import { BUNDLE, displayable, JUPYTER_DISPLAY, type MimeBundle } from "../kernel.ts";
import { asJson } from "./as_json.ts";
import { frozenCopy } from "./frozen.ts";
import { shownBundle, shownText } from "./shown.ts";

/**
 * What a notebook sees: frozen data that displays itself as HTML in a notebook and as text in a terminal. The data's
 * fields are fields of the value; each kind of value is a class of its own that declares them by an interface of the same
 * name.
 */
export abstract class DisplayedValue<D extends object> {
  readonly #data: D;
  readonly #display: Display<D>;

  /**
   * Copies the data and freezes the value.
   *
   * @param data plain data: whatever `structuredClone` takes, without instances of classes
   * @param display how it is shown
   */
  constructor(data: D, display: Display<D>) {
    this.#data = frozenCopy(data);
    this.#display = display;
    Object.assign(this, this.#data);
    Object.freeze(this);
  }

  /** The data as JSON: money in `usd`, moments by ISO 8601. */
  toJSON(): unknown {
    return asJson(this.#data);
  }

  /** The value as text of at most 100 columns. */
  toString(): string {
    return shownText(this.#display, this.#data);
  }

  /**
   * All its renderings, without showing them.
   *
   * @internal
   */
  [BUNDLE](): Promise<MimeBundle> {
    return Promise.try(() => shownBundle(this.#display, this.#data));
  }

  /** Shows it in a notebook. */
  [JUPYTER_DISPLAY](): Promise<MimeBundle> {
    return displayable(() => this[BUNDLE](), () => this.toString())();
  }

  /** Shows it in a terminal. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }
}
