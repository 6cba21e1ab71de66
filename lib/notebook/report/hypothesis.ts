import type { Citation } from "../../domain/records.ts";
import type { EvidenceLine, HypothesisRef, ReviewCardData } from "../displays/cards.ts";
import { scoreText } from "../displays/criteria.ts";
import { scoresText } from "../displays/scores.ts";
import { voidText } from "../displays/evidence_card.ts";
import { chance, counted, inTop, rating, record, words } from "../displays/wording.ts";
import { type Content, type Html, markup } from "../html.ts";
import type { HypothesisBrief, ReportedHypothesis, ReportedMatch } from "./data.ts";
import { address, alarm, anchorOf, facts, faint, fold, prose, said, toHypothesis } from "./parts.ts";

/** Findings that are told in the open; more are one click away. */
const FINDINGS = 4;

/** A hypothesis in full. */
export function hypothesisHtml(h: ReportedHypothesis): Html {
  return markup`<article class="hypothesis" id="${anchorOf(h.label)}" aria-labelledby="t-${h.label}">
<h3 id="t-${h.label}">${h.label} ${said(h.title)}</h3>
<p>${stateHtml(h)} · ${faint(made(h))}</p>
${h.stateReason === "" || h.state === "in_tournament" ? null : markup`<p>${said(h.stateReason, 600)}</p>`}${
    h.stale === "" ? null : markup`<p>${alarm(markup`Stale: ${said(h.stale, 400)}.`)}</p>`
  }<p>${standing(h)}</p>
${prose(h.statement, "claim")}
${
    facts([
      ["Mechanism", textOrNull(h.mechanism)],
      ["Entities", h.entities.length === 0 ? null : said(h.entities.join(", "), 1000)],
      ["What one would measure", textOrNull(h.anticipatedOutcomes)],
      ["What is new", textOrNull(h.noveltyArgument)],
      ["Criteria", criteriaHtml(h)],
      ["Made from", refs(h.parents)],
      ["Led to", refs(h.children)],
      ["Merged into it", refs(h.merged)],
    ])
  }${screensHtml(h)}${resultsHtml(h)}${reviewsHtml(h)}${findingsHtml(h)}${matchesHtml(h)}${sourcesHtml(h)}
</article>
`;
}

/** A hypothesis in short: a line, and what it says below. */
export function briefHtml(brief: HypothesisBrief): Html {
  const { label, title, state, stateReason, statement, row, author } = brief;
  const about = [
    row === null
      ? words(state)
      : row.rank === null
      ? `folded under ${row.foldedUnder ?? "another"}`
      : `rank ${row.rank}`,
    ...(row === null || row.rating === null ? [] : [`rating ${rating(row.rating)}`]),
    ...(row === null ? [] : [record(row)]),
    ...(row === null || row.verdict === null ? [] : [words(row.verdict)]),
  ].join(" · ");
  return markup`<div class="review" id="${anchorOf(label)}">${
    fold(
      markup`<b>${label}</b> ${said(title)}<span class="about">${about}${
        author === "model" ? null : markup` · by ${said(author, 80)}`
      }</span>`,
      markup`${stateReason === "" || row !== null ? null : markup`<p>${said(stateReason, 600)}</p>`}${
        prose(statement)
      }`,
    )
  }</div>
`;
}

function textOrNull(text: string): Html | null {
  return text.trim() === "" ? null : prose(text);
}

function stateHtml(h: ReportedHypothesis): Html {
  const out = ["disproved", "unfit", "rejected", "quarantined"].includes(h.state);
  const text = [
    h.mergedInto === null ? words(h.state) : `merged into ${h.mergedInto}`,
    ...(h.foldedUnder === null ? [] : [`folded under ${h.foldedUnder}`]),
    ...(h.pinned ? ["pinned"] : []),
  ].join(", ");
  const state = markup`<b>${text}</b>`;
  const tested = h.result === null
    ? null
    : markup` · <b class="${h.result === "confirmed" ? "good" : "alarm"}">${h.result} by results</b>`;
  return markup`${out ? alarm(state) : state}${tested}`;
}

function made(h: ReportedHypothesis): Content {
  const writer = h.author === "model" ? h.model : h.author;
  return [
    `${words(h.strategy)} · version ${h.version}`,
    h.generation === 0 ? null : ` · generation ${h.generation}`,
    writer === null ? null : markup` · by ${said(writer, 80)}`,
    ` · commit ${h.seq}`,
  ];
}

