import * as Plot from "@observablehq/plot";
import type { AgentName } from "../../domain/records.ts";
import { counted, dollars } from "../displays/wording.ts";
import type { BudgetRow } from "../frames/budget.ts";
import { drawPanel, type Panel } from "./document.ts";
import { Figure } from "./figure.ts";
import { spread } from "./lettering.ts";
import { AGENT_COLORS, INK } from "./palette.ts";
import { WIDTH } from "./size.ts";

const HEIGHT = 400;
const MARGIN = { top: 24, right: 176, bottom: 48, left: 62 };
const GAP = 16;
/** Points of a line at most: more than pixels can show are joined. */
const MOST = 200;
/** The cap is in the picture unless less than this part of it is spent: then the spending would be a line at the bottom. */
const SEEN = 0.2;

/** Agents from the bottom of the pile to its top: in the order in which they come to work. */
const PILE: readonly AgentName[] = [
  "planning",
  "generation",
  "reflection",
  "proximity",
  "ranking",
  "evolution",
  "metareview",
  "safety",
];

/** What the figure of spending reads. */
export interface BudgetPlotData {
  /** The rows of its frame. */
  readonly rows: readonly BudgetRow[];
  /** What lies along the axis. */
  readonly over: "commits" | "time";
  /** The cap now, in dollars. */
  readonly capUsd: number;
  /** What of it is put aside for the overview, in dollars. */
  readonly overviewUsd: number;
  /** What the session inherited: paid before it was forked, and not in the picture. */
  readonly inheritedUsd: number;
  /** Whether models are simulated: then money is pretended. */
  readonly simulated: boolean;
}

/** The pile at a point along the axis. */
interface Sample {
  readonly x: number;
  readonly usd: ReadonlyMap<AgentName, number>;
  readonly cap: number;
}

/** A layer of the pile at a point. */
interface Layer {
  readonly agent: AgentName;
  readonly x: number;
  readonly low: number;
  readonly high: number;
}

/** How the money went: spending by agent piled up, with the cap and what is kept for the overview. */
export function budgetPlot(data: BudgetPlotData): Figure<BudgetRow> {
  return new Figure({
    title: `Spending over ${data.over === "commits" ? "the commits of the session" : "time"}, by agent`,
    simulated: data.simulated,
    text: describe(data),
    rows: () => data.rows,
    draw: () =>
      data.rows.length === 0
        ? { subtitle: emptyText(data), panels: [] }
        : { subtitle: caption(data), panels: [draw(data)] },
  });
}

function emptyText({ capUsd, inheritedUsd }: BudgetPlotData): string {
  return `No call was made yet${inheritedUsd > 0 ? " by this session itself" : ""}. The budget is ${
    dollars(capUsd)
  }. await lab.tick() makes the next step; lab.peek() says what it may cost.`;
}

function total(rows: readonly BudgetRow[]): number {
  return rows.at(-1)?.totalUsd ?? 0;
}

function facts({ rows, capUsd, overviewUsd, inheritedUsd }: BudgetPlotData): string[] {
  const spent = total(rows);
  return [
    `${dollars(spent)} of ${dollars(capUsd)} spent${capUsd > 0 ? ` (${percent(spent / capUsd)})` : ""}.`,
    overviewUsd > 0 ? `Of the cap ${dollars(overviewUsd)} is kept for the overview.` : "",
    inheritedUsd > 0 ? `Not shown: ${dollars(inheritedUsd)} that the sessions before the fork paid.` : "",
  ].filter(Boolean);
}

function caption(data: BudgetPlotData): string {
  const seen = capSeen(data);
  return [
    ...facts(data),
    seen ? "Dashed: the cap; dotted: the cap without what is kept." : "The cap lies far above the picture.",
    data.simulated ? "Simulated calls cost nothing; prices are those of the models that they stand for." : "",
  ].filter(Boolean).join(" ");
}

function describe(data: BudgetPlotData): string {
  const { rows } = data;
  if (rows.length === 0) return emptyText(data);
  const spent = total(rows);
  return [
    facts(data).join("\n"),
    ...lastOf(rows).map(([agent, usd]) =>
      `  ${agent}: ${dollars(usd)}${spent > 0 ? ` (${percent(usd / spent)})` : ""}`
    ),
    `over ${counted(new Set(rows.map(({ seq }) => seq)).size, "commit")} with calls`,
  ].join("\n");
}

function lastOf(rows: readonly BudgetRow[]): [AgentName, number][] {
  const last = new Map(rows.map(({ agent, agentUsd }) => [agent, agentUsd]));
  return PILE.flatMap((agent): [AgentName, number][] => {
    const usd = last.get(agent);
    return usd === undefined ? [] : [[agent, usd]];
  });
}

