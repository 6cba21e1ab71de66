import type { Agent, SessionContext } from "../lib/domain/agent.ts";
import { recordResearchPlan } from "../lib/domain/drafts.ts";
import { fence, goalText } from "../lib/domain/text.ts";
import type { View } from "../lib/store/view.ts";
import { withRefusals } from "./refusals.ts";
import { sessionContext } from "./session_context.ts";

/** What planning works on. */
export interface PlanningInput {
  /** The second system block. */
  readonly session: SessionContext;
  /** The goal as given. */
  readonly goal: string;
  /** The scientist's preferences as given; may be empty. */
  readonly preferences: string;
  /** Whether the goal is screened first. */
  readonly screen: boolean;
}

/**
 * Reads a research plan from the goal. The goal is screened before anything else is spent on it: a blocked one is not
 * parsed.
 */
export const planning: Agent<View, PlanningInput> = {
  name: "planning",
  actions: ["parse_goal"],
  decide: () => ({ kind: "none" }),
  prepare: (view) => ({
    session: withRefusals(sessionContext(view, "planning"), view, "plan"),
    goal: view.session.goal,
    preferences: view.session.preferences.trim(),
    // Read again because its plan was refused, the goal is still the one that was screened.
    screen: view.settings.safety.enabled &&
      !view.screens.some(({ target, result }) => target === "goal" && result !== "failed"),
  }),
  async run(input, context) {
    const { goal, preferences } = input;
    const screen = input.screen ? await context.screen("goal", goalText(goal, preferences)) : null;
    if (screen?.result === "blocked") return { kind: "goal_blocked", screen };
    const { value } = await context.record({
      route: "parse_goal",
      prompt: "parse_goal",
      variables: {
        goal: fence("GOAL", goal),
        preferences: preferences === "" ? "" : fence("PREFERENCES", preferences),
      },
      session: input.session,
      record: recordResearchPlan,
      tools: [],
      maxTurns: 1,
    });
    return { kind: "plan_parsed", plan: value, screen };
  },
};
