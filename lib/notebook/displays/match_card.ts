import type { MatchVerdict } from "../../domain/records.ts";
import { card, type Html, markup, table } from "../html.ts";
import type { MatchCardData, MatchSide } from "./cards.ts";
import type { Display } from "./display.ts";
import { voidText } from "./evidence_card.ts";
import { facts } from "./grid.ts";
import { blocks, headline, lines, textTable, wrapped } from "./plain.ts";
import { alarming, line, paragraph, prose, section, short } from "./prose.ts";
import { counted, rating } from "./wording.ts";

/** A side with how it did. */
interface Row extends MatchSide {
  readonly shown: string;
  readonly result: string;
}

/** How a match is shown. */
export const matchDisplay: Display<MatchCardData> = {
  html: (match) =>
    card({
      title: `${match.label} ${match.first.label} against ${match.second.label}`,
      simulated: match.simulated,
      body: [
        markup`<div>${verdictHtml(match)}</div>`,
        match.voided === null ? null : paragraph(alarming(line(voidText(match.voided), 500))),
        staleLine(match) === null ? null : paragraph(alarming(staleLine(match))),
        table([
          { head: "Shown", cell: (row) => short(row.shown) },
          { head: "Hypothesis", cell: (row) => markup`<b>${short(row.label)}</b> ${line(row.title, 200)}` },
          { head: "Result", cell: (row) => row.result === "won" ? markup`<b>won</b>` : short(row.result) },
          { head: "Elo", align: "end", cell: (row) => short(ratings(row)) },
        ], rows(match)),
        facts(details(match).map(([name, text]) => [name, line(text, 200)] as const)),
        section("Rationale", match.rationale === "" ? "None was given." : prose(match.rationale)),
      ],
    }),
  text: (match) =>
    blocks(
      lines(
        headline(`${match.label} ${match.first.label} against ${match.second.label}`, match.simulated),
        verdict(match),
        match.voided === null ? null : wrapped(voidText(match.voided), "! "),
        staleLine(match) === null ? null : wrapped(staleLine(match) ?? "", "! "),
      ),
      textTable([
        { head: "shown", cell: (row) => row.shown },
        { head: "result", cell: (row) => row.result },
        { head: "Elo", cell: ratings, align: "end" },
        { head: "hypothesis", cell: (row) => `${row.label} ${row.title}` },
      ], rows(match)),
      lines(...details(match).map(([name, text]) => wrapped(text, `${name}: `, 200))),
      wrapped(match.rationale === "" ? "None was given." : match.rationale, "Rationale: "),
    ),
};

function staleLine({ stale, label }: MatchCardData): string | null {
  return stale === "" ? null : `Stale: ${stale}. await lab.refresh("${label}") judges the pair again.`;
}

function rows(match: MatchCardData): Row[] {
  const result = (own: "first" | "second") =>
    match.verdict === "invalid"
      ? "invalid"
      : match.verdict === "tie"
      ? "tied"
      : match.verdict === own
      ? "won"
      : "lost";
  const [first, second] = places(match);
  return [
    { ...match.first, shown: first, result: result("first") },
    { ...match.second, shown: second, result: result("second") },
  ];
}

/** Where the two were shown: in a group of several, one before the other. */
function places(match: MatchCardData): readonly [string, string] {
  return match.group === null ? ["first", "second"] : ["earlier", "later"];
}

function verdict(match: MatchCardData): string {
  const [first, second] = places(match);
  switch (match.verdict) {
    case "first":
    case "second": {
      const winner = match.verdict === "first" ? match.first : match.second;
      return match.bothOrders !== null
        ? `${winner.label} won in both orders.`
        : `${winner.label} won, which was shown ${match.verdict === "first" ? first : second}.`;
    }
    case "tie":
      return match.bothOrders !== null && match.bothOrders[0] !== match.bothOrders[1]
        ? "A tie: the two orders gave different verdicts."
        : "A tie.";
    case "invalid":
      return `Invalid: the judge gave no ${
        match.group === null ? "verdict" : "ranking of the group"
      }. It moved no rating.`;
  }
}

/** One of two verdicts in a few words, told by the match's own sides. */
function said(match: MatchCardData, verdict: MatchVerdict): string {
  switch (verdict) {
    case "first":
      return match.first.label;
    case "second":
      return match.second.label;
    case "tie":
      return "a tie";
    case "invalid":
      return "no verdict";
  }
}

/** Who judged: the model, and of a panel whose turn it was. */
function judgeOf(match: MatchCardData): string {
  if (match.author !== "model") return match.author;
  const { judge, panelist } = match;
  if (panelist === null) return judge ?? "a model";
  if (judge === panelist) return `${judge} of the panel`;
  return judge === null ? `${panelist} of the panel` : `${judge} in the stead of ${panelist} of the panel`;
}

function verdictHtml(match: MatchCardData): Html {
  return match.verdict === "invalid" ? alarming(verdict(match)) : markup`<b>${verdict(match)}</b>`;
}

function ratings(side: MatchSide): string {
  if (side.eloBefore === null || side.eloAfter === null) return "–";
  const delta = side.eloAfter - side.eloBefore;
  return `${rating(side.eloBefore)} → ${rating(side.eloAfter)} (${delta < 0 ? "−" : "+"}${
    Math.abs(delta).toFixed(1)
  })`;
}

function details(match: MatchCardData): [string, string][] {
  const weight = match.weight === 1 ? "" : `, weight ${Number(match.weight.toFixed(3))}`;
  const version = match.promptVersion === null ? "" : `, prompt version ${match.promptVersion}`;
  return [
    ["Judged", `${match.mode}, by ${judgeOf(match)}${version}`],
    ...(match.bothOrders === null ? [] : [
      [
        "Both orders",
        `${match.first.label} first: ${said(match, match.bothOrders[0])}; ` +
        `${match.second.label} first: ${said(match, match.bothOrders[1])}`,
      ] satisfies [string, string],
    ]),
    ...(match.ranking === null ? [] : [
      [
        "Ranking",
        `${match.ranking.map(({ label }) => label).join(" > ")}, by one call of which this is a part`,
      ] satisfies [string, string],
    ]),
    ["Counted", match.k === null ? "not at all" : `K ${match.k}${weight}`],
    [
      "Recorded",
      `commit ${match.seq}, revision ${match.revision}, ${counted(match.transcripts, "model call")}`,
    ],
  ];
}
