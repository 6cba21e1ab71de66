import type { MatchRecord } from "../lib/domain/records.ts";
import { fence } from "../lib/domain/text.ts";
import type { View } from "../lib/store/view.ts";

/** Why a match ended as it did, fenced, with the labels of both sides and the winner's. */
export function rationaleBlock(view: View, match: MatchRecord, text: string): string {
  const label = (id: string) => view.hypothesis(id)?.record.label ?? id;
  const first = label(match.firstId), second = label(match.secondId);
  const better = match.verdict === "first" ? first : match.verdict === "second" ? second : match.verdict;
  return fence("RATIONALE", text, { match: match.label, first, second, better });
}
