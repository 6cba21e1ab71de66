import { type Effects, ENOUGH } from "./judge_effects.ts";
import {
  type Flips,
  flipsOf,
  type Judged,
  type JudgedMatch,
  type JudgeName,
  type Look,
  sumOfFlips,
} from "./judge_looks.ts";
import { type Share, shareOf } from "./share.ts";

/** What a recorded result says of a hypothesis. */
export type Result = "supported" | "contradicted";

/** How often verdicts agree with recorded results. */
export interface Calibration extends Share {
  /** Matches of a supported and a contradicted hypothesis that were tied: in neither number of the share. */
  readonly tied: number;
}

/** How one judge judges, or all of them together. */
export interface JudgeMeasures extends Effects {
  /** Valid verdicts: one a match, two where a match was judged in both orders. */
  readonly verdicts: number;
  /** Of the verdicts without ties, those for the one that was shown first. */
  readonly first: Share;
  /** Of the pairs that were shown both ways, those that changed their winner. */
  readonly flips: Flips;
  /** Ties among the valid verdicts. */
  readonly ties: Share;
  /** Answers without a readable verdict, among all answers. */
  readonly invalid: Share;
  /** How often the one that results support was preferred to one that they contradict; `null` without such a match. */
  readonly calibration: Calibration | null;
  /** Why something is missing, in words. */
  readonly why: Readonly<Partial<Record<"bias" | "length" | "self" | "flips" | "calibration", string>>>;
  /** Whether there are too few verdicts to warn of anything. */
  readonly few: boolean;
}

/** One judge: a model under one version of the prompt, in one mode. */
export interface JudgeRow extends JudgeName, JudgeMeasures {}

/** What is counted and estimated of some judges, taken together. */
export function measures(
  judges: readonly Judged[],
  effects: Effects,
  results: ReadonlyMap<string, Result>,
): JudgeMeasures {
  const looks = judges.flatMap((judged) => judged.looks);
  const of = (verdict: Look["verdict"]) => looks.filter((look) => look.verdict === verdict).length;
  const first = of("first"), second = of("second"), ties = of("tie"), invalid = of("invalid");
  const verdicts = first + second + ties;
  const flips = sumOfFlips(judges.map((judged) => flipsOf(judged.looks)));
  const calibration = calibrationOf(judges.flatMap(({ matches }) => matches), results);
  return {
    ...effects,
    verdicts,
    first: shareOf(first, first + second),
    flips,
    ties: shareOf(ties, verdicts),
    invalid: shareOf(invalid, looks.length),
    calibration,
    why: {
      ...effects.why,
      ...(flips.of + flips.tied > 0 ? {} : { flips: "no pair was shown both ways yet" }),
      ...(calibration === null ? { calibration: whyNoCalibration(results) } : {}),
    },
    few: verdicts < ENOUGH,
  };
}

function calibrationOf(
  matches: readonly JudgedMatch[],
  results: ReadonlyMap<string, Result>,
): Calibration | null {
  let right = 0, wrong = 0, tied = 0;
  for (const { firstId, secondId, verdict } of matches) {
    const first = results.get(firstId), second = results.get(secondId);
    if (first === undefined || second === undefined || first === second || verdict === "invalid") continue;
    if (verdict === "tie") tied++;
    else if ((verdict === "first" ? first : second) === "supported") right++;
    else wrong++;
  }
  return right + wrong + tied === 0 ? null : { ...shareOf(right, right + wrong), tied };
}

function whyNoCalibration(results: ReadonlyMap<string, Result>): string {
  if (results.size === 0) return "no results yet";
  return new Set(results.values()).size < 2
    ? "no results on both sides yet: it takes a supported and a contradicted hypothesis"
    : "no match of a supported and a contradicted hypothesis yet";
}
