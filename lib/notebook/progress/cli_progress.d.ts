/** What cosci uses of `cli-progress`, which ships without types. */

/** How a bar looks. */
export interface BarOptions {
  /** The line: made from the payload. */
  readonly format: (options: unknown, params: unknown, payload: { readonly line: string }) => string;
  /** Where it is drawn. */
  readonly stream: NodeJS.WritableStream;
  /** Redrawings a second at most. */
  readonly fps: number;
  /** Whether the cursor is hidden meanwhile. */
  readonly hideCursor: boolean;
  /** Whether the terminal may wrap lines, as it did before; else that is switched off meanwhile. */
  readonly linewrap: boolean;
  /** Whether its line is removed at the end. */
  readonly clearOnComplete: boolean;
  /** Whether it listens for Ctrl+C: then the program isn't ended by it any more. */
  readonly gracefulExit: boolean;
}

/** One bar. */
export class SingleBar {
  /** A bar that is not drawn yet. */
  constructor(options: BarOptions);
  /** Draws it. */
  start(total: number, value: number, payload: { readonly line: string }): void;
  /** Moves it. */
  update(value: number, payload: { readonly line: string }): void;
  /** Ends it. */
  stop(): void;
}
