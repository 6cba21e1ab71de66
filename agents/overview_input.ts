import type { SessionContext } from "../lib/domain/agent.ts";
import type { EvidenceRecord, MatchRecord, ResultOutcome } from "../lib/domain/records.ts";
import { clip, fence, hypothesisText, oneLine } from "../lib/domain/text.ts";
import { isReviewStale } from "../lib/store/stale_review.ts";
import type { Standing, View } from "../lib/store/view.ts";
import { idsOf } from "../lib/tournament/absorbed.ts";
import { criteriaScores } from "../lib/tournament/criteria_scores.ts";
import { competitors } from "../lib/tournament/competitors.ts";
import { ratingBand, ratingOf } from "../lib/tournament/scale.ts";
import { type KnownSource, knownSources, natureOf, resultBlocks, sourceText } from "./known_sources.ts";
import { onceAGroup, rationaleBlock } from "./rationale_block.ts";
import { withRefusals } from "./refusals.ts";
import { reviewBlocks } from "./review_block.ts";
import { feedbackBlock, sessionContext } from "./session_context.ts";

/** A source with the number under which an overview refers to it. */
export interface NumberedSource {
  /** 1, 2, 3 … */
  readonly n: number;
  /** Its address. */
  readonly url: string;
  /** Its title; empty where it isn't known. */
  readonly title: string;
  /** What it was said to show, claim by claim; empty for a mere citation. */
  readonly claim: string;
  /** In its own words. */
  readonly text: string;
}

/** A hypothesis that an overview is about. */
export interface OverviewHypothesis {
  /** `H7`. */
  readonly label: string;
  /** Its headline. */
  readonly title: string;
  /** Its claim. */
  readonly statement: string;
  /** What one would measure. */
  readonly anticipatedOutcomes: string;
  /** Rating and results in words. */
  readonly standing: string;
  /** Labels of the hypotheses it was made from. */
  readonly parents: readonly string[];
  /** Labels of near-duplicates folded under it. */
  readonly folded: readonly string[];
  /** Numbers of its sources. */
  readonly sources: readonly number[];
  /** Assumptions that a review called uncertain or implausible. */
  readonly openQuestions: readonly string[];
  /** All of it as the prompt shows it: text, results that are no literature, reviews. */
  readonly block: string;
}

/** A hypothesis that was put to the test. */
export interface TestedHypothesis {
  /** `H7`. */
  readonly label: string;
  /** Its headline. */
  readonly title: string;
  /** What its results say together; `null` where they decide nothing. */
  readonly result: "confirmed" | "refuted" | null;
  /** Where it stands, if it is not in the tournament. */
  readonly outside: string | null;
  /** Its results: what came out, how, what it was, and who reports it. */
  readonly results: readonly {
    readonly outcome: ResultOutcome;
    readonly kind: EvidenceRecord["kind"];
    readonly claim: string;
    readonly by: string;
  }[];
  /** All of it as the prompt shows it. */
  readonly block: string;
}

/** What the session came to, in numbers. */
export interface OverviewCounts {
  /** Hypotheses in all. */
  readonly proposed: number;
  /** In the tournament. */
  readonly inTournament: number;
  /** Without any review. */
  readonly unreviewed: number;
  /** Out of the tournament because a review found that they fail a hard constraint. */
  readonly unfit: number;
  /** Disproved by a review or a result. */
  readonly disproved: number;
  /** Matches with a verdict. */
  readonly matches: number;
}

/** What an overview works on. */
export interface OverviewInput {
  /** Tells the overview from the other work of the meta-review. */
  readonly action: "overview";
  /** The second system block. */
  readonly session: SessionContext;
  /** The question, in one line. */
  readonly objective: string;
  /** Whether models and literature are simulated. */
  readonly simulated: boolean;
  /** Whether the text is screened. */
  readonly screen: boolean;
  /** What it is about, best first. */
  readonly hypotheses: readonly OverviewHypothesis[];
  /** Every hypothesis that was put to the test: confirmed ones first, then refuted ones, then those without a decision. */
  readonly tested: readonly TestedHypothesis[];
  /** Every label that may be named: the hypotheses shown, their parents, what is folded, and what was tested. */
  readonly labels: readonly string[];
  /** What it may refer to. */
  readonly sources: readonly NumberedSource[];
  /** Rationales of matches among the hypotheses shown, fenced. */
  readonly rationales: string;
  /** The newest system feedback, fenced; may be empty. */
  readonly feedback: string;
  /** The session in numbers. */
  readonly counts: OverviewCounts;
}

/** Sources at most. */
const MOST_SOURCES = 40;
/** Matches of one hypothesis whose rationale is told at most. */
const RATIONALES_EACH = 2;
/** Characters of each review: its gist. */
const REVIEW_CHARS = 1200;

