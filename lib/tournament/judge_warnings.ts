import type { MatchMode } from "../domain/records.ts";
import { ENOUGH } from "./judge_effects.ts";
import { logistic } from "./normal.ts";
import type { JudgeMeasures, JudgeRow } from "./judge_measures.ts";

/** What is wrong with a judge, with what to do about it. */
export interface JudgeWarning {
  /**
   * `order_bias`: standing first is worth more than a logit · `one_place`: it always answered the same place · `ties`:
   * more than 40 % · `invalid`: more than 20 % of its answers can't be read.
   */
  readonly kind: "order_bias" | "one_place" | "ties" | "invalid";
  /** Which judge, in words. */
  readonly judge: string;
  /** What was seen, and what to do. */
  readonly text: string;
}

/** Bias in logits, and shares, above which there is a warning. */
const BIAS_LIMIT = 1, TIES_LIMIT = 0.4, INVALID_LIMIT = 0.2;

/** Warnings of each judge; and of all together, where no single judge gave that warning. */
export function warningsOf(judges: readonly JudgeRow[], pooled: JudgeMeasures): JudgeWarning[] {
  const own = judges.flatMap((judge) => warningsAbout(judge, judgeName(judge), judge.mode));
  const kinds = new Set(own.map(({ kind }) => kind));
  const joint = judges.length < 2 ? [] : warningsAbout(pooled, "All judges together", "pairwise");
  return [...own, ...joint.filter(({ kind }) => !kinds.has(kind))];
}

/** A judge in words: its model and mode. */
export function judgeName({ judge, mode }: Pick<JudgeRow, "judge" | "mode">): string {
  return `${judge ?? "an unknown model"} (${mode})`;
}

function warningsAbout(judge: JudgeMeasures, name: string, mode: MatchMode): JudgeWarning[] {
  const route = mode === "debate" ? "ranking.debate" : "ranking.pairwise";
  const found: JudgeWarning[] = [];
  const warn = (kind: JudgeWarning["kind"], text: string) => found.push({ kind, judge: name, text });
  const { bias, first, ties, invalid } = judge;
  if (first.of >= ENOUGH && (first.count === 0 || first.count === first.of)) {
    const place = first.count === 0 ? "second" : "first";
    warn(
      "one_place",
      `${name} named the one shown ${place} in all of its ${first.of} decided verdicts: they say nothing of the ` +
        `hypotheses. Look at its answers (lab.transcripts({ prompt: "ranking.${mode}" })) and take another judge ` +
        `(lab.configure({ models: { "${route}": "…" } })).`,
    );
  }
  if (first.of >= ENOUGH && bias !== null && Math.abs(bias.value) > BIAS_LIMIT) {
    const place = bias.value > 0 ? "first" : "second";
    const [low, high] = bias.value > 0 ? [bias.low, bias.high] : [-bias.high, -bias.low];
    const sure = low > BIAS_LIMIT
      ? "its interval lies above 1 as a whole"
      : "its interval reaches below 1, so that more matches may yet clear it";
    warn(
      "order_bias",
      `${name} favours what is shown ${place} by ${Math.abs(bias.value).toFixed(1)} logits (95 %: ${
        low.toFixed(1)
      } to ${high.toFixed(1)}; ${sure}): of equals it lets that one win ${
        percent(logistic(Math.abs(bias.value)))
      }. Ratings take it into account, at the price of more matches; lab.configure({ ranking: { order: "both" } }) asks ` +
        `in both orders, another judge may do better.`,
    );
  }
  if (ties.of >= ENOUGH && (ties.share ?? 0) > TIES_LIMIT) {
    warn(
      "ties",
      `${name} tied ${ties.count} of ${ties.of} verdicts (${
        percent(ties.share ?? 0)
      }): they carry little information. ` +
        `A stronger model (lab.configure({ models: { "${route}": "…" } })) or a debate tells more apart.`,
    );
  }
  if (invalid.of >= ENOUGH && (invalid.share ?? 0) > INVALID_LIMIT) {
    warn(
      "invalid",
      `${invalid.count} of ${invalid.of} answers of ${name} hold no verdict (${
        percent(invalid.share ?? 0)
      }): paid for ` +
        `and not counted. lab.transcripts({ prompt: "ranking.${mode}", last: 5 }) shows what it answers; it may need ` +
        `more room (maxTokens), or another model.`,
    );
  }
  return found;
}

function percent(share: number): string {
  return share > 0.99 && share < 1 ? "more than 99 %" : `${Math.round(share * 100)} %`;
}
