import type { Criterion } from "../../domain/criteria.ts";
import type { HypothesisText } from "../../domain/records.ts";
import { escapeHtml } from "../html.ts";

/** What a blind sheet shows: pairs of texts, and nothing of what is known of them. */
export interface BlindSheetData {
  /** The code by which what comes back is recognised. */
  readonly code: string;
  /** The research goal. */
  readonly goal: string;
  /** Whether the session is simulated. */
  readonly simulated: boolean;
  /** Whom it is for; `null` where nobody was named. */
  readonly recipient: string | null;
  /** What is asked of every hypothesis. */
  readonly criteria: readonly Readonly<Criterion>[];
  /** The pairs, in the sheet's order. */
  readonly pairs: readonly (readonly [HypothesisText, HypothesisText])[];
  /** The name of the file that the choices are written into. */
  readonly csvName: string;
}

/** The first column of a row of the sheet's file: code and number. */
export function pairCode(code: string, n: number, of: number): string {
  return `${code}-${String(n).padStart(String(of).length, "0")}`;
}

const STYLE = `
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1f2328; --faint: #59636e; --line: #d1d9e0; --ground: #f6f8fa;
  --mark: #0b57d0; --warn-line: #8a6100; --warn-ground: #fff3cd; --warn-ink: #5c4100; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171c; --ink: #e6e9ee; --faint: #9aa4b1; --line: #343b45;
  --ground: #1c2128; --mark: #8ab4f8; --warn-line: #c99a2e; --warn-ground: #3a2f10; --warn-ink: #ffe3a1; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, "Segoe UI", Roboto, Arial, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 1.1rem; margin: 0; }
h3 { font-size: 1.02rem; line-height: 1.35; margin: 0 0 8px; }
p, ul, ol { margin: 8px 0; }
.faint { color: var(--faint); }
.text { unicode-bidi: isolate; overflow-wrap: anywhere; }
.goal { border-inline-start: 4px solid var(--mark); background: var(--ground); padding: 10px 16px; margin: 16px 0; border-radius: 0 6px 6px 0; }
.simulated { display: inline-block; border: 1px solid var(--warn-line); background: var(--warn-ground); color: var(--warn-ink);
  border-radius: 4px; padding: 1px 9px; font-weight: 700; font-size: .8rem; letter-spacing: .05em; }
.code { font-family: ui-monospace, Consolas, monospace; letter-spacing: .06em; }
.pair { margin-top: 40px; padding-top: 20px; border-top: 1px solid var(--line); }
.head { display: flex; justify-content: space-between; align-items: baseline; gap: 16px; margin-bottom: 12px; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; }
.side { border: 1px solid var(--line); border-radius: 8px; padding: 14px 18px; min-width: 0; }
.number { display: inline-block; min-width: 1.9em; text-align: center; border-radius: 999px; background: var(--ink); color: var(--paper);
  font-weight: 700; font-size: .85rem; margin-inline-end: 8px; }
.claim { font-weight: 500; }
dl { margin: 10px 0 0; font-size: .93rem; }
dt { color: var(--faint); font-size: .78rem; text-transform: uppercase; letter-spacing: .05em; margin-top: 8px; }
dd { margin: 0; }
.choice { display: flex; flex-wrap: wrap; gap: 6px 22px; align-items: center; margin: 12px 0 0; padding: 10px 14px; background: var(--ground);
  border: 0; border-radius: 8px; }
.choice label { display: inline-flex; gap: 7px; align-items: center; cursor: pointer; }
.choice input { accent-color: var(--mark); width: 1.1em; height: 1.1em; margin: 0; }
textarea { flex: 1 1 100%; min-height: 2.6em; padding: 6px 9px; font: inherit; font-size: .93rem; color: inherit; background: var(--paper);
  border: 1px solid var(--line); border-radius: 6px; resize: vertical; }
@media (max-width: 760px) { .sides { grid-template-columns: 1fr; } main { padding: 20px 14px 40px; } }
@media print { :root { --paper: #fff; --ink: #000; --faint: #444; --line: #999; --ground: #fff; }
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; } .pair { break-inside: avoid; margin-top: 24px; }
  .choice { border: 1px solid var(--line); } textarea { min-height: 4em; } }
`;

