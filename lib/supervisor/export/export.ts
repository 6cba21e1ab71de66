import { exactly } from "../../domain/exactly.ts";
import type { ExportedData } from "../../notebook/displays/exported.ts";
import { replaceable, replaceFile } from "../../notebook/replace_file.ts";
import { canonicalExport } from "../../store/canonical.ts";
import { originOf } from "../look.ts";
import { leaderboardCsv } from "./csv.ts";
import { type Form, formOf, FORMS } from "./forms.ts";
import { sessionHtml } from "./html.ts";
import { sessionExport } from "./json.ts";
import type { Looked } from "./looked.ts";
import { reportMarkdown } from "./markdown.ts";
import { sessionNotebook } from "./notebook.ts";
import { reportData } from "./report_data.ts";

const KEY = "export: path";

/**
 * Writes a session to a file whose ending decides the form ({@linkcode FORMS}), as of one commit. A file that is there is
 * replaced, once all is written.
 *
 * @throws CosciError `input` for another ending, where the folder isn't there, where the path is a folder, and where it may
 * not be written
 */
export async function exportSession(lab: Looked, path: unknown): Promise<ExportedData> {
  const { form, path: given } = formOf(path);
  const file = await replaceable(KEY, given);
  const view = lab.view();
  const data = new TextEncoder().encode((await textOf(lab, form, file)).toWellFormed());
  await replaceFile(KEY, file, data);
  return {
    ...originOf(view),
    path: file,
    form,
    holds: FORMS[form],
    bytes: data.length,
    seq: view.seq,
    notes: notesOn(lab, form),
  };
}

/** What a form can't do for this session. */
function notesOn({ store }: Looked, form: Form): string[] {
  return form === ".ipynb" && store.path === null
    ? ["The session is in memory: the notebook shows it, and can't be run again."]
    : [];
}

async function textOf(lab: Looked, form: Form, file: string): Promise<string> {
  switch (form) {
    case ".html":
      return sessionHtml(lab);
    case ".md":
      return reportMarkdown(reportData(lab));
    case ".ipynb":
      return await sessionNotebook(lab, file);
    case ".json":
      return `${JSON.stringify(sessionExport(lab), null, 2)}\n`;
    case ".csv":
      return leaderboardCsv(lab.inspect());
    case ".jsonl":
      return canonicalExport(lab.store, lab.view().session.id);
    default:
      return exactly(form);
  }
}
