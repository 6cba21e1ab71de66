import type { EndedBy, StopReason } from "../../domain/records.ts";

/** How to go on after a session stopped for this reason. */
export function afterStop(reason: StopReason): string {
  switch (reason) {
    case "budget":
      return "Raise the limit that is reached, run.budgetUsd or run.budgetTokens, and run on: " +
        "lab.configure({ run: { budgetUsd: … } }). Or lab.finish() for the overview, which has its own reserve.";
    case "wall_clock":
      return "Raise run.wallClockSeconds and run on: lab.configure({ run: { wallClockSeconds: … } }). " +
        "Or lab.finish() for the overview.";
    case "elo_stable":
    case "top_k_settled":
      return "lab.finish() writes the overview. For more, raise run.maxIdeas or ask for new hypotheses " +
        "(lab.generate, lab.evolve) and run on; termination.* says what counts as settled.";
    case "idle":
      return "lab.finish() writes the overview. For more, raise run.maxIdeas or ranking.maxMatchesPerPair " +
        "with lab.configure, and run on.";
    case "stalled":
      return "See what fails with lab.queue.list() and lab.transcripts(), change what causes it with lab.configure, " +
        "then lab.queue.revive(label) for dead tasks, and run on.";
    case "provider":
      return "Nothing is lost: run on when the model's service answers again. lab.transcripts() shows its errors.";
    case "blocked":
      return "The safety screen stopped it; lab.inspect() shows why. Start a session with another goal.";
    case "external":
      return "Its records stay readable: lab.inspect(). An aborted session calls no model.";
  }
}

/** How to go on while a gate is open. */
export function atGate(): string {
  return "lab.gate shows what is proposed; lab.accept() or lab.refuse(reason) answers. Then run on.";
}

/** How to go on after a run that ended so; `stop` is the session's reason if it stopped. */
export function afterRun(endedBy: EndedBy, stop: StopReason | null): string {
  if (stop !== null) return afterStop(stop);
  switch (endedBy) {
    case "until":
      return "Run on with lab.runFor or lab.runUntil; lab.peek() shows what comes next.";
    case "gate":
      return atGate();
    case "paused":
      return "lab.resume() takes the pause back; then run on.";
    case "interrupted":
      return "Everything up to here is in the store: run on when you like.";
    case "stopped":
      return "lab.inspect() shows why; change what stopped it, and run on.";
  }
}
