import type { SessionContext } from "../lib/domain/agent.ts";
import type { AgentName, FeedbackRecord, PlanRecord } from "../lib/domain/records.ts";
import { clip, fence } from "../lib/domain/text.ts";
import type { View } from "../lib/store/view.ts";

/** Characters of a synthesis that prompts carry. */
const FEEDBACK_CHARS = 8000;

/**
 * Who reads the system feedback: those who write hypotheses. Reviewers and judges don't, because their own criticism
 * would come back to them as a standard.
 */
const READS_FEEDBACK: ReadonlySet<AgentName> = new Set<AgentName>(["generation", "evolution"]);

/**
 * The second system block for an agent: goal, plan, feedback and directives, each fenced here, once. The scientist's own
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
    feedback: feedback === undefined ? "" : feedbackBlock(feedback),
    directives: view.directivesFor(agent).map((directive) => ({
      id: directive.id,
      text: fence("DIRECTIVE", directive.text, { label: directive.label, kind: directive.kind }),
    })),
  };
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
