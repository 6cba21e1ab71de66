/** What cosci uses of `cli-progress`, which ships without types. */

/** How a bar looks. */
export interface BarOptions {
  /** The line, with `{bar}`, `{percentage}` and the payload's names in it. */
  readonly format: string;
  /** Columns of the bar. */
  readonly barsize: number;
  /** Where it is drawn. */
  readonly stream: NodeJS.WritableStream;
  /** Redrawings a second at most. */
  readonly fps: number;
  /** Whether the cursor is hidden meanwhile. */
  readonly hideCursor: boolean;
}

/** One bar. */
export class SingleBar {
  /** A bar that is not drawn yet. */
  constructor(options: BarOptions);
  /** Draws it. */
  start(total: number, value: number, payload: Readonly<Record<string, string>>): void;
  /** Moves it. */
  update(value: number, payload: Readonly<Record<string, string>>): void;
  /** Leaves it as it is, and the line below to others. */
  stop(): void;
}
