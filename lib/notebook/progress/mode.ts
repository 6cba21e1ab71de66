/** Where progress is shown; see `StepOptions.progress`. */
export const PROGRESS_MODES = ["auto", "notebook", "terminal", "lines", "none"] as const;
/** Where progress is shown. */
export type ProgressMode = (typeof PROGRESS_MODES)[number];
