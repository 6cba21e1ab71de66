import type { CriteriaScores } from "../../tournament/criteria_scores.ts";
import { card, type Column, type Html, markup, table } from "../html.ts";
import type { EvidenceLine, HypothesisCardData, HypothesisRef, MatchLine, ReviewLine } from "./cards.ts";
import { scoreText } from "./criteria.ts";
import type { Display } from "./display.ts";
import { facts } from "./grid.ts";
import { link } from "./link.ts";
import { barline, blocks, headline, lines, textTable, wrapped } from "./plain.ts";
import { alarming, excerpt, faint, fold, line, paragraph, prose, section, short } from "./prose.ts";
import { scoresText } from "./scores.ts";
import { sparkline } from "./sparkline.ts";
import { chance, counted, inTop, rating, record, words } from "./wording.ts";

/** Reviews and sources that a card shows without being asked. */
const SHOWN = 4;

/** How a hypothesis is shown. */
export const hypothesisDisplay: Display<HypothesisCardData> = {
  html: (h) =>
    card({
      title: `${h.label} ${h.title.slice(0, 300)}`,
      simulated: h.simulated,
      body: [
        markup`<div>${stateHtml(h)} · ${faint(made(h))}</div>`,
        h.stateReason === "" ? null : paragraph(faint("Why: "), line(h.stateReason, 500)),
        tested(h) === null ? null : paragraph(
          h.result === "refuted" ? alarming(tested(h)) : markup`<b>${tested(h)}</b>`,
        ),
        h.stale === "" ? null : paragraph(alarming(staleLine(h))),
        markup`<div style="display:flex;flex-wrap:wrap;gap:4px 5px;align-items:center;margin:5px 0">${
          [...place(h), ...elo(h)].map((text, i) => [i === 0 ? null : "· ", short(text)])
        }${sparkline(h.trajectory)}</div>`,
        paragraph(prose(h.statement)),
        facts([
          ["Mechanism", excerpt(h.mechanism, 600)],
          ["Entities", line(h.entities.join(", "), 500)],
          ["Anticipated outcomes", excerpt(h.anticipatedOutcomes, 500)],
          ["Novelty", excerpt(h.noveltyArgument, 500)],
          ["Criteria", h.criteria === undefined ? null : line(criteriaText(h.label, h.criteria), 1200)],
          ["Parents", h.parents.length === 0 ? null : refs(h.parents)],
          ["Children", h.children.length === 0 ? null : refs(h.children)],
          ["Merged into it", h.merged.length === 0 ? null : refs(h.merged)],
        ]),
        screensHtml(h),
        section(counted(h.reviews.length, "review"), reviewsHtml(h.reviews)),
        section(
          h.matches === 0
            ? "No match yet"
            : `Last ${h.lastMatches.length} of ${counted(h.matches, "match", "matches")}`,
          h.lastMatches.length === 0 ? null : table(MATCHES, h.lastMatches),
        ),
        sourcesHtml(h),
        h.evidence.length === 0 ? null : section(counted(h.evidence.length, "finding"), findingsHtml(h)),
      ],
    }),
  text: (h) =>
    blocks(
      lines(
        headline(`${h.label} ${h.title}`, h.simulated),
        wrapped(`${stateText(h)} · ${made(h)}`),
        h.stateReason === "" ? null : wrapped(h.stateReason, "why: ", 500),
        tested(h),
        h.stale === "" ? null : wrapped(staleLine(h), "! "),
        place(h).join(" · "),
        `${elo(h).join(" · ")}  ${barline(h.trajectory, 24)}`,
      ),
      wrapped(h.statement),
      lines(
        wrapped(h.mechanism, "Mechanism: "),
        wrapped(h.entities.join(", "), "Entities:  ", 500),
        wrapped(h.anticipatedOutcomes, "Expected:  "),
        wrapped(h.noveltyArgument, "Novelty:   "),
        h.criteria === undefined ? null : wrapped(criteriaText(h.label, h.criteria), "Criteria:  ", 1200),
        h.parents.length === 0 ? null : wrapped(refsText(h.parents), "Parents:   ", 600),
        h.children.length === 0 ? null : wrapped(refsText(h.children), "Children:  ", 600),
        h.merged.length === 0 ? null : wrapped(refsText(h.merged), "Merged:    ", 600),
      ),
      lines(...alarms(h).map((text) => wrapped(text, "! ", 600))),
      h.reviews.length === 0 ? "No review yet." : lines(
        `${counted(h.reviews.length, "review")}${
          h.reviews.length > SHOWN ? `, the last ${SHOWN} of them` : ""
        }:`,
        ...h.reviews.slice(-SHOWN).map((review) =>
          lines(wrapped(`${review.label} ${reviewHead(review)}`, "  "), wrapped(review.notes, "    ", 400))
        ),
      ),
      h.lastMatches.length === 0 ? "No match yet." : textTable([
        { head: "match", cell: (match) => match.label },
        { head: "result", cell: result },
        { head: "Elo", cell: ratings, align: "end" },
        { head: "mode", cell: howJudged },
        { head: "against", cell: (match) => `${match.opponent.label} ${match.opponent.title}` },
      ], h.lastMatches),
      lines(
        `${counted(h.citations.length, "source")}${dropped(h)}:`,
        ...h.citations.slice(0, 12).map((source, i) =>
          wrapped(`${source.title} <${source.url}>`, `  [${i + 1}] `, 300)
        ),
        h.citations.length > 12 ? `  … and ${h.citations.length - 12} more` : null,
      ),
      lines(
        ...h.evidence.slice(0, 12).map((finding) =>
          wrapped(
            `${finding.label} ${findingHead(finding)}: ${finding.claim}${
              finding.source === "" ? "" : ` <${finding.source}>`
            }`,
            "  ",
            500,
          )
        ),
      ),
    ),
};

