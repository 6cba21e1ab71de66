import { clip } from "../../domain/text.ts";
import { card, markup, table } from "../html.ts";
import type { Display } from "./display.ts";
import { blocks, headline, textTable } from "./plain.ts";
import { line } from "./prose.ts";

/** A verb with what it does. */
export interface HelpRow {
  /** How it is called: `tick({ tasks? })`. */
  readonly verb: string;
  /** What it does, in one line. */
  readonly what: string;
}

/** What a handle can do. */
export interface HelpData {
  /** Of what. */
  readonly title: string;
  /** Its verbs. */
  readonly rows: readonly HelpRow[];
}

/** How help is shown. */
export const helpDisplay: Display<HelpData> = {
  html: ({ title, rows }) =>
    card({
      title,
      body: [table([
        {
          head: "Verb",
          cell: (row) =>
            markup`<code style="background:#ffffff;color:#1f2328;padding:0;white-space:pre-wrap">${
              clip(row.verb, 400)
            }</code>`,
        },
        { head: "What it does", cell: (row) => line(row.what, 400) },
      ], rows)],
    }),
  text: ({ title, rows }) =>
    blocks(
      headline(title, false),
      textTable([
        { head: "verb", cell: (row) => row.verb, max: 44 },
        { head: "what it does", cell: (row) => row.what },
      ], rows),
    ),
};
