import type { Html } from "../html.ts";

/** How a kind of value is shown: pure functions of its data. Texts of foreign origin come out as data, in each of them. */
export interface Display<D> {
  /** As a card for notebooks: complete without script, style sheet and network. */
  html(data: D): Html;
  /** For terminals of 100 columns, and for programs that show no HTML. */
  text(data: D): string;
  /** As Markdown, where the value is a document. */
  markdown?(data: D): string;
}
