import { type Content, type Html, markup } from "../html.ts";
import { faint } from "./prose.ts";

/**
 * Cells in rows and columns without any style of their own: for long lists, where the style of each cell of a table would
 * be the larger part of the page. The last column takes what is left.
 *
 * @param first how wide the others are, in CSS: as wide as what stands in them unless it says otherwise
 */
export function grid(columns: number, rows: readonly (readonly Content[])[], first = "auto"): Html {
  const template = `${first} `.repeat(columns - 1);
  const cells = rows.map((row) => row.map((cell) => markup`<div>${cell}</div>`));
  return markup`<div style="display:grid;grid-template-columns:${template}minmax(0,1fr);gap:2px 12px;overflow-wrap:break-word">${cells}</div>`;
}

/** Names with what they stand for, one a line; those that stand for nothing are left out. */
export function facts(entries: readonly (readonly [string, Content])[]): Html {
  const given = entries.filter(([, content]) => content !== null && content !== "");
  return grid(2, given.map(([name, content]) => [faint(name), content]), "fit-content(36%)");
}
