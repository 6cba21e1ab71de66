import { card } from "../html.ts";
import type { CardOrigin } from "./cards.ts";
import type { Display } from "./display.ts";
import { blocks, headline, wrapped } from "./plain.ts";
import { code, faint, line, paragraph } from "./prose.ts";
import { bytesText } from "./wording.ts";

/** A file that a session was exported to. */
export interface ExportedData extends CardOrigin {
  /** The file, by its absolute path. */
  readonly path: string;
  /** Its form, by its ending: `.html`, `.md` … */
  readonly form: string;
  /** What it holds, in words. */
  readonly holds: string;
  /** How large it is, in bytes. */
  readonly bytes: number;
  /** The commit that it shows. */
  readonly seq: number;
  /** What its reader should know. */
  readonly notes: readonly string[];
}

/** How an export is shown. */
export const exportedDisplay: Display<ExportedData> = {
  html: (data) =>
    card({
      title: title(data),
      simulated: data.simulated,
      body: [
        paragraph(code(line(data.path, 1000))),
        paragraph(`It holds ${data.holds}.`),
        data.notes.map((note) => paragraph(line(note, 600))),
        paragraph(faint(facts(data))),
      ],
    }),
  text: (data) =>
    blocks(
      headline(title(data), data.simulated),
      wrapped(data.path, "", 1000),
      wrapped(`It holds ${data.holds}.`),
      ...data.notes.map((note) => wrapped(note, "", 600)),
      facts(data),
    ),
};

function title({ session, form }: ExportedData): string {
  return `${session} as ${form}`;
}

function facts({ bytes, seq }: ExportedData): string {
  return `${bytesText(bytes)} · as of commit ${seq}`;
}
