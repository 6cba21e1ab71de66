import { clean } from "../displays/clean.ts";
import { type Html, markup } from "../html.ts";
import { type Kernel, SETTLE_MS } from "../kernel.ts";
import { endHtml, momentHtml, momentText } from "./as_card.ts";
import { endLine } from "./as_line.ts";
import type { Sink } from "./live_progress.ts";
import { machinePace, type Pace } from "./pace.ts";

/**
 * The class by which programs that compare outputs find what was shown live: whether a run took long enough to show
 * anything is chance.
 */
export const LIVE_CLASS = "cosci-live";

/** Shows progress in the notebook: one display under the cell, which updates in place and ends as one line. */
export function notebookSink(
  kernel: Kernel,
  pace: Pace = machinePace,
  id: string = crypto.randomUUID(),
): Sink {
  let shown = false;
  const send = async (html: Html, text: string) => {
    const bundle = {
      "text/html": clean(
        markup`<div class="${`${LIVE_CLASS} tex2jax_ignore mathjax_ignore`}">${html}</div>`.markup,
      ),
      "text/plain": clean(text),
    };
    const update = shown;
    shown = true;
    await kernel.display(bundle, { raw: true, display_id: id, update });
  };
  return {
    firstMs: 500,
    everyMs: 200,
    show: (outset, moment, course) =>
      send(momentHtml(outset, moment, course), momentText(outset, moment, course)),
    note: async (line) => await kernel.display({ "text/plain": clean(line) }, { raw: true }),
    end: async (outset, moment, ending) => {
      await send(endHtml(outset, moment, ending), endLine(outset, moment, ending));
      // A client listens until its cell is done: what has not left by then is lost.
      await pace.sleep(SETTLE_MS);
    },
  };
}
