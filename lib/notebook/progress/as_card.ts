import { clip, oneLine } from "../../domain/text.ts";
import { fit, headline, lines, wrapped } from "../displays/plain.ts";
import { facts } from "../displays/grid.ts";
import { meter } from "../displays/meter.ts";
import { alarming, faint, line } from "../displays/prose.ts";
import { counted, dollars, rating } from "../displays/wording.ts";
import { card, type Content, foreign, type Html, markup } from "../html.ts";
import { CATEGORIES, INK } from "../plots/palette.ts";
import type { Course } from "./course.ts";
import type { Ending, InHand, Moment, Outset } from "./moment.ts";
import { countsText, endText, percentDone, span, spending, timeLeft } from "./wording.ts";

/** Tasks in hand that are named, and lines of what came of the last ones. */
const NAMED = 4, LAST = 3;

/** A line that never wraps: the card must not change its height while it is looked at. */
const ONE_LINE = "white-space:nowrap;overflow:hidden;text-overflow:ellipsis;max-width:100%";

/** A moment as a card that the next one replaces. Its height stays: what is not known yet keeps its line. */
export function momentHtml({ verb, session, simulated }: Outset, moment: Moment, course: Course): Html {
  const { best, notices } = moment;
  const newest = moment.last.toReversed();
  const last = Array.from({ length: LAST }, (_, i) => newest[i] ?? "");
  return card({
    title: `${verb}: ${session}`,
    simulated,
    body: [
      wideBar(course),
      markup`<div style="display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 16px;margin:2px 0 6px">${[
        markup`<span>${course.share === null ? "" : `${percentDone(course)} · `}${timeLeft(course)}</span>`,
        faint(`${tasksText(moment)} · running for ${span(moment.ranMs)}`),
      ]}</div>`,
      facts([
        ["Phase", moment.phase],
        ["Has", oneLineOf(countsText(moment))],
        [
          "Best",
          best === null ? faint("none yet") : oneLineOf(
            markup`<b>${best.label}</b> ${best.rating === null ? "" : rating(best.rating)} ${
              foreign(clip(oneLine(best.title), 160))
            }`,
          ),
        ],
        ["Budget", oneLineOf(money(moment))],
        ["In flight", oneLineOf(inFlight(moment.inHand))],
        ["Last", last.map((text) => oneLineOf(text === "" ? markup`&#8203;` : line(text, 240)))],
        ...notices.map((notice): [string, Content] => ["Note", oneLineOf(alarming(line(notice, 240)))]),
      ]),
    ],
  });
}

/** The same as text. */
export function momentText({ verb, session, simulated }: Outset, moment: Moment, course: Course): string {
  const { best } = moment;
  return lines(
    headline(`${verb}: ${session}`, simulated),
    [percentDone(course), timeLeft(course), tasksText(moment)].filter((part) => part !== "").join(" · "),
    wrapped(countsText(moment), "Has:       "),
    best === null ? null : fit(
      `Best:      ${best.label} ${best.rating === null ? "" : rating(best.rating)} ${best.title}`,
      100,
    ),
    `Budget:    ${spending(moment)}`,
    fit(`In flight: ${named(moment.inHand).join("; ") || "nothing"}`, 100),
    ...moment.last.toReversed().slice(0, LAST).map((text) => fit(`Last:      ${text}`, 100)),
    ...moment.notices.map((notice) => fit(`! ${notice}`, 100)),
  );
}

/** The end: one faint line, since what was done displays itself below it. */
export function endHtml(outset: Outset, moment: Moment, ending: Ending): Html {
  const text = foreign(clip(oneLine(endText(outset, moment, ending)), 400));
  const mark = outset.simulated ? markup` <b>SIMULATED</b>` : null;
  const color = ending.failed ? INK.alarm : INK.faint;
  return markup`<div style="background:${INK.paper};color:${color};color-scheme:light;padding:1px 8px;border-radius:4px;display:inline-block;font:12px/1.5 system-ui,'Segoe UI',Roboto,Arial,sans-serif">${text}${mark}</div>`;
}

function wideBar({ share }: Course): Html {
  const percent = share === null ? null : Math.round(share * 1000) / 10;
  const fill = percent === null
    // Stripes: it goes on, and nobody knows how far it is.
    ? `width:100%;background:repeating-linear-gradient(-45deg,${CATEGORIES[5]},${
      CATEGORIES[5]
    } 8px,${INK.grid} 8px,${INK.grid} 16px)`
    : `width:${percent}%;background:${CATEGORIES[0]}`;
  return markup`<div role="progressbar" aria-valuemin="0" aria-valuemax="100"${
    percent === null ? null : markup` aria-valuenow="${percent}"`
  } style="height:10px;background:${INK.grid};border-radius:5px;overflow:hidden;margin:6px 0 2px"><div style="height:10px;${fill}"></div></div>`;
}

function money(moment: Moment): Html {
  const { usd, spentUsd, reservedUsd, budgetUsd } = moment;
  const reserved = reservedUsd > 0 ? `, ${dollars(reservedUsd)} reserved` : "";
  return markup`${meter(spentUsd, budgetUsd, reservedUsd)} ${spending(moment)}${reserved} ${
    faint(`(${dollars(usd)} in this run)`)
  }`;
}

function tasksText({ done, left }: Moment): string {
  const ended = `${counted(done, "task")} done`;
  return left === null || left === 0 ? ended : `${ended}, about ${left} to come`;
}

function inFlight(inHand: readonly InHand[]): Content {
  return inHand.length === 0 ? faint("nothing") : line(named(inHand).join("; "), 300);
}

function named(inHand: readonly InHand[]): string[] {
  const more = inHand.length - NAMED;
  return [
    ...inHand.slice(0, NAMED).map(({ task, work, ms }) =>
      `${task} ${work}${ms === null ? "" : ` (${span(ms)})`}`
    ),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

function oneLineOf(content: Content): Html {
  return markup`<div style="${ONE_LINE}">${content}</div>`;
}
