import { CosciError } from "../../lib/domain/errors.ts";
import { configureLog, type LogLevel } from "../../lib/telemetry/log.ts";
import { fromCaller } from "./paths.ts";

/** What a command says about its log. */
export interface LogChoice {
  /** A file that gets a JSON object a line. */
  readonly logFile?: string | undefined;
  /** The least level; with it and without a file, the log goes to standard error. */
  readonly logLevel?: string | undefined;
}

/** The levels, the least important first. */
export const LOG_LEVELS = [
  "trace",
  "debug",
  "info",
  "warning",
  "error",
  "fatal",
] as const satisfies readonly LogLevel[];

/** Starts the log that was asked for, or none. @throws CosciError `input` for an unknown level or a file that can't be written */
export function startLog({ logFile, logLevel }: LogChoice): Disposable | null {
  if (logFile === undefined && logLevel === undefined) return null;
  const level = LOG_LEVELS.find((known) => known === (logLevel ?? "info"));
  if (level === undefined) {
    throw new CosciError(
      "input",
      `--log-level: there is no "${logLevel}". Levels are ${LOG_LEVELS.join(", ")}.`,
    );
  }
  return configureLog({ level, file: logFile === undefined ? undefined : fromCaller(logFile) });
}
