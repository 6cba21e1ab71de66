import type { Agent, Context, Decision } from "../domain/agent.ts";
import { CosciError, inputError } from "../domain/errors.ts";
import { taskId } from "../domain/ids.ts";
import type { EvolutionStrategy, MatchMode, ReviewKind, TaskAction, TaskPayload } from "../domain/records.ts";
import type { TaskRecord } from "../domain/records.ts";
import { goalText, hypothesisText } from "../domain/text.ts";
import { agentFor } from "../engine/new_task.ts";
import { firstFreeNumber } from "../engine/next_steps.ts";
import type { Standing, View } from "../store/view.ts";
import { nextJudge } from "../tournament/panel.ts";
import { hypothesisOf } from "./labels.ts";

/** The work that a prompt is rehearsed in. */
export interface PreviewWork {
  /** A task as the engine would enqueue it. */
  readonly task: TaskRecord;
  /** What it does, up to the call. */
  run(context: Context): Promise<unknown>;
  /** Whether a screen is the call that is wanted. */
  readonly screens: boolean;
}

/** What a prompt is asked about, and in which work. */
interface Plan {
  /** How many hypotheses must be named. */
  readonly least: number;
  /** And how many may be. */
  readonly most: number;
  /** The work. */
  readonly action: TaskAction;
  /** What its task is given. */
  task?(view: View, on: readonly Standing[]): { readonly targetId?: string; readonly payload?: TaskPayload };
  /** What is decided, where that isn't left to the agent. */
  decision?(view: View, on: readonly Standing[]): Decision;
}

const review = (kind: ReviewKind): Plan => ({
  least: 1,
  most: 1,
  action: "review",
  task: (_, [of]) => ({ ...(of === undefined ? {} : { targetId: of.record.id }), payload: { kind } }),
});

const match = (mode: MatchMode): Plan => ({
  least: 2,
  most: 2,
  action: "match",
  decision: (view, [first, second]) =>
    first === undefined || second === undefined ? { kind: "none" } : {
      kind: "match",
      firstId: first.record.id,
      secondId: second.record.id,
      mode,
      bucket: "asked",
      ...judge(view),
    },
});

const evolution = (strategy: EvolutionStrategy, least: number, most: number): Plan => ({
  least,
  most,
  action: "evolve",
  task: (_, parents) => ({
    payload: {
      strategy,
      ...(parents.length === 0 ? {} : { parents: parents.map(({ record }) => record.id) }),
    },
  }),
});

const generation = (mode: "literature" | "debate"): Plan => ({
  least: 0,
  most: 0,
  action: "generate",
  task: (view) => ({ payload: { mode, angle: firstFreeNumber(view) } }),
});

const PLANS: Readonly<Record<string, Plan>> = {
  "parse_goal": { least: 0, most: 0, action: "parse_goal" },
  "generation.literature": generation("literature"),
  "generation.debate.turn": generation("debate"),
  "reflection.full": review("full"),
  "reflection.verification": review("verification"),
  "reflection.observation": review("observation"),
  "ranking.pairwise": match("pairwise"),
  "ranking.debate.turn": match("debate"),
  "ranking.kwise": {
    least: 3,
    most: 6,
    action: "match",
    decision: (view, group) => ({
      kind: "group",
      ids: group.map(({ record }) => record.id),
      bucket: "asked",
      ...judge(view),
    }),
  },
  // None named: those that the strategy would choose by itself.
  "evolution.combine": evolution("combine", 0, 10),
  "evolution.simplify": evolution("simplify", 0, 1),
  "evolution.out_of_box": evolution("out_of_box", 0, 10),
  "evolution.feasibility": evolution("feasibility", 0, 1),
  "metareview.system": { least: 0, most: 0, action: "system_feedback" },
  "metareview.final": { least: 0, most: 0, action: "overview", task: () => ({ payload: { final: false } }) },
  "safety.screen": { least: 0, most: 1, action: "parse_goal" },
};

/** Prompts of which there is no request to be seen before, and why. */
const NOT_BEFORE: Readonly<Record<string, string>> = {
  "system": "it is the first part of every request: preview any other prompt to see it",
  "session": "it is the second part of every request: preview any other prompt to see it",
  "generation.debate":
    'it is asked after the speeches of a debate, which nobody knows yet: "generation.debate.turn" shows its first call',
  "ranking.debate":
    'it is asked after the speeches of a debate, which nobody knows yet: "ranking.debate.turn" shows its first call',
};

/**
 * The work in which a prompt is asked about these hypotheses.
 *
 * @throws CosciError `input` for labels that don't fit the prompt, `state` where it can't be previewed, or where the work
 * has nothing to do
 */
export function previewWork(
  view: View,
  agents: readonly Agent<View>[],
  name: string,
  labels: readonly unknown[],
): PreviewWork {
  const verb = "prompts.preview";
  const plan = PLANS[name];
  if (plan === undefined) {
    throw new CosciError(
      "state",
      `${verb}: "${name}" can't be previewed: ${NOT_BEFORE[name] ?? "no task asks it"}.`,
    );
  }
  const on = labels.map((label) => hypothesisOf(view, label, verb));
  if (on.length < plan.least || on.length > plan.most || new Set(on).size < on.length) {
    throw inputError(`${verb}: on`, labels, `"${name}" ${takes(plan)}.`);
  }
  const key = `preview/${name}`;
  const { action } = plan;
  const { targetId = null, payload = {} } = plan.task?.(view, on) ?? {};
  const task: TaskRecord = {
    seq: view.seq,
    id: taskId(key),
    label: "T0",
    key,
    agent: agentFor(action),
    action,
    targetId,
    payload,
    priority: 0,
    maxAttempts: 1,
  };
  if (name === "safety.screen") {
    // Whatever was screened already: asked again, it would be this request.
    const [screened] = on, { goal, preferences } = view.session;
    const [target, text] = screened === undefined
      ? ["goal", goalText(goal, preferences.trim())]
      : [screened.record.id, hypothesisText(screened.record)];
    return { task, screens: true, run: (context) => context.screen(target, text) };
  }
  const agent = agents.find((each) => each.name === task.agent && each.actions.includes(action));
  if (agent === undefined) throw new CosciError("internal", `No agent does ${task.agent}/${action}`);
  const decision = plan.decision?.(view, on) ?? agent.decide(view, task, []);
  if (decision.kind === "nothing") throw new CosciError("state", `${verb}: ${decision.reason}`);
  const input = agent.prepare(view, task, decision);
  return { task, screens: false, run: (context) => agent.run(input, context) };
}

function judge(view: View): { readonly judge?: string } {
  const next = nextJudge(view.settings.ranking.panel, view.matches, []);
  return next === undefined ? {} : { judge: next };
}

function takes({ least, most }: Plan): string {
  if (most === 0) return "is about no hypothesis: leave on out";
  const labels = ["H3", "H7", "H9"].slice(0, Math.max(1, least)).map((label) => `"${label}"`).join(", ");
  const number = least === most ? String(least) : `${least} to ${most}`;
  return `is about ${number} different ${most === 1 ? "hypothesis" : "hypotheses"}: on: [${labels}]`;
}
