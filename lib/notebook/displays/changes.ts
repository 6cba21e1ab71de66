import { markup } from "../html.ts";
import type { RevisionKind } from "../../domain/records.ts";
import type { Display } from "./display.ts";
import { type Listing, listingHtml, listingText } from "./listing.ts";
import { blocks, wrapped } from "./plain.ts";
import { faint, line, short } from "./prose.ts";
import { jsonLine } from "./wording.ts";

/** One thing that a person changed. */
export interface ChangeRow {
  /** `R3`. */
  readonly revision: string;
  /** What kind of thing it changed. */
  readonly kind: RevisionKind;
  /** The change that it takes back; `null` for one of its own. */
  readonly undoes: string | null;
  /** Which: a setting such as `ranking.kFactorNew`, a prompt's name, a label. */
  readonly path: string;
  /** The value so far. */
  readonly before: unknown;
  /** The value from now on. */
  readonly after: unknown;
  /** Who changed it. */
  readonly by: string;
  /** The commit from which on it is so. */
  readonly seq: number;
  /** What it changes from when; absent where that is not told. */
  readonly effect?: string | undefined;
}

/** What a person changed. */
export interface ChangeListData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The changes, in order. */
  readonly rows: readonly ChangeRow[];
}

/** How changes are shown. */
export const changesDisplay: Display<ChangeListData> = {
  html: (data) => listingHtml(listing(data)),
  text: (data) =>
    blocks(
      listingText(listing(data)),
      // A sentence has no room in a table.
      ...data.rows.map(({ path, effect }) => effect === undefined ? null : wrapped(effect, `${path}: `, 800)),
    ),
};

function listing(data: ChangeListData): Listing<ChangeRow> {
  const told = data.rows.some(({ effect }) => effect !== undefined);
  return {
    title: `Changes in ${data.session}`,
    simulated: data.simulated,
    rows: data.rows,
    columns: [
      { head: "Revision", cell: (row) => short(row.revision) },
      { head: "What", cell: (row) => markup`${line(kindWords(row), 40)} <b>${short(row.path)}</b>` },
      { head: "Before", cell: (row) => line(valueText(row.kind, row.before), 300) },
      {
        head: "After",
        wide: true,
        cell: (row) => markup`<b>${line(valueText(row.kind, row.after), 300)}</b>`,
      },
      { head: "Since", cell: (row) => line(since(row), 200) },
      ...(told
        ? [{
          head: "Takes effect",
          below: true,
          cell: (row: ChangeRow) => row.effect === undefined ? null : faint(line(row.effect, 600)),
        }]
        : []),
    ],
    textColumns: [
      { head: "revision", cell: (row) => row.revision },
      { head: "what", cell: (row) => `${kindWords(row)} ${row.path}`.trim(), max: 44 },
      { head: "before", cell: (row) => valueText(row.kind, row.before) },
      { head: "after", cell: (row) => valueText(row.kind, row.after) },
      { head: "since", cell: since },
    ],
    empty: "Nothing changed: it was so already.",
    end: "first",
    hint: told ? "Past results stay." : "In force for tasks claimed from then on; past results stay.",
  };
}

function since(row: ChangeRow): string {
  return `commit ${row.seq}, by ${row.by}${row.undoes === null ? "" : `, undoing ${row.undoes}`}`;
}

/** The kind of a change, where the name of what it changed doesn't tell. */
export function kindWords({ kind }: ChangeRow): string {
  return kind === "configure" || kind === "queue" || kind === "session" ? "" : kind;
}

/** A value in words: of a record its parts, of what isn't there a dash. */
export function valueText(kind: RevisionKind, value: unknown): string {
  if (kind === "configure") return jsonLine(value);
  if (value === null) return kind === "prompt" ? "the shipped text" : "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  if (typeof value !== "object" || Array.isArray(value)) return jsonLine(value);
  return Object.entries(value ?? {}).filter(([, part]) => part !== null && part !== "")
    .map(([name, part]) => `${name} ${typeof part === "string" ? part : jsonLine(part)}`).join(", ");
}
