import { clean } from "../displays/clean.ts";
import { endLine, momentLine } from "./as_line.ts";
import type { Sink } from "./live_progress.ts";
import { tellLine } from "./write_line.ts";

/** How often lines are written. */
export interface LineTimes {
  /** The first, after so many milliseconds. */
  readonly firstMs: number;
  /** The others. */
  readonly everyMs: number;
}

/** Where lines were asked for. */
export const ASKED: LineTimes = { firstMs: 0, everyMs: 5_000 };
/** Where nobody asked: a program that isn't watched should know of long work alone. */
export const UNASKED: LineTimes = { firstMs: 10_000, everyMs: 10_000 };

/** Shows progress as plain lines, now and then. */
export function lineSink(times: LineTimes, tell: (line: string) => void = tellLine): Sink {
  const write = (line: string) => tell(clean(line));
  return {
    ...times,
    show: (outset, moment, course) => write(momentLine(outset, moment, course)),
    note: write,
    end: (outset, moment, ending) => write(endLine(outset, moment, ending)),
  };
}