/**
 * The sheet as one page: to be read on a screen, light or dark, or printed. It needs no network and no script, so it can't
 * save what is ticked, and says so.
 */
export function blindSheetHtml(data: BlindSheetData): string {
  const { code, goal, simulated, recipient, criteria, pairs, csvName } = data;
  const count = pairs.length === 1 ? "1 pair" : `${pairs.length} pairs`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Which hypothesis first? Sheet ${escapeHtml(code)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Which would you follow up first?</h1>
<p class="faint">Sheet <span class="code">${escapeHtml(code)}</span> · ${count}${
    recipient === null ? "" : ` · for ${text(recipient)}`
  }${simulated ? ' <span class="simulated">SIMULATED</span>' : ""}</p>
${simulated ? "<p>These hypotheses are invented by a simulator. Nothing in them is real.</p>" : ""}
<div class="goal"><div class="faint">The research goal</div>${text(goal)}</div>
<p>Each pair shows two hypotheses for this goal. Decide which one deserves to be followed up first. Who or what wrote them, how they did so far
and what others think of them is left out on purpose, and the order of the pairs and of the two sides was drawn by lot.</p>
${
    criteria.length === 0
      ? ""
      : `<p>What the researcher asks of a hypothesis:</p>\n<ul>${
        criteria.map(({ name, weight, must }) =>
          `<li>${text(name)} <span class="faint">(weight ${weight}${
            must === true ? "; a must" : ""
          })</span></li>`
        ).join("")
      }</ul>`
  }
<ol>
<li>Read a pair and choose 1, 2 or a tie; say <em>tie</em> only if you would toss a coin. Skip what you can't judge.</li>
<li>Write the choice into <strong>${
    escapeHtml(csvName)
  }</strong>, the file that came with this page, in the row of the pair: <code>1</code>, <code>2</code>,
<code>tie</code>, or nothing to skip. A few words on why help; they go into the column <code>comment</code>.</li>
<li>Send that file back. This page itself can't save anything: ticks and notes here are for you, and for paper.</li>
</ol>
${
    pairs.map(([first, second], i) => pairHtml(pairCode(code, i + 1, pairs.length), i + 1, first, second))
      .join("\n")
  }
</main>
</body>
</html>
`;
}

function pairHtml(code: string, n: number, first: HypothesisText, second: HypothesisText): string {
  const option = (value: string, label: string) =>
    `<label><input type="radio" name="pair-${n}" value="${value}"> ${label}</label>`;
  return `<section class="pair" aria-labelledby="pair-${n}">
<div class="head"><h2 id="pair-${n}">Pair ${n}</h2><span class="faint code">${escapeHtml(code)}</span></div>
<div class="sides">
${sideHtml(1, first)}
${sideHtml(2, second)}
</div>
<fieldset class="choice" aria-label="Your choice for pair ${n}">
${option("first", "1 is better")}${option("second", "2 is better")}${option("tie", "a tie")}${
    option("skip", "skip")
  }
<textarea rows="1" placeholder="Why? (a note for yourself: write it into the file, too)" aria-label="Note on pair ${n}"></textarea>
</fieldset>
</section>`;
}

function sideHtml(number: number, of: HypothesisText): string {
  const entry = (name: string, content: string) =>
    content.trim() === "" ? "" : `<dt>${name}</dt><dd>${text(content)}</dd>`;
  return `<article class="side">
<h3><span class="number">${number}</span>${text(of.title)}</h3>
<p class="claim">${text(of.statement)}</p>
<dl>${entry("Mechanism", of.mechanism)}${entry("About", of.entities.join("; "))}${
    entry("What one would measure", of.anticipatedOutcomes)
  }${entry("What is new", of.noveltyArgument)}</dl>
</article>`;
}

/** Text of foreign origin: escaped, in its own direction, without the references to labels that a model may have made. */
function text(content: string): string {
  return `<span class="text" dir="auto">${
    escapeHtml(content.replaceAll(/\[\s*[HMV]\d+\s*\]/g, "[…]"))
  }</span>`;
}
