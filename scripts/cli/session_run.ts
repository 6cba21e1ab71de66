import { CosciError, messageOf } from "../../lib/domain/errors.ts";
import { systemClock } from "../../lib/domain/clock.ts";
import type { SupervisorHandle as Supervisor } from "../../lib/supervisor/supervisor.ts";
import type { Totals } from "../../lib/engine/totals.ts";
import { listenForCtrlC } from "./ctrl_c.ts";
import { Progress } from "./progress.ts";
import { type Result, resultOf, writeResults } from "./results.ts";

/**
 * Runs a session until totals are reached or it stops by itself, writes its overview, and leaves its files in a folder.
 * Ctrl+C pauses it once what is in hand is done; a second one aborts it.
 */
export async function runToEnd(lab: Supervisor, until: Totals, folder: string): Promise<Result> {
  const now = () => systemClock.now();
  const forecast = lab.estimate(until);
  const progress = new Progress({
    session: lab.name,
    simulated: forecast.simulated,
    tasks: forecast.rows.reduce((sum, row) => sum + row.tasks, 0),
    budgetUsd: forecast.budgetUsd,
  }, now);
  let tasks = 0;
  const look = (always = false) => {
    if (!always && !progress.due()) return;
    const { phase, counts, cost } = lab.inspect();
    progress.show({ phase, matches: counts.matches, usd: cost.usd, tasks });
  };
  let writing = false;
  const ctrlC = listenForCtrlC(now, (press) => {
    if (press > 1) {
      progress.note("Aborting.");
      return lab.abort();
    }
    progress.note(
      writing
        ? "The overview is being written; Ctrl+C again aborts the session."
        : "Pausing when what is in hand is done; Ctrl+C again aborts the session.",
    );
    void run.stop();
  });
  const run = lab.start(until, {
    onTask: () => {
      tasks++;
      look();
    },
  });
  look(true);
  try {
    const report = await run.done;
    look(true);
    const { status } = lab.view();
    if (ctrlC.presses > 0 && status !== "aborted") lab.pause();
    else if (
      report.endedBy !== "gate" && report.endedBy !== "paused" && status !== "aborted" &&
      report.stop?.reason !== "blocked"
    ) {
      writing = true;
      await finish(lab, progress);
    }
    look(true);
  } finally {
    ctrlC.release();
    progress.close();
  }
  return await writeResults(lab, folder);
}

/** Writes the overview. What goes wrong with that is told; what the session has is kept all the same. */
async function finish(lab: Supervisor, progress: Progress): Promise<void> {
  try {
    const overview = await lab.finish();
    if (overview.gate !== undefined) {
      progress.note(`${overview.label} is a draft until ${overview.gate} is answered.`);
    }
    for (const note of overview.notes) progress.note(`Overview: ${note}`);
  } catch (error) {
    if (!(error instanceof CosciError) || error.code === "internal") throw error;
    progress.note(`No overview could be written: ${messageOf(error)}`);
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
