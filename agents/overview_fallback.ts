import { OVERVIEW_PARTS } from "./overview_check.ts";
import type { OverviewHypothesis, OverviewInput, TestedHypothesis } from "./overview_input.ts";

/** Open questions of one hypothesis that are listed at most. */
const QUESTIONS_SHOWN = 3;

/**
 * The four parts of an overview put together from the records, for when no model can write it. It says so, and why; it
 * claims nothing that isn't recorded.
 */
export function fallbackOverview(input: OverviewInput, reason: string): string {
  const { hypotheses } = input;
  const [summary, directions, convergence, caveats] = OVERVIEW_PARTS;
  return [
    "# Research overview",
    `> **Not written by a model.** This overview was put together from the session's records, because ${reason}`,
    `## ${summary}`,
    [executiveSummary(input), ...testedList(input.tested)].join("\n\n"),
    `## ${directions}`,
    hypotheses.length === 0 ? "There is no hypothesis to follow up." : hypotheses.map(direction).join("\n\n"),
    `## ${convergence}`,
    convergenceList(hypotheses),
    `## ${caveats}`,
    caveatList(input),
  ].join("\n\n");
}

function executiveSummary(input: OverviewInput): string {
  const { counts, hypotheses: [leader], objective } = input;
  const inAll =
    `The question was: ${plain(objective)}\n\n${number(counts.proposed, "hypothesis", "hypotheses")} ` +
    `came of it; ${counts.inTournament} entered the tournament, which has judged ${
      number(counts.matches, "match", "matches")
    }.`;
  if (leader === undefined) return inAll;
  const place = counts.matches > 0 ? "In the lead is" : "The first of them is";
  return `${inAll} ${place} [${leader.label}] ${plain(leader.title)} (${leader.standing}).`;
}

/** What was tested and what came out, each result with who reports it; nothing where nothing was. */
function testedList(tested: readonly TestedHypothesis[]): string[] {
  const line = ({ label, title, outside, results }: TestedHypothesis) =>
    `- [${label}] ${plain(title)}${outside === null ? "" : ` (${outside})`}: ${
      results.map(({ outcome, kind, claim, by }) => `${outcome} by ${kind} (${plain(by)}): ${plain(claim)}`)
        .join("; ")
    }`;
  const headings = [["confirmed", "Confirmed by a test"], ["refuted", "Refuted by a test"], [
    null,
    "Tested without a decision",
  ]] as const;
  return headings.flatMap(([result, heading]) => {
    const lines = tested.filter((each) => each.result === result).map(line);
    return lines.length === 0 ? [] : [`**${heading}:**\n\n${lines.join("\n")}`];
  });
}

function direction(h: OverviewHypothesis): string {
  const questions = h.openQuestions.slice(0, QUESTIONS_SHOWN);
  return [
    `### ${plain(h.title)}`,
    "",
    `- **Claim:** ${plain(h.statement)}`,
    `- **Supporting hypotheses:** ${
      [h.label, ...h.folded].map((label) => `[${label}]`).join(", ")
    } (${h.standing})`,
    `- **Open questions:** ${
      questions.length === 0 ? "none was recorded by a review" : questions.map(plain).join("; ")
    }`,
    `- **First experiment:** one that can tell whether this is seen: ${plain(h.anticipatedOutcomes)}`,
    ...(h.sources.length === 0 ? [] : [`- **Sources:** [${h.sources.join(", ")}]`]),
  ].join("\n");
}

function convergenceList(hypotheses: readonly OverviewHypothesis[]): string {
  const lines = hypotheses.flatMap((h) => [
    ...(h.folded.length === 0
      ? []
      : [`- [${h.label}] stands for near-duplicates, too: ${
        h.folded.map((label) => `[${label}]`).join(", ")
      }.`]),
    ...(h.parents.length === 0
      ? []
      : [`- [${h.label}] was made from ${h.parents.map((label) => `[${label}]`).join(", ")}.`]),
  ]);
  const alone = hypotheses.filter((h) => h.folded.length === 0 && h.parents.length === 0);
  return [
    ...lines,
    ...(alone.length === 0
      ? []
      : [`- Independent of the others in origin: ${alone.map((h) => `[${h.label}]`).join(", ")}.`]),
    "- What the hypotheses share in substance was not assessed: that takes a model or a reader.",
  ].join("\n");
}

function caveatList(input: OverviewInput): string {
  const { counts, hypotheses } = input;
  return [
    "- Nothing here was weighed or interpreted: texts are quoted from the records as they are.",
    `- ${counts.unreviewed} of ${number(counts.proposed, "hypothesis", "hypotheses")} had no review.`,
    ...(counts.disproved === 0 ? [] : [`- Disproved, and therefore not shown: ${counts.disproved}.`]),
    ...(counts.unfit === 0
      ? []
      : [`- Found to fail a hard constraint, and therefore not shown: ${counts.unfit}.`]),
    `- ${hypotheses.length} of ${counts.proposed} are shown.`,
    "- Ratings order hypotheses by the judge's opinion; they are no evidence that one is true.",
  ].join("\n");
}

function number(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** Text of a record in a Markdown line: it can open no link, tag, code or heading. */
function plain(text: string): string {
  return text.replaceAll(/[[\]<>`\\]/g, "\\$&");
}
