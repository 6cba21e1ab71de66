import { z } from "zod";
import { CosciError, inputError } from "../domain/errors.ts";
import { canonicalJson } from "../domain/ids.ts";
import type { Citation, HypothesisRecord, HypothesisText } from "../domain/records.ts";
import { sameText, textOf } from "../domain/same_text.ts";
import { embeddingText } from "../domain/text.ts";
import type { PersonsEmbedding } from "../engine/embed_for_person.ts";
import { versionEntries } from "../engine/new_version.ts";
import type { EditedPart } from "../notebook/displays/edit.ts";
import type { Standing, View } from "../store/view.ts";
import { hypothesisOf } from "./labels.ts";
import { readAuthor, requireSteerable, steer, type Steered } from "./steer.ts";
import { requireOptions } from "./wrong_option.ts";

/** What of a hypothesis an edit may change: its texts and its citations. */
export interface HypothesisPatch extends Partial<HypothesisText> {
  /** What it leans on: the whole list, as it is to be. */
  readonly citations?: readonly Citation[] | undefined;
}

/** An edit: what is to be different, or a function that tells it of the hypothesis as it stands. */
export type HypothesisEdit = HypothesisPatch | ((record: HypothesisRecord) => HypothesisPatch);

/** What an edit did, before it is shown. */
export interface EditMade {
  /** The hypothesis afterwards. */
  readonly id: string;
  /** The commit; `null` where nothing changed. */
  readonly seq: number | null;
  /** Who. */
  readonly by: string;
  /** What changed. */
  readonly changed: readonly EditedPart[];
}

const text = z.string().trim().min(1).max(20_000);
const patchShape = z.strictObject({
  title: text.max(300).optional(),
  statement: text.optional(),
  mechanism: text.optional(),
  entities: z.array(text.max(500)).max(200).optional(),
  anticipatedOutcomes: text.optional(),
  noveltyArgument: text.optional(),
  citations: z.array(z.strictObject({
    url: z.string().trim().min(1).max(2000),
    title: z.string().trim().min(1).max(1000),
    excerpt: z.string().max(20_000).optional(),
    doi: z.string().trim().max(300).optional(),
    year: z.number().int().min(1000).max(3000).optional(),
  })).max(200).optional(),
});

const RULE = {
  shape: patchShape,
  example: '{ statement: "…" }',
  remedies: {
    title: "Give a text of 1 to 300 characters.",
    entities: "Give a list of texts.",
    citations: "Give a list of { url, title, excerpt?, doi?, year? }.",
    statement: "Give a text that is not empty.",
    mechanism: "Give a text that is not empty.",
    anticipatedOutcomes: "Give a text that is not empty.",
    noveltyArgument: "Give a text that is not empty.",
  },
} as const;

const PARTS = [
  "title",
  "statement",
  "mechanism",
  "entities",
  "anticipatedOutcomes",
  "noveltyArgument",
  "citations",
] as const;

/**
 * Makes the next version of a hypothesis: label, author, strategy and parents stay, and it stays where it stands. What was
 * said of the version before is stale from then on, and done again only if `refresh` asks for it.
 *
 * @param embedding makes the vector of a text that has changed
 * @throws CosciError `input` for an unknown label or a wrong patch; `state` for a finished session, for a merged or
 * quarantined hypothesis, and where it was edited again meanwhile
 */
