import { type Agent, RESEARCH_TOOLS, type ResearchTool, type SessionContext } from "../lib/domain/agent.ts";
import type { SeenSource } from "../lib/domain/agent.ts";
import { type Criterion, criterionKeys } from "../lib/domain/criteria.ts";
import { recordReviewBy } from "../lib/domain/drafts.ts";
import { CosciError } from "../lib/domain/errors.ts";
import type { ReviewKind, TaskRecord } from "../lib/domain/records.ts";
import { madeVersion } from "../lib/domain/made_version.ts";
import { hypothesisText } from "../lib/domain/text.ts";
import { groundEvidence } from "../lib/llm/grounding.ts";
import type { Standing, View } from "../lib/store/view.ts";
import { hypothesisBlock } from "./hypothesis_block.ts";
import { type KnownSource, knownSources, seenBefore, sourceBlocks } from "./known_sources.ts";
import { reviewBlocks } from "./review_block.ts";
import { criteriaBlock, sessionContext } from "./session_context.ts";
import { standingOf } from "./standing.ts";

/** What a review works on. */
export interface ReflectionInput {
  /** Which review. */
  readonly kind: ReviewKind;
  /** The hypothesis. */
  readonly hypothesisId: string;
  /** Its version that is reviewed. */
  readonly hypothesisVersion: number;
  /** The second system block. */
  readonly session: SessionContext;
  /** The prompt's variables: the hypothesis and what is known about it, fenced. */
  readonly variables: Readonly<Record<string, string>>;
  /** Sources that the records hold already: they count as seen. */
  readonly known: readonly SeenSource[];
  /** What it judges by besides the usual: a full review all the scientist's criteria, others none. */
  readonly criteria: readonly Criterion[];
  /** Model turns with tools at most. */
  readonly maxTurns: number;
  /** The text that the safety screen is to look at first: a person's that it has not seen; else `null`. */
  readonly unscreened: string | null;
}

/** Sources that a prompt shows at most. */
const SOURCES_SHOWN = 30;
/** Characters of an earlier review that a verification reads. */
const REVIEW_CHARS = 3000;

/** A verification and a full review search for themselves; an observation reads on in the sources it is given. */
const TOOLS: Readonly<Record<ReviewKind, readonly ResearchTool[]>> = {
  full: RESEARCH_TOOLS,
  verification: RESEARCH_TOOLS,
  observation: ["web_fetch"],
};

/**
 * Reviews the newest version of a hypothesis: in full, assumption by assumption (`verification`), or source by source
 * (`observation`: does the hypothesis explain what was observed?).
 */
export const reflection: Agent<View, ReflectionInput> = {
  name: "reflection",
  actions: ["review"],
  decide(view, task) {
    const of = view.hypothesis(task.targetId ?? "");
    if (of === undefined) return { kind: "nothing", reason: "The hypothesis to review is not on record." };
    const { label } = of.record;
    if (of.state === "rejected" || of.state === "quarantined" || of.state === "merged") {
      return { kind: "nothing", reason: `${label} is ${of.state} and isn't reviewed: restore it first.` };
    }
    if (task.payload.kind === "observation" && articles(knownSources(view, of)).length === 0) {
      return {
        kind: "nothing",
        reason: `${label} has no source yet that an observation review could read: a full review finds some.`,
      };
    }
    return { kind: "none" };
  },
  prepare(view, task) {
    const of = target(view, task);
    const kind = task.payload.kind ?? "full";
    const known = knownSources(view, of);
    return {
      kind,
      hypothesisId: of.record.id,
      hypothesisVersion: of.record.version,
      session: sessionContext(view, "reflection"),
      variables: variablesFor(kind, view, of, known),
      known: seenBefore(known),
      criteria: kind === "full" ? view.settings.scope.criteria : [],
      maxTurns: view.settings.toolLoop.reflectionMaxTurns,
      unscreened: view.settings.safety.enabled && isUnscreened(view, of) ? hypothesisText(of.record) : null,
    };
  },
  async run(input, context) {
    const { kind, hypothesisId, hypothesisVersion, criteria, unscreened } = input;
    const screen = unscreened === null ? null : await context.screen(hypothesisId, unscreened);
    if (screen?.result === "blocked") return { kind: "hypothesis_blocked", hypothesisId, screen };
    const { value: review, seen } = await context.record({
      route: `reflection.${kind}`,
      prompt: `reflection.${kind}`,
      variables: input.variables,
      session: input.session,
      record: recordReviewBy(criteria),
      tools: TOOLS[kind],
      maxTurns: input.maxTurns,
    });
    const { kept, dropped } = groundEvidence(review.evidence, [...seen, ...input.known]);
    return {
      kind: "review_completed",
      hypothesisId,
      hypothesisVersion,
      reviewKind: kind,
      review: { ...review, criteria: scoresByName(criteria, review.criteria) },
      evidence: kept,
      droppedEvidence: dropped.length,
      screen,
    };
  },
};

/**
 * Whether nobody screened the text that is reviewed: a person's, or what a person edited. A model's proposal was screened by the task that made it.
 */
function isUnscreened(view: View, { record }: Standing): boolean {
  const made = madeVersion(view.versionsOf(record.id));
  const persons = record.author !== "model" || (made !== undefined && made.version !== record.version);
  return persons &&
    !view.screens.some(({ target, seq, result }) =>
      target === record.id && seq >= record.seq && result !== "failed"
    );
}

/** Scores by the names of the criteria instead of the record tool's keys; `undefined` without criteria. */
function scoresByName(
  criteria: readonly Criterion[],
  given: Readonly<Record<string, number>> | undefined,
): Readonly<Record<string, number>> | undefined {
  if (criteria.length === 0 || given === undefined) return undefined;
  const keys = criterionKeys(criteria);
  return Object.fromEntries(criteria.flatMap(({ name }, i) => {
    const score = given[keys[i] ?? ""];
    return score === undefined ? [] : [[name, score]];
  }));
}

function target(view: View, task: TaskRecord): Standing {
  if (task.targetId === null) {
    throw new CosciError(
      "internal",
      `Review task ${task.label} names no hypothesis: enqueue it with a target.`,
    );
  }
  return standingOf(view, task.targetId);
}

function variablesFor(
  kind: ReviewKind,
  view: View,
  of: Standing,
  known: readonly KnownSource[],
): Record<string, string> {
  const hypothesis = hypothesisBlock(of);
  switch (kind) {
    case "full":
      return { hypothesis, evidence: sourceBlocks(known, SOURCES_SHOWN), criteria: criteriaBlock(view) };
    case "verification":
      return {
        hypothesis,
        evidence: sourceBlocks(known, SOURCES_SHOWN),
        reviews: reviewBlocks(view, of, { scores: true, chars: REVIEW_CHARS }),
      };
    case "observation":
      return { hypothesis, articles: sourceBlocks(articles(known), SOURCES_SHOWN) };
  }
}

function articles(known: readonly KnownSource[]): KnownSource[] {
  return known.filter((source) => source.kind === "literature");
}
