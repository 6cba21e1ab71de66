import { kernelOfThisProgram } from "../kernel.ts";
import { ASKED, lineSink, UNASKED } from "./line_sink.ts";
import type { Sink } from "./live_progress.ts";
import type { ProgressMode } from "./mode.ts";
import { notebookSink } from "./notebook_sink.ts";
import { terminalSink } from "./terminal_sink.ts";

/** Where this program can show progress as it is asked to; `null` where it isn't shown. */
export function sinkFor(mode: ProgressMode): Sink | null {
  switch (mode) {
    case "none":
      return null;
    case "lines":
      return lineSink(ASKED);
    case "notebook": {
      const kernel = kernelOfThisProgram();
      return kernel === null ? null : notebookSink(kernel);
    }
    case "terminal":
      return Deno.stderr.isTerminal() ? terminalSink() : null;
    case "auto":
      return sinkFor("notebook") ?? sinkFor("terminal") ?? lineSink(UNASKED);
  }
}
