import { card, type Column, markup, table } from "../html.ts";
import type { Display } from "./display.ts";
import { grid } from "./grid.ts";
import { blocks, headline, lines, textTable } from "./plain.ts";
import { faint, fold, line, paragraph, short } from "./prose.ts";
import { counted, jsonLine, moment } from "./wording.ts";

/** One setting with its history in short. */
export interface SettingRow {
  /** `group.name`, e.g. `ranking.kFactorNew`. */
  readonly path: string;
  /** The value in force. */
  readonly value: unknown;
  /** The value by default. */
  readonly default: unknown;
  /** Who set it; `null` where nobody did. */
  readonly by: string | null;
  /** Label of the revision that set it; `null` where it was set at creation or never. */
  readonly revision: string | null;
  /** Label of the revision that this one took back; `null` where it took back none. */
  readonly undoes: string | null;
  /** The commit from which it is in force; `null` where it always was. */
  readonly seq: number | null;
  /** When that was: milliseconds since 1970; `null` where nobody set it. */
  readonly at: number | null;
}

/** All settings of a session. */
export interface SettingsData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The settings, in the order of their groups. */
  readonly rows: readonly SettingRow[];
}

/** How settings are shown: the changed ones first. */
export const settingsDisplay: Display<SettingsData> = {
  html: (data) => {
    const { changed, others } = parted(data);
    return card({
      title: `Settings of ${data.session}`,
      simulated: data.simulated,
      body: [
        paragraph(faint(HINT)),
        table(COLUMNS, changed, "All have their defaults."),
        others.length === 0 ? null : fold(
          `${others.length} with their defaults`,
          grid(2, others.map((row) => [short(row.path), line(jsonLine(row.value), 300)])),
        ),
      ],
    });
  },
  text: (data) => {
    const { changed, others } = parted(data);
    return blocks(
      headline(`Settings of ${data.session}`, data.simulated),
      changed.length === 0 ? "All have their defaults." : lines(
        `${counted(changed.length, "setting")} changed:`,
        textTable([
          { head: "setting", cell: (row) => row.path, max: 44 },
          { head: "value", cell: (row) => jsonLine(row.value) },
          { head: "default", cell: (row) => jsonLine(row.default) },
          { head: "since", cell: since },
        ], changed),
      ),
      others.length === 0 ? null : lines(
        `${others.length} with their defaults:`,
        textTable([
          { head: "setting", cell: (row) => row.path, max: 44 },
          { head: "value", cell: (row) => jsonLine(row.value) },
        ], others),
      ),
      HINT,
    );
  },
};

const HINT = "lab.configure({ group: { name: value } }) changes them, and says from when.";

const COLUMNS: readonly Column<SettingRow>[] = [
  { head: "Setting", cell: (row) => markup`<b>${short(row.path)}</b>` },
  { head: "Value", cell: (row) => markup`<b>${line(jsonLine(row.value), 300)}</b>` },
  { head: "Default", cell: (row) => line(jsonLine(row.default), 300) },
  { head: "Since", cell: (row) => line(since(row), 200) },
];

function parted({ rows }: SettingsData) {
  const isChanged = (row: SettingRow) => row.by !== null || jsonLine(row.value) !== jsonLine(row.default);
  return { changed: rows.filter(isChanged), others: rows.filter((row) => !isChanged(row)) };
}

function since(row: SettingRow): string {
  const commit = row.seq === null ? null : `commit ${row.seq}`;
  const time = row.at === null ? null : moment(row.at);
  const when = [commit, time].filter((text) => text !== null).join(", ");
  const by = row.by === null || row.by === "create" ? "" : `, by ${row.by}`;
  const undo = row.undoes === null ? "" : `, undoing ${row.undoes}`;
  return `${row.revision ?? "creation"}${by}${undo}${when === "" ? "" : ` (${when})`}`;
}
