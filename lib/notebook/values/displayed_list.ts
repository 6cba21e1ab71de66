import type { Display } from "../displays/display.ts";
import { BUNDLE, displayable, JUPYTER_DISPLAY, type MimeBundle } from "../kernel.ts";
import { asJson } from "./as_json.ts";
import { frozenCopy } from "./frozen.ts";
import { shownBundle, shownText } from "./shown.ts";

/** What a list shows besides its rows depends on its kind. */
export interface ListData<R> {
  /** The rows, in order. */
  readonly rows: readonly R[];
}

/**
 * A frozen list that displays itself. It reads like any other array; what is made from it (`map`, `filter`, `slice` …) is
 * a plain array.
 */
export abstract class DisplayedList<R, D extends ListData<R>> extends Array<R> {
  /** Plain arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  readonly #data: D;
  readonly #display: Display<D>;

  /**
   * Copies the data and freezes the list.
   *
   * @param data plain data: whatever `structuredClone` takes, without instances of classes
   * @param display how it is shown
   */
  constructor(data: D, display: Display<D>) {
    super();
    this.#data = frozenCopy(data);
    this.#display = display;
    for (const row of this.#data.rows) this.push(row);
    Object.freeze(this);
  }

  /** The rows as JSON: money in `usd`, moments by ISO 8601. */
  toJSON(): unknown {
    return asJson(this.#data.rows);
  }

  /** The list as text of at most 100 columns. */
  override toString(): string {
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
