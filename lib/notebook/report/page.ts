import { clip, oneLine } from "../../domain/text.ts";
import { clean } from "../displays/clean.ts";
import { kindWords, valueText } from "../displays/changes.ts";
import type { FeedbackCardData } from "../displays/cards.ts";
import type { CostLine } from "../displays/costs.ts";
import { recipients, untilText } from "../displays/directive_card.ts";
import { judgeDisplay } from "../displays/judge_card.ts";
import { markdownHtml } from "../displays/markdown.ts";
import {
  costLine,
  counted,
  dollars,
  duration,
  jsonLine,
  moment,
  tokens,
  words,
} from "../displays/wording.ts";
import { type Content, escapeHtml, Html, markup } from "../html.ts";
import { type ReportData } from "./data.ts";
import { briefHtml, hypothesisHtml } from "./hypothesis.ts";
import { leaderboardHtml } from "./leaderboard.ts";
import { alarm, facts, faint, fold, prose, said, table, toHypothesis, unbroken } from "./parts.ts";
import { REPORT_STYLE } from "./style.ts";

/** A figure of a report. */
export interface ReportFigure {
  /** Its name among the plots: also the name of its element. */
  readonly name: string;
  /** What it shows. */
  readonly title: string;
  /** How to read it, in a sentence. */
  readonly reads: string;
  /** What it says in words. */
  readonly words: string;
  /** The picture: a self-contained SVG element, well-formed and without script. */
  readonly svg: string;
}

/** A part of a report. */
interface Section {
  readonly id: string;
  readonly heading: string;
  /** `null` where there is nothing to tell: then the part is left out. */
  readonly body: Html | null;
  /** Lines below its entry in the table of contents. */
  readonly contents?: readonly Html[];
}

/**
 * A session as one page: to be read on a screen, light or dark, or printed, and to be sent to somebody else. It needs no
 * network and no script, and its security policy forbids both. Texts of foreign origin come out as data.
 */
export function reportHtml(data: ReportData, figures: readonly ReportFigure[]): string {
  const sections = sectionsOf(data, figures).filter(({ body }) => body !== null);
  const { session, simulated } = data;
  const title = `${clip(oneLine(session), 200)}${simulated ? " (SIMULATED)" : ""}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(clean(title))}</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<div class="page">
<a class="skip" href="#main">To the report</a>
${clean(headHtml(data).markup)}
${clean(contentsHtml(sections).markup)}
<main id="main">
${sections.map(({ id, heading, body }) => sectionHtml(id, heading, body).markup).join("\n")}
</main>
${clean(footHtml(data).markup)}
</div>
</body>
</html>
`;
}

function sectionHtml(id: string, heading: string, body: Html | null): Html {
  return markup`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${body}
</section>`;
}

/** Figures are left as they are: they put marks of direction around what is written from right to left. */
function cleaned(body: Html | null): Html | null {
  return body === null ? null : new Html(clean(body.markup));
}

function sectionsOf(data: ReportData, figures: readonly ReportFigure[]): Section[] {
  const { leading, others } = data;
  const texts: Section[] = [
    { id: "standing", heading: "How it stands", body: standingHtml(data) },
    { id: "overview", heading: "Overview", body: overviewHtml(data) },
    { id: "leaderboard", heading: "Leaderboard", body: leaderboardHtml(data) },
    {
      id: "leading",
      heading: "Leading hypotheses",
      body: leading.length === 0 ? null : markup`${leading.map(hypothesisHtml)}`,
      contents: leading.map(({ label, title }) => markup`${toHypothesis(label)} ${said(title, 60)}`),
    },
    {
      id: "others",
      heading: leading.length === 0 ? "Hypotheses" : "Other hypotheses",
      body: others.length === 0 ? null : markup`${others.map(briefHtml)}`,
    },
    { id: "judges", heading: "Judges", body: judgesHtml(data) },
    { id: "people", heading: "What people changed", body: peopleHtml(data) },
    { id: "feedback", heading: "System feedback", body: feedbackHtml(data) },
    { id: "cost", heading: "Cost", body: costHtml(data) },
    { id: "settings", heading: "Settings that differ from the defaults", body: settingsHtml(data) },
    { id: "provenance", heading: "Where this comes from", body: provenanceHtml(data) },
  ].map((section) => ({ ...section, body: cleaned(section.body) }));
  const place = texts.findIndex(({ id }) => id === "judges");
  return texts.toSpliced(place, 0, {
    id: "figures",
    heading: "Figures",
    body: figures.length === 0 ? null : markup`${figures.map(figureHtml)}`,
    contents: figures.map(({ name, title }) => markup`<a href="#figure-${name}">${title}</a>`),
  });
}

