import { type FrameColumn } from "./columns.ts";

/** Whose rows a frame holds. */
export interface FrameOrigin {
  /** The session's name. */
  readonly session: string;
  /** Whether its models are simulated. */
  readonly simulated: boolean;
}

/**
 * The columns with which every file begins, so that rows of several sessions can stand in one table, and simulated ones
 * are known for what they are wherever they get to. The store's views for SQL have them too.
 */
export const ORIGIN_COLUMNS: readonly FrameColumn[] = [
  { name: "sessionName", column: "session_name", type: "text", what: "the session's name" },
  {
    name: "simulated",
    column: "simulated",
    type: "boolean",
    what: "whether its models are simulated: then nothing here is real",
  },
];

/** The values of {@linkcode ORIGIN_COLUMNS}, in their order. */
export function originValues({ session, simulated }: FrameOrigin): readonly [string, boolean] {
  return [session, simulated];
}
