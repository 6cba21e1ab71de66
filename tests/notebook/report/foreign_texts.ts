/** The fields of a report in which a text of foreign origin stands. */
const FOREIGN: ReadonlySet<string> = new Set([
  "session",
  "goal",
  "objective",
  "domainHint",
  "note",
  "title",
  "statement",
  "mechanism",
  "anticipatedOutcomes",
  "noveltyArgument",
  "stateReason",
  "reason",
  "notes",
  "assumption",
  "rationale",
  "claim",
  "excerpt",
  "url",
  "doi",
  "source",
  "text",
  "author",
  "by",
  "narrative",
  "model",
  "judge",
  "before",
  "after",
  "provider",
  "name",
  "seed",
  "store",
  "voided",
  "whyNot",
  "parent",
  "markdown",
]);
/** Lists of texts of foreign origin. */
const LISTS: ReadonlySet<string> = new Set([
  "entities",
  "preferences",
  "constraints",
  "ideaAttributes",
  "weaknesses",
  "strengths",
  "focusAreas",
  "notes",
]);

/** Where a text stands that is not like the others. */
export interface Exceptions {
  /** The Markdown of the overview. */
  readonly overview?: string | undefined;
}

/**
 * A report with a text in the place of each text of foreign origin; or, of several, with one after the other, so that each
 * stands next to others.
 */
export function withTexts<T extends object>(
  data: T,
  text: string | readonly string[],
  exceptions: Exceptions = {},
): T {
  let next = 0;
  const texts = typeof text === "string" ? [text] : text;
  const foreign = () => texts[next++ % texts.length] ?? "";
  const replace = (name: string, value: unknown): unknown => {
    if (typeof value === "string") {
      if (name === "markdown" && exceptions.overview !== undefined) return exceptions.overview;
      // Whose a record is decides how it is shown.
      return FOREIGN.has(name) && value !== "model" ? foreign() : value;
    }
    if (Array.isArray(value)) {
      return value.map((
        each: unknown,
      ) => (typeof each === "string" && LISTS.has(name) ? foreign() : replace(name, each)));
    }
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, content]) => [key, replace(key, content)]));
  };
  const copy: unknown = replace("", structuredClone({ ...data }));
  return Object.assign(Object.create(null), data, copy);
}
