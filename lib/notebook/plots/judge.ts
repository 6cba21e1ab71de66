import * as Plot from "@observablehq/plot";
import { ENOUGH } from "../../tournament/judge_effects.ts";
import type { JudgeCardData } from "../displays/judge_card.ts";
import { peopleLine } from "../displays/sheets.ts";
import { judgeFrame, type JudgeFrameRow, type JudgeMeasure } from "../frames/judge.ts";
import type { PeopleAgreement } from "../../tournament/people_agreement.ts";
import { beside, drawPanel, type Panel } from "./document.ts";
import { Figure } from "./figure.ts";
import { fitText, pictureText } from "./lettering.ts";
import { CATEGORIES, INK } from "./palette.ts";
import { LETTER, WIDTH } from "./size.ts";
import { textWidth } from "./text_width.ts";

/** Pixels for each line of a judge's name and what is told of it, and above and below them. */
const LINE = 15;
const GAP = 16;
const MARGIN = { top: 40, bottom: 58, side: 22 };
/** Pixels for the names, and for what is drawn of each share; the bias has the rest. */
const NAMES = 166;
const SHARE = 106;
const BIAS = WIDTH - NAMES - 3 * SHARE;
/** Size of the letters of a name. */
const NAME_SIZE = 12;

/** What is within the limits, and what is beyond. */
const [FINE, WARNED] = [CATEGORIES[0], CATEGORIES[1]];
/** Logits at least and at most that the axis of the bias reaches to either side. */
const NARROWEST = 1.5;
const WIDEST = 6;

/** A measure of one judge, as far as the axis reaches. */
interface Mark {
  readonly place: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly label: string;
  readonly color: string;
  readonly few: boolean;
  /** Ends of the interval that lie beyond the axis. */
  readonly beyond: readonly number[];
}

/** A judge's line of the picture. */
interface Line {
  readonly place: number;
  readonly name: string;
  /** What else tells it from others, and its verdicts. */
  readonly details: readonly string[];
  readonly measures: ReadonlyMap<JudgeMeasure, JudgeFrameRow>;
}

/** One measure of all judges side by side. */
interface Strip {
  readonly measure: JudgeMeasure;
  readonly title: string;
  readonly axis: string;
  readonly width: number;
  readonly left: number;
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
  readonly label: (value: number) => string;
  /** Where nothing is amiss, if there is such a place. */
  readonly rest: number | null;
  /** Beyond these there is a warning. */
  readonly limits: readonly number[];
}

/** How the judges judge: order bias on the left, flips, ties and invalid answers beside it, with 95 % intervals. */
export function judgePlot(card: JudgeCardData): Figure<JudgeFrameRow> {
  const lines = linesOf(card);
  return new Figure({
    title: "How the judges judge",
    simulated: card.simulated,
    text: describe(card, lines),
    rows: () => judgeFrame(card),
    draw: () =>
      lines.length === 0
        ? { subtitle: EMPTY, panels: [] }
        : { subtitle: caption(card), panels: [draw(lines)] },
  });
}

const EMPTY = "No match was judged yet. await lab.runFor({ matches: 10 }) plays some.";

/** The judges in the card's order, and all together where there are several. */
function linesOf(card: JudgeCardData): Line[] {
  const rows = Map.groupBy(
    judgeFrame(card),
    ({ pooled, judge, promptVersion, mode }) => JSON.stringify([pooled, judge, promptVersion, mode]),
  );
  const several = card.judges.length > 1;
  const lines = [...rows.values()].flatMap((own) => {
    const [row] = own;
    if (row === undefined || (row.pooled && !several)) return [];
    return [{ row, measures: new Map(own.map((each) => [each.measure, each])) }];
  });
  return card.judges.length === 0 ? [] : lines.map(({ row, measures }, place) => ({
    place,
    name: row.pooled ? "all together" : pictureText(row.judge ?? "unknown model"),
    details: [
      [row.mode ?? "", row.promptVersion === null ? "" : pictureText(row.promptVersion.slice(0, 8))]
        .filter((text) => text !== "").join(" · "),
      `${measures.get("ties")?.of ?? 0} verdicts`,
    ].filter((text) => text !== ""),
    measures,
  }));
}

function caption({ warnings, people }: JudgeCardData): string {
  return [
    "Order bias: what standing first adds, at equal rating; at +1 the first of two equals wins 73 %.",
    "Bars are 95 % intervals. Beyond dashed lines there are warnings: orange and square.",
    `Hollow: fewer than ${ENOUGH}, too few to warn.`,
    people === undefined ? "" : peopleCaption(people),
    warnings.length === 0
      ? "No warning."
      : `lab.judge tells the ${warnings.length === 1 ? "warning" : `${warnings.length} warnings`}.`,
  ].filter(Boolean).join(" ");
}

