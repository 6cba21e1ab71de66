import { z } from "zod";
import { type Criterion, criterionKeys, MET_FROM } from "./criteria.ts";
import { REVIEW_VERDICTS, SAFETY_CATEGORIES } from "./records.ts";

/** A tool by which a model hands over its result: its name and shape are part of what the model reads. */
export interface RecordTool<T> {
  /** What the model calls. */
  readonly name: string;
  /** What it reads about it. */
  readonly description: string;
  /** What it must hand over. */
  readonly schema: z.ZodType<T>;
  /** A reading of an answer in prose, for servers that don't call tools; `null` where it can't be read. */
  readonly fromText?: (text: string) => unknown;
}

const text = z.string().trim().min(1);
const score = z.number().min(0).max(1);

/** What planning hands over. */
export const planDraft = z.object({
  objective: text.describe("The research question, in one or two sentences"),
  preferences: z.array(text).describe("What makes a hypothesis good for this goal"),
  constraints: z.array(text).default([]).describe("Limits of scope, means or method"),
  idea_attributes: z.array(text).default([]).describe("Adjectives that a strong hypothesis deserves"),
  domain_hint: z.string().trim().optional().describe("The field, in a few words"),
});
/** What planning hands over. */
export type PlanDraft = z.infer<typeof planDraft>;

/** What generation and evolution hand over. */
export const hypothesisDraft = z.object({
  title: text.max(300).describe("A headline of at most fifteen words"),
  statement: text.describe("The claim in one sentence that could be false"),
  mechanism: text.describe("Why it would be so, step by step"),
  entities: z.array(text).default([]).describe("The things, materials, actors or quantities it is about"),
  anticipated_outcomes: text.describe("What one would measure if it held, and if it did not"),
  novelty_argument: text.describe("What is new against what the sources say"),
  citations: z.array(z.object({
    url: text.describe("An address that one of the tools returned"),
    title: text,
    excerpt: z.string().optional().describe("Words copied from the source"),
    doi: z.string().optional(),
    year: z.number().int().optional(),
  })).default([]),
});
/** What generation and evolution hand over. */
export type HypothesisDraft = z.infer<typeof hypothesisDraft>;

/** What reflection hands over. */
export const reviewDraft = z.object({
  verdict: z.enum(REVIEW_VERDICTS),
  novelty: score.optional(),
  correctness: score.optional(),
  testability: score.optional(),
  feasibility: score.optional(),
  assumptions: z.array(z.object({
    assumption: text,
    plausibility: z.enum(["plausible", "uncertain", "implausible"]),
    rationale: z.string().default(""),
  })).default([]),
  evidence: z.array(z.object({
    claim: text,
    url: text.describe("An address that one of the tools returned"),
    excerpt: z.string().default("").describe("Words copied from the source"),
  })).default([]),
  notes: z.string().default(""),
});
/** What reflection hands over. */
export type ReviewDraft = z.infer<typeof reviewDraft> & {
  /** The scores by the scientist's own criteria: in a record by their keys, in an outcome by their names. */
  readonly criteria?: Readonly<Record<string, number>> | undefined;
};

/** What a judge hands over. */
export const verdictDraft = z.object({
  winner: z.enum(["1", "2", "tie"]).describe("The better hypothesis by its number, or tie"),
  rationale: z.string().default("").describe("Why, in a few sentences"),
});
/** What a judge hands over. */
export type VerdictDraft = z.infer<typeof verdictDraft>;

/** What a judge of a group hands over. */
export interface RankingDraft {
  /** The numbers under which the hypotheses were shown, best first: each exactly once. */
  readonly ranking: readonly number[];
  /** Why, in a few sentences. */
  readonly rationale: string;
}

