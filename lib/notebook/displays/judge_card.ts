import type { JudgeMeasurements } from "../../tournament/judge_card.ts";
import { type Effect, ENOUGH } from "../../tournament/judge_effects.ts";
import type { JudgeMeasures, JudgeRow } from "../../tournament/judge_measures.ts";
import type { PeopleAgreement } from "../../tournament/people_agreement.ts";
import type { Share } from "../../tournament/share.ts";
import { card, type Column, type Html, markup, table } from "../html.ts";
import type { CardOrigin } from "./cards.ts";
import type { Display } from "./display.ts";
import { facts } from "./grid.ts";
import { twoLines } from "./listing.ts";
import { blocks, headline, lines, textTable, wrapped } from "./plain.ts";
import { alarming, faint, line, paragraph, short } from "./prose.ts";
import { peopleLine } from "./sheets.ts";
import { counted } from "./wording.ts";

/** Everything that the card of the judges says. */
export interface JudgeCardData extends CardOrigin, JudgeMeasurements {
  /** How people's verdicts agree with the machine's and with each other's; absent where no person has judged. */
  readonly people?: PeopleAgreement | undefined;
}

/** A row of the table: a judge, or all together. */
interface Row extends JudgeMeasures {
  readonly name: string;
  readonly detail: string;
}

/** How the card of the judges is shown: warnings first. */
export const judgeDisplay: Display<JudgeCardData> = {
  html: (data) =>
    card({
      title: title(data),
      simulated: data.simulated,
      body: data.judges.length === 0 ? [paragraph(EMPTY), peopleHtml(data)] : [
        warningsHtml(data),
        paragraph(faint(summary(data))),
        table(COLUMNS, rows(data)),
        peopleHtml(data),
        markup`<div style="font-size:12px;margin-top:6px">${
          facts(EXPLANATIONS.map(([name, text]) => [name, faint(text)] as const))
        }</div>`,
      ],
    }),
  text: (data) =>
    data.judges.length === 0
      ? blocks(headline(title(data), data.simulated), EMPTY, peopleText(data))
      : blocks(
        headline(title(data), data.simulated),
        lines(...data.warnings.map(({ text }) => wrapped(text, "! ", 800))),
        wrapped(summary(data)),
        textTable([
          ...NAME,
          { head: "n", align: "end", cell: (row) => String(row.verdicts) },
          { head: "order bias, logits", cell: (row) => effectText(row.bias) },
          { head: "flips", align: "end", cell: (row) => `${percent(row.flips)} of ${row.flips.of}` },
          { head: "ties", align: "end", cell: (row) => percent(row.ties) },
          { head: "invalid", align: "end", cell: (row) => percent(row.invalid) },
        ], rows(data)),
        textTable([
          ...NAME,
          { head: "twice as long, logits", cell: (row) => effectText(row.length) },
          { head: "own family, logits", cell: (row) => effectText(row.self) },
          { head: "results", cell: (row) => calibrationText(row) },
        ], rows(data)),
        peopleText(data),
        lines(...missing(data).map((text) => wrapped(text, "– "))),
        lines(...EXPLANATIONS.map(([name, text]) => wrapped(text, `${name}: `))),
      ),
};

const EMPTY = "No match was judged yet. await lab.rank(5) plays some; people's own verdicts make no judge.";

const EXPLANATIONS: readonly (readonly [string, string])[] = [
  ["n", "valid verdicts: one a match, or two where a match is judged in both orders."],
  [
    "Order bias",
    "what standing first adds to the log odds (in logits), at equal rating. 0: none; +1: of equals the first wins 73 %; " +
    "beyond ±1 there is a warning. Ties are left out.",
  ],
  ["Flips", "of the pairs shown both ways and decided both times, those that changed their winner."],
  ["Ties", "of the valid verdicts; above 40 % there is a warning."],
  ["Invalid", "answers without a readable verdict, of all answers; above 20 % there is a warning."],
  [
    "Twice as long",
    "what double length adds to the log odds, at equal rating and order. It can't tell whether longer texts are really better.",
  ],
  [
    "Own family",
    "what it adds to the log odds that a model of the judge's own maker wrote the text. It can't tell whether that maker's texts are " +
    "really better, unless judges of other makers rate them too.",
  ],
  [
    "Results",
    "how often the hypothesis that recorded results support was preferred to one that they contradict; 50 % is chance.",
  ],
  ["In brackets", "95 % intervals."],
];

const NAME = [
  { head: "judge", cell: (row: Row) => row.name, max: 18 },
  { head: "", cell: (row: Row) => row.detail, max: 17 },
] as const;