function standing(h: ReportedHypothesis): string {
  return [
    h.rank === null ? null : `rank ${h.rank}`,
    h.rating === null || h.ratingLow === null || h.ratingHigh === null
      ? null
      : `rating ${rating(h.rating)} (90 % interval ${rating(h.ratingLow)}–${rating(h.ratingHigh)})`,
    h.topChance === null ? null : `${inTop(h.topK)}: ${chance(h.topChance)}`,
    `Elo ${rating(h.elo)}`,
    `${h.won} won, ${h.lost} lost, ${h.tied} tied`,
  ].filter((text) => text !== null).join(" · ");
}

function criteriaHtml({ criteria }: ReportedHypothesis): Html | null {
  if (criteria === undefined) return null;
  if (criteria.total === null) return markup`not judged by them yet`;
  const each = Object.entries(criteria.scores).map(([name, score], i) =>
    markup`${i === 0 ? "" : ", "}${said(name, 120)} ${scoreText(score, criteria.unmet.includes(name))}`
  );
  return markup`${scoreText(criteria.total, false)} in all: ${each}`;
}

function refs(list: readonly HypothesisRef[]): Html | null {
  return list.length === 0
    ? null
    : markup`${
      list.slice(0, 40).map(({ label, title }) =>
        markup`<div>${toHypothesis(label)} ${said(title, 140)}</div>`
      )
    }${list.length > 40 ? faint(`and ${list.length - 40} more`) : null}`;
}

function screensHtml({ screens }: ReportedHypothesis): Html | null {
  const remarks = screens.filter(({ result }) => result !== "clear");
  return remarks.length === 0
    ? null
    : markup`${
      remarks.map(({ result, rationale }) =>
        markup`<p>${alarm(markup`Safety screen ${result}: ${said(rationale, 800)}`)}</p>`
      )
    }`;
}

function resultsHtml(h: ReportedHypothesis): Html | null {
  const results = h.evidence.filter(({ outcome }) => outcome !== null);
  return results.length === 0 ? null : markup`<h4>Results</h4>
${results.map((result) => evidenceHtml(result, h.simulated))}`;
}

function findingsHtml(h: ReportedHypothesis): Html | null {
  const findings = h.evidence.filter(({ outcome }) => outcome === null);
  if (findings.length === 0) return null;
  const told = findings.map((finding) => evidenceHtml(finding, h.simulated));
  return markup`<h4>Evidence</h4>
${findings.length <= FINDINGS ? told : fold(findingsText(findings), told)}`;
}

/** How many findings there are, and what they say: `12 findings: 8 neutral, 4 supports`. */
function findingsText(findings: readonly EvidenceLine[]): string {
  const stances = Map.groupBy(findings, ({ stance, voided }) => voided === null ? words(stance) : "void");
  const counts = [...stances].map(([stance, { length }]) => `${length} ${stance}`);
  return `${counted(findings.length, "finding")}: ${counts.join(", ")}`;
}

function evidenceHtml(item: EvidenceLine, simulated: boolean): Html {
  const { label, outcome, kind, stance, by, weight, claim, source, excerpt, voided } = item;
  const says = outcome ?? words(stance);
  const against = voided === null && (outcome === "refuted" || stance === "contradicts");
  return markup`<div class="review"><b>${label}</b> ${against ? alarm(says) : markup`<b>${says}</b>`} ${
    faint(
      markup`${kind}${by === null ? null : markup`, by ${said(by, 80)}`}${
        weight === 1 ? null : `, weight ${weight}`
      }`,
    )
  }${voided === null ? null : markup` ${alarm(said(voidText(voided), 300))}`}: ${said(claim, 1500)} ${
    source === "" ? null : address(source, simulated)
  }${excerpt === "" ? null : fold(faint("in its words"), prose(excerpt))}</div>
`;
}

function reviewsHtml(h: ReportedHypothesis): Html {
  return markup`<h4>${h.reviews.length === 0 ? "No review yet" : counted(h.reviews.length, "review")}</h4>
${h.reviews.map((review) => reviewHtml(review))}`;
}