/** In a few words: a picture has no room for all that the card says. */
function peopleCaption({ machine: { count, of, share, low, high } }: PeopleAgreement): string {
  if (share === null || low === null || high === null) return "";
  return `People and the machine agree on ${count} of ${of} pairs, ${percent(share)} (${percent(low)} to ${
    percent(high)
  }).`;
}

function describe(card: JudgeCardData, lines: readonly Line[]): string {
  if (lines.length === 0) return EMPTY;
  const share = (line: Line, measure: JudgeMeasure) => {
    const value = line.measures.get(measure)?.value ?? null;
    return value === null ? "–" : percent(value);
  };
  return [
    ...lines.map((line) => {
      const { value = null, low = null, high = null } = line.measures.get("order_bias") ?? {};
      const bias = value === null || low === null || high === null
        ? "unknown"
        : `${signed(value)} (${signed(low)} to ${signed(high)})`;
      return `  ${line.name}, ${line.details.join(" · ")}: order bias ${bias} logits, flips ${
        share(line, "flips")
      }, ` +
        `ties ${share(line, "ties")}, invalid ${share(line, "invalid")}`;
    }),
    ...(card.people === undefined ? [] : [`  people: ${peopleLine(card.people)}`]),
    ...card.warnings.map(({ text }) => `! ${pictureText(text, 600)}`),
  ].join("\n");
}

function draw(lines: readonly Line[]): Panel {
  const [low, high] = biasDomain(lines);
  const share = (measure: JudgeMeasure, title: string, axis: string, limits: readonly number[]): Strip => ({
    measure,
    title,
    axis,
    width: SHARE,
    left: MARGIN.side,
    domain: [0, 1],
    ticks: [0, 0.5, 1],
    format: (value) => String(Math.round(value * 100)),
    label: percent,
    rest: null,
    limits,
  });
  const strips: Strip[] = [
    {
      measure: "order_bias",
      title: "Order bias",
      axis: "← for the second\u2003for the first →\n(logits)",
      width: NAMES + BIAS,
      left: NAMES,
      domain: [low, high],
      ticks: whole(low, high),
      format: (value) => (value === 0 ? "0" : signed(value, 0)),
      label: (value) => signed(value),
      rest: 0,
      limits: [-1, 1],
    },
    share("flips", "Flips", "% of pairs\nboth ways", []),
    share("ties", "Ties", "% of verdicts", [0.4]),
    share("invalid", "Invalid", "% of answers", [0.2]),
  ];
  return beside(...strips.map((strip, i) => drawStrip(lines, strip, i === 0)));
}

function drawStrip(lines: readonly Line[], strip: Strip, named: boolean): Panel {
  const marks = lines.flatMap((line) => markOf(line, strip));
  const absent = lines.filter((line) => !marks.some(({ place }) => place === line.place));
  const [low, high] = strip.domain;
  const interval = { x1: "low", x2: "high", y: "place", strokeWidth: 2.2 } as const;
  return drawPanel({
    width: strip.width,
    height: MARGIN.top + lines.length * rowHeight(lines) + MARGIN.bottom,
    marginTop: MARGIN.top,
    marginBottom: MARGIN.bottom,
    marginLeft: strip.left,
    marginRight: MARGIN.side,
    x: { domain: [low, high], label: null },
    y: { domain: [lines.length - 0.5, -0.5], label: null, axis: null },
    marks: [
      Plot.gridX(strip.ticks, { stroke: INK.grid, strokeOpacity: 1 }),
      Plot.ruleX(strip.limits, { stroke: INK.faint, strokeDasharray: "4,3" }),
      ...(strip.rest === null ? [] : [Plot.ruleX([strip.rest], { stroke: INK.faint })]),
      Plot.axisX([...strip.ticks], { label: null, tickFormat: strip.format, color: INK.faint, fontSize: 11 }),
      Plot.text([strip.axis], {
        frameAnchor: "bottom",
        dy: 32,
        lineAnchor: "top",
        text: (text: string) => text,
        fill: INK.faint,
        fontSize: 11,
      }),
      Plot.text([strip.title], {
        frameAnchor: "top",
        dy: -22,
        text: (text: string) => text,
        fill: INK.text,
        fontSize: 13,
        fontWeight: 600,
      }),
      ...(named ? names(lines, low, strip.left) : []),
      Plot.ruleY(marks, { ...interval, stroke: "color" }),
      Plot.text(marks.flatMap((mark) => mark.beyond.map((x) => ({ ...mark, x }))), {
        x: "x",
        y: "place",
        text: ({ x }: { x: number }) => (x > 0 ? "▶" : "◀"),
        fill: "color",
        fontSize: 10,
      }),
      ...(["circle", "square"] as const).map((symbol) =>
        Plot.dot(marks.filter(({ color }) => (color === WARNED) === (symbol === "square")), {
          x: "value",
          y: "place",
          symbol,
          r: 5,
          fill: ({ few, color }: Mark) => (few ? INK.paper : color),
          stroke: "color",
          strokeWidth: 1.8,
        })
      ),
      Plot.text(marks, {
        x: "value",
        y: "place",
        text: "label",
        dy: -13,
        fill: INK.text,
        fontSize: 11,
        stroke: INK.paper,
        strokeWidth: 3,
      }),
      Plot.text(absent, {
        x: () => (low + high) / 2,
        y: "place",
        text: () => "–",
        fill: INK.faint,
        fontSize: 12,
      }),
    ],
  });
}

