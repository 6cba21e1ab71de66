import type { Policy } from "./policy.ts";

/** What of the project's ranking can be told apart here. */
export interface OursSettings {
  /** What tables call it. */
  readonly name: string;
  /** What the ranking is for: the best few, or the whole order. */
  readonly aim: "top" | "whole";
}

/** Whether `ours` is there yet. */
export const OURS_EXISTS = false;

/** The project's own ranking, as its tournament runs it. */
export function ours({ name }: OursSettings): Policy {
  return {
    name,
    open: () => {
      throw new Error(`The policy ${name} is not written yet`);
    },
  };
}