function staleLine({ stale, label }: HypothesisCardData): string {
  return `Stale: ${stale}. await lab.refresh("${label}") makes it anew.`;
}

function stateHtml(h: HypothesisCardData): Html {
  const out = h.state === "disproved" || h.state === "unfit" || h.state === "rejected" ||
    h.state === "quarantined";
  return out ? alarming(markup`<b>${stateText(h)}</b>`) : markup`<b>${stateText(h)}</b>`;
}

function stateText(h: HypothesisCardData): string {
  return [
    h.mergedInto === null ? words(h.state) : `merged into ${h.mergedInto}`,
    ...(h.foldedUnder === null ? [] : [`folded under ${h.foldedUnder}`]),
    ...(h.pinned ? ["pinned"] : []),
  ].join(", ");
}

/** What results say of it, which outranks the rest. */
function tested(h: HypothesisCardData): string | null {
  return h.result === null ? null : `Tested: ${h.result} by results.`;
}

function howJudged({ mode, author, playedAs, voided }: MatchLine): string {
  return [
    author === "model" ? mode : `by ${author.slice(0, 40)}`,
    ...(playedAs === null ? [] : [`as ${playedAs}`]),
    ...(voided === null ? [] : ["void"]),
  ].join(", ");
}

function findingHead({ kind, stance, outcome, by, weight, voided }: EvidenceLine): string {
  return [
    outcome === null ? `${kind}, ${words(stance)}` : `${outcome} by ${kind}`,
    ...(by === null ? [] : [`(${by.slice(0, 80)}${weight === 1 ? "" : `, weight ${weight}`})`]),
    ...(voided === null ? [] : ["void"]),
  ].join(" ");
}

/** The total by the scientist's criteria, and each of them. */
function criteriaText(label: string, { total, scores, unmet }: CriteriaScores): string {
  if (total === null) return `not judged by them yet: await lab.reflect("${label}") does it`;
  const each = Object.entries(scores).map(([name, score]) =>
    `${name} ${scoreText(score, unmet.includes(name))}`
  );
  return `${scoreText(total, false)} (${each.join(", ")})`;
}

function made(h: HypothesisCardData): string {
  return [
    `version ${h.version}`,
    words(h.strategy),
    h.generation === 0 ? null : `generation ${h.generation}`,
    h.author !== "model" || h.model !== null ? `by ${writer(h).slice(0, 80)}` : null,
    `commit ${h.seq}`,
  ].filter((text) => text !== null).join(" · ");
}

function writer(h: HypothesisCardData): string {
  return h.author === "model" ? h.model ?? "a model" : h.author;
}

/** Its place and its rating with what is sure of them, in parts; none where it has neither. */
function place(h: HypothesisCardData): string[] {
  return [
    h.rank === null ? null : `rank ${h.rank}`,
    h.rating === null || h.ratingLow === null || h.ratingHigh === null
      ? null
      : `rating ${rating(h.rating)} (90 %: ${rating(h.ratingLow)}–${rating(h.ratingHigh)})`,
    h.topChance === null ? null : `${inTop(h.topK)}: ${chance(h.topChance)}`,
    h.tier === null ? null : `tier ${h.tier}`,
  ].filter((text) => text !== null);
}

/** Its Elo and its record, in parts. */
function elo(h: HypothesisCardData): string[] {
  return [`Elo ${rating(h.elo)}`, `${record(h)} in ${counted(h.matches, "match", "matches")}`];
}

function refs(list: readonly HypothesisRef[]): Html {
  const one = (ref: HypothesisRef) => markup`<div><b>${short(ref.label)}</b> ${line(ref.title, 140)}</div>`;
  return markup`${list.slice(0, 8).map(one)}${
    list.length > 8 ? fold(`${list.length - 8} more`, list.slice(8, 100).map(one)) : null
  }`;
}

