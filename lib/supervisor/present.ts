import type { RunReport, StepReport } from "../engine/report.ts";
import type { NowData, SnapshotData } from "../engine/snapshot.ts";

/** What a tick says beyond what its step reports. */
export interface TickData extends StepReport {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** What comes next, in a line. */
  readonly next: string;
  /** System feedback that this tick added. */
  readonly feedback: SnapshotData["feedback"];
}

/** What a run says beyond what it did. */
export interface RunData extends RunReport {
  /** Where the session stands at its end. */
  readonly snapshot: SnapshotData;
}

/** A snapshot with what goes on right now. */
export interface InspectData extends SnapshotData {
  /** What goes on right now. */
  readonly now: NowData;
}
