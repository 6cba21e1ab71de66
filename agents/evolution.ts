import { type Agent, RESEARCH_TOOLS, type SeenSource, type SessionContext } from "../lib/domain/agent.ts";
import type { EvolutionStrategy } from "../lib/domain/records.ts";
import { fence } from "../lib/domain/text.ts";
import type { Standing, View } from "../lib/store/view.ts";
import { differFrom } from "./differ_from.ts";
import { hypothesisBlock } from "./hypothesis_block.ts";
import { knownSources, resultBlocks, seenBefore, sourceBlocks } from "./known_sources.ts";
import { chooseParents, strategyOf } from "./parents.ts";
import { type ProposalRules, proposalRules, propose } from "./proposal.ts";
import { withRefusals } from "./refusals.ts";
import { reviewBlocks } from "./review_block.ts";
import { sessionContext } from "./session_context.ts";
import { standingOf, wrongDecision } from "./standing.ts";

/** What an evolution works on. */
export interface EvolutionInput {
  /** How. */
  readonly strategy: EvolutionStrategy;
  /** Ids of the hypotheses it works from. */
  readonly parents: readonly string[];
  /** The second system block. */
  readonly session: SessionContext;
  /** The prompt's variables: the parents and what is said about them, fenced. */
  readonly variables: Readonly<Record<string, string>>;
  /** Model turns with tools at most. */
  readonly maxTurns: number;
  /** Literature that the parents lean on: a child may cite it again without a tool's finding it again. */
  readonly known: readonly SeenSource[];
  /** Duplicates and screen. */
  readonly rules: ProposalRules;
}

/** Characters of a review of a parent. */
const REVIEW_CHARS = 3000;
/** Sources of a parent that a prompt shows at most. */
const SOURCES_SHOWN = 12;

/** Makes a new hypothesis from leading ones, by one of four strategies. The parents stay as they are. */
export const evolution: Agent<View, EvolutionInput> = {
  name: "evolution",
  actions: ["evolve"],
  decide: chooseParents,
  prepare(view, task, decision) {
    if (decision.kind !== "evolve") throw wrongDecision(task, decision);
    const strategy = strategyOf(task);
    const parents = decision.parents.map((id) => standingOf(view, id));
    return {
      strategy,
      parents: decision.parents,
      session: withRefusals(sessionContext(view, "evolution"), view, "evolution"),
      variables: variablesFor(strategy, view, parents, task.payload.remakes),
      maxTurns: view.settings.toolLoop.evolutionMaxTurns,
      known: parents.flatMap((parent) => seenBefore(knownSources(view, parent))),
      rules: proposalRules(view),
    };
  },
  async run(input, context) {
    const { strategy, parents } = input;
    return await propose(
      context,
      {
        route: `evolution.${strategy}`,
        prompt: `evolution.${strategy}`,
        variables: input.variables,
        session: input.session,
        tools: RESEARCH_TOOLS,
        maxTurns: input.maxTurns,
      },
      { strategy, parents },
      input.rules,
      input.known,
    );
  },
};

function variablesFor(
  strategy: EvolutionStrategy,
  view: View,
  parents: readonly Standing[],
  remakes: string | undefined,
): Record<string, string> {
  const join = (block: (parent: Standing) => string) =>
    parents.map(block).filter((text) => text !== "").join("\n\n");
  const hypotheses = join((parent) => hypothesisBlock(parent));
  const reviews = join((parent) => reviewBlocks(view, parent, { scores: true, chars: REVIEW_CHARS }));
  const results = join((parent) => resultBlocks(parent, knownSources(view, parent)));
  const evidence = join((parent) =>
    sourceBlocks(knownSources(view, parent).filter(({ result }) => result === null), SOURCES_SHOWN)
  );
  switch (strategy) {
    case "combine":
      return { hypotheses, results, reviews, evidence };
    case "simplify":
    case "feasibility":
      return { hypothesis: hypotheses, results, reviews, evidence };
    case "out_of_box": {
      const titles = differFrom(view, view.settings.generation.differFrom, remakes);
      return { hypotheses, results, reviews, differ_from: fence("DIFFER_FROM", titles.join("\n")) };
    }
  }
}
