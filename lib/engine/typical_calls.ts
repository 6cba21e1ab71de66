import type { Route } from "../domain/agent.ts";
import type { TaskAction } from "../domain/records.ts";

/** A route that is a task of its own: all but the safety screen, which goes along with others. */
export type TaskRoute = Exclude<Route, "classifier">;

/** What a task of a route takes, all its calls together. */
export interface TypicalTask {
  /** Model calls. */
  readonly calls: number;
  /** Tokens read, cached ones included. */
  readonly inputTokens: number;
  /** The part of them that comes from the server's cache. */
  readonly cached: number;
  /** Tokens written, thinking included. */
  readonly outputTokens: number;
}

/**
 * What tasks typically take, as long as a session has no history of its own: conversations with tools reread what came
 * before, so that they read several times what is new in them.
 */
export const TYPICAL_TASKS: Readonly<Record<TaskRoute, TypicalTask>> = {
  "parse_goal": { calls: 1, inputTokens: 1_200, cached: 0, outputTokens: 400 },
  "generation.literature": { calls: 5, inputTokens: 54_000, cached: 0.55, outputTokens: 4_500 },
  "generation.debate": { calls: 8, inputTokens: 60_000, cached: 0.5, outputTokens: 7_000 },
  "reflection.full": { calls: 4, inputTokens: 32_000, cached: 0.5, outputTokens: 2_500 },
  "reflection.verification": { calls: 3, inputTokens: 24_000, cached: 0.4, outputTokens: 5_000 },
  "reflection.observation": { calls: 1, inputTokens: 6_000, cached: 0, outputTokens: 3_000 },
  "ranking.pairwise": { calls: 1, inputTokens: 4_500, cached: 0.3, outputTokens: 1_200 },
  "ranking.debate": { calls: 3, inputTokens: 14_000, cached: 0.3, outputTokens: 3_600 },
  "evolution.combine": { calls: 3, inputTokens: 24_000, cached: 0.4, outputTokens: 4_000 },
  "evolution.simplify": { calls: 3, inputTokens: 18_000, cached: 0.4, outputTokens: 2_000 },
  "evolution.out_of_box": { calls: 3, inputTokens: 28_000, cached: 0.4, outputTokens: 4_500 },
  "evolution.feasibility": { calls: 3, inputTokens: 18_000, cached: 0.4, outputTokens: 2_000 },
  "metareview.system": { calls: 1, inputTokens: 20_000, cached: 0, outputTokens: 3_000 },
  "metareview.final": { calls: 1, inputTokens: 24_000, cached: 0, outputTokens: 7_000 },
};

/** What a screen of a text takes. */
export const TYPICAL_SCREEN: TypicalTask = { calls: 1, inputTokens: 1_300, cached: 0, outputTokens: 100 };

/** Routes whose text the safety screen looks at. */
export const SCREENED: ReadonlySet<TaskRoute> = new Set([
  "parse_goal",
  "generation.literature",
  "generation.debate",
  "evolution.combine",
  "evolution.simplify",
  "evolution.out_of_box",
  "evolution.feasibility",
  "metareview.final",
]);

/** The routes that are tasks. */
export const TASK_ROUTES = Object.keys(TYPICAL_TASKS) as TaskRoute[];

/** Which work a route is. */
export function actionOf(route: TaskRoute): TaskAction {
  switch (route) {
    case "parse_goal":
      return "parse_goal";
    case "generation.literature":
    case "generation.debate":
      return "generate";
    case "reflection.full":
    case "reflection.verification":
    case "reflection.observation":
      return "review";
    case "ranking.pairwise":
    case "ranking.debate":
      return "match";
    case "evolution.combine":
    case "evolution.simplify":
    case "evolution.out_of_box":
    case "evolution.feasibility":
      return "evolve";
    case "metareview.system":
      return "system_feedback";
    case "metareview.final":
      return "overview";
  }
}
