import { type ReportFigure, reportHtml } from "../../notebook/report/page.ts";
import { FIGURES } from "./figures.ts";
import type { Looked } from "./looked.ts";
import { reportData } from "./report_data.ts";

/** The session as a report: one page of HTML, complete in itself. */
export function sessionHtml(lab: Looked): string {
  const data = reportData(lab);
  return reportHtml(data, data.leaderboard.length === 0 ? [] : figuresOf(lab));
}

/** Before there is anything to draw, a page of empty axes would tell nothing. */
function figuresOf({ plots }: Looked): ReportFigure[] {
  return FIGURES.map(({ name, reads, of }) => {
    const figure = of(plots);
    return { name, title: figure.title, reads, words: String(figure), svg: figure.svg() };
  });
}