/** What the periodic meta-review hands over. */
export const feedbackDraft = z.object({
  narrative: text.describe("One or two paragraphs for those who write the next hypotheses"),
  common_weaknesses: z.array(text).default([]),
  common_strengths: z.array(text).default([]),
  suggested_focus_areas: z.array(text).default([]),
});
/** What the periodic meta-review hands over. */
export type FeedbackDraft = z.infer<typeof feedbackDraft>;

/** What the safety screen hands over. */
export const safetyDraft = z.object({
  categories: z.array(z.enum(SAFETY_CATEGORIES)).min(1),
  confidence: score,
  rationale: z.string().default(""),
});
/** What the safety screen hands over. */
export type SafetyDraft = z.infer<typeof safetyDraft>;

/** Hands over the research plan. */
export const recordResearchPlan: RecordTool<PlanDraft> = {
  name: "record_research_plan",
  description: "Record the research plan that you read from the goal. Call it exactly once.",
  schema: planDraft,
};
/** Hands over one hypothesis. */
export const recordHypothesis: RecordTool<HypothesisDraft> = {
  name: "record_hypothesis",
  description: "Record your one finished hypothesis. Call it exactly once, when you are done.",
  schema: hypothesisDraft,
};
/** Hands over one review. */
export const recordReview: RecordTool<ReviewDraft> = {
  name: "record_review",
  description: "Record your one finished review of the hypothesis. Call it exactly once, when you are done.",
  schema: reviewDraft,
};
/** The same by the scientist's own criteria, too: one score each, all of them. */
export function recordReviewBy(criteria: readonly Criterion[]): RecordTool<ReviewDraft> {
  if (criteria.length === 0) return recordReview;
  const keys = criterionKeys(criteria);
  const scores = z.object(Object.fromEntries(criteria.map(({ name, must }, i) => [
    keys[i] ?? name,
    score.describe(must === true ? `${name} (must: below ${MET_FROM} says that it is not met)` : name),
  ])));
  return { ...recordReview, schema: reviewDraft.extend({ criteria: scores }) };
}
/** Hands over the verdict of a match; a prose line such as `better idea: 2` is understood too. */
export const recordVerdict: RecordTool<VerdictDraft> = {
  name: "record_verdict",
  description: "Record which of the two hypotheses is better. Call it exactly once.",
  schema: verdictDraft,
  fromText: verdictFromText,
};
/** The name of the tool that hands over the ranking of a group, however large the group. */
export const RECORD_RANKING = "record_ranking";

const rankings = new Map<number, RecordTool<RankingDraft>>();

/**
 * Hands over the ranking of a group of `count`; a prose line such as `ranking: 3 > 1 > 2` is understood too.
 *
 * Ties are not taken: what a ranking says is the order (Plackett and Luce know no other), a judge that may tie does so to
 * be done, and between two that it can't tell apart the order shown, which is balanced, decides at no harm.
 */
export function recordRanking(count: number): RecordTool<RankingDraft> {
  const known = rankings.get(count);
  if (known !== undefined) return known;
  const tool: RecordTool<RankingDraft> = {
    name: RECORD_RANKING,
    description: `Record your ranking of the ${count} hypotheses. Call it exactly once.`,
    schema: z.object({
      ranking: z.array(z.number().int().min(1).max(count)).length(count)
        .superRefine((ranking, context) => {
          const problem = notEachOnce(ranking, count);
          if (problem !== null) context.addIssue({ code: "custom", message: problem });
        })
        .describe(
          `The numbers 1 to ${count}, best hypothesis first, each exactly once; ties are not possible`,
        ),
      rationale: z.string().default("").describe("Why, in a few sentences"),
    }),
    fromText: (text) => rankingFromText(text),
  };
  rankings.set(count, tool);
  return tool;
}