function headHtml(data: ReportData): Html {
  const { session, simulated, goal, seq, provenance: { committedAt } } = data;
  return markup`<header>
<h1>${said(session)}${simulated ? markup` <span class="mark">SIMULATED</span>` : null}</h1>
<p class="faint">A research session of cosci, as of commit ${seq}${
    committedAt === null ? null : ` (${moment(committedAt)})`
  }</p>
<div class="goal"><div class="faint small">The research goal</div>${prose(goal)}</div>
${
    simulated
      ? markup`<p class="warning">Models and literature of this session are simulated: the hypotheses, sources and reviews below are invented, and nothing in them is real.</p>`
      : null
  }</header>`;
}

function contentsHtml(sections: readonly Section[]): Html {
  const list = (entries: readonly Html[]) =>
    markup`<ul>${entries.map((entry) => markup`<li>${entry}</li>\n`)}</ul>`;
  return markup`<nav aria-labelledby="contents"><h2 id="contents">Contents</h2>${
    list(sections.map(({ id, heading, contents = [] }) =>
      markup`<a href="#${id}">${heading}</a>${contents.length === 0 ? null : list(contents)}`
    ))
  }</nav>`;
}

function standingHtml(data: ReportData): Html {
  const { status, stopReason, note, counts: n, gate, now, plan, forkedAt, phase } = data;
  // Phases of a session that is over are its status in other words.
  const over = status === "done" || status === "aborted" || status === "paused" || status === "stopped";
  const state = over ? words(phase) : `${words(status)}, ${words(phase)}`;
  const more = (count: number, text: string) => count === 0 ? [] : [`${count} ${text}`];
  return markup`${
    facts([
      ["State", markup`<b>${state}</b>${stopReason === null ? null : `: ${words(stopReason)}`}`],
      ["Why", note === "" || note === state ? null : said(note, 800)],
      ["Waits for a yes", gate === null ? null : `${gate.label}: ${words(gate.kind)}`],
      [
        "Forked from",
        now.parent === null ? null : markup`${said(now.parent)}, at its commit ${forkedAt ?? 0}`,
      ],
      [
        "Hypotheses",
        [
          counted(n.hypotheses, "hypothesis", "hypotheses"),
          `${n.inTournament} in the tournament`,
          ...more(n.folded, "folded under near-duplicates"),
          ...more(n.duplicates, "duplicates refused"),
        ].join(", "),
      ],
      [
        "Judged by",
        [
          counted(n.reviews, "review"),
          counted(n.matches, "match", "matches"),
          ...more(n.invalidMatches, "matches without a verdict"),
        ]
          .join(", "),
      ],
      ["Stale", n.stale === 0 ? null : `${n.stale} records were made on texts that have changed since`],
      [
        "Dropped citations",
        n.droppedCitations === 0 ? null : `${n.droppedCitations}: no tool had returned what they cite`,
      ],
      [
        "Budget",
        `${dollars(now.spentUsd)} of ${dollars(now.budgetUsd)}, ${tokens(now.spentTokens)} of ${
          tokens(now.budgetTokens)
        } tokens${data.simulated ? " (what live models would cost; nothing was paid)" : ""}`,
      ],
      [
        "Running time",
        `${duration(now.ranSeconds * 1000)} of ${duration(now.wallClockSeconds * 1000)}`,
      ],
    ])
  }${
    plan === null
      ? markup`<p class="faint">The goal has not been made a research plan yet.</p>`
      : planHtml(plan, data)
  }${
    data.troubled.length === 0 && data.screens.length === 0
      ? null
      : markup`<div class="warning">${
        data.troubled.slice(-12).map((task) =>
          markup`<div>${task.label} ${words(task.action)}: ${words(task.status)}, ${
            said(task.reason, 300)
          }</div>`
        )
      }${
        data.screens.slice(-12).map(({ target, result, rationale }) =>
          markup`<div>Safety screen of ${target}: ${result}, ${said(rationale, 300)}</div>`
        )
      }</div>`
  }`;
}

