import { RESEARCH_TOOLS, type ResearchTool } from "../domain/agent.ts";
import { hashOf } from "../domain/ids.ts";
import { type Rng, rng } from "../domain/rng.ts";
import { keywords, topicOf } from "./goal.ts";
import { contribution } from "./truth.ts";
import { createWorld, partList, type Parts, randomParts, type World } from "./world.ts";

/** A paper or page of the simulated literature. */
export interface SimRecord {
  /** Its address, e.g. `sim:pub/9f3a21b0`: no other scheme, so that it can't be taken for a real one. */
  readonly url: string;
  /** Its title; ends in `(simulated)`. */
  readonly title: string;
  /** Invented names. */
  readonly authors: readonly string[];
  /** An invented journal or site; ends in `(simulated)`. */
  readonly venue: string;
  /** Year of publication. */
  readonly year: number;
  /** A paragraph that speaks of two or three parts of the world, and hints at their true values with much noise. */
  readonly abstract: string;
  /** Always so: every record is invented. */
  readonly simulated: true;
}

/** The simulated literature: pure functions of its seed and of the goal's key words. */
export interface Literature {
  /**
   * At most `limit` records of the tool's kind that share words with the query, the best first; none for about one query
   * in twenty-five. `web_fetch` searches nothing.
   */
  search(tool: ResearchTool, query: string, limit: number): SimRecord[];
  /** The whole text behind an address of this literature; `null` for any other. */
  fetch(url: string): { readonly title: string; readonly text: string } | null;
  /** The record behind an address of this literature; `null` for any other. */
  record(url: string): SimRecord | null;
}

/** How many records each tool's literature holds. */
const RECORDS_PER_TOOL = 250;

const SHELVES: Readonly<Record<Exclude<ResearchTool, "web_fetch">, string>> = {
  web_search: "web",
  pubmed_search: "pub",
  arxiv_search: "arxiv",
  europe_pmc_search: "epmc",
};

/** How noisy a paper's hint at a part is, in standard deviations of a part's contribution. */
const HINT_NOISE = 1;

const FIRST = ["Ovella", "Tamrin", "Quenna", "Brask", "Ilvo", "Marrec", "Sudana", "Perrin", "Yolke", "Dessa"];
const LAST = [
  "Trasko",
  "Venmoor",
  "Aldquist",
  "Borrane",
  "Kessimer",
  "Ozlath",
  "Fennard",
  "Wiltrop",
  "Marquell",
];
const VENUES: Readonly<Record<string, readonly string[]>> = {
  web: ["Imagined Notes", "The Fictive Almanac", "Bench of Nowhere"],
  pub: ["Annals of Invented Findings", "Journal of Fictive Inquiry", "Imaginary Methods"],
  arxiv: ["Fictive Preprints"],
  epmc: ["Archive of Invented Studies", "Open Fictive Reports"],
};

/**
 * The literature of a seed. The same address holds the same study for every goal; the goal's key words only colour its
 * wording (`topicOf(goal).split(" ")` gives good ones). Records are made when first searched.
 */
export function createLiterature(seed: string, goalKeywords: readonly string[] = []): Literature {
  return literatureOf(createWorld(seed), goalKeywords);
}

/** The literature of a world that is there already. */
export function literatureOf(world: World, goalKeywords: readonly string[] = []): Literature {
  const topic = goalKeywords.length === 0 ? "the system" : topicOf(goalKeywords.join(" "));
  const shelves = new Map<string, readonly Study[]>();
  const shelf = (name: string): readonly Study[] => {
    const known = shelves.get(name);
    if (known !== undefined) return known;
    const made = Array.from({ length: RECORDS_PER_TOOL }, (_, i) => makeStudy(world, name, i, topic));
    shelves.set(name, made);
    return made;
  };
  const find = (url: string): Study | null => {
    const name = /^sim:([a-z]+)\/[0-9a-f]{8}$/.exec(url)?.[1];
    if (name === undefined || !Object.values(SHELVES).includes(name)) return null;
    return shelf(name).find((study) => study.record.url === url) ?? null;
  };
  return {
    search: (tool, query, limit) => {
      if (tool === "web_fetch" || limit <= 0) return [];
      const words = new Set(keywords(query));
      const chance = rng(world.seed, `${tool} ${[...words].sort().join(" ")}`, "search");
      if (chance.next() < 0.04) return [];
      return shelf(SHELVES[tool])
        .map((study) => ({
          study,
          score: [...words].filter((word) => study.words.has(word)).length + chance.next(),
        }))
        .sort((a, b) => b.score - a.score)
        .slice(0, Math.floor(limit))
        .map(({ study }) => study.record);
    },
    fetch: (url) => {
      const study = find(url);
      return study === null ? null : { title: study.record.title, text: fullText(study, topic) };
    },
    record: (url) => find(url)?.record ?? null,
  };
}

