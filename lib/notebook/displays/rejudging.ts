import type { MatchVerdict } from "../../domain/records.ts";
import type { RejudgedPair, RejudgingMeasures } from "../../engine/rejudging.ts";
import type { RankingsCompared } from "../../engine/rerating.ts";
import type { CostRow } from "../../engine/snapshot.ts";
import type { Share } from "../../tournament/share.ts";
import { card, type Column, type Html, markup, table } from "../html.ts";
import type { CardOrigin } from "./cards.ts";
import type { Display } from "./display.ts";
import { facts } from "./grid.ts";
import { blocks, headline, lines, type TextColumn, textTable, wrapped } from "./plain.ts";
import { excerpt, faint, fold, line, paragraph, section, short } from "./prose.ts";
import { difference, rankingsHtml, rankingsText } from "./rerating.ts";
import { costLine, counted, dollars } from "./wording.ts";

/** Stored matches that were judged again, and what that says of the judge. */
export interface RejudgingData extends CardOrigin, RejudgingMeasures {
  /** Its number: what `{ apply: … }` takes; `null` where nothing was asked. */
  readonly batch: number | null;
  /** How it was judged: the model asked, if another than the route's, whether with a prompt of its own, and in which orders. */
  readonly asked: {
    readonly matches: number;
    readonly model: string | null;
    readonly ownPrompt: boolean;
    readonly bothOrders: boolean;
  };
  /** Who answered. */
  readonly judges: readonly { readonly model: string; readonly promptVersion: string | null }[];
  /** Where the matches stand: answered, still to be asked, and given up. */
  readonly progress: { readonly answered: number; readonly waiting: number; readonly failed: number };
  /** What was expected before the first call, and at worst, in dollars. */
  readonly estimate: { readonly usd: number; readonly maxUsd: number; readonly calls: number };
  /** What it cost, all calls of the rejudging together. */
  readonly cost: CostRow;
  /** What applying it makes, or would make, of the ranking; `null` where no answer can be used. */
  readonly ranking: RankingsCompared | null;
  /** The epoch that began with it and the revisions that tell of it; `null` while it is not applied. */
  readonly applied:
    | { readonly epoch: number; readonly revisions: readonly string[]; readonly seq: number }
    | null;
  /** Pair by pair. */
  readonly pairs: readonly RejudgedPair[];
  /** What else there is to know, and how to go on; one line each. */
  readonly notes: readonly string[];
}

/** How a rejudging is shown: numbers first, then what it would make of the ranking, then pair by pair. */
export const rejudgingDisplay: Display<RejudgingData> = {
  html: (data) =>
    card({
      title: title(data),
      simulated: data.simulated,
      body: [
        paragraph(markup`<b>${line(summary(data), 1000)}</b>`),
        data.pairs.length === 0 ? null : facts(numbers(data).map(([name, text]) => [name, line(text, 400)])),
        data.notes.map((note) => paragraph(line(note, 600))),
        data.ranking === null ? null : section(
          data.applied === null ? "The ranking, if it were applied" : "The ranking",
          paragraph(difference(data.ranking)),
          fold("both rankings side by side", rankingsHtml(data.ranking)),
        ),
        data.pairs.length === 0 ? null : section("Pair by pair", table(COLUMNS, data.pairs)),
      ],
    }),
  text: (data) =>
    blocks(
      headline(title(data), data.simulated),
      wrapped(summary(data)),
      data.pairs.length === 0
        ? null
        : lines(...numbers(data).map(([name, text]) => wrapped(text, `${name}: `, 400))),
      lines(...data.notes.map((note) => wrapped(note, "– ", 600))),
      data.ranking === null ? null : lines(
        wrapped(difference(data.ranking), data.applied === null ? "If applied: " : "Applied: "),
        data.applied === null ? null : rankingsText(data.ranking),
      ),
      data.pairs.length === 0 ? null : textTable(TEXT_COLUMNS, data.pairs),
    ),
};

function title({ session, batch, applied }: RejudgingData): string {
  if (batch === null) return `${session}: what judging again would cost`;
  return `${session} judged again: batch ${batch}${
    applied === null ? "" : `, applied as epoch ${applied.epoch}`
  }`;
}

function summary({ asked, progress, estimate, cost, batch, applied }: RejudgingData): string {
  const how = [
    asked.bothOrders ? "in both orders" : "in one order",
    asked.ownPrompt ? "with a prompt of its own" : null,
    asked.model === null ? null : `by ${asked.model}`,
  ].filter((text) => text !== null).join(", ");
  const what = `${counted(asked.matches, "stored match", "stored matches")} ${how}`;
  if (batch === null) {
    return `${what}: about ${dollars(estimate.usd)} for ${counted(estimate.calls, "call")}, ${
      dollars(estimate.maxUsd)
    } at worst. Nothing was asked.`;
  }
  const rest = [
    progress.waiting === 0 ? null : `${progress.waiting} still wait`,
    progress.failed === 0 ? null : `${progress.failed} came to nothing`,
  ].filter((text) => text !== null).join(", ");
  return `${what}: ${progress.answered} answered${rest === "" ? "" : `, ${rest}`}. It cost ${
    costLine(cost)
  } (about ${dollars(estimate.usd)} was expected). ${
    applied === null
      ? `No rating moved${progress.answered === 0 ? "" : `: lab.rejudge({ apply: ${batch} }) applies it`}.`
      : `It counts from commit ${applied.seq} on (${applied.revisions.join(", ")}); lab.undo() takes it back.`
  }`;
}