function planHtml(plan: NonNullable<ReportData["plan"]>, { goal, criteria = [] }: ReportData): Html {
  const list = (texts: readonly string[]) =>
    texts.length === 0 ? null : markup`<ul>${texts.map((text) => markup`<li>${said(text, 600)}</li>`)}</ul>`;
  return markup`<h3>The goal as it was read</h3>
${
    facts([
      ["Question", plan.objective === goal ? null : prose(plan.objective)],
      ["Field", plan.domainHint === undefined ? null : said(plan.domainHint)],
      ["A good answer", list(plan.preferences)],
      ["Limits", list(plan.constraints)],
      ["Looked for", plan.ideaAttributes.length === 0 ? null : said(plan.ideaAttributes.join(", "), 800)],
      [
        "Criteria",
        criteria.length === 0 ? null : list(
          criteria.map(({ name, weight, must }) =>
            `${name} (weight ${weight}${must === true ? ", a must" : ""})`
          ),
        ),
      ],
    ])
  }`;
}

function overviewHtml({ overview, simulated, leading, others }: ReportData): Html {
  const labels = new Set([...leading, ...others].map(({ label }) => label));
  if (overview === null) {
    return markup`<p>There is no overview yet. <code>await lab.overview()</code> drafts one; <code>await lab.finish()</code> writes the last one and closes the session.</p>`;
  }
  const about = [
    `${overview.label}, version ${overview.version}`,
    overview.final ? "final" : "a draft",
    overview.source === "model"
      ? `by ${overview.model ?? "a model"}`
      : "put together from the records, by no model",
    `commit ${overview.seq}`,
  ].join(" · ");
  return markup`<p class="faint">${about}</p>
${overview.stale === "" ? null : markup`<p>${alarm(markup`Stale: it ${said(overview.stale, 400)}.`)}</p>`}${
    overview.notes.map((note) => markup`<p class="faint">Note: ${said(note, 600)}</p>`)
  }<div class="themed">${linked(markdownHtml(overview.markdown, simulated, 2), labels)}</div>`;
}

/** Labels in brackets become links to where the report tells of them; tags and their attributes stay as they are. */
function linked(html: Html, labels: ReadonlySet<string>): Html {
  const link = (label: string) => labels.has(label) ? toHypothesis(label).markup : label;
  return new Html(
    html.markup.replaceAll(
      />[^<]+/g,
      (text) => text.replaceAll(/\[H\d+(?:[,;] ?H\d+)*\]/g, (list) => list.replaceAll(/H\d+/g, link)),
    ),
  );
}

function figureHtml({ name, title, reads, words: text, svg }: ReportFigure): Html {
  // The drawing bears its title and the mark of simulation itself.
  return markup`<figure id="figure-${name}" aria-label="${title}"><div class="sheet" role="region" aria-label="${title}" tabindex="0">${new Html(
    ownNames(svg, name),
  )}</div>
<figcaption>${reads}</figcaption>
<details class="onscreen"><summary>The same in words</summary><div class="words">${new Html(
    clean(markup`${text}`.markup),
  )}</div></details></figure>
`;
}