/** Whether a name is that of a research tool that this literature answers. */
export function isResearchTool(name: string): name is ResearchTool {
  return RESEARCH_TOOLS.some((tool) => tool === name);
}

interface Study {
  readonly record: SimRecord;
  readonly words: ReadonlySet<string>;
  readonly parts: Parts;
  readonly findings: readonly string[];
}

function makeStudy(world: World, shelf: string, i: number, topic: string): Study {
  const url = `sim:${shelf}/${hashOf("literature", world.seed, shelf, String(i)).slice(0, 8)}`;
  const chance = rng(world.seed, url, "study");
  const parts = studied(randomParts(world, chance), chance);
  const named = partList(parts);
  const findings = named.map((part) => {
    const hint = contribution(world, parts, part.slot) / 0.45 + HINT_NOISE * chance.normal();
    return finding(part.label, hint, chance);
  });
  const [first, second] = named;
  const title = `${
    chance.pick(["On", "Revisiting", "Limits of", "A closer look at", "Measuring", "Notes on"])
  } ${first?.label ?? "nothing"} and ${second?.label ?? "nothing"} in ${topic} (simulated)`;
  const abstract = [
    chance.pick([
      `Earlier work on ${topic} left open what ${first?.label} does.`,
      `We examined ${named.map((part) => part.label).join(", ")} together.`,
      `This invented study of ${topic} compares settings in which ${second?.label} varies.`,
    ]),
    ...findings,
    chance.pick([
      "The sample was small and replication is due.",
      "The estimate carries a wide interval.",
      "A second site gave a similar picture.",
    ]),
  ].join(" ");
  const record: SimRecord = {
    url,
    title,
    authors: Array.from(
      { length: 1 + chance.int(3) },
      () => `${chance.pick(FIRST)} ${chance.pick(LAST)}`,
    ),
    venue: `${chance.pick(VENUES[shelf] ?? ["Nowhere"])} (simulated)`,
    year: 2004 + chance.int(21),
    abstract,
    simulated: true,
  };
  return { record, words: new Set(keywords(`${title} ${abstract}`)), parts, findings };
}

/** Two or three of the parts. */
function studied(parts: Parts, chance: Rng): Parts {
  const chosen = chance.shuffle(partList(parts)).slice(0, 2 + chance.int(2));
  return Object.fromEntries(chosen.map((part) => [part.slot, part]));
}

function finding(label: string, hint: number, chance: Rng): string {
  if (hint > 0.5) {
    return chance.pick([
      `The ${label} gave a strong and repeatable signal.`,
      `We found the ${label} promising throughout.`,
      `Replications support the ${label}.`,
    ]);
  }
  if (hint < -0.5) {
    return chance.pick([
      `The ${label} had little effect.`,
      `Evidence for the ${label} was weak.`,
      `The ${label} failed in most settings.`,
    ]);
  }
  return chance.pick([
    `The ${label} gave a mixed picture.`,
    `Results for the ${label} depended on the setting.`,
  ]);
}

function fullText({ record, parts, findings }: Study, topic: string): string {
  const labels = partList(parts).map((part) => part.label);
  return [
    `# ${record.title}`,
    `${record.authors.join(", ")}. ${record.venue}, ${record.year}.`,
    "This document was invented by a simulator. It describes no real study.",
    "## Abstract",
    record.abstract,
    "## Methods",
    `Units were assigned to levels of ${
      labels.join(" and of ")
    } at random, and ${topic} was observed before and after.`,
    "## Results",
    ...findings.map((text, i) => `${text} (Table ${i + 1})`),
    "## Discussion",
    `Whether the pattern holds when ${labels[0] ?? "the setting"} is varied alone is open.`,
  ].join("\n\n");
}