function numbers(data: RejudgingData): [string, string][] {
  const { agreement, winners, people, repeated, judge } = data;
  return [
    ["Agreement with the old verdicts", `${shareText(agreement)}; ties are verdicts too`],
    ["Same winner, where both decided", shareText(winners)],
    [
      "Agreement with people",
      people.of === 0 ? "no person gave a verdict on these pairs" : shareText(people),
    ],
    ["Same verdict in the same order", shareText(repeated)],
    [
      "Flips between the orders",
      judge.flips.of === 0
        ? judge.why.flips ??
          (judge.flips.tied > 0 ? `none decided both times, ${judge.flips.tied} tied` : "–")
        : `${shareText(judge.flips)}${judge.flips.tied === 0 ? "" : `; ${judge.flips.tied} more tied`}`,
    ],
    [
      "Order bias",
      judge.first.of === 0
        ? "–"
        : `${shareText(judge.first)} for the one shown first${
          judge.bias === null
            ? ""
            : `; ${signed(judge.bias.value)} logits (${signed(judge.bias.low)} to ${signed(judge.bias.high)})`
        }`,
    ],
    ["Ties", shareText(judge.ties)],
    ["Invalid", shareText(judge.invalid)],
    [
      "Judged by",
      data.judges.map(({ model, promptVersion }) =>
        `${model}${promptVersion === null ? "" : `, prompt ${promptVersion.slice(0, 8)}`}`
      ).join("; ") || "nobody: no answer had a verdict",
    ],
  ];
}

/** `83 % of 18 (61–94 %)`. */
function shareText({ share, count, of, low, high }: Share): string {
  if (share === null) return "–";
  return `${Math.round(share * 100)} %, ${count} of ${of} (${Math.round((low ?? 0) * 100)}–${
    Math.round((high ?? 1) * 100)
  } %)`;
}

const COLUMNS: readonly Column<RejudgedPair>[] = [
  { head: "", cell: (row) => short(row.match) },
  {
    head: "Pair",
    wide: true,
    cell: (row) =>
      markup`<div><b>${short(row.first.label)}</b> ${line(row.first.title, 68)}</div><div><b>${
        short(row.second.label)
      }</b> ${line(row.second.title, 68)}</div>${
        row.stale ? faint("a text was edited since the match") : null
      }`,
  },
  {
    head: "Was",
    cell: (row) => markup`${short(winner(row, row.before))}<div>${faint(short(row.beforeBy ?? ""))}</div>`,
  },
  { head: "Is", cell: (row) => nowHtml(row) },
  { head: "People", cell: (row) => row.people === null ? null : short(winner(row, row.people)) },
  {
    head: "Why",
    below: true,
    cell: (row) =>
      fold("rationales", [
        faint("then: "),
        excerpt(row.beforeRationale === "" ? "None was given." : row.beforeRationale, 400),
        faint("now: "),
        excerpt(row.afterRationale === "" ? "None was given." : row.afterRationale, 400),
      ]),
  },
];

const TEXT_COLUMNS: readonly TextColumn<RejudgedPair>[] = [
  { head: "", cell: (row) => row.match },
  { head: "pair", cell: (row) => `${row.first.label} – ${row.second.label}` },
  { head: "was", cell: (row) => winner(row, row.before) },
  { head: "is", cell: (row) => `${winner(row, row.after)}${ordersText(row)}` },
  { head: "people", cell: (row) => row.people === null ? "" : winner(row, row.people) },
  { head: "", cell: (row) => row.stale ? "text edited since" : "" },
  { head: "why now", cell: (row) => row.afterRationale },
];

function nowHtml(row: RejudgedPair): Html {
  const same = row.after === row.before;
  const text = short(winner(row, row.after));
  return markup`${same ? text : markup`<b>${text}</b>`}<div>${faint(short(ordersText(row).trim()))}</div>`;
}

function winner({ first, second }: RejudgedPair, verdict: MatchVerdict): string {
  switch (verdict) {
    case "first":
      return first.label;
    case "second":
      return second.label;
    case "tie":
      return "tie";
    case "invalid":
      return "none";
  }
}

/** What was said in each order, where that is not the same. */
function ordersText(row: RejudgedPair): string {
  if (row.orders === null || row.orders[0] === row.orders[1]) return "";
  return ` (${row.orders.map((verdict) => winner(row, verdict)).join(", then ")})`;
}

/** `+0.31`, `−1.20`. */
function signed(value: number): string {
  const digits = Math.abs(value).toFixed(2);
  return Number(digits) === 0 ? digits : `${value < 0 ? "−" : "+"}${digits}`;
}
