import { basename, dirname } from "node:path";
import { z } from "zod";
// @ts-types="../notebook/d3_dsv.d.ts"
import { csvFormat } from "d3-dsv";
import { CosciError, inputError } from "../domain/errors.ts";
import { hashOf, recordId } from "../domain/ids.ts";
import type { HypothesisRecord, SheetPair, SheetRecord } from "../domain/records.ts";
import { type Rng, rng } from "../domain/rng.ts";
import { sameText, textOf } from "../domain/same_text.ts";
import { type HumanVerdict, verdictEntries } from "../engine/human_verdicts.ts";
import { blindSheetHtml, pairCode } from "../notebook/displays/blind_sheet.ts";
import type { SheetWrittenData, VerdictImportData } from "../notebook/displays/sheets.ts";
import type { View } from "../store/view.ts";
import { choosePairs } from "../tournament/pairing.ts";
import { pairingInput } from "../tournament/pairing_input.ts";
import { peopleAgreement } from "../tournament/people_agreement.ts";
import { cosine } from "../vectors/cosine.ts";
import { originOf } from "./look.ts";
import { readSheet, type SheetRow } from "./read_sheet.ts";
import { readAuthor, readWeight, requireSteerable, SOMEBODY, steer, type Steered } from "./steer.ts";
import { type OptionsRule, requireOptions } from "./wrong_option.ts";

/** What a blind sheet is made by. */
export interface BlindSheetOptions {
  /** How many pairs at most, from 1 to 200. @default {20} */
  readonly pairs?: number | undefined;
  /** Path of the files, without an ending: `.html` and `.csv` are added. @default {"sheet"} */
  readonly path?: string | undefined;
  /** Whom it is for: printed on it, and the author of what comes back unless said otherwise. */
  readonly for?: string | undefined;
  /** Who has it made. */
  readonly author?: string | undefined;
  /** What the order of pairs and sides is drawn from; the session's seed by default. */
  readonly seed?: string | number | undefined;
}

/** Whose verdicts are read back, and how much they count. */
export interface ImportOptions {
  /** Who filled the sheet in; by default whom it was made for. */
  readonly author?: string | undefined;
  /** How much each verdict counts, above 0 and at most 100; 1 is what a model's counts. @default {1} */
  readonly weight?: number | undefined;
}

const SHEET: OptionsRule = {
  shape: z.strictObject({
    pairs: z.number().int().min(1).max(200).optional(),
    path: z.string().trim().min(1).optional(),
    for: z.string().trim().min(1).max(80).refine((name) => name !== "model" && name !== "engine").optional(),
    author: z.unknown().optional(),
    seed: z.union([z.string().min(1), z.number().int()]).optional(),
  }),
  example: '{ pairs: 20, path: "sheet" }',
  remedies: {
    pairs: "Give a whole number from 1 to 200.",
    path: 'Give the path of the files without an ending, such as "sheet".',
    for: 'Give a name of 1 to 80 characters, but not "model" or "engine".',
    seed: "Give a text or a whole number.",
  },
};
const IMPORT: OptionsRule = {
  shape: z.strictObject({ author: z.unknown().optional(), weight: z.unknown().optional() }),
  example: '{ author: "Dr. Grün" }',
  remedies: {},
};

/**
 * Writes the pairs whose verdicts would tell most as a page to be read and a file to be filled in, and keeps which is which in the
 * store. Nothing on either names a hypothesis, its rating, its author or how it came about.
 */
export async function blindSheet(on: Steered, given: unknown = {}): Promise<SheetWrittenData> {
  requireOptions("blindSheet", given, SHEET);
  const options: BlindSheetOptions = Object(given);
  const author = readAuthor("blindSheet", options.author);
  const view = on.view();
  requireSteerable(view, "blindSheet");
  const wanted = options.pairs ?? 20;
  const base = (options.path ?? "sheet").replace(/\.(?:html?|csv)$/i, "");
  const files = { html: `${base}.html`, csv: `${base}.csv` };
  const recipient = options.for?.trim() ?? null;
  const code = codeFor(view);
  const chance = rng(String(options.seed ?? view.session.seed), `sheet/${code}`, "order");
  const pairs = shuffled(view, chosenPairs(view, wanted, chance), chance);
  if (pairs.length === 0) {
    throw new CosciError(
      "state",
      `blindSheet: it takes two hypotheses in the tournament, and there ${
        view.drawable.length === 1 ? "is one" : "are none"
      }. Go on first: await lab.runFor({ matches: 5 }).`,
    );
  }
  const html = blindSheetHtml({
    code,
    goal: view.session.goal,
    simulated: view.session.mode === "simulator",
    recipient,
    criteria: view.settings.scope.criteria,
    pairs: pairs.map(({ first, second }) => [textOf(first), textOf(second)]),
    csvName: basename(files.csv),
  });
  const rows = pairs.map((_, i) => ({ pair: pairCode(code, i + 1, pairs.length), choice: "", comment: "" }));
  const csv = `${csvFormat(rows, ["pair", "choice", "comment"])}\n`;
  await writeNew(files.html, html);
  try {
    await writeNew(files.csv, csv);
    keep(on, {
      id: recordId("sht", code),
      code,
      pairs: pairs.map(({ first, second }): SheetPair => ({
        firstId: first.id,
        firstVersion: first.version,
        secondId: second.id,
        secondVersion: second.version,
      })),
      recipient,
      author,
    }, files.csv);
  } catch (error) {
    // A page whose pairs nobody can tell any more would be filled in in vain.
    await Deno.remove(files.html);
    throw error;
  }
  return { ...originOf(view), code, ...files, pairs: pairs.length, wanted, recipient };
}

