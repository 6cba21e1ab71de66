import { fence, hypothesisText } from "../lib/domain/text.ts";
import type { Standing } from "../lib/store/view.ts";

/** The newest version of a hypothesis, fenced under its label. `slot`: its place in a match. */
export function hypothesisBlock(of: Standing, slot?: number): string {
  return fence("HYPOTHESIS", hypothesisText(of.record), {
    label: of.record.label,
    ...(slot === undefined ? {} : { slot }),
  });
}
