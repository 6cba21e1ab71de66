import { type Agent, RESEARCH_TOOLS, type SessionContext } from "../lib/domain/agent.ts";
import { rng } from "../lib/domain/rng.ts";
import { fence } from "../lib/domain/text.ts";
import type { View } from "../lib/store/view.ts";
import { angleOf, ANGLES } from "./angles.ts";
import { holdDebate, transcriptOf } from "./debate.ts";
import { differFrom } from "./differ_from.ts";
import { type ProposalRules, proposalRules, propose } from "./proposal.ts";
import { sessionContext } from "./session_context.ts";

/** What a generation works on. */
export interface GenerationInput {
  /** Alone with the literature, or in a debate of several voices. */
  readonly mode: "literature" | "debate";
  /** The second system block. */
  readonly session: SessionContext;
  /** From where to look at the question. */
  readonly angle: string;
  /** Titles to differ from, fenced; may be empty. */
  readonly differFrom: string;
  /** Model turns with tools at most. */
  readonly maxTurns: number;
  /** Turns of the debate. */
  readonly debateTurns: number;
  /** Duplicates and screen. */
  readonly rules: ProposalRules;
}

interface Persona {
  readonly speaker: string;
  readonly role: string;
}

const PROPOSER: Persona = {
  speaker: "proposer",
  role:
    "You put forward a concrete, original hypothesis. When it has been criticised, you defend what stands, " +
    "give up what doesn't, and put forward the improved version in full.",
};
const SCEPTIC: Persona = {
  speaker: "sceptic",
  role:
    "You look for what would make the hypothesis wrong: rival explanations that fit the same facts, evidence " +
    "against it, steps that don't follow, and whether it is known already.",
};
const METHODOLOGIST: Persona = {
  speaker: "methodologist",
  role:
    "You ask how one would find out: what would be measured or compared, with which design and which means, " +
    "which result would refute the hypothesis, and what would have to be more precise for that.",
};
const SYNTHESISER: Persona = {
  speaker: "synthesiser",
  role:
    "You bring the debate to an end: you state the one hypothesis that has survived it best, with what the " +
    "others have added or corrected, and what remains open.",
};

/** Who speaks: the proposer first, the synthesiser last, and in between criticism that the proposer answers. */
function personas(turns: number): Persona[] {
  const between = [SCEPTIC, METHODOLOGIST, PROPOSER];
  return Array.from(
    { length: turns },
    (_, i) =>
      i === 0 ? PROPOSER : i === turns - 1 ? SYNTHESISER : between[(i - 1) % between.length] ?? SCEPTIC,
  );
}

/** Proposes new hypotheses, from the literature or from a debate. */
export const generation: Agent<View, GenerationInput> = {
  name: "generation",
  actions: ["generate"],
  decide: () => ({ kind: "none" }),
  prepare(view, task) {
    const { settings, session } = view;
    const number = task.payload.angle ?? rng(session.seed, task.key, "angle").int(ANGLES.length);
    const titles = differFrom(view, settings.generation.differFrom);
    return {
      mode: task.payload.mode ?? "literature",
      session: sessionContext(view, "generation"),
      angle: angleOf(session.seed, number),
      differFrom: titles.length === 0 ? "" : fence("DIFFER_FROM", titles.join("\n")),
      maxTurns: settings.toolLoop.generationMaxTurns,
      debateTurns: settings.generation.debateTurns,
      rules: proposalRules(view),
    };
  },
  async run(input, context) {
    const { angle, session } = input;
    const question = { angle, differ_from: input.differFrom };
    const variables = input.mode === "literature" ? question : {
      ...question,
      transcript: transcriptOf(
        await holdDebate(personas(input.debateTurns), ({ speaker, role }, transcript, turn) =>
          context.ask({
            route: "generation.debate",
            prompt: "generation.debate.turn",
            variables: { ...question, speaker, role, transcript, turn, turns: input.debateTurns },
            session,
          })),
      ),
    };
    return await propose(
      context,
      {
        route: `generation.${input.mode}`,
        prompt: `generation.${input.mode}`,
        variables,
        session,
        tools: RESEARCH_TOOLS,
        maxTurns: input.maxTurns,
      },
      { strategy: input.mode, parents: [] },
      input.rules,
    );
  },
};