function keep(on: Steered, record: Omit<SheetRecord, "seq">, csv: string): void {
  try {
    on.store.commit(on.session, (now) => {
      requireSteerable(now, "blindSheet");
      if (now.sheets.some(({ code }) => code === record.code)) {
        throw new CosciError("busy", "blindSheet: another sheet was made at the same moment. Try again.");
      }
      return { kind: "blindSheet", author: record.author, progress: 0, entries: [{ kind: "sheet", record }] };
    });
  } catch (error) {
    Deno.removeSync(csv);
    throw error;
  }
}

/** Eight consonants: no word, no date and no number in any spreadsheet, and nothing about the session. */
function codeFor(view: View): string {
  const letters = "BCDFGHJKLMNPQRSTVWXZ";
  const hash = hashOf("sheet", view.session.seed, String(view.seq + 1), String(view.sheets.length));
  return Array.from(
    { length: 8 },
    (_, i) => letters[parseInt(hash.slice(4 * i, 4 * i + 4), 16) % letters.length],
  )
    .join("");
}

/** Pairs by what a verdict on them would tell. A second opinion on a pair that was judged is one, too. */
function chosenPairs(view: View, count: number, chance: Rng) {
  const similarity = (a: string, b: string) => {
    const one = view.vector(a), other = view.vector(b);
    return one === undefined || other === undefined || one.length !== other.length ? 0 : cosine(one, other);
  };
  const input = pairingInput(view, { busy: [], cosine: similarity, rng: chance });
  const settings = { ...input.settings, pairing: "information", maxMatchesPerPair: Infinity } as const;
  return choosePairs({ ...input, settings }, count);
}

/** Pairs and sides in an order drawn by lot. */
function shuffled(
  view: View,
  pairs: ReturnType<typeof chosenPairs>,
  chance: Rng,
): { readonly first: HypothesisRecord; readonly second: HypothesisRecord }[] {
  return chance.shuffle(pairs).flatMap(({ firstId, secondId }) => {
    const one = view.hypothesis(firstId)?.record, other = view.hypothesis(secondId)?.record;
    if (one === undefined || other === undefined) return [];
    return [chance.next() < 0.5 ? { first: one, second: other } : { first: other, second: one }];
  });
}

/** Never writes over what is there: it may be a sheet that somebody has filled in. */
async function writeNew(path: string, text: string): Promise<void> {
  try {
    await Deno.writeTextFile(path, text, { createNew: true });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) {
      throw inputError(
        "blindSheet: path",
        path,
        "There is such a file already, perhaps filled in: give another path.",
      );
    }
    if (error instanceof Deno.errors.NotFound) {
      throw inputError(
        "blindSheet: path",
        path,
        `Its folder "${dirname(path)}" doesn't exist: make it first.`,
      );
    }
    throw error;
  }
}

/** What of a file becomes verdicts, and what doesn't. */
interface Reading {
  readonly author: string;
  readonly sheet: SheetRecord;
  readonly verdicts: readonly HumanVerdict[];
  readonly skipped: number;
  readonly repeated: number;
  readonly notes: readonly string[];
}

/**
 * Reads a filled-in sheet back: each choice becomes a verdict by its author, all in one commit. Every line is checked before
 * anything is written.
 */
