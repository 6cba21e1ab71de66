import { textOf } from "../domain/same_text.ts";
import type { Entry, RecordOf } from "../store/records.ts";
import type { Unsaved } from "../store/table.ts";
import type { View } from "../store/view.ts";
import { epochEntries } from "./elo_epoch.ts";

/** A further version of a hypothesis that is there, before it is a record. */
export interface NewVersion {
  /** Its record. */
  readonly record: Unsaved<RecordOf<"hypothesis">>;
  /** Where its text stands among the others. */
  readonly embedding: { readonly model: string; readonly vector: Float32Array };
}

/**
 * The records of a new version: its text, its embedding, and where stale matches are left out a new epoch of Elo, if other
 * matches count now than before.
 */
export function versionEntries(view: View, { record, embedding }: NewVersion): Entry[] {
  const { id: hypothesisId, version } = record;
  return [
    { kind: "hypothesis", record },
    { kind: "embedding", record: { hypothesisId, version, ...embedding } },
    ...epochOfTexts(view, [record]),
  ];
}

/** A new epoch of Elo, if the new texts change which matches count; otherwise nothing. */
export function epochOfTexts(view: View, records: readonly NewVersion["record"][]): Entry[] {
  const texts = new Map(records.map((record) => [record.id, textOf(record)]));
  if (!textsBearOnMatches(view, texts)) return [];
  return epochEntries(view, { texts });
}

function textsBearOnMatches(view: View, texts: ReadonlyMap<string, ReturnType<typeof textOf>>): boolean {
  if (view.settings.ranking.staleMatches !== "leave_out") return false;
  const now = view.counted, then = view.countedIf({ texts });
  return now.length !== then.length || now.some(({ id }, i) => id !== then[i]?.id);
}
