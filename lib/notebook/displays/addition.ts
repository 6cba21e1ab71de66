import { KNOWN_LABEL } from "../../domain/known_ideas.ts";
import { card, markup } from "../html.ts";
import type { CardOrigin } from "./cards.ts";
import type { Display } from "./display.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { alarming, line, paragraph, prose } from "./prose.ts";

/** What became of a hypothesis that a person added. */
export interface AdditionData extends CardOrigin {
  /** Whether it was entered. */
  readonly accepted: boolean;
  /** `H7`; `null` where it was not entered. */
  readonly label: string | null;
  /** Its title, given or made from its text. */
  readonly title: string;
  /** Its claim. */
  readonly statement: string;
  /** The hypothesis that it repeats, near enough to count as a duplicate, or `known: …` for a known idea; else `null`. */
  readonly duplicateOf: string | null;
  /** The hypothesis that is nearest to it; `null` where there is none to compare with. */
  readonly nearest: { readonly label: string; readonly title: string } | null;
  /** Their cosine. */
  readonly cosine: number | null;
  /** From which cosine on it would have been a duplicate. */
  readonly threshold: number;
  /** Whether it was to be entered in any case. */
  readonly force: boolean;
  /** What happens next, or how to have it entered all the same. */
  readonly next: string;
}

/** How it is shown. */
export const additionDisplay: Display<AdditionData> = {
  html: (a) =>
    card({
      title: title(a),
      simulated: a.simulated,
      body: [
        prose(a.statement),
        nearText(a) === "" ? null : paragraph(
          a.duplicateOf === null ? line(nearText(a), 400) : alarming(line(nearText(a), 400)),
        ),
        paragraph(markup`<b>${a.next}</b>`),
      ],
    }),
  text: (a) =>
    blocks(
      headline(title(a), a.simulated),
      wrapped(a.statement, "", 600),
      lines(nearText(a) === "" ? null : wrapped(nearText(a)), wrapped(a.next)),
    ),
};

function title(a: AdditionData): string {
  return a.accepted ? `${a.label ?? ""} ${a.title}` : `Not entered: ${a.title}`;
}

function nearText({ nearest, duplicateOf, cosine, threshold }: AdditionData): string {
  if (duplicateOf?.startsWith(KNOWN_LABEL)) return `It is ${duplicateOf}`;
  if (nearest === null || cosine === null) return "";
  const near = `${nearest.label} ${nearest.title} (cosine ${cosine.toFixed(2)}, the limit is ${threshold})`;
  return duplicateOf === null ? `Nearest to it: ${near}` : `It repeats ${near}`;
}
