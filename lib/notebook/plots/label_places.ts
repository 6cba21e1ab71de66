import { textWidth } from "./text_width.ts";

/** A point that wants a label. */
export interface Labelled {
  /** In pixels from the left. */
  readonly x: number;
  /** In pixels from the top. */
  readonly y: number;
  /** What its label says. */
  readonly text: string;
}

/** A label's place: of its left edge and its middle. */
export interface LabelPlace extends Labelled {
  /** Where the text begins. */
  readonly left: number;
  /** Its middle from top to bottom. */
  readonly middle: number;
  /** Its width at most. */
  readonly width: number;
}

/** Where labels may stand, and how they look. */
export interface LabelSpace {
  /** Pixels from side to side. */
  readonly width: number;
  /** Pixels from top to bottom. */
  readonly height: number;
  /** The font's size in pixels. */
  readonly fontSize: number;
  /** Points that had better not be covered. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Pixels around each point that are its mark. */
  readonly radius: number;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Directions from a point, the best first, and distances: farther ones are tried where near ones are taken. */
const DIRECTIONS = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 1], [-1, -1], [-1, 1]] as const;
const DISTANCES = [0, 10, 22, 36, 54, 76, 102, 132];
/** How much worse it is to cover a point that has a label itself than one that has none. */
const LABELLED = 4;

/**
 * Places labels beside their points so that none overlaps another or leaves the space, and as few points as possible are
 * covered; the first ones choose first. One for which there is no room is left out.
 */
export function placeLabels(labels: readonly Labelled[], space: LabelSpace): LabelPlace[] {
  const taken: Box[] = [];
  return labels.flatMap((label) => {
    const width = textWidth(label.text, space.fontSize);
    let best: { readonly box: Box; readonly cost: number } | null = null;
    for (const [far, distance] of DISTANCES.entries()) {
      for (const [dx, dy] of DIRECTIONS) {
        const box = boxAt(label, dx, dy, distance, width, space);
        if (!inside(box, space) || taken.some((other) => overlap(box, other))) continue;
        const cost = 2 * far + space.points.filter((point) => covers(box, point, space.radius)).length +
          LABELLED * labels.filter((point) => covers(box, point, space.radius)).length;
        if (best === null || cost < best.cost) best = { box, cost };
      }
      if (best !== null && best.cost <= 2 * far) break;
    }
    if (best === null) return [];
    const { left, top, bottom } = best.box;
    taken.push(best.box);
    return [{ ...label, left, middle: (top + bottom) / 2, width }];
  });
}

function boxAt(
  { x, y }: Labelled,
  dx: number,
  dy: number,
  distance: number,
  width: number,
  { fontSize, radius }: LabelSpace,
): Box {
  const half = fontSize * 0.7;
  // Diagonal steps are shorter, so that all directions lie on a circle.
  const step = (radius + 4 + distance) * (dx !== 0 && dy !== 0 ? Math.SQRT1_2 : 1);
  const anchor = x + dx * step, middle = y + dy * (step + (dx === 0 ? half : 0));
  const left = dx > 0 ? anchor : dx < 0 ? anchor - width : anchor - width / 2;
  return { left, right: left + width, top: middle - half, bottom: middle + half };
}

function inside({ left, right, top, bottom }: Box, { width, height }: LabelSpace): boolean {
  return left >= 0 && right <= width && top >= 0 && bottom <= height;
}

function overlap(a: Box, b: Box): boolean {
  const gap = 3;
  return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + 1 && b.top < a.bottom + 1;
}

function covers(box: Box, { x, y }: { readonly x: number; readonly y: number }, radius: number): boolean {
  return x > box.left - radius && x < box.right + radius && y > box.top - radius && y < box.bottom + radius;
}
