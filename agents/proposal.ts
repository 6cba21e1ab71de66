import type { Context, Outcome, RecordCall, SeenSource } from "../lib/domain/agent.ts";
import { type HypothesisDraft, recordHypothesis } from "../lib/domain/drafts.ts";
import { CosciError } from "../lib/domain/errors.ts";
import { recordId } from "../lib/domain/ids.ts";
import type { HypothesisText, Strategy } from "../lib/domain/records.ts";
import { embeddingText, fence, hypothesisText } from "../lib/domain/text.ts";
import { groundCitations } from "../lib/llm/grounding.ts";
import type { View } from "../lib/store/view.ts";

/** What decides whether a proposal passes, and whether it is screened. */
export interface ProposalRules {
  /** Cosine from which a draft repeats the hypothesis nearest to it. */
  readonly duplicateCosine: number;
  /** Whether the safety screen looks at it. */
  readonly screen: boolean;
}

/** The rules of a session as it stands. */
export function proposalRules(view: View): ProposalRules {
  return {
    duplicateCosine: view.settings.vectors.dedupCosineThreshold,
    screen: view.settings.safety.enabled,
  };
}

/** Where a proposal comes from. */
export interface Origin {
  /** How it comes about. */
  readonly strategy: Strategy;
  /** Ids of the hypotheses it is made from. */
  readonly parents: readonly string[];
}

/**
 * Has a hypothesis recorded and makes it ready for the engine: a draft that repeats a hypothesis is given back with the
 * title of that one, citations are checked against what the tools returned and what was `known` before, and the screen looks at the text. A draft
 * that stays a duplicate to the end is handed over as it is: the engine records it as one.
 */
export async function propose(
  context: Context,
  call: Omit<RecordCall<HypothesisDraft>, "record" | "reconsider">,
  origin: Origin,
  rules: ProposalRules,
  known: readonly SeenSource[] = [],
): Promise<Outcome> {
  let measured: { readonly text: string; readonly vector: Float32Array } | undefined;
  const vectorOf = async (draft: HypothesisDraft): Promise<Float32Array> => {
    const text = embeddingText(draft);
    if (measured?.text === text) return measured.vector;
    const [vector] = await context.embed([text]);
    if (vector === undefined) {
      throw new CosciError("internal", "The embedder returned no vector for one text: please report this.");
    }
    measured = { text, vector };
    return vector;
  };
  const { value: draft, seen, model } = await context.record({
    ...call,
    record: recordHypothesis,
    reconsider: async (value) => {
      const near = await context.nearest(await vectorOf(value));
      return near === null || near.cosine < rules.duplicateCosine
        ? null
        : repeats(near.title, near.cosine, origin.parents.includes(near.id));
    },
  });
  const { kept, dropped } = groundCitations(draft.citations, [...seen, ...known]);
  return {
    kind: "hypothesis_proposed",
    proposal: {
      draft,
      strategy: origin.strategy,
      parents: origin.parents,
      citations: kept,
      droppedCitations: dropped.length,
      model,
      vector: await vectorOf(draft),
      screen: rules.screen
        ? await context.screen(recordId("hyp", context.task.key), hypothesisText(textOf(draft)))
        : null,
    },
  };
}

/** The text of a draft under the names that records use. */
export function textOf(draft: HypothesisDraft): HypothesisText {
  return {
    title: draft.title,
    statement: draft.statement,
    mechanism: draft.mechanism,
    entities: draft.entities,
    anticipatedOutcomes: draft.anticipated_outcomes,
    noveltyArgument: draft.novelty_argument,
  };
}

function repeats(title: string, cosine: number, parent: boolean): string {
  return [
    `This repeats a hypothesis that is already recorded (cosine ${cosine.toFixed(2)}):`,
    fence("DIFFER_FROM", title),
    parent
      ? "It is one that you were asked to work from. Change the claim or the mechanism in substance, not in wording, and record that."
      : "Other words for the same claim won't do. Record a different hypothesis: another claim, or another mechanism for it.",
  ].join("\n");
}