export async function importVerdicts(
  on: Steered,
  file: unknown,
  given: unknown = {},
): Promise<VerdictImportData> {
  requireOptions("importVerdicts", given, IMPORT);
  const options: ImportOptions = Object(given);
  const weight = readWeight("importVerdicts", options.weight);
  if (options.author !== undefined) readAuthor("importVerdicts", options.author);
  requireSteerable(on.view(), "importVerdicts");
  const rows = readSheet(await bytesOf(file));
  const author = authorOf(on.view(), rows, options);
  const made: { reading: Reading | null; labels: readonly string[] } = { reading: null, labels: [] };
  steer(on, "importVerdicts", author, (now) => {
    const reading = readVerdicts(now, rows, author, weight);
    made.reading = reading;
    if (reading.verdicts.length === 0) return null;
    const { entries, changes, events, labels } = verdictEntries(now, reading.verdicts);
    made.labels = labels;
    return { entries, changes, events };
  });
  if (made.reading === null) throw new CosciError("internal", "importVerdicts: the file was not read");
  return importData(on.view(), made.reading, weight, made.labels);
}

function importData(
  view: View,
  reading: Reading,
  weight: number,
  labels: readonly string[],
): VerdictImportData {
  const { author, sheet, verdicts, skipped, repeated, notes } = reading;
  const pairs = new Set(
    sheet.pairs.map(({ firstId, secondId }) => pairKey(rootOf(view, firstId), rootOf(view, secondId))),
  );
  return {
    ...originOf(view),
    code: sheet.code,
    author,
    weight,
    matches: labels,
    decided: verdicts.filter(({ verdict }) => verdict !== "tie").length,
    tied: verdicts.filter(({ verdict }) => verdict === "tie").length,
    skipped,
    repeated,
    notes,
    agreement: peopleAgreement(
      view.counted.filter(({ firstId, secondId }) => pairs.has(pairKey(firstId, secondId))),
      author,
    ),
  };
}

async function bytesOf(file: unknown): Promise<Uint8Array> {
  if (typeof file !== "string" || file.trim() === "") {
    throw inputError(
      "importVerdicts: file",
      file,
      'Give the path of the filled-in file, such as "sheet.csv".',
    );
  }
  if (/\.html?$/i.test(file)) {
    throw inputError(
      "importVerdicts: file",
      file,
      "The page holds no choices: give the .csv that was written beside it and filled in.",
    );
  }
  try {
    return await Deno.readFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.IsADirectory) {
      throw inputError(
        "importVerdicts: file",
        file,
        "There is no such file. Give the path of the filled-in .csv.",
      );
    }
    throw error;
  }
}

/** The sheet that the rows are of. @throws CosciError `input` */
function sheetOf(view: View, rows: readonly SheetRow[]): SheetRecord {
  if (rows.length === 0) {
    throw new CosciError(
      "input",
      "importVerdicts: the file has no rows. Fill in the .csv that lab.blindSheet wrote.",
    );
  }
  if (view.sheets.length === 0) {
    throw new CosciError(
      "input",
      "importVerdicts: no sheet was made in this session. await lab.blindSheet() makes one.",
    );
  }
  const codes = view.sheets.map(({ code }) => code);
  const [only, another] = view.sheets;
  let sheet: SheetRecord | undefined;
  for (const { line, code, pair } of rows) {
    const own = code === null
      ? (another === undefined ? only : undefined)
      : view.sheets.find((each) => each.code === code);
    if (own === undefined) {
      throw inputError(
        `importVerdicts: line ${line}, pair`,
        code ?? String(pair),
        code === null
          ? `There are several sheets, ${codes.join(", ")}: the sheet's code must stand before the number.`
          : `No sheet of this session has that code; there ${codes.length === 1 ? "is" : "are"} ${
            codes.join(", ")
          }.`,
        codes,
      );
    }
    if (sheet !== undefined && own !== sheet) {
      throw new CosciError(
        "input",
        `importVerdicts: line ${line} is of sheet ${own.code}, and those before of ${sheet.code}: give one file a sheet.`,
      );
    }
    sheet = own;
    if (pair < 1 || pair > own.pairs.length) {
      throw inputError(
        `importVerdicts: line ${line}, pair`,
        pair,
        `Sheet ${own.code} has pairs 1 to ${own.pairs.length}.`,
      );
    }
  }
  if (sheet === undefined) throw new CosciError("internal", "importVerdicts: rows without a sheet");
  return sheet;
}

function authorOf(view: View, rows: readonly SheetRow[], options: ImportOptions): string {
  const sheet = sheetOf(view, rows);
  if (options.author === undefined && sheet.recipient === null) {
    throw inputError(
      "importVerdicts: author",
      undefined,
      `Say who filled the sheet in: importVerdicts(file, { author: "Dr. Grün" }). Verdicts by "${SOMEBODY}" could not be told from others'.`,
    );
  }
  return options.author === undefined
    ? sheet.recipient ?? SOMEBODY
    : readAuthor("importVerdicts", options.author);
}

