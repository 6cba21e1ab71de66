import { CosciError } from "../../lib/domain/errors.ts";
import type { StopReason } from "../../lib/domain/records.ts";

/** What the command line answers to whoever called it. */
export const EXIT = {
  /** A model wrote the overview, whatever stopped the run. */
  done: 0,
  /** A fault of cosci itself. */
  fault: 1,
  /** Something that was given is wrong, or the goal was blocked by the safety screen. */
  input: 2,
  /** The budget is too small for a model to write the overview. */
  budget: 3,
  /** Work came to nothing, and so no overview by a model. */
  stalled: 4,
  /** The model's service failed, and so no overview by a model. */
  provider: 5,
  /** A gate is open: a step waits for a person's yes. */
  gate: 6,
  /** Paused or aborted by Ctrl+C. */
  interrupted: 130,
} as const;

/** How a session stands when the command line is through with it. */
export interface Ending {
  /** Status of the session. */
  readonly status: string;
  /** Why it stopped by itself, if it did. */
  readonly reason: StopReason | null;
  /** Whether a gate is open. */
  readonly atGate: boolean;
  /** Who wrote its newest overview; `null` where there is none. */
  readonly overview: "model" | "fallback" | null;
  /** Whether a model was asked for the final overview, and failed. */
  readonly askedInVain: boolean;
  /** Hypotheses. */
  readonly hypotheses: number;
}

/** The exit code of a session's run. A pure function. */
export function exitCodeOf(ending: Ending): number {
  if (ending.status === "paused" || ending.status === "aborted") return EXIT.interrupted;
  if (ending.atGate) return EXIT.gate;
  if (ending.overview === "model") return EXIT.done;
  switch (ending.reason) {
    case "blocked":
      return EXIT.input;
    case "provider":
      return EXIT.provider;
    case "stalled":
      return ending.askedInVain ? EXIT.provider : EXIT.stalled;
    case "budget":
      return ending.askedInVain ? EXIT.provider : EXIT.budget;
    case "external":
      return EXIT.interrupted;
    case "wall_clock":
    case "elo_stable":
    case "top_k_settled":
    case "idle":
    case null:
      if (ending.askedInVain) return EXIT.provider;
      return ending.hypotheses === 0 ? EXIT.stalled : EXIT.budget;
  }
}

/** The exit code of an error. */
export function exitCodeOfError(error: unknown): number {
  if (!(error instanceof CosciError)) return EXIT.fault;
  switch (error.code) {
    case "input":
    case "store":
    case "state":
    case "busy":
    case "prompt":
    case "tape":
      return EXIT.input;
    case "budget":
      return EXIT.budget;
    case "output":
      return EXIT.stalled;
    case "provider":
      return EXIT.provider;
    case "aborted":
      return EXIT.interrupted;
    case "internal":
      return EXIT.fault;
  }
}
