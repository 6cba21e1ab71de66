import type { HypothesisText } from "./records.ts";

const FENCE_TAGS = [
  "GOAL",
  "PREFERENCES",
  "PLAN",
  "KNOWN",
  "CRITERIA",
  "HYPOTHESIS",
  "REVIEW",
  "SOURCE",
  "FEEDBACK",
  "DIRECTIVE",
  "DIFFER_FROM",
  "TURN",
  "RATIONALE",
  "OVERVIEW",
  "ERROR",
] as const;

/** The labels under which text of foreign origin stands in a prompt. The system prompt declares them to be data. */
export type FenceTag = (typeof FENCE_TAGS)[number];

const OWN_TAG = new RegExp(`<(\\s*/?\\s*)(${FENCE_TAGS.join("|")})(?![\\w-])`, "gi");

/**
 * Text from a model, a person, a paper or the web, fenced as data: `<TAG a="b">\n…\n</TAG>`.
 * Tags of ours inside the text are defused (`<` becomes `‹`), so that the text can't close its fence or open another.
 */
export function fence(
  tag: FenceTag,
  text: string,
  attributes: Readonly<Record<string, string | number>> = {},
): string {
  const attrs = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${String(value).replaceAll(/["<>\n]/g, " ")}"`)
    .join("");
  return `<${tag}${attrs}>\n${text.replaceAll(OWN_TAG, "‹$1$2").trim()}\n</${tag}>`;
}

/** One fence found in a prompt. */
export interface Fenced {
  /** The fence's name. */
  readonly tag: FenceTag;
  /** Its attributes. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The text between the tags. */
  readonly text: string;
}

/** All fences of a prompt in order: the inverse of {@linkcode fence}. Fences don't nest. */
export function fences(prompt: string): Fenced[] {
  const pattern = new RegExp(`<(${FENCE_TAGS.join("|")})((?: \\w+="[^"]*")*)>\\n([\\s\\S]*?)\\n</\\1>`, "g");
  return [...prompt.matchAll(pattern)].map((match) => ({
    tag: match[1] as FenceTag,
    attributes: Object.fromEntries(
      [...(match[2] ?? "").matchAll(/ (\w+)="([^"]*)"/g)].map((attr) => [attr[1] ?? "", attr[2] ?? ""]),
    ),
    text: match[3] ?? "",
  }));
}

/** The goal as the safety screen reads it. */
export function goalText(goal: string, preferences: string): string {
  return preferences === "" ? goal : `${goal}\n\nPreferences: ${preferences}`;
}

/** A hypothesis as the text that prompts show: one labelled line a field, those without a text left out. */
export function hypothesisText(h: HypothesisText): string {
  const fields = [
    ["Title", h.title],
    ["Statement", h.statement],
    ["Mechanism", h.mechanism],
    ["Entities", h.entities.map(oneLine).join("; ")],
    ["Anticipated outcomes", h.anticipatedOutcomes],
    ["Novelty", h.noveltyArgument],
  ] as const;
  return fields.flatMap(([name, text]) => oneLine(text) === "" ? [] : [`${name}: ${oneLine(text)}`])
    .join("\n");
}

/** The text that stands for a hypothesis when similarity is measured: the same for dedup, clustering and pairing. */
export function embeddingText(h: Pick<HypothesisText, "statement" | "mechanism">): string {
  return `${h.statement}\n${h.mechanism}`;
}

/** NFKC, lower case, white space folded: equal for texts that differ only in form. */
export function normalizeText(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}

/** White space folded to single spaces. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** At most `max` characters, with an ellipsis where something was cut; never cuts a surrogate pair. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 1) return "";
  let end = Math.max(0, max - 1);
  const code = text.charCodeAt(end - 1);
  if (code >= 0xd800 && code <= 0xdbff) end--;
  return `${text.slice(0, end)}…`;
}
