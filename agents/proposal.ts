import type { Context, Outcome, RecordCall, SeenSource } from "../lib/domain/agent.ts";
import { type HypothesisDraft, recordHypothesis } from "../lib/domain/drafts.ts";
import { CosciError } from "../lib/domain/errors.ts";
import { recordId } from "../lib/domain/ids.ts";
import { knownByWords, knownSentences } from "../lib/domain/known_ideas.ts";
import type { HypothesisText, Strategy } from "../lib/domain/records.ts";
import { embeddingText, fence, hypothesisText } from "../lib/domain/text.ts";
import { groundCitations } from "../lib/llm/grounding.ts";
import type { View } from "../lib/store/view.ts";
import { cosine } from "../lib/vectors/cosine.ts";

/** What decides whether a proposal passes, and whether it is screened. */
export interface ProposalRules {
  /** Cosine from which a draft repeats the hypothesis nearest to it. */
  readonly duplicateCosine: number;
  /** Ideas that are known: a draft that is one of them repeats it. */
  readonly known: readonly string[];
  /** Whether the safety screen looks at it. */
  readonly screen: boolean;
}

/** The rules of a session as it stands. */
export function proposalRules(view: View): ProposalRules {
  return {
    duplicateCosine: view.settings.vectors.dedupCosineThreshold,
    known: view.settings.scope.known,
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
 * Has a hypothesis recorded and makes it ready for the engine: a draft that repeats a hypothesis, or a known idea, is
 * given back with the title of that one, citations are checked against what the tools returned and what was `known` before, and the screen looks at the text. A draft
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
  /** The known sentence nearest to a draft: to its claim alone, or to all that is compared of it. */
  const nearestKnown = async (
    draft: HypothesisDraft,
  ): Promise<{ readonly idea: string; readonly cosine: number } | null> => {
    const ideas = knownSentences(rules.known);
    if (ideas.length === 0) return null;
    const [claim] = await context.embed([draft.statement]);
    const own = [await vectorOf(draft), ...(claim === undefined ? [] : [claim])];
    let nearest: { readonly idea: string; readonly cosine: number } | null = null;
    for (const [i, vector] of (await context.embedKnown(ideas)).entries()) {
      const near = Math.max(...own.map((each) => cosine(each, vector)));
      if (nearest === null || near > nearest.cosine) nearest = { idea: ideas[i] ?? "", cosine: near };
    }
    return nearest;
  };
  const { value: draft, seen, model } = await context.record({
    ...call,
    record: recordHypothesis,
    reconsider: async (value) => {
      const words = knownByWords(rules.known, value);
      if (words !== null) return isKnown(words);
      const said = await nearestKnown(value);
      if (said !== null && said.cosine >= rules.duplicateCosine) return isKnown(said.idea);
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
      nearestKnown: await nearestKnown(draft),
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

function isKnown(idea: string): string {
  return [
    "This is an idea that the researcher knows or has tested already:",
    fence("KNOWN", idea),
    "Record another hypothesis. It may build on what is known, but then its title and its claim have to say what it adds.",
  ].join("\n");
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
