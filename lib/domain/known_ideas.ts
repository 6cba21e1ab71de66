import type { HypothesisText } from "./records.ts";

/** How a known idea stands where a hypothesis's id would: this, then the idea. */
export const KNOWN_LABEL = "known: ";

/** What of a proposal is compared with known ideas: its headline and its claim. */
export type Claimed = Pick<HypothesisText, "title" | "statement">;

/**
 * The first of the known ideas that a proposal is, by its words; `null` where it is none of them.
 *
 * A short idea, of one to four names ("metformin", "venetoclax + azacitidine in AML"), is found where the proposal is
 * about all of these names **and about nothing beside them**, whatever their order, case and punctuation: "Combining
 * azacitidine with venetoclax in AML" is "venetoclax + azacitidine". What comes after a preposition in the known idea has
 * to occur as well. Two kinds of proposal that hold the same words are another idea and pass:
 *
 * - One with a further partner: "Venetoclax, azacitidine and gilteritinib", "Adding gilteritinib to venetoclax plus
 *   azacitidine". Triplets on top of a known doublet are what a scientist looks for who names the doublet as known; whoever
 *   knows the triplet names it too.
 * - One in which the known idea is only the background: "MCL-1 loss predicts resistance to venetoclax + azacitidine",
 *   "Ruxolitinib after venetoclax + azacitidine".
 *
 * The title decides if it holds all names, else the statement; a further partner that the statement adds counts in either
 * case. Partners and backgrounds are read from English joining words and signs, with no dictionary of names, so that it
 * errs: in doubt a proposal passes. That is the cheaper error. Generation was told of the idea, a person sees a repetition on the
 * leaderboard at once, and nobody sees an idea that was refused for no reason.
 *
 * A longer idea, a sentence, is found where nine in ten of its words occur and neither of the two denies what the other
 * says; the engine compares its embedding besides.
 */
export function knownByWords(known: readonly string[], proposal: Claimed): string | null {
  return known.find((idea) => isKnown(readIdea(idea), proposal)) ?? null;
}

/** The known ideas that are sentences: those whose likeness is a matter of embeddings, too. */
export function knownSentences(known: readonly string[]): string[] {
  return known.filter((idea) => readIdea(idea).kind === "sentence");
}

/** A known idea, read. */
type Idea =
  | {
    readonly kind: "names";
    /** Each name in its words. */
    readonly partners: readonly (readonly string[])[];
    /** What it is about besides, word by word. */
    readonly context: readonly string[];
  }
  | { readonly kind: "sentence"; readonly words: readonly string[]; readonly denies: boolean };

const MOST_PARTNERS = 4;
const MOST_WORDS_OF_A_NAME = 3;
/** The part of a sentence's words that must occur. */
const OVERLAP = 0.9;
/** A sentence of fewer words of weight says too little to be told by its words alone. */
const LEAST_WORDS = 4;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Signs and words that put names side by side. A comma does so only in a list. */
const CONNECTORS = words("+ & / × and plus with");
const PREPOSITIONS = words("in for against of on as at by to during among within via through");
const FUNCTION = words(
  "a an the this that these those its their his her our which who whose when while where if is are was were be been being " +
    "has have had can could may might will would should do does did it they we than then so such very both each either or " +
    "but nor because since into from over under after before between about across toward towards not no never without",
);
const DENIALS = words("not no never without cannot nor neither lack lacks fail fails");
/** Words that introduce names, and say nothing besides. */
const JOINING = words(
  "combination combinations combine combining combined co pairing paired pair doublet dual synergy synergism synergistic " +
    "synergize together concurrent concomitant sequential using use repurposing repurposed treatment treatments therapy " +
    "therapies regimen regimens monotherapy administration coadministration dosing effect effects efficacy benefit activity " +
    "role potential clinical joint added adding along given alongside",
);
/** Words behind names that belong to them. */
const SUFFIXES = words(
  "based containing treatment therapy regimen combination doublet mediated induced driven",
);
/** Before the names: what is said then is said of something else. */
const BACKGROUND_BEFORE = words(
  "to after against despite following without beyond versus vs than under on instead from before failing post not treated " +
    "receiving received unlike excluding lacking resisting escaping",
);
const BACKGROUND_NOUNS = words(
  "failure resistance predictor predictors biomarker biomarkers marker markers alternative alternatives",
);
const BACKGROUND_AFTER = words(
  "resistance resistant failure failures refractory nonresponse nonresponders naive naïve resisters",
);