export async function editHypothesis(
  on: Steered,
  label: unknown,
  edit: unknown,
  author: unknown,
  embedding: (view: View, text: string, key: string) => Promise<PersonsEmbedding>,
): Promise<EditMade> {
  const view = on.view();
  const by = readAuthor("edit", author);
  requireSteerable(view, "edit");
  const standing = editable(view, label);
  const { record: known } = standing;
  const patched = { ...known, ...readPatch(known, edit) };
  const changed = partsChanged(known, patched);
  if (changed.length === 0) return { id: known.id, seq: null, by, changed };
  const version = known.version + 1;
  const same = embeddingText(known) === embeddingText(patched)
    ? view.embedding(known.id, known.version)
    : undefined;
  const { task, model, vector } = same === undefined
    ? await embedding(view, embeddingText(patched), `edit/${known.id}/${version}/${view.seq}`)
    : { model: same.model, vector: same.vector, task: undefined };
  const committed = steer(on, "edit", by, (now) => {
    const { record } = editable(now, label);
    if (record.version !== known.version) {
      throw new CosciError(
        "state",
        `edit: ${record.label} was edited meanwhile and is at version ${record.version}. Look at it, then edit that.`,
      );
    }
    const { seq: _, label: target, ...kept } = record;
    return {
      entries: versionEntries(now, {
        record: { ...kept, ...textOf(patched), citations: patched.citations, version },
        embedding: { model, vector },
      }),
      changes: [{ kind: "hypothesis", target, before: { version: known.version }, after: { version } }],
      events: [{
        type: "hypothesis_edited",
        payload: { hypothesis: target, version, title: patched.title, by },
      }],
      task,
    };
  });
  return { id: known.id, seq: committed?.seq ?? null, by, changed };
}

/** What there is to say of an edit besides what it changed and what is stale. */
export function editNotes(view: View, { record, state }: Standing, { changed }: EditMade): string[] {
  if (changed.length === 0) return [];
  const versions = view.versionsOf(record.id);
  const [before, now] = [versions.at(-2), versions.at(-1)];
  const notes: string[] = [];
  if (before !== undefined && now !== undefined && sameText(before, now)) {
    notes.push("Its text is the same: nothing that was said of it is stale.");
  }
  const earlier = now === undefined
    ? undefined
    : versions.slice(0, -2).findLast((each) => sameText(each, now));
  if (earlier !== undefined) {
    notes.push(`It says again what version ${earlier.version} said: what was said of that one holds again.`);
  }
  if (state === "rejected" || state === "disproved" || state === "unfit") {
    notes.push(`It is ${state} and stays out of the tournament until restore("${record.label}").`);
  }
  return notes;
}

function editable(view: View, label: unknown): Standing {
  const standing = hypothesisOf(view, label, "edit");
  const { record, state, mergedInto } = standing;
  if (state === "merged") {
    const into = mergedInto === null ? undefined : view.hypothesis(mergedInto)?.record.label;
    throw new CosciError(
      "state",
      `edit: ${record.label} is merged${
        into === undefined ? "" : ` into ${into}, which stands for both: edit that one`
      }, ` +
        "or undo the merge first.",
    );
  }
  if (state === "quarantined") {
    throw new CosciError(
      "state",
      `edit: the safety screen keeps ${record.label} in quarantine (${standing.stateReason}), and an edit isn't screened. ` +
        "Add another hypothesis instead.",
    );
  }
  return standing;
}

/** Checks what a person gave. @throws CosciError `input` */
function readPatch(
  record: HypothesisRecord,
  edit: unknown,
): Partial<HypothesisText> & { citations?: readonly Citation[] } {
  const given: unknown = typeof edit === "function" ? edit(structuredClone(record)) : edit;
  if (typeof given === "object" && given !== null && "then" in given) {
    throw inputError("edit", "a promise", "The function must answer at once: await first, then edit.");
  }
  requireOptions("edit", given, RULE);
  return Object.fromEntries(
    Object.entries(patchShape.parse(given)).filter(([, value]) => value !== undefined),
  );
}

function partsChanged(before: HypothesisRecord, after: HypothesisRecord): EditedPart[] {
  return PARTS.filter((part) => canonicalJson(before[part]) !== canonicalJson(after[part])).map((part) => ({
    part,
    before: shown(before, part),
    after: shown(after, part),
  }));
}

function shown(record: HypothesisRecord, part: (typeof PARTS)[number]): string {
  switch (part) {
    case "entities":
      return record.entities.join(", ");
    case "citations":
      return record.citations.map(({ title, url }) => `${title} <${url}>`).join("\n");
    case "title":
    case "statement":
    case "mechanism":
    case "anticipatedOutcomes":
    case "noveltyArgument":
      return record[part];
  }
}
