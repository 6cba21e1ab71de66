import { CosciError, messageOf } from "../../lib/domain/errors.ts";
import { systemClock } from "../../lib/domain/clock.ts";
import type { TaskReport } from "../../lib/engine/report.ts";
import { ASKED, lineSink } from "../../lib/notebook/progress/line_sink.ts";
import { LiveProgress } from "../../lib/notebook/progress/live_progress.ts";
import { sinkFor } from "../../lib/notebook/progress/sink_for.ts";
import { INSIDE } from "../../lib/supervisor/inside.ts";
import type { SupervisorHandle as Supervisor } from "../../lib/supervisor/supervisor.ts";
import type { Totals } from "../../lib/engine/totals.ts";
import { listenForCtrlC } from "./ctrl_c.ts";
import { type Result, resultOf, writeResults } from "./results.ts";

/**
 * Runs a session until totals are reached or it stops by itself, writes its overview, and leaves its files in a folder.
 * Ctrl+C pauses it once what is in hand is done; a second one aborts it.
 */
export async function runToEnd(lab: Supervisor, until: Totals, folder: string): Promise<Result> {
  const now = () => systemClock.now();
  let writing = false;
  // Before anything is told: who reads of the run may press.
  const ctrlC = listenForCtrlC(now, (press) => {
    if (press > 1) {
      void progress.note("Aborting.");
      return lab.abort();
    }
    void progress.note(
      writing
        ? "The overview is being written; Ctrl+C again aborts the session."
        : "Pausing when what is in hand is done; Ctrl+C again aborts the session.",
    );
    void run.stop();
  });
  const progress = progressOf(lab, until);
  const run = lab.start(until, { onTask: progress.told });
  try {
    const report = await run.done;
    const { status } = lab.view();
    if (ctrlC.presses > 0 && status !== "aborted") lab.pause();
    else if (
      report.endedBy !== "gate" && report.endedBy !== "paused" && status !== "aborted" &&
      report.stop?.reason !== "blocked"
    ) {
      writing = true;
      await finish(lab, progress);
    }
    await progress.end({ how: lab.inspect().phase, failed: false });
  } catch (error) {
    await progress.end({ how: messageOf(error), failed: true });
    throw error;
  } finally {
    ctrlC.release();
  }
  return await writeResults(lab, folder);
}

/** The progress of a run and of its overview, as one. */
interface Shown extends Pick<LiveProgress, "note" | "end"> {
  /** To be told of each task. */
  readonly told: (report: TaskReport) => void;
}

/** A bar in a terminal, lines elsewhere. */
function progressOf(lab: Supervisor, until: Totals): Shown {
  const look = lab[INSIDE].look(until);
  const outset = { verb: "run", session: lab.name, simulated: lab.simulator !== null };
  const live = new LiveProgress(outset, () => look.moment(), sinkFor("terminal") ?? lineSink(ASKED));
  return {
    told: (report) => look.told(report),
    note: (line) => live.note(line),
    end: (ending) => live.end(ending),
  };
}

/** Writes the overview. What goes wrong with that is told; what the session has is kept all the same. */
async function finish(lab: Supervisor, progress: Shown): Promise<void> {
  try {
    const overview = await lab.finish({ progress: "none", onTask: progress.told });
    if (overview.gate !== undefined) {
      await progress.note(`${overview.label} is a draft until ${overview.gate} is answered.`);
    }
    for (const note of overview.notes) await progress.note(`Overview: ${note}`);
  } catch (error) {
    if (!(error instanceof CosciError) || error.code === "internal") throw error;
    await progress.note(`No overview could be written: ${messageOf(error)}`);
  }
}

/** Makes a session ready to go on, and says so; `null` where it may, else what it came to before. */
export function readyToGoOn(lab: Supervisor, again: boolean): Result | null {
  switch (lab.view().status) {
    case "created":
    case "running":
    case "stopped":
      return null;
    case "paused":
      lab.resume();
      return null;
    case "aborted":
      if (!again) {
        throw new CosciError(
          "state",
          `The session "${lab.name}" was aborted. \`deno task resume\` takes it up again; another --name begins anew.`,
        );
      }
      lab.reopen();
      return null;
    case "done":
      if (!again) return resultOf(lab);
      lab.reopen();
      return null;
  }
}