function reviewHtml(review: ReviewCardData): Html {
  const { label, kind, verdict, scores, notes, assumptions, evidence, author, weight, voided } = review;
  const given = scoresText(scores);
  return markup`<div class="review"><b>${label}</b> ${kind} review: <b>${words(verdict)}</b>${
    given === "" ? null : markup` (${said(given, 600)})`
  } ${
    faint(
      markup`by ${author === "model" ? "a model" : said(author, 80)}${
        weight === 1 ? null : `, weight ${weight}`
      }${
        review.hypothesisVersion === review.newestVersion ? null : `, of version ${review.hypothesisVersion}`
      }`,
    )
  }${review.stale ? alarm(" (stale: the text has changed since)") : null}${
    voided === null ? null : markup` ${alarm(said(voidText(voided), 300))}`
  }${notes === "" ? null : prose(notes)}${
    assumptions.length === 0 ? null : fold(
      counted(assumptions.length, "assumption"),
      markup`<ul>${
        assumptions.map(({ assumption, plausibility, rationale }) =>
          markup`<li>${
            plausibility === "implausible" ? alarm(plausibility) : markup`<b>${plausibility}</b>`
          }: ${said(assumption, 1000)}${
            rationale === "" ? null : markup` ${faint(said(rationale, 1500))}`
          }</li>`
        )
      }</ul>`,
    )
  }${
    evidence.length === 0 ? null : fold(
      counted(evidence.length, "source"),
      markup`<ul>${
        evidence.map(({ claim, url, excerpt }) =>
          markup`<li>${said(claim, 1000)} ${address(url, review.simulated)}${
            excerpt === "" ? null : markup`<br>${faint(said(excerpt, 1500))}`
          }</li>`
        )
      }</ul>`,
    )
  }</div>
`;
}

function matchesHtml(h: ReportedHypothesis): Html {
  const { judged, judgedInAll } = h;
  const heading = judgedInAll === 0
    ? "No match yet"
    : judged.length === judgedInAll
    ? counted(judgedInAll, "match", "matches")
    : `The newest ${judged.length} of ${judgedInAll} matches`;
  const part = (result: ReportedMatch["result"], name: string) => {
    const matches = judged.filter((match) => match.result === result);
    return matches.length === 0
      ? null
      : fold(`${name}: ${matches.length}`, matches.map((match) => matchHtml(match)));
  };
  return markup`<h4>${heading}</h4>
${part("won", "Won")}${part("lost", "Lost")}${part("tied", "Tied")}${part("invalid", "Without a verdict")}`;
}

function matchHtml(match: ReportedMatch): Html {
  const {
    label,
    opponent,
    result,
    mode,
    author,
    judge,
    playedAs,
    voided,
    eloBefore,
    eloAfter,
    stale,
    rationale,
  } = match;
  const by = author === "model" ? judge : author;
  const about = [
    author === "model" ? words(mode) : null,
    by === null ? null : markup`by ${said(by, 80)}`,
    playedAs === null ? null : `as ${playedAs}`,
    eloBefore === null || eloAfter === null ? null : `Elo ${rating(eloBefore)} → ${rating(eloAfter)}`,
    stale ? "judged on an earlier text" : null,
  ].filter((part) => part !== null).flatMap((part, i): Content[] => (i === 0 ? [part] : [", ", part]));
  const against =
    { won: "won against", lost: "lost to", tied: "tied with", invalid: "no verdict against" }[result];
  return markup`<div class="match"><b>${label}</b> ${against} ${toHypothesis(opponent.label)} ${
    said(opponent.title, 140)
  } ${faint(markup`(${about})`)}${voided === null ? null : markup` ${alarm(said(voidText(voided), 300))}`}${
    rationale === "" ? null : prose(rationale)
  }</div>
`;
}

function sourcesHtml(h: ReportedHypothesis): Html | null {
  const dropped = h.droppedCitations === 0
    ? ""
    : ` (${h.droppedCitations} more dropped: no tool had returned what they cite)`;
  if (h.citations.length === 0 && dropped === "") return null;
  return markup`<h4>${counted(h.citations.length, "citation")}${dropped}</h4>
<ol class="sources">${h.citations.map((citation) => citationHtml(citation, h.simulated))}</ol>`;
}

function citationHtml({ title, url, year, doi, excerpt }: Citation, simulated: boolean): Html {
  return markup`<li>${said(title, 400)}${year === undefined ? null : ` (${year})`} ${
    address(url, simulated)
  }${doi === undefined || url.includes(doi) ? null : markup` ${faint(said(`doi:${doi}`, 120))}`}${
    excerpt === undefined || excerpt === "" ? null : fold(faint("what it says"), prose(excerpt))
  }</li>`;
}
