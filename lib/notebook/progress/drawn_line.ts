// @ts-types="./cli_progress.d.ts"
import { SingleBar } from "cli-progress";
import process from "node:process";

/** A line of a terminal that is drawn anew in its place. */
export interface DrawnLine {
  /** Draws it. */
  draw(line: string): void;
  /** Removes it. */
  clear(): void;
}

/** The last line of standard error's terminal. */
export function openDrawnLine(): DrawnLine {
  const bar = new SingleBar({
    format: (_options, _params, { line }) => line,
    stream: process.stderr,
    fps: 10,
    hideCursor: false,
    // The line fits; and a program that Ctrl+C ends must not leave a terminal without wrapping behind.
    linewrap: true,
    clearOnComplete: true,
    gracefulExit: false,
  });
  let begun = false;
  return {
    draw: (line) => {
      if (begun) bar.update(0, { line });
      else bar.start(1, 0, { line });
      begun = true;
    },
    clear: () => bar.stop(),
  };
}