/** What keeps a list from being an order of 1 to `count`, or `null`. */
function notEachOnce(ranking: readonly number[], count: number): string | null {
  const all = Array.from({ length: count }, (_, i) => i + 1);
  const missing = all.filter((n) => !ranking.includes(n));
  const twice = all.filter((n) => ranking.indexOf(n) !== ranking.lastIndexOf(n));
  const parts = [
    ...(missing.length === 0 ? [] : [`missing: ${missing.join(", ")}`]),
    ...(twice.length === 0 ? [] : [`more than once: ${twice.join(", ")}`]),
  ];
  return parts.length === 0 ? null : `each of 1 to ${count} exactly once, please; ${parts.join("; ")}`;
}

/** Hands over system feedback. */
export const recordSystemFeedback: RecordTool<FeedbackDraft> = {
  name: "record_system_feedback",
  description: "Record your synthesis of the reviews and matches. Call it exactly once.",
  schema: feedbackDraft,
};
/** Hands over a safety assessment. */
export const recordSafetyAssessment: RecordTool<SafetyDraft> = {
  name: "record_safety_assessment",
  description: "Record your assessment of the text. Call it exactly once.",
  schema: safetyDraft,
};

/**
 * The verdict in the last line of prose of the form `better idea: 1` (also option, hypothesis, hyp; punctuation and
 * asterisks around the number; `tie`). `12`, `1.5` and `1 or 2` are no verdicts. `null` where there is none.
 */
export function verdictFromText(prose: string): VerdictDraft | null {
  const pattern =
    /\bbetter\s+(?:idea|option|hypothesis|hyp)\b[^:\n]*:[\s*_"'`(#<[]*(?:(?:idea|option|hypothesis|hyp)\.?\s*)?[*_#<[]*(1|2|tie)\b(?![.,]\d)(?!\s*(?:or|and|\/|\|)\s*(?:(?:idea|option|hypothesis|hyp)\.?\s*)?(?:1|2|tie)\b)/i;
  for (const line of prose.split("\n").reverse()) {
    const winner = pattern.exec(line)?.[1]?.toLowerCase();
    if (winner === "1" || winner === "2" || winner === "tie") return { winner, rationale: prose.trim() };
  }
  return null;
}

/**
 * The ranking in the last part of prose that begins `ranking:`: numbers on the same line, best first (`3 > 1 > 2`, with
 * commas, arrows, words like "hypothesis" and asterisks around them), or below it a numbered list of `1. Hypothesis 3`.
 * `null` where there is none; whether the numbers are an order of the group is the schema's question.
 */
export function rankingFromText(prose: string): RankingDraft | null {
  const lines = prose.split("\n").map((line) => line.replaceAll(/[*_`"']/g, ""));
  for (const [i, line] of [...lines.entries()].reverse()) {
    const rest = /\branking\b[^:]*:(.*)$/i.exec(line)?.[1]?.trim();
    if (rest === undefined) continue;
    const ranking = rest === "" ? listed(lines.slice(i + 1)) : inLine(rest);
    if (ranking !== null) return { ranking, rationale: prose.trim() };
  }
  return null;
}

const NAMED = String.raw`(?:(?:idea|option|hypothesis|hyp)\.?\s*)?#?`;
const IN_LINE = new RegExp(`^[\\s([]*${NAMED}\\d+(?:\\s*(?:>|,|;|→|->)\\s*${NAMED}\\d+)+[\\s\\]).]*$`, "i");

function inLine(text: string): number[] | null {
  return IN_LINE.test(text) ? [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits)) : null;
}

/** Numbers from a numbered list; only where they are named, since in `1. 3` nobody knows which is which. */
function listed(lines: readonly string[]): number[] | null {
  const ranking: number[] = [];
  for (const line of lines) {
    if (line.trim() === "" && ranking.length === 0) continue;
    const [, place, number] = /^\s*(\d+)[.)]\s*(?:idea|option|hypothesis|hyp)\.?\s*#?(\d+)\b/i.exec(line) ??
      [];
    if (Number(place) !== ranking.length + 1) break;
    ranking.push(Number(number));
  }
  return ranking.length > 1 ? ranking : null;
}
