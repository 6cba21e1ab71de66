import { card, type Column, markup, table } from "../html.ts";
import type { Display } from "./display.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { excerpt, line, paragraph, section, short } from "./prose.ts";
import { redoUsd, staleCounts, type StaleRow } from "./stale.ts";
import { dollars } from "./wording.ts";

/** A part of a hypothesis that an edit changed. */
export interface EditedPart {
  /** Which one, as the patch calls it. */
  readonly part: string;
  /** As it was. */
  readonly before: string;
  /** As it is. */
  readonly after: string;
}

/** What an edit did. */
export interface EditData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** `H7`. */
  readonly label: string;
  /** Its title by now. */
  readonly title: string;
  /** Its newest version. */
  readonly version: number;
  /** Label of the revision; `null` where nothing changed. */
  readonly revision: string | null;
  /** Who. */
  readonly by: string;
  /** What changed. */
  readonly changed: readonly EditedPart[];
  /** What is stale of it now: done again only if `refresh` asks for it. */
  readonly stale: readonly StaleRow[];
  /** What else there is to say; one line each. */
  readonly notes: readonly string[];
}

/** How an edit is shown. */
export const editDisplay: Display<EditData> = {
  html: (edit) =>
    card({
      title: title(edit),
      simulated: edit.simulated,
      body: [
        edit.changed.length === 0 ? paragraph(NOTHING) : table(COLUMNS, edit.changed),
        edit.stale.length === 0 ? null : section("Stale now", paragraph(staleLine(edit))),
        edit.notes.map((note) => paragraph(line(note, 400))),
      ],
    }),
  text: (edit) =>
    blocks(
      headline(title(edit), edit.simulated),
      edit.changed.length === 0 ? NOTHING : lines(
        ...edit.changed.map(({ part, before, after }) =>
          lines(`${part}:`, wrapped(before, "  − ", 600), wrapped(after, "  + ", 600))
        ),
      ),
      edit.stale.length === 0 ? null : wrapped(staleLine(edit), "Stale now: "),
      ...edit.notes.map((note) => wrapped(note, "", 400)),
    ),
};

const NOTHING = "Nothing changed: it says so already.";

const COLUMNS: readonly Column<EditedPart>[] = [
  { head: "Part", cell: ({ part }) => markup`<b>${short(part)}</b>` },
  { head: "Before", cell: ({ before }) => excerpt(before, 240) },
  { head: "After", cell: ({ after }) => excerpt(after, 240) },
];

function title({ label, version, revision, by, title }: EditData): string {
  const head = revision === null
    ? `${label} stays at version ${version}`
    : `${label} is at version ${version} (${revision}, by ${by})`;
  return `${head}: ${title.slice(0, 200)}`;
}

function staleLine({ label, stale }: EditData): string {
  return `${
    staleCounts(stale)
  }. Nothing is done again unless it is asked for: await lab.refresh("${label}") does, ` +
    `for about ${dollars(redoUsd(stale))}; lab.stale lists them.`;
}
