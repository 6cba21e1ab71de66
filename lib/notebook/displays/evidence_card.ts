import { card, markup } from "../html.ts";
import type { EvidenceCardData } from "./cards.ts";
import type { Display } from "./display.ts";
import { facts } from "./grid.ts";
import { link } from "./link.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { alarming, line, paragraph, prose, section, short } from "./prose.ts";
import { words } from "./wording.ts";

/** How a result, or a finding, is shown. */
export const evidenceDisplay: Display<EvidenceCardData> = {
  html: (e) =>
    card({
      title: `${e.label} ${heading(e)}`,
      simulated: e.simulated,
      body: [
        e.voided === null ? null : paragraph(alarming(line(voidText(e.voided), 500))),
        prose(e.claim),
        facts([
          ["About", markup`<b>${short(e.hypothesis.label)}</b> ${line(e.hypothesis.title, 140)}`],
          [
            e.outcome === null ? "Says" : "Outcome",
            markup`<b>${short(e.outcome ?? words(e.stance))}</b>`,
          ],
          [e.outcome === null ? "From" : "By", line(from(e), 200)],
          ["Weight", e.outcome === null ? null : markup`<span>${e.weight}</span>`],
          ["Source", e.source === "" ? null : link(e.source, e.simulated)],
        ]),
        paragraph(together(e)),
        e.excerpt === "" ? null : section("In its words", prose(e.excerpt)),
      ],
    }),
  text: (e) =>
    blocks(
      lines(
        headline(`${e.label} ${heading(e)}`, e.simulated),
        e.voided === null ? null : wrapped(voidText(e.voided)),
        wrapped(
          `${e.outcome ?? words(e.stance)} · ${e.outcome === null ? "" : "by "}${from(e)}${
            weight(e)
          } · commit ${e.seq}`,
        ),
        e.source === "" ? null : wrapped(e.source, "source: "),
      ),
      wrapped(e.claim),
      e.excerpt === "" ? null : wrapped(e.excerpt, "In its words: "),
      wrapped(together(e)),
    ),
};

function heading(e: EvidenceCardData): string {
  const about = `of ${e.hypothesis.label}`;
  return e.outcome === null
    ? `finding from ${e.kind} ${about}`
    : `${e.outcome} by ${e.kind}: a result ${about}`;
}

function from({ outcome, origin, kind }: EvidenceCardData): string {
  return outcome === null ? `${kind}, found with ${origin}` : origin.slice(0, 80);
}

function weight({ outcome, weight: w }: EvidenceCardData): string {
  return outcome === null || w === 1 ? "" : ` · weight ${w}`;
}

/** Why something doesn't count any more. */
export function voidText(reason: string): string {
  return `Void, and counts no more${reason === "" ? "" : `: ${reason}`}`;
}

function together({ hypothesis, together: result }: EvidenceCardData): string {
  return result === null
    ? `Results decide nothing about ${hypothesis.label} so far.`
    : `Results together: ${hypothesis.label} is ${result}, which outranks ratings.`;
}
