import type { SessionContext } from "../lib/domain/agent.ts";
import { criteriaList } from "../lib/domain/criteria.ts";
import type { AgentName, FeedbackRecord, PlanRecord } from "../lib/domain/records.ts";
import { clip, fence, oneLine } from "../lib/domain/text.ts";
import type { View } from "../lib/store/view.ts";

/** Characters of a synthesis that prompts carry. */
const FEEDBACK_CHARS = 8000;

/**
 * Who reads the system feedback: those who write hypotheses. Reviewers and judges don't, because their own criticism
 * would come back to them as a standard.
 */
const READS_FEEDBACK: ReadonlySet<AgentName> = new Set<AgentName>(["generation", "evolution"]);

/** Characters of known ideas that prompts carry. */
const KNOWN_CHARS = 6000;

/**
 * The second system block for an agent: goal, plan, criteria, known ideas, feedback and directives, each fenced here, once. The scientist's own
 * words on preferences go before the plan, so that nothing of them is lost in the parsing.
 */
export function sessionContext(view: View, agent: AgentName): SessionContext {
  const { goal, preferences } = view.session;
  const feedback = READS_FEEDBACK.has(agent) ? view.feedback.at(-1) : undefined;
  return {
    goal: fence("GOAL", goal),
    plan: [
      preferences.trim() === "" ? "" : fence("PREFERENCES", preferences),
      view.plan === null ? "" : fence("PLAN", planText(view.plan)),
    ].filter((part) => part !== "").join("\n\n"),
    known: READS_FEEDBACK.has(agent) ? knownBlock(view.settings.scope.known) : "",
    // A plan reads the goal, whatever is asked of hypotheses later.
    criteria: agent === "planning" ? "" : criteriaBlock(view),
    feedback: feedback === undefined ? "" : feedbackBlock(feedback),
    directives: view.directivesFor(agent).map((directive) => ({
      id: directive.id,
      text: fence("DIRECTIVE", directive.text, { label: directive.label, kind: directive.kind }),
    })),
  };
}

/** The scientist's criteria as prompts show them; empty where there are none. */
export function criteriaBlock(view: View): string {
  const { criteria } = view.settings.scope;
  return criteria.length === 0 ? "" : fence("CRITERIA", criteriaList(criteria));
}

/** Known ideas, one a line, as many as fit; what is left out is checked all the same. Empty where there are none. */
function knownBlock(known: readonly string[]): string {
  const lines: string[] = [];
  let room = KNOWN_CHARS;
  for (const line of known.map((idea) => `- ${oneLine(idea)}`)) {
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const left = known.length - lines.length;
  if (left > 0) lines.push(`(${left} more are not shown; proposals are checked against them all the same.)`);
  return known.length === 0 ? "" : fence("KNOWN", lines.join("\n"));
}

/** A synthesis of the meta-review as prompts show it. */
export function feedbackBlock(feedback: FeedbackRecord): string {
  const text = [
    feedback.narrative,
    list("Recurring weaknesses", feedback.weaknesses),
    list("What is praised", feedback.strengths),
    list("Where to look next", feedback.focusAreas),
  ].filter((part) => part !== "").join("\n\n");
  return fence("FEEDBACK", clip(text, FEEDBACK_CHARS), { label: feedback.label });
}

function planText(plan: PlanRecord): string {
  return [
    `Objective: ${plan.objective}`,
    list("Preferences", plan.preferences),
    list("Constraints", plan.constraints),
    list("A strong hypothesis is", plan.ideaAttributes),
    plan.domainHint === undefined || plan.domainHint === "" ? "" : `Field: ${plan.domainHint}`,
  ].filter((line) => line !== "").join("\n");
}

function list(heading: string, items: readonly string[]): string {
  return items.length === 0 ? "" : [`${heading}:`, ...items.map((item) => `- ${item}`)].join("\n");
}
