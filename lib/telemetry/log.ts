import { closeSync, openSync, writeSync } from "node:fs";
import {
  configureSync,
  getAnsiColorFormatter,
  getConfig,
  getConsoleSink,
  getJsonLinesFormatter,
  getLogger,
  getTextFormatter,
  resetSync,
  type Sink,
} from "@logtape/logtape";
import { CosciError, messageOf } from "../domain/errors.ts";

/** How much a message matters. */
export type LogLevel = "trace" | "debug" | "info" | "warning" | "error" | "fatal";

/**
 * Takes messages of a part of cosci. `{name}` in a message stands for the property of that name; all properties are kept,
 * errors with their stacks.
 */
export interface Log {
  /** For those who look for a fault. */
  debug(message: string, properties?: Record<string, unknown>): void;
  /** What happens. */
  info(message: string, properties?: Record<string, unknown>): void;
  /** What went wrong and was got over. */
  warn(message: string, properties?: Record<string, unknown>): void;
  /** What went wrong. */
  error(message: string, properties?: Record<string, unknown>): void;
}

/** Where the log goes, and how much of it. */
export interface LogOptions {
  /** The least level that is logged. */
  readonly level: LogLevel;
  /** A file that gets one JSON object a line, behind what it holds. */
  readonly file?: string | undefined;
  /** Whether standard error gets lines for people. @default {true} where no file is named */
  readonly console?: boolean | undefined;
}

/** What all our categories begin with. */
const ROOT = "cosci";

let current: object | null = null;

/**
 * Starts to log to standard error, to a file, or both; called again, it replaces what it did before. Until then the log
 * is silent, as a library's ought to be. What it returns ends the log and closes the file when disposed of.
 *
 * @throws CosciError `input` where the file can't be written; `state` where the program has configured LogTape itself
 */
export function configureLog(options: LogOptions): Disposable {
  if (current === null && getConfig() !== null) {
    throw new CosciError(
      "state",
      `The program has configured LogTape itself. Add a logger for the category "${ROOT}" to its configuration.`,
    );
  }
  const sinks: Record<string, Sink> = {};
  if (options.console ?? options.file === undefined) sinks["console"] = consoleSink();
  if (options.file !== undefined) sinks["file"] = fileSink(options.file);
  const names = Object.keys(sinks);
  configureSync({
    reset: true,
    sinks,
    loggers: [
      { category: ROOT, lowestLevel: options.level, sinks: names },
      // LogTape's own remarks: only what goes wrong with the log.
      { category: ["logtape", "meta"], lowestLevel: "warning", sinks: names },
    ],
  });
  const mine = {};
  current = mine;
  return {
    [Symbol.dispose]() {
      if (current !== mine) return;
      current = null;
      resetSync();
    },
  };
}

/** The logger of a part of cosci, such as `engine`. Silent until {@linkcode configureLog}, or the program, says otherwise. */
export function logger(category: string): Log {
  return getLogger([ROOT, category]);
}

/** All levels go to standard error: what a program prints is its result, and a notebook shows the log below it. */
function consoleSink(): Sink {
  const formatter = Deno.stderr.isTerminal() && !Deno.noColor ? getAnsiColorFormatter() : getTextFormatter();
  return getConsoleSink({
    formatter,
    levelMap: {
      trace: "error",
      debug: "error",
      info: "error",
      warning: "error",
      error: "error",
      fatal: "error",
    },
  });
}

function fileSink(path: string): Sink & Disposable {
  let file: number;
  try {
    file = openSync(path, "a");
  } catch (error) {
    throw new CosciError("input", `Cannot write the log "${path}": ${messageOf(error)}. Give another path.`, {
      cause: error,
    });
  }
  const format = getJsonLinesFormatter();
  // An error is `{}` in a message as JSON; its stack is among the properties.
  const told = (part: unknown) => part instanceof Error ? part.message : part;
  const write: Sink = (record) =>
    void writeSync(file, format({ ...record, message: record.message.map(told) }));
  return Object.assign(write, { [Symbol.dispose]: () => closeSync(file) });
}
