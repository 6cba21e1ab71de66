import type { Context, Outcome } from "../lib/domain/agent.ts";
import { CosciError } from "../lib/domain/errors.ts";
import { SIMULATED_MARK } from "../lib/domain/simulated_mark.ts";
import { fence } from "../lib/domain/text.ts";
import { Deferred } from "../lib/llm/afford.ts";
import { sourceText } from "./known_sources.ts";
import { checkOverview, referencesSection } from "./overview_check.ts";
import { fallbackOverview } from "./overview_fallback.ts";
import type { OverviewInput } from "./overview_input.ts";

interface Draft {
  readonly source: "model" | "fallback";
  readonly markdown: string;
  readonly notes: readonly string[];
  readonly model: string | null;
}

/**
 * Writes the research overview: a model's text, checked against the records, or the fallback where none can be had. The
 * marks, the list of references and the notes are added here, not by the model.
 */
export async function writeOverview(input: OverviewInput, context: Context): Promise<Outcome> {
  const draft = input.hypotheses.length === 0
    ? fallback(input, "there is no hypothesis in play to write about.")
    : await draftByModel(input, context);
  const markdown = [
    ...(input.simulated ? [SIMULATED_MARK] : []),
    draft.markdown,
    referencesSection(draft.markdown, input.sources),
    // The fallback says by itself what it is, and why.
    ...(draft.source === "fallback" || draft.notes.length === 0
      ? []
      : [`## Notes on this overview\n\n${draft.notes.map((note) => `- ${note}`).join("\n")}`]),
  ].join("\n\n") + "\n";
  const screen = input.screen ? await context.screen("overview", markdown) : null;
  return { kind: "overview_written", ...draft, markdown, screen };
}

/**
 * The model's text. Where the money left is too little for the whole prompt, even with every concession, it is about
 * ever fewer of the best hypotheses: better than none.
 */
async function draftByModel(input: OverviewInput, context: Context, all = input): Promise<Draft> {
  try {
    const prose = await context.ask({
      route: "metareview.final",
      prompt: "metareview.final",
      variables: {
        hypotheses: input.hypotheses.map((h) => h.block).join("\n\n"),
        rationales: input.rationales,
        feedback: input.feedback,
        tested: input.tested.map(({ block }) => block).join("\n\n"),
        sources: input.sources
          .map((source) => fence("SOURCE", sourceText(source), { n: source.n, url: source.url }))
          .join("\n\n"),
        proposed: input.counts.proposed,
        in_tournament: input.counts.inTournament,
        matches: input.counts.matches,
        shown: input.hypotheses.length,
        unfit: input.counts.unfit,
      },
      session: input.session,
    });
    const checked = checkOverview(prose.text, all);
    if (checked.markdown === "") return fallback(all, "the model's answer was empty.");
    return {
      source: "model",
      markdown: /^#\s/.test(checked.markdown)
        ? checked.markdown
        : `# Research overview\n\n${checked.markdown}`,
      notes: [...checked.notes, ...prose.concessions, ...(input === all ? [] : [narrowing(input, all)])],
      model: prose.model,
    };
  } catch (error) {
    const shorter = isUnaffordable(error) ? narrowed(input) : null;
    if (shorter !== null) return await draftByModel(shorter, context, all);
    if (!givesWay(error, context.signal)) throw error;
    return fallback(all, `the model could not be asked: ${error.message}`);
  }
}

/** Money that is gone for good; what others have only reserved is waited for. */
function isUnaffordable(error: unknown): boolean {
  return error instanceof CosciError && error.code === "budget" && !(error instanceof Deferred);
}

/** The input without the rationales and the feedback, then with half as many hypotheses, down to the best one. */
function narrowed(input: OverviewInput): OverviewInput | null {
  if (input.rationales !== "" || input.feedback !== "") return { ...input, rationales: "", feedback: "" };
  if (input.hypotheses.length < 2) return null;
  const hypotheses = input.hypotheses.slice(0, Math.floor(input.hypotheses.length / 2));
  const numbers = new Set(hypotheses.flatMap((hypothesis) => hypothesis.sources));
  return { ...input, hypotheses, sources: input.sources.filter((source) => numbers.has(source.n)) };
}

function narrowing(input: OverviewInput, all: OverviewInput): string {
  return `The model was shown ${input.hypotheses.length} of ${all.hypotheses.length} hypotheses, without the matches' ` +
    "rationales, because the budget left allowed no longer prompt.";
}

function fallback(input: OverviewInput, reason: string): Draft {
  return {
    source: "fallback",
    markdown: fallbackOverview(input, reason),
    notes: [`This is the fallback from the records, because ${reason}`],
    model: null,
  };
}

/**
 * Whether a failure gives way to the fallback. What asks to be tried later, what was stopped, and a replay that missed
 * its tape do not: there an overview that pretends to be the session's answer would hide the fault.
 */
function givesWay(error: unknown, signal: AbortSignal): error is CosciError {
  return error instanceof CosciError && !(error instanceof Deferred) && !signal.aborted &&
    error.code !== "aborted" && error.code !== "tape";
}
