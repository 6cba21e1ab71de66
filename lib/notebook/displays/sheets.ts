import type { Agreement, PeopleAgreement } from "../../tournament/people_agreement.ts";
import { card } from "../html.ts";
import type { CardOrigin } from "./cards.ts";
import type { Display } from "./display.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { line, paragraph } from "./prose.ts";
import { counted } from "./wording.ts";

/** A blind sheet that was written. It doesn't say which pairs are on it: whoever made it may fill one in, too. */
export interface SheetWrittenData extends CardOrigin {
  /** What is printed on it. */
  readonly code: string;
  /** The page to be read. */
  readonly html: string;
  /** The file to be filled in. */
  readonly csv: string;
  /** How many pairs it has. */
  readonly pairs: number;
  /** How many were asked for. */
  readonly wanted: number;
  /** Whom it is for; `null` where nobody was named. */
  readonly recipient: string | null;
}

/** What a filled-in sheet came to. */
export interface VerdictImportData extends CardOrigin {
  /** The sheet's code. */
  readonly code: string;
  /** Who filled it in. */
  readonly author: string;
  /** How much each verdict counts. */
  readonly weight: number;
  /** Labels of the matches that were made. */
  readonly matches: readonly string[];
  /** Of them, those that one side won. */
  readonly decided: number;
  /** Of them, ties. */
  readonly tied: number;
  /** Pairs without a choice. */
  readonly skipped: number;
  /** Choices that were in already. */
  readonly repeated: number;
  /** What is not counted, and why. */
  readonly notes: readonly string[];
  /** How this person agrees with the machine, and with others who judged the same pairs; `null` without verdicts. */
  readonly agreement: PeopleAgreement | null;
}

/** How a written sheet is shown. */
export const sheetDisplay: Display<SheetWrittenData> = {
  html: (data) =>
    card({
      title: `Blind sheet ${data.code}`,
      simulated: data.simulated,
      body: sheetLines(data).map((text) => paragraph(line(text, 600))),
    }),
  text: (data) =>
    blocks(
      headline(`Blind sheet ${data.code}`, data.simulated),
      lines(...sheetLines(data).map((text) => wrapped(text))),
    ),
};

/** How an import is shown. */
export const importDisplay: Display<VerdictImportData> = {
  html: (data) =>
    card({
      title: importTitle(data),
      simulated: data.simulated,
      body: importLines(data).map((text) => paragraph(line(text, 600))),
    }),
  text: (data) =>
    blocks(
      headline(importTitle(data), data.simulated),
      lines(...importLines(data).map((text) => wrapped(text))),
    ),
};

function sheetLines({ html, csv, pairs, wanted, recipient }: SheetWrittenData): string[] {
  return [
    `${counted(pairs, "pair")}${
      pairs < wanted ? ` (of ${wanted} asked for; there are no more)` : ""
    }, unlabelled and in an order drawn by lot.`,
    `To read: ${html}. To fill in and send back: ${csv}.`,
    `Then: await lab.importVerdicts("${csv}"${
      recipient === null ? ', { author: "…" }' : ""
    }). Each reader gets a copy of both, and is an author of their own.`,
  ];
}

function importTitle({ author, code, matches }: VerdictImportData): string {
  return `${counted(matches.length, "verdict")} by ${author} on sheet ${code}`;
}

function importLines(data: VerdictImportData): string[] {
  const { matches, decided, tied, skipped, repeated, weight, notes, agreement } = data;
  const [first] = matches, last = matches.at(-1);
  const range = first === undefined ? "Nothing was added" : first === last ? first : `${first} to ${last}`;
  return [
    [
      range,
      matches.length === 0 ? null : `${decided} decided`,
      tied === 0 ? null : counted(tied, "tie"),
      skipped === 0 ? null : `${skipped} skipped`,
      repeated === 0 ? null : `${repeated} in already`,
      weight === 1 ? null : `weight ${weight}`,
    ].filter((part) => part !== null).join(" · "),
    ...(agreement === null ? [] : agreementLines(agreement)),
    ...notes,
  ];
}

/** How people agree with the machine and with each other, a sentence each. */
export function agreementLines({ machine, between }: PeopleAgreement): string[] {
  return [
    machine.of + machine.tied === 0
      ? "With the machine: no pair was judged by both yet."
      : `With the machine: ${agreementText(machine)}.`,
    ...(between === null ? [] : [`With each other: ${agreementText(between)}.`]),
  ];
}

/** `18 of 25 pairs agree, 72 % [52–86 %], 3 more tied`. */
function agreementText({ count, of, share, low, high, tied }: Agreement): string {
  const more = tied === 0
    ? ""
    : `${of === 0 ? "" : ", "}${counted(tied, of === 0 ? "pair" : "more")} tied by one of the two`
      .replace("mores", "more");
  if (share === null || low === null || high === null) return more;
  const percent = (part: number) => Math.round(100 * part);
  return `${count} of ${counted(of, "pair")} agree, ${percent(share)} % [${percent(low)}–${
    percent(high)
  } %]${more}`;
}

/** The same in one line, for the card of the judges: `People: 2 people, 25 pairs, agree 72 % [52–86 %] with the machine`. */
export function peopleLine({ people, pairs, machine, between }: PeopleAgreement): string {
  return [
    `${people === 1 ? "1 person" : `${people} people`} judged ${counted(pairs, "pair")}`,
    machine.of + machine.tied === 0
      ? "none of them judged by the machine, too"
      : `with the machine: ${agreementText(machine)}`,
    between === null ? null : `with each other: ${agreementText(between)}`,
  ].filter((part) => part !== null).join("; ");
}