function names(lines: readonly Line[], low: number, left: number): Plot.Markish[] {
  const at = { x: () => low, y: "place", textAnchor: "start", dx: -left } as const;
  return [
    ...lines.flatMap((line) => {
      const name = nameLines(line.name), of = name.length + line.details.length;
      const dy = (i: number) => (i - (of - 1) / 2) * LINE;
      return [
        ...name.map((text, i) =>
          Plot.text([line], {
            ...at,
            text: () => text,
            dy: dy(i),
            fill: INK.text,
            fontSize: NAME_SIZE,
            fontWeight: 600,
          })
        ),
        ...line.details.map((text, i) =>
          Plot.text([line], {
            ...at,
            text: () => fitText(text, NAMES - 8, LETTER),
            dy: dy(name.length + i),
            fill: INK.faint,
            fontSize: LETTER,
          })
        ),
      ];
    }),
  ];
}

/** Of one height, that of the judge of whom there is most to write. */
function rowHeight(lines: readonly Line[]): number {
  return GAP + LINE * Math.max(...lines.map(({ name, details }) => nameLines(name).length + details.length));
}

/** Names of models have no spaces: a long one goes on in a second line after one of its hyphens, dots or slashes. */
function nameLines(name: string): string[] {
  const width = (NAMES - 10) / 1.13;
  const fits = (text: string) => textWidth(text, NAME_SIZE, "bold") <= NAMES - 10;
  if (fits(name)) return [name];
  const ends = [...name.matchAll(/[-_./:@ ]/g)].map(({ index }) => index + 1).filter((end) =>
    fits(name.slice(0, end).trimEnd())
  );
  const end = ends.at(-1);
  return end === undefined
    ? [fitText(name, width, NAME_SIZE)]
    : [name.slice(0, end).trimEnd(), fitText(name.slice(end), width, NAME_SIZE)];
}

function markOf(line: Line, { measure, domain: [low, high], limits, label }: Strip): Mark[] {
  const row = line.measures.get(measure);
  if (row === undefined || row.value === null || row.low === null || row.high === null) return [];
  const { value } = row;
  const few = row.of < ENOUGH;
  const inside = (x: number) => Math.min(high, Math.max(low, x));
  const warned = !few && limits.some((limit) => (limit < 0 ? value < limit : value > limit));
  return [{
    place: line.place,
    value: inside(value),
    low: inside(row.low),
    high: inside(row.high),
    label: label(value),
    color: warned ? WARNED : FINE,
    few,
    beyond: [row.low < low ? low : null, row.high > high ? high : null].filter((x) => x !== null),
  }];
}

/** From where to where the bias reaches: zero in it, and both limits. */
function biasDomain(lines: readonly Line[]): [number, number] {
  const ends = lines.flatMap(({ measures }) => {
    const row = measures.get("order_bias");
    return [row?.low ?? 0, row?.high ?? 0];
  });
  const room = 0.15;
  return [
    Math.max(-WIDEST, Math.min(-NARROWEST, ...ends.map((end) => end - room))),
    Math.min(WIDEST, Math.max(NARROWEST, ...ends.map((end) => end + room))),
  ];
}

function whole(low: number, high: number): number[] {
  const first = Math.ceil(low), last = Math.floor(high);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}

/** `+0.31`, `−1.20`. */
function signed(value: number, digits = 2): string {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`;
}
