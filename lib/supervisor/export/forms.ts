import { extname } from "node:path";
import { inputError } from "../../domain/errors.ts";

/** The endings of an export's path, each with what such a file holds. */
export const FORMS = {
  ".html":
    "a report to read, print or send: one page with overview, leaderboard, leading hypotheses, figures and where it comes from",
  ".md": "the report as text: overview, leaderboard, leading hypotheses, what people changed",
  ".ipynb": "a notebook that opens the session and looks at it, stored with what each cell showed",
  ".json": "the whole session in one object, for programs",
  ".csv": "the leaderboard, one hypothesis a row, for spreadsheets",
  ".jsonl": "every record, one a line, to compare sessions by",
} as const;

/** An ending of an export's path. */
export type Form = keyof typeof FORMS;

const ENDINGS: readonly Form[] = [".html", ".md", ".ipynb", ".json", ".csv", ".jsonl"];

/** The form that a path's ending names. @throws CosciError `input` for another one */
export function formOf(path: unknown): { readonly form: Form; readonly path: string } {
  const given = typeof path === "string" ? path : "";
  const ending = extname(given).toLowerCase();
  const form = ENDINGS.find((known) => known === ending);
  if (form !== undefined) return { form, path: given };
  throw inputError(
    "export: path",
    path,
    `Give a file name that ends in ${
      ENDINGS.map((known) => `${known} (${FORMS[known]})`).join("; ")
    }. Plots are saved by lab.plots.elo().save("elo.svg").`,
  );
}
