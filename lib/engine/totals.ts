/** Totals at which a run ends; the first that is reached ends it. An empty object runs until nothing is left to do. */
export interface Totals {
  /** Valid matches; those of a group come together, so that the last call may bring more than were asked for. */
  readonly matches?: number | undefined;
  /** Hypotheses, whatever became of them. */
  readonly hypotheses?: number | undefined;
  /** Reviews. */
  readonly reviews?: number | undefined;
  /** Hypotheses made by evolution. */
  readonly evolved?: number | undefined;
  /** Pieces of system feedback. */
  readonly feedback?: number | undefined;
  /** Money spent in finished tasks, in USD. */
  readonly usd?: number | undefined;
}