/** A drawing whose elements bear names of their own within the page, numbered in order: two figures may use the same. */
export function ownNames(svg: string, prefix: string): string {
  const names = new Map<string, string>();
  for (const [, name = ""] of svg.matchAll(/\sid="([^"]+)"/g)) {
    if (!names.has(name)) names.set(name, `${prefix}-${names.size + 1}`);
  }
  const own = (name: string) => names.get(name) ?? name;
  return svg.replaceAll(/(\sid=")([^"]+)(")/g, (_, before, name, after) => `${before}${own(name)}${after}`)
    .replaceAll(/(url\(#)([^)"]+)(\))/g, (_, before, name, after) => `${before}${own(name)}${after}`)
    .replaceAll(/(\shref="#)([^"]+)(")/g, (_, before, name, after) => `${before}${own(name)}${after}`);
}

function judgesHtml({ judge }: ReportData): Html | null {
  return judge.judges.length === 0 && judge.people === undefined
    ? null
    : markup`<div class="sheet" role="region" aria-label="Judges" tabindex="0">${
      judgeDisplay.html(judge)
    }</div>`;
}

function peopleHtml({ directives, changes }: ReportData): Html {
  if (directives.length === 0 && changes.length === 0) return markup`<p>Nothing: nobody steered it.</p>`;
  return markup`${
    directives.length === 0 ? null : markup`<h3>What they told the agents</h3>
${
      table("Directives", [
        { head: "", cell: (row) => markup`<b>${unbroken(row.label)}</b>` },
        {
          head: "Says",
          kind: "wide",
          cell: (row) =>
            markup`${said(row.text, 1500)} ${faint(markup`${row.kind}, by ${said(row.author, 80)}`)}`,
        },
        { head: "For", cell: (row) => recipients(row.to) },
        {
          head: "In force",
          cell: (row) =>
            row.inForce
              ? (row.until === null ? "yes" : `until ${untilText(row.until)}`)
              : said(`no: ${row.whyNot ?? ""}`),
        },
        { head: "Calls that carried it", kind: "end", cell: (row) => row.calls },
      ], directives)
    }`
  }${
    changes.length === 0 ? null : markup`<h3>${counted(changes.length, "change")}</h3>
${
      table("Changes", [
        { head: "", cell: (row) => markup`<b>${unbroken(row.revision)}</b>` },
        { head: "What", cell: (row) => markup`${kindWords(row)} ${said(row.path, 120)}`, kind: "wide" },
        { head: "Before", kind: "wide", cell: (row) => said(valueText(row.kind, row.before), 400) },
        { head: "After", kind: "wide", cell: (row) => said(valueText(row.kind, row.after), 400) },
        {
          head: "By",
          cell: (row) =>
            markup`${said(row.by, 80)}, ${unbroken(`commit ${row.seq}`)}${
              row.undoes === null ? null : `, undoing ${row.undoes}`
            }`,
        },
      ], changes)
    }`
  }`;
}

function feedbackHtml({ feedbacks }: ReportData): Html | null {
  const newest = feedbacks.at(-1);
  if (newest === undefined) return null;
  const heading = ({ label, matchesSeen, seq }: FeedbackCardData) =>
    markup`${label} ${faint(`after ${counted(matchesSeen, "match", "matches")}, commit ${seq}`)}`;
  return markup`<h3>${heading(newest)}</h3>
${feedbackBody(newest)}${
    feedbacks.slice(0, -1).toReversed().map((earlier) => fold(heading(earlier), feedbackBody(earlier)))
  }`;
}

function feedbackBody({ narrative, weaknesses, strengths, focusAreas }: FeedbackCardData): Html {
  const list = (points: readonly string[]) =>
    points.length === 0
      ? null
      : markup`<ul>${points.map((point) => markup`<li>${said(point, 800)}</li>`)}</ul>`;
  return markup`${prose(narrative)}
${
    facts([
      ["Recurring criticism", list(weaknesses)],
      ["What is praised", list(strengths)],
      ["Where to look next", list(focusAreas)],
    ])
  }`;
}

function costHtml({ costs }: ReportData): Html {
  const { total, inherited, budgetUsd, byAgent, byModel, simulated } = costs;
  const part = (name: string, rows: readonly CostLine[]): Content =>
    rows.length === 0 ? null : markup`<h3>${name}</h3>
${
      table(name, [
        { head: "", cell: (row) => said(row.name, 120) },
        { head: "USD", kind: "end", cell: (row) => dollars(row.usd) },
        { head: "Calls", kind: "end", cell: (row) => row.calls },
        { head: "Tokens read", kind: "end", cell: (row) => tokens(row.inputTokens) },
        { head: "Tokens written", kind: "end", cell: (row) => tokens(row.outputTokens) },
      ], rows.toSorted((a, b) => b.usd - a.usd))
    }`;
  const spent = total.calls === 0 && total.usd === 0 ? "No model was called yet: nothing" : costLine(total);
  return markup`<p>${spent}, of a budget of ${dollars(budgetUsd)}.${
    simulated ? " The models are simulated: this is what the calls would cost, and nothing was paid." : ""
  }</p>${
    inherited.calls === 0
      ? null
      : markup`<p>Inherited from before the fork, and no part of this budget: ${costLine(inherited)}.</p>`
  }${part("By agent", byAgent)}${part("By model", byModel)}`;
}

function settingsHtml({ settings }: ReportData): Html {
  return settings.length === 0 ? markup`<p>None: all have their defaults.</p>` : table("Settings", [
    { head: "Setting", cell: (row) => markup`<code>${unbroken(row.path)}</code>` },
    { head: "Value", kind: "wide", cell: (row) => said(jsonLine(row.value), 400) },
    { head: "Default", cell: (row) => said(jsonLine(row.default), 400) },
    {
      head: "Since",
      cell: (row) =>
        markup`${row.revision ?? "creation"}${
          row.by === null || row.by === "create" ? null : markup`, by ${said(row.by, 80)}`
        }`,
    },
  ], settings);
}

function provenanceHtml({ session, seq, revision, provenance: from }: ReportData): Html {
  return markup`${
    facts([
      ["Session", said(session)],
      [
        "Store",
        from.store === null
          ? "in memory, or a database that was handed in: it can't be opened again from a file"
          : said(from.store),
      ],
      [
        "As of",
        `commit ${seq}, revision ${revision}${
          from.committedAt === null ? "" : `, ${moment(from.committedAt)}`
        }`,
      ],
      ["Created", moment(from.createdAt)],
      ["Seed of chance", said(from.seed)],
      ["Models", said(from.provider, 400)],
      [
        "That answered",
        from.models.length === 0 ? "none yet" : said(
          from.models.map(({ name, calls }) => `${name} (${counted(calls, "call")})`).join(", "),
          1200,
        ),
      ],
      ["cosci", from.version],
    ])
  }${
    from.prompts.length === 0 ? null : markup`<h3>Prompts</h3>
${
      table("Prompts", [
        { head: "Prompt", cell: (row) => markup`<code>${said(row.name, 120)}</code>` },
        { head: "Version in force", cell: (row) => markup`<code>${row.version ?? "–"}</code>` },
        {
          head: "Text",
          cell: (row) => (row.changed
            ? markup`<b>changed</b>${row.by === null ? null : markup`, by ${said(row.by, 80)}`}`
            : "as shipped"),
        },
        {
          head: "Calls",
          kind: "end",
          cell: (row) => row.calls,
        },
        { head: "From earlier texts", kind: "end", cell: (row) => row.earlierCalls },
      ], from.prompts)
    }`
  }${
    from.store === null ? null : markup`<h3>To look further</h3>
<pre>import { Supervisor } from "cosci";
const lab = await Supervisor.open({ store: ${JSON.stringify(from.store)}, session: ${
      JSON.stringify(session)
    } });
lab.inspect();</pre>`
  }`;
}

function footHtml({ session, seq, provenance: { version } }: ReportData): Html {
  return markup`<footer>${said(session)}, commit ${seq}. Written by cosci ${version}.</footer>`;
}
