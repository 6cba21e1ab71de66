import type { AgentName } from "../../domain/records.ts";

/** Colours of all figures: explicit, because a figure is shown on light and dark pages alike. */
export const INK = {
  /** The ground. */
  paper: "#ffffff",
  /** Text. */
  text: "#1f2328",
  /** Text of less weight: 7:1 against the paper. */
  faint: "#52595f",
  /** Lines of those that are not in the foreground. */
  grey: "#a8adb3",
  /** Grid lines. */
  grid: "#e7e9eb",
  /** What is out of play. */
  alarm: "#b3261e",
} as const;

/** Distinct also for colour-blind readers (Okabe and Ito 2008), without the yellow, which is faint on white. */
export const CATEGORIES = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#cc79a7",
  "#e69f00",
  "#56b4e9",
  "#4d4d4d",
] as const;

/** The colour of each agent: the same in every picture. Neighbours in a pile differ in lightness too. */
export const AGENT_COLORS: Readonly<Record<AgentName, string>> = {
  planning: "#4d4d4d",
  generation: "#0072b2",
  reflection: "#56b4e9",
  proximity: "#6a3d9a",
  ranking: "#e69f00",
  evolution: "#009e73",
  metareview: "#cc79a7",
  safety: "#a8adb3",
};

/** Light to dark in even steps of lightness, so that rank is seen without hue (ColorBrewer's YlGnBu of five). */
const SEQUENCE = ["#ffffcc", "#a1dab4", "#41b6c4", "#2c7fb8", "#253494"] as const;

/** A class of ratings. */
export interface EloClass {
  /** The smallest rating in it; -Infinity for the lowest class. */
  readonly from: number;
  /** Its colour. */
  readonly color: string;
  /** Its range in words. */
  readonly label: string;
}

const STEPS = [5, 10, 20, 25, 50, 100, 150, 200, 250, 500, 1000, 2000, 5000];

/** At most five classes of ratings with round bounds, lowest first; a single one where all ratings are about the same. */
export function eloClasses(elos: readonly number[]): EloClass[] {
  let low = Infinity, high = -Infinity;
  for (const elo of elos) {
    low = Math.min(low, elo);
    high = Math.max(high, elo);
  }
  if (elos.length === 0) return [];
  const bounds = roundBounds(low, high);
  return [-Infinity, ...bounds].map((from, i) => {
    const to = bounds[i];
    const place = bounds.length === 0 ? 2 : Math.round(i * (SEQUENCE.length - 1) / bounds.length);
    const color = SEQUENCE[place] ?? SEQUENCE[0];
    if (to === undefined) return { from, color, label: from === -Infinity ? range(low, high) : `≥ ${from}` };
    return { from, color, label: from === -Infinity ? `< ${to}` : `${from}–${to}` };
  });
}

/** The colour of a rating. */
export function eloColor(elo: number, classes: readonly EloClass[]): string {
  return classes.findLast(({ from }) => elo >= from)?.color ?? INK.paper;
}

function range(low: number, high: number): string {
  const [from, to] = [Math.round(low), Math.round(high)];
  return from === to ? `${from}` : `${from}–${to}`;
}

/** The multiples of a round step strictly above `low` and at most `high`: four at most. */
function roundBounds(low: number, high: number): number[] {
  for (const step of STEPS) {
    const first = (Math.floor(low / step) + 1) * step;
    const count = high < first ? 0 : Math.floor((high - first) / step) + 1;
    if (count <= SEQUENCE.length - 1) return Array.from({ length: count }, (_, i) => first + i * step);
  }
  return [];
}