const COLUMNS: readonly Column<Row>[] = [
  { head: "Judge", cell: (row) => twoLines(line(row.name, 60), short(row.detail)) },
  {
    head: "n",
    align: "end",
    cell: (row) => twoLines(short(row.verdicts), row.few ? "few" : ""),
  },
  {
    head: "Order bias",
    align: "end",
    cell: (row) =>
      effectHtml(row.bias, row.why.bias, row.first.of === 0 ? "" : `${percent(row.first)} first`),
  },
  { head: "Flips", align: "end", cell: (row) => shareHtml(row.flips, row.why.flips, tied(row.flips.tied)) },
  { head: "Ties", align: "end", cell: (row) => shareHtml(row.ties) },
  { head: "Invalid", align: "end", cell: (row) => shareHtml(row.invalid) },
  { head: "Twice as long", align: "end", cell: (row) => effectHtml(row.length, row.why.length) },
  { head: "Own family", align: "end", cell: (row) => effectHtml(row.self, row.why.self) },
  {
    head: "Results",
    align: "end",
    cell: (row) =>
      row.calibration === null
        ? absent(row.why.calibration)
        : shareHtml(row.calibration, undefined, tied(row.calibration.tied)),
  },
];

function peopleHtml({ people }: JudgeCardData): Html | null {
  return people === undefined
    ? null
    : paragraph(markup`<b>People:</b> `, line(`${peopleLine(people)}.`, 600));
}

function peopleText({ people }: JudgeCardData): string | null {
  return people === undefined ? null : wrapped(`${peopleLine(people)}.`, "People: ");
}

function title({ session }: JudgeCardData): string {
  return `Judges of ${session}`;
}

function summary({ judges, pooled }: JudgeCardData): string {
  const few = judges.filter((judge) => judge.few).length;
  return `${counted(pooled.verdicts, "verdict")} of ${
    counted(judges.length, "judge")
  } (a model under one version of its prompt, in one mode).${
    few === 0
      ? ""
      : ` ${
        few === judges.length
          ? (few === 1 ? "It has" : "All have")
          : `${few} of them ${few === 1 ? "has" : "have"}`
      } ` +
        `fewer than ${ENOUGH} verdicts: too few to read anything into, or to warn.`
  }`;
}

function rows({ judges, pooled }: JudgeCardData): Row[] {
  const named = judges.map((judge): Row => ({
    ...judge,
    name: judge.judge ?? "unknown model",
    detail: detail(judge),
  }));
  return judges.length < 2 ? named : [...named, { ...pooled, name: "all together", detail: "" }];
}

function detail({ mode, promptVersion }: JudgeRow): string {
  return `${mode}${promptVersion === null ? "" : ` ${promptVersion.slice(0, 8)}`}`;
}

function warningsHtml({ warnings }: JudgeCardData): Html | null {
  if (warnings.length === 0) return null;
  return markup`<div style="margin:8px 0;padding:5px 10px;border-inline-start:3px solid #b3261e;background:#fdf3f2">${
    alarming(markup`<b>${counted(warnings.length, "warning")}</b>`)
  }${warnings.map(({ text }) => paragraph(line(text, 800)))}</div>`;
}

/** Why numbers are missing from the text: each reason once. */
function missing(data: JudgeCardData): string[] {
  const names = {
    bias: "order bias",
    length: "length",
    self: "own family",
    flips: "flips",
    calibration: "results",
  };
  const reasons = rows(data).flatMap(({ why }) =>
    (["bias", "flips", "length", "self", "calibration"] as const).flatMap((key) =>
      why[key] === undefined ? [] : [`No ${names[key]}: ${why[key]}.`]
    )
  );
  return [...new Set(reasons)];
}

function effectHtml(effect: Effect | null, why: string | undefined, below = ""): Html {
  if (effect === null) return absent(why);
  // It may be broken before its upper end.
  const interval = markup`${short(`(${signed(effect.low)} to`)} ${short(`${signed(effect.high)})`)}`;
  return measured(signed(effect.value), interval, below);
}

function shareHtml(share: Share, why?: string, below = ""): Html {
  if (share.share === null) return twoLines(absent(why), below);
  const count = `${share.count} of ${share.of}${below === "" ? "" : `, ${below}`}`;
  return measured(percent(share), short(`(${range(share)})`), count);
}

/** A value, its interval, and what else there is to say, below each other. */
function measured(value: string, interval: Html, below: string): Html {
  return twoLines(
    markup`<b>${short(value)}</b>`,
    markup`<span style="display:block">${interval}</span><span style="display:block">${short(below)}</span>`,
  );
}

function absent(why: string | undefined): Html {
  return markup`–${
    why === undefined ? null : markup`<div style="font-size:12px;max-width:13em">${faint(why)}</div>`
  }`;
}

function effectText(effect: Effect | null): string {
  return effect === null ? "–" : `${signed(effect.value)} (${signed(effect.low)} to ${signed(effect.high)})`;
}

function calibrationText({ calibration }: Row): string {
  return calibration === null ? "–" : `${percent(calibration)} of ${calibration.of}`;
}

function tied(count: number): string {
  return count === 0 ? "" : `${count} tied`;
}

function percent({ share }: Share): string {
  return share === null ? "–" : `${Math.round(share * 100)} %`;
}

function range({ low, high }: Share): string {
  return `${Math.round((low ?? 0) * 100)}–${Math.round((high ?? 1) * 100)} %`;
}

/** `+0.31`, `−1.20`, `0.00`. */
function signed(value: number): string {
  const digits = Math.abs(value).toFixed(2);
  return Number(digits) === 0 ? digits : `${value < 0 ? "−" : "+"}${digits}`;
}