function refsText(list: readonly HypothesisRef[]): string {
  return list.map(({ label, title }) => `${label} ${title.slice(0, 120)}`).join("; ");
}

function alarms(h: HypothesisCardData): string[] {
  return h.screens.filter((screen) => screen.result !== "clear").map((screen) =>
    `Safety screen ${screen.result}${
      screen.categories.length === 0 ? "" : ` (${screen.categories.map(words).join(", ")})`
    }: ${screen.rationale}`
  );
}

function screensHtml(h: HypothesisCardData): Html | null {
  const rows = alarms(h);
  return rows.length === 0 ? null : paragraph(rows.map((row) => alarming(line(row, 600))));
}

function reviewHead(review: ReviewLine): string {
  const scores = scoresText(review.scores);
  const author = review.author === "model"
    ? ""
    : ` by ${review.author.slice(0, 80)}${review.weight === 1 ? "" : ` (weight ${review.weight})`}`;
  return `${review.kind}${author}, of version ${review.hypothesisVersion}${review.stale ? " (stale)" : ""}: ${
    words(review.verdict)
  }${scores === "" ? "" : ` (${scores})`}${review.voided === null ? "" : "; void"}`;
}

function reviewsHtml(reviews: readonly ReviewLine[]): Html {
  if (reviews.length === 0) return faint("None yet.");
  const one = (review: ReviewLine) =>
    markup`<div style="margin:4px 0"><b>${short(review.label)}</b> ${line(reviewHead(review), 300)}${
      excerpt(review.notes, 240)
    }</div>`;
  const older = reviews.slice(0, -SHOWN);
  return markup`${older.length === 0 ? null : fold(`${older.length} older`, older.slice(-40).map(one))}${
    reviews.slice(-SHOWN).map(one)
  }`;
}

const MATCHES: readonly Column<MatchLine>[] = [
  { head: "Match", cell: (match) => short(match.label) },
  { head: "Result", cell: (match) => short(result(match)) },
  { head: "Elo", align: "end", cell: (match) => short(ratings(match)) },
  { head: "Mode", cell: (match) => line(howJudged(match), 120) },
  {
    head: "Against",
    cell: (match) => markup`<b>${short(match.opponent.label)}</b> ${line(match.opponent.title, 140)}`,
  },
];

function result({ result, stale }: MatchLine): string {
  return stale ? `${result} (stale)` : result;
}

function ratings(match: MatchLine): string {
  if (match.eloBefore === null || match.eloAfter === null) return "–";
  return `${rating(match.eloBefore)} → ${rating(match.eloAfter)}`;
}

function dropped(h: HypothesisCardData): string {
  return h.droppedCitations === 0
    ? ""
    : ` (${h.droppedCitations} more dropped: no tool had returned what they cite)`;
}

function sourcesHtml(h: HypothesisCardData): Html {
  const one = (source: HypothesisCardData["citations"][number], i: number) =>
    markup`<div style="margin:2px 0">[${i + 1}] ${line(source.title, 240)}${
      source.year === undefined ? null : ` (${source.year})`
    } ${link(source.url, h.simulated)}${
      source.excerpt === undefined || source.excerpt === ""
        ? null
        : fold(faint("what it says"), prose(source.excerpt))
    }</div>`;
  const shown = h.citations.map(one);
  return section(
    `${counted(h.citations.length, "source")}${dropped(h)}`,
    shown.slice(0, SHOWN * 2),
    shown.length > SHOWN * 2 ? fold(`${shown.length - SHOWN * 2} more`, shown.slice(SHOWN * 2, 100)) : null,
  );
}

/** The findings, results first as they are given; those beyond a few are folded. */
function findingsHtml(h: HypothesisCardData): Html {
  const all = h.evidence.map((finding) => findingHtml(finding, h.simulated));
  const rest = all.length - SHOWN;
  // What folding hides must be more than the line that it takes.
  return rest <= 1 ? markup`${all}` : markup`${all.slice(0, SHOWN)}${fold(`${rest} more`, all.slice(SHOWN))}`;
}

function findingHtml(finding: EvidenceLine, simulated: boolean): Html {
  const against = finding.voided === null && finding.stance === "contradicts";
  const head = line(findingHead(finding), 200);
  return markup`<div style="margin:4px 0"><b>${short(finding.label)}</b> ${
    against ? alarming(head) : head
  }: ${line(finding.claim, 500)} ${finding.source === "" ? null : link(finding.source, simulated)}${
    finding.excerpt === "" ? null : fold(faint("in its words"), prose(finding.excerpt))
  }</div>`;
}
