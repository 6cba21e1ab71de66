/**
 * The style sheet of a report: light and dark by what the reader's system prefers, from a phone's width up, and on paper.
 * Colours of text have a contrast of at least 4.5 : 1 against each ground they stand on.
 */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1f2328; --faint: #52595f; --line: #d1d9e0; --ground: #f6f8fa;
  --link: #0b57a8; --bar: #0072b2; --alarm: #b3261e; --good: #0f6b3a; --warn-line: #8a6100; --warn-ground: #fff3cd; --warn-ink: #5c4100; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171c; --ink: #e6e9ee; --faint: #a3adb9; --line: #3a424d; --ground: #1d2229;
  --link: #8ab4f8; --bar: #6db7e8; --alarm: #ff9b92; --good: #7fd6a2; --warn-line: #c99a2e; --warn-ground: #3a2f10; --warn-ink: #ffe3a1; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 12px; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, "Segoe UI", Roboto, Arial, sans-serif; }
a { color: var(--link); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: 8px; top: -99px; }
.skip:focus { top: 8px; background: var(--paper); padding: 6px 12px; border: 1px solid var(--line); z-index: 1; }
.page { max-width: 1320px; margin: 0 auto; padding: 28px 28px 56px; }
header h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 6px; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 48px 0 12px; padding-bottom: 6px; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.1rem; line-height: 1.35; margin: 24px 0 6px; }
h4 { font-size: .95rem; margin: 18px 0 4px; }
h5, h6 { font-size: .95rem; margin: 14px 0 4px; }
p, ul, ol { margin: 8px 0; }
bdi, .prose, dd, li { overflow-wrap: anywhere; }
/* Narrow columns keep their words whole, and the table scrolls; those of sentences break wherever they must. */
td, td bdi { overflow-wrap: break-word; }
td.wide, td.wide bdi { overflow-wrap: anywhere; }
bdi { unicode-bidi: isolate; }
.prose { white-space: pre-wrap; unicode-bidi: isolate; max-width: 78ch; }
.faint { color: var(--faint); }
.small { font-size: .87em; }
.alarm { color: var(--alarm); }
.good { color: var(--good); }
.about { display: block; color: var(--faint); font-size: .87em; }
.unbroken { white-space: nowrap; }
.mark { display: inline-block; border: 1px solid var(--warn-line); background: var(--warn-ground); color: var(--warn-ink); border-radius: 4px;
  padding: 1px 9px; font-weight: 700; font-size: .8rem; letter-spacing: .05em; vertical-align: middle; }