/** What the rows say, checked against the records. @throws CosciError `input`; `state` where all of it is in already */
function readVerdicts(view: View, rows: readonly SheetRow[], author: string, weight: number): Reading {
  const sheet = sheetOf(view, rows);
  const lines = new Map<number, number>();
  const verdicts: HumanVerdict[] = [], notes: string[] = [];
  const taken = matchesById(view);
  let repeated = 0;
  for (const { line, pair, choice, comment } of rows) {
    const before = lines.get(pair);
    if (before !== undefined) {
      throw inputError(
        `importVerdicts: line ${line}, pair`,
        pair,
        `Line ${before} is about the same pair: leave one of the two.`,
      );
    }
    lines.set(pair, line);
    const at = sheet.pairs[pair - 1];
    if (choice === null || at === undefined) continue;
    const earlier = earlierVerdict(taken, sheet, author, pair);
    if (earlier.match !== null) {
      if (earlier.match.verdict !== choice) {
        throw inputError(
          `importVerdicts: line ${line} (pair ${pair}), choice`,
          choice,
          `${author} said "${earlier.match.verdict}" of this pair before (${earlier.match.label}). Take that back first, with lab.undo, ` +
            "or leave the line out.",
        );
      }
      repeated++;
      continue;
    }
    const why = whyNotCounted(view, sheet, at);
    if (why !== null) {
      notes.push(`Pair ${pair} is not counted: ${why}`);
      continue;
    }
    verdicts.push({
      firstId: rootOf(view, at.firstId),
      secondId: rootOf(view, at.secondId),
      verdict: choice,
      author,
      weight,
      rationale: comment,
      key: verdictKey(sheet, author, pair, earlier.tries),
    });
  }
  if (repeated > 0 && verdicts.length === 0) {
    throw new CosciError(
      "state",
      `importVerdicts: all ${repeated} choices of ${author} on sheet ${sheet.code} are in already; nothing was added. ` +
        "lab.undo takes them back; a copy of the sheet that somebody else filled in needs their own name as author.",
    );
  }
  return {
    author,
    sheet,
    verdicts,
    skipped: rows.filter(({ choice }) => choice === null).length,
    repeated,
    notes,
  };
}

function matchesById(view: View): ReadonlyMap<string, { label: string; verdict: string; void: boolean }> {
  return new Map(
    view.matches.filter((match) => match.author !== "model").map(({ id, label, verdict }) => [
      id,
      { label, verdict, void: view.marked("void", id) === true },
    ]),
  );
}

/** The verdict of a sheet's pair by an author that counts; `tries`: how many there were that don't any more. */
function earlierVerdict(
  taken: ReturnType<typeof matchesById>,
  sheet: SheetRecord,
  author: string,
  pair: number,
): { readonly match: { readonly label: string; readonly verdict: string } | null; readonly tries: number } {
  for (let tries = 0;; tries++) {
    const match = taken.get(recordId("mat", verdictKey(sheet, author, pair, tries)));
    if (match === undefined) return { match: null, tries };
    if (!match.void) return { match, tries };
  }
}

/** Names sheet, person and pair, so that the same choice never counts twice; and after how many that were taken back. */
function verdictKey(sheet: SheetRecord, author: string, pair: number, tries: number): string {
  return `importVerdicts/${sheet.code}/${author}/${pair}/${tries}`;
}

function whyNotCounted(view: View, sheet: SheetRecord, pair: SheetPair): string | null {
  const sides = [[pair.firstId, pair.firstVersion], [pair.secondId, pair.secondVersion]] as const;
  for (const [id, version] of sides) {
    const shown = view.versionsOf(id).find((each) => each.version === version), now = view.hypothesis(id);
    if (shown === undefined || now === undefined) {
      return `a hypothesis of sheet ${sheet.code} is not there any more.`;
    }
    if (!sameText(shown, now.record)) return `${now.record.label} was edited since the sheet was made.`;
    const root = view.hypothesis(rootOf(view, id));
    if (root !== undefined && root.state !== "in_tournament") {
      return `${root.record.label} is out of the tournament now (${root.state}).`;
    }
  }
  return rootOf(view, pair.firstId) === rootOf(view, pair.secondId) ? "the two were merged since." : null;
}

/** The hypothesis that stands for this one: itself, unless it was merged. */
function rootOf(view: View, id: string): string {
  const seen = new Set<string>();
  let root = id;
  for (let into = view.hypothesis(root)?.mergedInto; typeof into === "string" && !seen.has(into);) {
    seen.add(into);
    root = into;
    into = view.hypothesis(root)?.mergedInto;
  }
  return root;
}

function pairKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