/**
 * The leaders with their full texts, reviews, results, sources and rationales, as data. Where nothing has entered the
 * tournament, the other hypotheses that are still in play stand in, oldest first.
 */
export function overviewInput(view: View): OverviewInput {
  const shown = subjects(view);
  const known = shown.map((of) => knownSources(view, of));
  const sources = numberSources(shown, known);
  const numbers = new Map(sources.map((source) => [source.url, source.n]));
  const hypotheses = shown.map((of, i) => describe(view, of, known[i] ?? [], numbers));
  const feedback = view.feedback.at(-1);
  const tested = testedHypotheses(view);
  return {
    action: "overview",
    session: withRefusals(sessionContext(view, "metareview"), view, "finish"),
    objective: oneLine(view.plan?.objective ?? view.session.goal),
    simulated: view.session.mode === "simulator",
    screen: view.settings.safety.enabled,
    hypotheses,
    tested,
    labels: [
      ...new Set([
        ...hypotheses.flatMap((h) => [h.label, ...h.parents, ...h.folded]),
        ...tested.map(({ label }) => label),
      ]),
    ],
    sources,
    rationales: rationales(view, shown),
    feedback: feedback === undefined ? "" : feedbackBlock(feedback),
    counts: {
      proposed: view.hypotheses.length,
      inTournament: view.leaderboard.length,
      unreviewed: view.hypotheses.filter((of) => view.reviewsOf(of.record.id).length === 0).length,
      unfit: view.hypotheses.filter((of) => of.state === "unfit").length,
      disproved: view.hypotheses.filter((of) => of.state === "disproved").length,
      matches: view.validMatches,
    },
  };
}

/** The leaders, and whatever a person pinned, however it stands. */
function subjects(view: View): Standing[] {
  const leaders = view.leaderboard.filter((of) => of.foldedUnder === null);
  const waiting = view.hypotheses.filter((of) => of.state === "draft" || of.state === "reviewed");
  const best = (leaders.length > 0 ? leaders : waiting).slice(0, view.settings.metareview.topHypotheses);
  const pinned = [...leaders, ...waiting].filter((of) => of.pinned && !best.includes(of));
  return [...best, ...pinned];
}

function testedHypotheses(view: View): TestedHypothesis[] {
  const order = (result: Standing["result"]) => result === "confirmed" ? 0 : result === "refuted" ? 1 : 2;
  const told = view.evidence.filter(({ outcome }) => outcome !== null);
  if (told.length === 0) return [];
  return view.hypotheses
    .filter(({ state }) => state !== "quarantined" && state !== "merged")
    .flatMap((of): TestedHypothesis[] => {
      const { record: { id, label, title, statement }, result } = of;
      const ids = idsOf(view, id);
      const results = told.flatMap(({ hypothesisId, outcome, kind, claim, origin }) =>
        outcome === null || !ids.has(hypothesisId)
          ? []
          : [{ outcome, kind, claim: oneLine(claim), by: origin }]
      );
      if (results.length === 0) return [];
      const outside = of.state === "in_tournament" ? null : of.state.replaceAll("_", " ");
      return [{
        label,
        title: oneLine(title),
        result,
        outside,
        results,
        block: [
          fence("HYPOTHESIS", `Title: ${oneLine(title)}\nStatement: ${oneLine(statement)}`, {
            label,
            result: result ?? "undecided",
            ...(outside === null ? {} : { state: outside }),
          }),
          resultBlocks(of, knownSources(view, of)),
        ].join("\n"),
      }];
    })
    .sort((a, b) => order(a.result) - order(b.result));
}

/** Sources of literature, each address once, taken in turn from the hypotheses so that each has some among the 40. */
function numberSources(
  shown: readonly Standing[],
  known: readonly (readonly KnownSource[])[],
): NumberedSource[] {
  const literature = known.map((sources) => sources.filter((source) => source.kind === "literature"));
  const titles = new Map(shown.flatMap((of) => of.record.citations).map(({ url, title }) => [url, title]));
  const all = Map.groupBy(literature.flat(), (source) => source.url);
  const chosen = new Set<string>();
  const longest = Math.max(0, ...literature.map((sources) => sources.length));
  for (let i = 0; i < longest; i++) {
    for (const sources of literature) {
      const source = sources[i];
      if (source !== undefined && chosen.size < MOST_SOURCES) chosen.add(source.url);
    }
  }
  const joined = (texts: readonly string[]) => [...new Set(texts)].filter((text) => text !== "").join(" · ");
  return [...chosen].map((url, i) => {
    const told = all.get(url) ?? [];
    return {
      n: i + 1,
      url,
      title: titles.get(url) ?? "",
      claim: joined(told.map((source) => source.claim)),
      text: joined(told.map((source) => source.text)),
    };
  });
}