function percent(share: number): string {
  const value = share * 100;
  return `${value > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
}

function capSeen({ rows, capUsd }: BudgetPlotData): boolean {
  return capUsd > 0 && total(rows) >= SEEN * capUsd;
}

/** The pile after each commit or call, from nothing at the start; not more points than can be seen. */
function samplesOf({ rows, over, capUsd }: BudgetPlotData): Sample[] {
  const usd = new Map<AgentName, number>();
  const lastSeq = rows.findLast(({ seq }) => seq !== null)?.seq ?? 0;
  const begin = Math.min(...rows.map(({ at }) => Date.parse(at)));
  const xOf = ({ seq, at }: BudgetRow) =>
    over === "commits" ? seq ?? lastSeq + 1 : Math.max(0, (Date.parse(at) - begin) / 60_000);
  const ordered = over === "commits" ? rows : rows.toSorted((a, b) => xOf(a) - xOf(b));
  const samples: Sample[] = [{ x: 0, usd: new Map(), cap: rows[0]?.capUsd ?? capUsd }];
  for (const row of ordered) {
    usd.set(row.agent, (usd.get(row.agent) ?? 0) + row.usd);
    const sample = { x: xOf(row), usd: new Map(usd), cap: row.capUsd };
    if (samples.length > 1 && samples.at(-1)?.x === sample.x) samples.pop();
    samples.push(sample);
  }
  const step = Math.max(1, samples.length / MOST);
  const kept = samples.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
  const last = samples.at(-1);
  return last === undefined || kept.at(-1) === last ? kept : [...kept, last];
}

function draw(data: BudgetPlotData): Panel {
  const { rows, over, capUsd, overviewUsd } = data;
  const samples = samplesOf(data);
  const agents = lastOf(rows);
  const layers = samples.flatMap(({ x, usd }) => {
    let height = 0;
    return agents.map(([agent]): Layer => {
      const low = height;
      height += usd.get(agent) ?? 0;
      return { agent, x, low, high: height };
    });
  });
  const end = Math.max(samples.at(-1)?.x ?? 0, over === "commits" ? 1 : 1e-3);
  const spent = total(rows);
  const seen = capSeen(data);
  const top = Math.max(spent, seen ? Math.max(capUsd, ...samples.map(({ cap }) => cap)) : 0) * 1.06 || 1;
  const pixelX = end / (WIDTH - MARGIN.left - MARGIN.right);
  const pixelY = top / (HEIGHT - MARGIN.top - MARGIN.bottom);
  const middles = layers.slice(-agents.length).map(({ low, high }) => (low + high) / 2);
  const places = spread(middles, GAP * pixelY, 4 * pixelY, top);
  const labels = agents.map(([agent, usd], i) => ({
    agent,
    text: `${agent} · ${dollars(usd)}`,
    y: middles[i] ?? 0,
    at: places[i] ?? 0,
  }));
  return drawPanel({
    width: WIDTH,
    height: HEIGHT,
    marginTop: MARGIN.top,
    marginRight: MARGIN.right,
    marginBottom: MARGIN.bottom,
    marginLeft: MARGIN.left,
    x: { domain: [0, end], label: null },
    y: { domain: [0, top], label: null },
    symbol: { type: "identity" },
    marks: [
      Plot.gridY({ stroke: INK.grid, strokeOpacity: 1, ticks: 6 }),
      Plot.areaY(layers, {
        x: "x",
        y1: "low",
        y2: "high",
        z: "agent",
        curve: "step-after",
        fill: ({ agent }: Layer) => AGENT_COLORS[agent],
        stroke: INK.paper,
        strokeWidth: 0.6,
      }),
      ...(seen ? caps(samples, end, capUsd, overviewUsd) : []),
      Plot.axisX({
        label: over === "commits" ? "commit of the session" : "minutes since the first call",
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 38,
        color: INK.faint,
        fontSize: 11,
        ticks: over === "commits" ? Math.min(8, end) : 8,
        ...(over === "commits" ? { tickFormat: "d" } : {}),
      }),
      Plot.axisY({
        label: "USD",
        labelArrow: "none",
        color: INK.faint,
        fontSize: 11,
        ticks: 6,
        tickFormat: (value: number) => `$${Number(value.toPrecision(6))}`,
      }),
      Plot.link(labels, {
        x1: () => end,
        x2: () => end + 12 * pixelX,
        y1: "y",
        y2: "at",
        stroke: ({ agent }: { agent: AgentName }) => AGENT_COLORS[agent],
        strokeWidth: 1,
      }),
      Plot.dot(labels, {
        x: () => end + 16 * pixelX,
        y: "at",
        r: 4.5,
        symbol: () => "square",
        fill: ({ agent }: { agent: AgentName }) => AGENT_COLORS[agent],
      }),
      Plot.text(labels, {
        x: () => end,
        y: "at",
        dx: 24,
        text: "text",
        textAnchor: "start",
        fill: INK.text,
        fontSize: 11.5,
      }),
    ],
  });
}

/** The cap as it was at each point, and below it what is left when the overview's part is put aside. */
function caps(samples: readonly Sample[], end: number, capUsd: number, overviewUsd: number): Plot.Markish[] {
  const steps = [...samples.map(({ x, cap }) => ({ x, cap })), { x: end, cap: capUsd }];
  const since = steps[steps.findLastIndex(({ cap }) => cap !== capUsd) + 1]?.x ?? 0;
  const kept = overviewUsd > 0 && overviewUsd < capUsd
    ? [{ x1: since, x2: end, y: capUsd - overviewUsd }]
    : [];
  const line = { stroke: INK.alarm, strokeWidth: 1.4 } as const;
  return [
    Plot.line(steps, { ...line, x: "x", y: "cap", curve: "step-after", strokeDasharray: "6,4" }),
    Plot.ruleY(kept, { ...line, x1: "x1", x2: "x2", y: "y", strokeDasharray: "1,3" }),
    Plot.text([`cap ${dollars(capUsd)}`], {
      frameAnchor: "right",
      y: () => capUsd,
      text: (words: string) => words,
      textAnchor: "end",
      dx: -6,
      dy: -8,
      fill: INK.alarm,
      fontSize: 11,
      stroke: INK.paper,
      strokeWidth: 3,
    }),
  ];
}
