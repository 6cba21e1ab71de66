import { type Html, markup } from "../html.ts";
import type { Part, Turn } from "./conversation.ts";
import { lines, wrapped } from "./plain.ts";
import { excerpt, faint, line } from "./prose.ts";

/** Parts of one turn that are shown at most. */
const PARTS = 40;

const NAMES = { system: "System", user: "User", assistant: "Assistant", answer: "Answer" } as const;
const GROUNDS = { system: "#f4f5f6", user: "#f4f5f6", assistant: "#eef5fb", answer: "#eaf6ee" } as const;

/** A turn of a conversation; long parts are folded. */
export function turnHtml({ who, parts }: Turn): Html {
  // The answer is what one came to see: it is open, as far as it is not very long.
  const shown = who === "answer" ? 2500 : 220;
  return markup`<div style="margin:7px 0;padding:5px 10px;background:${
    GROUNDS[who]
  };border-radius:4px"><div style="font-weight:600">${NAMES[who]}</div>${
    parts.slice(0, PARTS).map((part) => partHtml(part, shown))
  }${parts.length > PARTS ? faint(`${parts.length - PARTS} more parts`) : null}</div>`;
}

function partHtml(part: Part, shown: number): Html {
  const lead = leadOf(part);
  return markup`<div style="margin:2px 0">${lead === "" ? null : faint(line(lead, 120))}${
    part.text === "" ? null : excerpt(part.text, shown)
  }</div>`;
}

/** The same as text. */
export function turnText({ who, parts }: Turn): string {
  const limit = who === "answer" ? 6000 : 600;
  return lines(
    `── ${NAMES[who]} ──`,
    ...parts.slice(0, PARTS).map((part) => {
      const lead = leadOf(part);
      return lines(lead === "" ? null : wrapped(lead, "", 120), wrapped(part.text, "", limit));
    }),
    parts.length > PARTS ? `… ${parts.length - PARTS} more parts` : null,
  );
}

function leadOf(part: Part): string {
  switch (part.kind) {
    case "text":
      return "";
    case "thinking":
      return part.text === "" ? "[thinking, not shown by the server]" : "[thinking]";
    case "call":
      return `[calls ${part.name}]`;
    case "result":
      return "[result of a tool]";
    case "other":
      return `[${part.name}]`;
  }
}