function describe(
  view: View,
  of: Standing,
  known: readonly KnownSource[],
  numbers: ReadonlyMap<string, number>,
): OverviewHypothesis {
  const { record } = of;
  const labelOf = (id: string) => view.hypothesis(id)?.record.label;
  const parents = record.parents.map(labelOf).filter((label) => label !== undefined);
  const folded = view.hypotheses
    .filter((other) => other.foldedUnder === record.id)
    .map((other) => other.record.label);
  const numbersOf = (list: readonly KnownSource[]) =>
    [...new Set(list.map((source) => numbers.get(source.url)))].filter((n) => n !== undefined);
  const sources = numbersOf(known);
  const against = numbersOf(known.filter((source) => source.stance === "contradicts"));
  const standing = standingLine(view, of);
  const block = [
    fence("HYPOTHESIS", hypothesisText(record), {
      label: record.label,
      standing,
      ...(of.result === null ? {} : { result: of.result }),
      ...(parents.length === 0 ? {} : { parents: parents.join(" ") }),
      ...(folded.length === 0 ? {} : { duplicates: folded.join(" ") }),
      ...(sources.length === 0 ? {} : { sources: sources.join(" ") }),
      ...(against.length === 0 ? {} : { against: against.join(" ") }),
    }),
    ...known
      // Results stand with what was tested.
      .filter((source) => source.kind !== "literature" && source.result === null)
      .map((source) => fence("SOURCE", sourceText(source), { of: record.label, ...natureOf(source) })),
    reviewBlocks(view, of, { scores: true, chars: REVIEW_CHARS }),
  ].filter((part) => part !== "").join("\n");
  return {
    label: record.label,
    title: oneLine(record.title),
    statement: oneLine(record.statement),
    anticipatedOutcomes: oneLine(record.anticipatedOutcomes),
    standing,
    parents,
    folded,
    sources,
    openQuestions: view.reviewsOf(record.id)
      .filter((review) => !isReviewStale(view, review))
      .flatMap((review) => review.assumptions)
      .filter((assumption) => assumption.plausibility !== "plausible")
      .map((assumption) => oneLine(assumption.assumption)),
    block,
  };
}

/** How it did: its rating and how sure that is, as far as it has one, and its record. */
function standingLine(view: View, of: Standing): string {
  const { topK } = view.settings.ranking;
  const competing = competitors(view);
  const chance = competing.length > topK
    ? view.ratings.top(competing, topK).chances.get(of.record.id)
    : undefined;
  const known = of.matches === 0 ? undefined : view.ratings.strength(of.record.id);
  return [
    known === undefined
      ? null
      : `rating ${Math.round(ratingOf(known.mean))} (90 %: ${
        ratingBand(known).map((end) => Math.round(end)).join("–")
      })`,
    chance === undefined ? null : `among the best ${topK} with ${Math.round(100 * chance)} %`,
    `Elo ${Math.round(of.elo)}`,
    `${of.won} won, ${of.lost} lost, ${of.tied} tied`,
    criteriaPart(view, of),
  ].filter((part) => part !== null).join("; ");
}

/** How it does by the scientist's criteria; `null` where there are none, or it wasn't judged by them. */
function criteriaPart(view: View, of: Standing): string | null {
  const judged = criteriaScores(view, of.record.id);
  if (judged === null || judged.total === null) return null;
  const each = Object.entries(judged.scores).map(([name, score]) =>
    `${name} ${score?.toFixed(2) ?? "not judged"}`
  );
  const unmet = judged.unmet.length === 0 ? "" : `; fails ${judged.unmet.join(" and ")}`;
  return `criteria ${judged.total.toFixed(2)} (${each.join(", ")}${unmet})`;
}

/** The newest rationales of each hypothesis shown, those of matches between two of them first, each once. */
function rationales(view: View, shown: readonly Standing[]): string {
  const { rationaleChars, maxRationales } = view.settings.metareview;
  const ids = new Set(shown.map((of) => of.record.id));
  const told = new Map<string, string>();
  for (const of of shown) {
    const { id } = of.record;
    const own = view.matches.filter((match) =>
      match.verdict !== "invalid" && view.marked("void", match.id) === null &&
      (match.firstId === id || match.secondId === id)
    );
    const inner = (match: MatchRecord) => (ids.has(match.firstId) && ids.has(match.secondId) ? 0 : 1);
    let count = 0;
    for (const match of onceAGroup(own.sort((a, b) => inner(a) - inner(b) || b.seq - a.seq))) {
      if (count >= RATIONALES_EACH || told.size >= maxRationales) break;
      const text = clip(view.rationale(match.id).trim(), rationaleChars);
      if (text === "") continue;
      const key = match.group ?? match.id;
      if (!told.has(key)) told.set(key, rationaleBlock(view, match, text));
      count++;
    }
  }
  return [...told.values()].join("\n\n");
}