function isKnown(idea: Idea, { title, statement }: Claimed): boolean {
  if (idea.kind === "sentence") {
    const there = new Set(tokens(`${title} ${statement}`));
    if (idea.words.length < LEAST_WORDS || idea.denies !== denies(there)) return false;
    return idea.words.filter((word) => there.has(word)).length >= OVERLAP * idea.words.length;
  }
  const all = new Set(tokens(`${title} . ${statement}`));
  if (!idea.context.every((word) => all.has(word))) return false;
  const inTitle = standing(idea.partners, tokens(title)),
    inStatement = standing(idea.partners, tokens(statement));
  if (inTitle === "joined" || inStatement === "joined") return false;
  return (inTitle ?? inStatement) === "alone";
}

/**
 * How names stand in a text: alone, joined by a further one, or as the background of something else; `null` where not all
 * of them occur.
 */
function standing(
  partners: readonly (readonly string[])[],
  text: readonly string[],
): "alone" | "joined" | "background" | null {
  const spans = tightest(partners, text);
  const [first] = spans, last = spans.at(-1);
  if (first === undefined || last === undefined) return null;
  const gaps = spans.slice(1).map((span, i) => text.slice(spans[i]?.end ?? 0, span.start));
  const listed = gaps.some((gap) => gap.includes(","));
  if (gaps.some(holdsPartner)) return "joined";
  const before = standsBefore(text.slice(0, first.start), gaps.length > 0);
  const after = standsAfter(text.slice(last.end), listed);
  if (before === "joined" || after === "joined") return "joined";
  return before === "background" || after === "background" ? "background" : "alone";
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where all names stand nearest to each other, in the order of the text; empty where one is missing. */
function tightest(partners: readonly (readonly string[])[], text: readonly string[]): Span[] {
  const places = partners.map((partner) => occurrences(partner, text));
  let best: Span[] = [], width = Infinity;
  for (const start of new Set(places.flat().map((span) => span.start))) {
    const chosen: Span[] = [];
    for (const own of places) {
      const next = own.find((span) => span.start >= start);
      if (next === undefined) break;
      chosen.push(next);
    }
    if (chosen.length < places.length) continue;
    chosen.sort((a, b) => a.start - b.start);
    const reach = (chosen.at(-1)?.end ?? 0) - (chosen[0]?.start ?? 0);
    if (reach < width) [best, width] = [chosen, reach];
  }
  return best;
}

/** A name's words one behind the other; hyphens between them don't matter. */
function occurrences(name: readonly string[], text: readonly string[]): Span[] {
  const found: Span[] = [];
  for (let start = 0; start < text.length; start++) {
    let at = start, matched = 0;
    while (matched < name.length && at < text.length) {
      if (matched > 0 && text[at] === "-") at++;
      if (text[at] !== name[matched]) break;
      at++;
      matched++;
    }
    if (matched === name.length) found.push({ start, end: at });
  }
  return found;
}

/** Whether another name stands in a list between two: `, gilteritinib and`. */
function holdsPartner(gap: readonly string[]): boolean {
  const joins = (token: string | undefined) => token === "," || CONNECTORS.has(token ?? "");
  const first = gap.findIndex((token) => !joins(token)), last = gap.findLastIndex((token) => !joins(token));
  if (first < 1 || last === gap.length - 1) return false;
  return isName(gap.slice(first, last + 1));
}

function standsBefore(text: readonly string[], several: boolean): "joined" | "background" | null {
  const sentence = text.slice(text.findLastIndex((token) => /^[.;:]$/.test(token)) + 1);
  const kept = sentence.slice();
  while (kept.length > 0 && /^(?:the|a|an|both|low|high|dose|oral|standard|-)$/.test(kept.at(-1) ?? "")) {
    kept.pop();
  }
  const joint = kept.at(-1);
  if (joint === undefined) return null;
  if (BACKGROUND_BEFORE.has(joint)) return "background";
  if (joint === "of") return BACKGROUND_NOUNS.has(kept.at(-2) ?? "") ? "background" : null;
  if (joint === ",") return several && isName(runBefore(kept.slice(0, -1))) ? "joined" : null;
  if (!CONNECTORS.has(joint)) return null;
  // "gilteritinib combined with", "treatment with", "patients treated with".
  const rest = kept.slice(0, -1);
  if (BACKGROUND_BEFORE.has(rest.at(-1) ?? "")) return "background";
  while (rest.length > 0 && (JOINING.has(rest.at(-1) ?? "") || rest.at(-1) === "in")) rest.pop();
  return isName(runBefore(rest)) ? "joined" : null;
}

/** The words at the end of a text that may be a name: back to a preposition, a sign or a word of no weight. */
function runBefore(text: readonly string[]): string[] {
  const run: string[] = [];
  for (const token of text.toReversed()) {
    if (PREPOSITIONS.has(token) && token !== "of") return [];
    if (!isWord(token) && token !== "-") break;
    if (FUNCTION.has(token) || CONNECTORS.has(token) || JOINING.has(token) || token === "of") break;
    run.unshift(token);
  }
  return run.length === 1 && (run[0] ?? "").endsWith("ly") ? [] : run.slice(-MOST_WORDS_OF_A_NAME);
}

function standsAfter(text: readonly string[], listed: boolean): "joined" | "background" | null {
  const hyphen = text[0] === "-";
  const rest = hyphen ? text.slice(1) : text;
  const [head = "", next = ""] = rest;
  if (BACKGROUND_AFTER.has(head)) return "background";
  if (hyphen) return SUFFIXES.has(head) || !isWord(head) ? null : "joined";
  const joins = CONNECTORS.has(head) ||
    (head === "," && (CONNECTORS.has(next) || listed || listGoesOn(rest.slice(1))));
  if (!joins) return null;
  const from = head === "," && CONNECTORS.has(next) ? 2 : 1;
  return isName(rest.slice(from, from + 1)) ? "joined" : null;
}

/** Whether a list goes on behind a comma: a name, then an "and". */
function listGoesOn(text: readonly string[]): boolean {
  const end = text.findIndex((token) => CONNECTORS.has(token));
  return end > 0 && end <= MOST_WORDS_OF_A_NAME && isName(text.slice(0, end));
}

/** Whether tokens can be a name: words of weight alone. */
function isName(run: readonly string[]): boolean {
  return run.length > 0 && run.every((token) => token === "-" || (isWord(token) && !isLight(token)));
}

function isLight(token: string): boolean {
  return FUNCTION.has(token) || PREPOSITIONS.has(token) || CONNECTORS.has(token) || JOINING.has(token);
}

function isWord(token: string): boolean {
  return /[\p{L}\p{N}]/u.test(token);
}

const read = new Map<string, Idea>();
const REMEMBERED = 2000;

function readIdea(idea: string): Idea {
  const known = read.get(idea);
  if (known !== undefined) return known;
  if (read.size >= REMEMBERED) read.clear();
  const made = parse(idea);
  read.set(idea, made);
  return made;
}

function parse(idea: string): Idea {
  const all = tokens(idea);
  // "combination of venetoclax and azacitidine": what only introduces the names is passed over.
  let from = 0;
  while (
    from < all.length && (JOINING.has(all[from] ?? "") || FUNCTION.has(all[from] ?? "") || all[from] === "of")
  ) {
    from++;
  }
  const place = all.findIndex((token, i) => i > from && PREPOSITIONS.has(token) && all[i - 1] !== "combined");
  const head = all.slice(from, place < 0 ? undefined : place);
  const context = place < 0 ? [] : all.slice(place).filter((token) => isWord(token) && !isLight(token));
  const partners: string[][] = [[]];
  for (const token of head) {
    if (CONNECTORS.has(token) || token === ",") partners.push([]);
    else if (isWord(token) && !JOINING.has(token) && !SUFFIXES.has(token)) partners.at(-1)?.push(token);
  }
  const names = partners.filter((name) => name.length > 0);
  const short = names.length > 0 && names.length <= MOST_PARTNERS &&
    names.every((name) =>
      spelled(name) <= MOST_WORDS_OF_A_NAME && !name.some((word) => FUNCTION.has(word))
    ) &&
    spelled(context) <= MOST_WORDS_OF_A_NAME;
  if (short) return { kind: "names", partners: names, context };
  const weighty = [
    ...new Set(all.filter((token) => isWord(token) && !isLight(token) && !DENIALS.has(token))),
  ];
  return { kind: "sentence", words: weighty, denies: denies(new Set(all)) };
}

/** Words as people count them: of scripts without spaces, about three characters make one. */
function spelled(tokens: readonly string[]): number {
  return Math.ceil(tokens.reduce((sum, token) => sum + (UNSPACED.test(token) ? 1 / 3 : 1), 0));
}

function denies(all: ReadonlySet<string>): boolean {
  return [...all].some((token) => DENIALS.has(token));
}

const UNSPACED = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]$/u;
const TOKEN =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]|(?:(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}])[\p{L}\p{N}\p{M}])+|[-‐‑–+&/×,;:.]/gu;

/**
 * Words in lower case and signs, in their order. Characters of scripts without spaces are words of their own, so that a
 * name in them is found as a sequence.
 */
function tokens(text: string): string[] {
  return (text.normalize("NFKC").toLowerCase().match(TOKEN) ?? [])
    .map((token) => (/^[‐‑–]$/.test(token) ? "-" : token));
}