.warning { border: 1px solid var(--warn-line); background: var(--warn-ground); color: var(--warn-ink); border-radius: 6px; padding: 8px 14px; margin: 14px 0; }
.goal { border-inline-start: 4px solid var(--link); background: var(--ground); padding: 10px 16px; margin: 16px 0; border-radius: 0 6px 6px 0; }
nav h2 { font-size: 1rem; margin: 0 0 6px; border: 0; padding: 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { margin: 3px 0; }
nav ul ul { padding-inline-start: 14px; font-size: .87rem; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav { background: var(--ground); border-radius: 8px; padding: 14px 18px; margin: 20px 0; }
dl.facts { display: grid; grid-template-columns: minmax(8em, max-content) minmax(0, 1fr); gap: 4px 18px; margin: 10px 0; }
dl.facts dt { color: var(--faint); }
dl.facts dd { margin: 0; }
dd ul { margin: 0; padding-inline-start: 1.2em; }
.scroll { overflow-x: auto; margin: 10px 0; }
table { border-collapse: collapse; font-size: .92rem; line-height: 1.45; }
th { text-align: start; font-weight: 600; border-bottom: 1px solid var(--faint); padding: 5px 14px 5px 0; vertical-align: bottom; }
td { border-bottom: 1px solid var(--line); padding: 6px 14px 6px 0; vertical-align: top; }
.end { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.wide { min-width: 15em; }
tr.parted td { border-bottom-color: var(--faint); }
tr.folded td { color: var(--faint); }
.range { display: block; position: relative; width: 92px; height: 8px; margin-top: 4px; print-color-adjust: exact; -webkit-print-color-adjust: exact;
  background: linear-gradient(var(--line), var(--line)) center / 100% 1px no-repeat; }
.range i, .range b { position: absolute; background: var(--bar); }
.range i { top: 3px; height: 2.5px; }
.range b { top: 1px; width: 6px; height: 6px; margin-inline-start: -3px; border-radius: 3px; }
.folded .range i, .folded .range b { background: var(--faint); }
.hypothesis { margin: 20px 0 28px; padding: 4px 20px 14px; border: 1px solid var(--line); border-radius: 8px; }
.hypothesis h3 { margin-top: 12px; }
.claim { font-size: 1.05rem; }
.review, .match { margin: 8px 0; padding-inline-start: 12px; border-inline-start: 3px solid var(--line); }
summary { cursor: pointer; overflow-wrap: anywhere; }
details > :not(summary) { margin-inline-start: 16px; }
ol.sources { padding-inline-start: 1.8em; }
.themed, .themed * { color: inherit !important; background-color: transparent !important; border-color: var(--line) !important; }
.themed a { color: var(--link) !important; }
.themed code, .themed [style*="monospace"] { background-color: var(--ground) !important; }
figure { margin: 14px 0 26px; }
figcaption { margin: 6px 0 2px; color: var(--faint); font-size: .92rem; }
.sheet { background: #ffffff; color: #1f2328; color-scheme: light; border: 1px solid var(--line); border-radius: 6px; overflow-x: auto; }
.sheet > div { border: 0 !important; }
.sheet svg { display: block; min-width: 640px; margin: 0 auto; }
.words { white-space: pre-wrap; font: .82rem/1.45 ui-monospace, Consolas, monospace; overflow-wrap: anywhere; }
code { font: .9em ui-monospace, Consolas, monospace; }
pre { background: var(--ground); border-radius: 6px; padding: 10px 14px; white-space: pre-wrap; overflow-wrap: anywhere; }
footer { margin-top: 48px; padding-top: 12px; border-top: 1px solid var(--line); color: var(--faint); font-size: .87rem; }
@media (min-width: 1120px) {
  .page { display: grid; grid-template-columns: 230px minmax(0, 1fr); column-gap: 48px; }
  header, footer, .skip { grid-column: 2; }
  nav { grid-column: 1; grid-row: 1 / span 3; align-self: start; position: sticky; top: 20px; margin: 0; max-height: calc(100vh - 40px); overflow-y: auto; }
  main { grid-column: 2; min-width: 0; }
}
@media (max-width: 640px) {
  .page { padding: 18px 14px 40px; }
  header h1 { font-size: 1.45rem; }
  dl.facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dl.facts dd { margin-bottom: 8px; }
  .hypothesis { padding: 2px 12px 10px; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --faint: #444; --line: #999; --ground: #fff; --link: #000; --bar: #0072b2; --alarm: #8c1d18;
    --good: #0b5a30; --warn-line: #8a6100; --warn-ground: #fff; --warn-ink: #5c4100; }
  @page { margin: 15mm 14mm; }
  :root { font-size: 10pt; }
  .page { display: block; max-width: none; padding: 0; }
  nav { position: static; max-height: none; background: none; padding: 0; column-count: 2; }
  .scroll, .sheet { overflow: visible; }
  .sheet { border: 0; }
  .sheet > div { zoom: .66; max-width: none !important; overflow: visible !important; }
  .sheet svg { min-width: 0; max-width: 100%; height: auto; }
  table { font-size: .85rem; }
  td, th { padding-inline-end: 9px; }
  td.wide { min-width: 0; }
  h2, h3, h4, h5, h6, summary { break-after: avoid; }
  tr, figure, .match, .warning, .goal, li { break-inside: avoid; }
  .hypothesis { border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: 0; }
  .onscreen { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; display: block; }
  summary { list-style: none; }
  p, li { orphans: 3; widows: 3; }
}
`;
