import { card, type Html } from "../html.ts";
import type { OverviewCardData } from "./cards.ts";
import type { Display } from "./display.ts";
import { markdownHtml, safeMarkdown } from "./markdown.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { alarming, faint, line, paragraph } from "./prose.ts";

/** How an overview is shown. */
export const overviewDisplay: Display<OverviewCardData> = {
  html: (overview) =>
    card({
      title: title(overview),
      simulated: overview.simulated,
      body: [
        paragraph(faint(origin(overview))),
        overview.stale === "" ? null : paragraph(alarming(staleLine(overview))),
        overview.notes.map((note) => paragraph(faint(["Note: ", line(note, 400)]))),
        body(overview),
      ],
    }),
  text: (overview) =>
    blocks(
      lines(
        headline(title(overview), overview.simulated),
        wrapped(origin(overview)),
        overview.stale === "" ? null : wrapped(staleLine(overview), "! "),
        ...overview.notes.map((note) => wrapped(note, "Note: ", 400)),
      ),
      wrapped(overview.markdown, "", 100_000),
    ),
  markdown: (overview) =>
    [
      overview.simulated ? "**SIMULATED**\n" : "",
      safeMarkdown(overview.markdown),
    ].filter((part) => part !== "").join("\n"),
};

function body(overview: OverviewCardData): Html {
  return markdownHtml(overview.markdown, overview.simulated);
}

function staleLine({ stale }: OverviewCardData): string {
  return `Stale: it ${stale}. await lab.overview() drafts another.`;
}

function title(overview: OverviewCardData): string {
  return `${overview.label} research overview of ${overview.session}`;
}

function origin(overview: OverviewCardData): string {
  return [
    `version ${overview.version}`,
    overview.source === "model"
      ? `by ${overview.model ?? "a model"}`
      : "put together from the records, by no model",
    overview.final
      ? "final"
      : overview.gate === undefined
      ? "draft"
      : `draft that waits at ${overview.gate}: lab.accept() closes the session, lab.refuse(reason) leaves it open`,
    `commit ${overview.seq}`,
  ].join(" · ");
}
