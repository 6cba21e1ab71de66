import { z } from "zod";
import { type BlockingCategory, type Route, ROUTES } from "../domain/agent.ts";
import type { Criterion } from "../domain/criteria.ts";
import { GATE_KINDS, type GateKind, SAFETY_CATEGORIES } from "../domain/records.ts";

const positive = z.number().int().positive();
const count = z.number().int().nonnegative();
const fraction = z.number().min(0).max(1);
const seconds = z.number().positive();

/** A table with one value a route; routes that a patch leaves out keep theirs. */
function byRoute<T extends z.ZodType>(value: T) {
  return z.strictObject(
    Object.fromEntries(ROUTES.map((route) => [route, value])) as Record<(typeof ROUTES)[number], T>,
  );
}

const blocking = z.enum(SAFETY_CATEGORIES).exclude(["none"]);

/** Known ideas as a person may give them. */
export const knownShape = z.array(z.string().trim().min(2).max(500)).max(500);
/** Criteria as a person may give them. */
export const criteriaShape = z.array(z.strictObject({
  name: z.string().trim().min(1).max(80).regex(/^[^\n\r]*$/, "A name stands on one line"),
  weight: z.number().positive().max(100),
  must: z.boolean().optional(),
})).max(12);

/** Every setting of a session, by group. Names are the seed's in camelCase; units stand in the name or in the comment. */
export interface Settings {
  /** How long and how much. */
  run: {
    /** Tasks at work side by side in a run. */
    concurrency: number;
    /** Hypotheses at most, a person's own ones apart. */
    maxIdeas: number;
    /** Generation tasks enqueued at the start. */
    initialIdeas: number;
    /** The part of `maxIdeas` that generation leaves to evolution. */
    keptForEvolution: number;
    /** Matches at most, as a multiple of the hypotheses in the tournament. */
    maxMatchesPerIdea: number;
    /** Running time at most; pauses don't count. */
    wallClockSeconds: number;
    /** Money at most, in USD. */
    budgetUsd: number;
    /** Tokens read and written at most. */
    budgetTokens: number;
    /** Kinds of step before which a run stops and waits for a person's yes. */
    gates: GateKind[];
  };
  /** How new hypotheses come about. */
  generation: {
    /** Each n-th generation is a debate; 0 for never. */
    debateEvery: number;
    /** Turns of a debate before the hypothesis is recorded. */
    debateTurns: number;
    /** Valid matches that each hypothesis beyond the first ones waits for, so that later ones can learn from earlier ones. */
    matchesPerIdea: number;
    /** Titles that a new hypothesis is told to differ from: the nearest ones where there are more. */
    differFrom: number;
  };
  /** How matches are drawn, judged and rated. */
  ranking: {
    /** What orders the leaderboard, the top k and evolution's choice; the other rating is kept beside it. */
    rating: "bradley_terry" | "elo";
    /**
     * Which pairs are drawn. `information`: the pair of which a verdict is expected to tell most · `buckets`: the seed's
     * three, by `pNew`, `pClose`, `pRandom` · `swiss`: round by round, equals against equals · `random`.
     */
    pairing: "information" | "buckets" | "swiss" | "random";
    /** How many of the best are looked for. */
    topK: number;
    /** What `information` cares for: 0 for who is among the best `topK` alone, 1 for the whole order. */
    wholeOrder: number;
    /** Spread of strengths before any match, in logits; 0 finds it by the evidence. */
    priorWidth: number;
    /** What 0.2 of review score is worth before any match, in logits; matches correct it. 0 ignores reviews. */
    reviewPrior: number;
    /** The part of its parents' strength that a child begins with. */
    parentPrior: number;
    /** Rating of a newcomer. */
    eloInitial: number;
    /** K while one of the two is new. */
    kFactorNew: number;
    /** K afterwards. */
    kFactorWarm: number;
    /** Matches after which a hypothesis is no longer new to K. */
    kSwitchMatches: number;
    /** Debate while one of the two has fewer matches than this. */
    debateWhenMatchesLt: number;
    /** Debate when the ratings are nearer than this. */
    debateWhenEloDeltaLt: number;
    /** Turns of a debate before the verdict: each side speaks half of them. */
    debateTurns: number;
    /** Weight of pairs of a new one and its nearest. */
    pNew: number;
    /** Weight of pairs of near rating. */
    pClose: number;
    /** Weight of pairs at random. */
    pRandom: number;
    /** How near is near, in rating points. */
    closeWindow: number;
    /** Matches at most between the same two. */
    maxMatchesPerPair: number;
    /**
     * Who is shown first. `coin`: by lot, balanced for repeats · `both`: each match is judged in both orders, by two calls,
     * and a disagreement is a tie · `fixed`: the older one, for comparison.
     */
    order: "coin" | "both" | "fixed";
    /** Models that judge in rotation instead of the routes' own; empty for the routes' own. */
    panel: string[];
    /** Whether matches count that were judged on a text that was edited since. */
    staleMatches: "count" | "leave_out";
    /** Hypotheses that one call judges: 2 for pairs, 3 to 6 for groups that are ranked. A debate is always of two. */
    judgedAtOnce: number;
  };
  /** What the scientist knows and asks of every hypothesis. */
  scope: {
    /** Ideas that are known or tested already: generation is told, and a proposal that is one of them is a duplicate. */
    known: string[];
    /**
     * What reviews judge by, besides the usual: a criterion with its weight beside the others, from above 0. One with
     * `must` is a hard constraint: a hypothesis that a review finds to fail it stays out of the tournament.
     */
    criteria: Criterion[];
  };
  /** When and what is evolved. */
  evolution: {
    /** Mature hypotheses at which evolution begins. */
    minMature: number;
    /** Matches that make a hypothesis mature. */
    matureMatches: number;
    /** How many of the best are evolved. */
    topK: number;
    /** Valid matches between two rounds at least. */
    everyMatches: number;
    /** Snapshots through which the leaders stand still until evolution begins anyway. */
    standstillSnapshots: number;
  };
  /** What the syntheses and the overview read. */
  metareview: {
    /** Valid matches between two syntheses. */
    everyMatches: number;
    /** Newest reviews that one reads. */
    maxReviews: number;
    /** Newest rationales that one reads. */
    maxRationales: number;
    /** Characters of each review. */
    reviewChars: number;
    /** Characters of each rationale. */
    rationaleChars: number;
    /** Hypotheses that the overview is about. */
    topHypotheses: number;
  };
  /** Which reviews leaders get. */
  reflection: {
    /** How many of the leaders get a verification. */
    verifyTop: number;
  };
  /** When the ratings are at rest, and when work is in vain. */
  termination: {
    /** Leaders that are watched. */
    eloStabilityK: number;
    /** Snapshots through which they must stand. */
    eloStabilityN: number;
    /** Rating points that each may drift meanwhile. */
    eloStabilityEps: number;
    /** Valid matches between snapshots. */
    matchSnapshotEvery: number;
    /** Hypotheses before stability counts; 0 asks for `run.maxIdeas`, or for all that money allows. */
    minIdeas: number;
    /** Valid matches before stability counts. */
    minMatches: number;
    /** The expected precision of the best `ranking.topK` at which the ranking counts as settled; 0 for never. */
    topKPrecision: number;
    /** Tasks that end in a row without progress until the session counts as stalled. */
    stallAfter: number;
  };
  /** How likeness is measured. */
  vectors: {
    /** Who makes vectors: offline hashing, Voyage, or any OpenAI-style endpoint. */
    embedder: "hash" | "voyage" | "openai";
    /** The embedding model; empty for the embedder's own. */
    model: string;
    /** Length of a vector. */
    dimensions: number;
    /** Address of an OpenAI-style endpoint. */
    baseUrl: string;
    /** Price of a million tokens embedded, in USD; hashing costs nothing. */
    usdPerMillionTokens: number;
    /** Cosine from which a proposal is a duplicate. */
    dedupCosineThreshold: number;
    /** Cosine distance within which hypotheses are folded. */
    clusterThreshold: number;
    /** Valid matches between two clusterings. */
    reclusterEveryMatches: number;
    /** How neighbours are found. */
    index: "exact" | "hnsw";
    /** Breadth of the approximate search. */
    efSearch: number;
  };
  /** How long a claim holds, and how often a task is tried. */
  lease: {
    /** How long a claim holds unless renewed. */
    defaultSeconds: number;
    /** The same for reviews. */
    reflectionSeconds: number;
    /** The same for overviews. */
    overviewSeconds: number;
    /** Tries before a task is dead. */
    maxAttempts: number;
    /** First wait before another try; doubled each time. */
    backoffSeconds: number;
  };
  /** How often a model call is tried, and how long it may take. */
  retry: {
    /** Tries after 429. */
    maxAttempts429: number;
    /** Tries after 529. */
    maxAttempts529: number;
    /** Tries after other 5xx. */
    maxAttempts5xx: number;
    /** Tries after a time-out or a lost connection. */
    maxAttemptsTimeout: number;
    /** First wait, in milliseconds. */
    baseMs: number;
    /** Longest wait, in milliseconds. */
    capMs: number;
    /** How long a call may take. */
    perCallTimeoutSeconds: number;
    /** How long a call with thinking may take. */
    perCallTimeoutThinkingSeconds: number;
  };
  /** How long a model may use tools. */
  toolLoop: {
    /** Model turns of a generation at most. */
    generationMaxTurns: number;
    /** Model turns of a review at most. */
    reflectionMaxTurns: number;
    /** Model turns of an evolution at most. */
    evolutionMaxTurns: number;
    /** Tool calls side by side. */
    parallelCap: number;
    /** How long a tool may take. */
    toolTimeoutSeconds: number;
    /** Characters of a tool's answer that the model gets. */
    resultChars: number;
    /** Results that a search returns. */
    searchResults: number;
  };
  /** The model of each route. */
  models: Record<Route, string>;
  /** Tokens for thinking on each route; an effort where the model takes no budget of tokens. */
  thinking: Record<Route, number>;
  /** Tokens of an answer on each route, thinking apart. */
  maxTokens: Record<Route, number>;
  /** Up to how many thinking tokens an effort stands for; more is `max`. */
  efforts: {
    /** Up to so many tokens. */
    low: number;
    /** Up to so many tokens. */
    medium: number;
    /** Up to so many tokens. */
    high: number;
    /** Up to so many tokens. */
    xhigh: number;
  };
  /** The part of the budget that each agent may spend, after the overview's reserve. */
  budgetShares: {
    /** Share of generation. */
    generation: number;
    /** Share of reflection. */
    reflection: number;
    /** Share of ranking. */
    ranking: number;
    /** Share of evolution. */
    evolution: number;
    /** Share of metareview. */
    metareview: number;
    /** Share of proximity. */
    proximity: number;
    /** For routes without a share, and for what runs over. */
    reserve: number;
  };
  /** What the safety screen looks at, and what it stops. */
  safety: {
    /** Whether goal, hypotheses and overview are screened. */
    enabled: boolean;
    /** What stops a goal or quarantines a hypothesis. */
    blockCategories: BlockingCategory[];
    /** What quarantines a hypothesis when the screen is sure. */
    warnCategories: BlockingCategory[];
    /** How sure. */
    warnConfidence: number;
  };
  /** How the simulated model behaves; fixed at creation. */
  simulator: {
    /** How long the simulated model takes, in milliseconds. */
    latencyMs: number;
    /** Spread of the judge's noise, in logits. */
    judgeNoise: number;
    /** What standing first is worth to the judge, in logits; in a group it is spread over the places. */
    positionBias: number;
    /** The judge says `tie` where what it sees differs by less than this, in logits. */
    tieWidth: number;
  };
}

/** Checks settings: their ranges, and that there are no others. */
export const settingsSchema: z.ZodType<Settings> = z.strictObject({
  run: z.strictObject({
    concurrency: positive.max(64),
    maxIdeas: positive,
    initialIdeas: positive,
    keptForEvolution: fraction,
    maxMatchesPerIdea: positive,
    wallClockSeconds: seconds,
    budgetUsd: z.number().positive(),
    budgetTokens: positive,
    gates: z.array(z.enum(GATE_KINDS)),
  }),
  generation: z.strictObject({
    debateEvery: count,
    debateTurns: z.number().int().min(2).max(10),
    matchesPerIdea: z.number().nonnegative(),
    differFrom: positive,
  }),
  ranking: z.strictObject({
    rating: z.enum(["bradley_terry", "elo"]),
    pairing: z.enum(["information", "buckets", "swiss", "random"]),
    topK: positive,
    wholeOrder: fraction,
    priorWidth: z.number().nonnegative().max(10),
    reviewPrior: z.number().min(-5).max(5),
    parentPrior: z.number().min(0).max(0.95),
    eloInitial: z.number(),
    kFactorNew: z.number().positive(),
    kFactorWarm: z.number().positive(),
    kSwitchMatches: count,
    debateWhenMatchesLt: count,
    debateWhenEloDeltaLt: z.number().nonnegative(),
    debateTurns: z.number().int().min(2).max(10),
    pNew: z.number().nonnegative(),
    pClose: z.number().nonnegative(),
    pRandom: z.number().nonnegative(),
    closeWindow: z.number().positive(),
    maxMatchesPerPair: positive,
    order: z.enum(["coin", "both", "fixed"]),
    panel: z.array(z.string().min(1)),
    staleMatches: z.enum(["count", "leave_out"]),
    judgedAtOnce: z.number().int().min(2).max(6),
  }),
  scope: z.strictObject({
    known: knownShape,
    criteria: criteriaShape,
  }),
  evolution: z.strictObject({
    minMature: positive,
    matureMatches: positive,
    topK: positive,
    everyMatches: positive,
    standstillSnapshots: z.number().int().min(2),
  }),
  metareview: z.strictObject({
    everyMatches: positive,
    maxReviews: positive,
    maxRationales: positive,
    reviewChars: positive,
    rationaleChars: positive,
    topHypotheses: positive,
  }),
  reflection: z.strictObject({
    verifyTop: count,
  }),
  termination: z.strictObject({
    eloStabilityK: positive,
    eloStabilityN: z.number().int().min(2),
    eloStabilityEps: z.number().positive(),
    matchSnapshotEvery: positive,
    minIdeas: count,
    minMatches: count,
    topKPrecision: fraction,
    stallAfter: positive,
  }),
  vectors: z.strictObject({
    embedder: z.enum(["hash", "voyage", "openai"]),
    model: z.string(),
    dimensions: positive,
    baseUrl: z.string(),
    usdPerMillionTokens: z.number().nonnegative(),
    dedupCosineThreshold: fraction,
    clusterThreshold: fraction,
    reclusterEveryMatches: positive,
    index: z.enum(["exact", "hnsw"]),
    efSearch: positive,
  }),
  lease: z.strictObject({
    defaultSeconds: seconds,
    reflectionSeconds: seconds,
    overviewSeconds: seconds,
    maxAttempts: positive,
    backoffSeconds: z.number().nonnegative(),
  }),
  retry: z.strictObject({
    maxAttempts429: positive,
    maxAttempts529: positive,
    maxAttempts5xx: positive,
    maxAttemptsTimeout: positive,
    baseMs: z.number().nonnegative(),
    capMs: z.number().nonnegative(),
    perCallTimeoutSeconds: seconds,
    perCallTimeoutThinkingSeconds: seconds,
  }),
  toolLoop: z.strictObject({
    generationMaxTurns: positive,
    reflectionMaxTurns: positive,
    evolutionMaxTurns: positive,
    parallelCap: positive,
    toolTimeoutSeconds: seconds,
    resultChars: positive,
    searchResults: positive,
  }),
  models: byRoute(z.string().min(1)),
  thinking: byRoute(count),
  maxTokens: byRoute(positive),
  efforts: z.strictObject({ low: count, medium: count, high: count, xhigh: count }),
  budgetShares: z.strictObject({
    generation: fraction,
    reflection: fraction,
    ranking: fraction,
    evolution: fraction,
    metareview: fraction,
    proximity: fraction,
    reserve: fraction,
  }),
  safety: z.strictObject({
    enabled: z.boolean(),
    blockCategories: z.array(blocking),
    warnCategories: z.array(blocking),
    warnConfidence: fraction,
  }),
  simulator: z.strictObject({
    latencyMs: z.number().nonnegative(),
    judgeNoise: z.number().nonnegative(),
    positionBias: z.number(),
    tieWidth: z.number().nonnegative(),
  }),
});

/** Any part of the settings. */
export type SettingsPatch = { [G in keyof Settings]?: Partial<Settings[G]> };

const STRONG = "claude-opus-4-7";
const MIDDLE = "claude-sonnet-4-6";
const SMALL = "claude-haiku-4-5-20251001";

/** The seed's values, and ours where it has none. */
export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({
  run: {
    concurrency: 4,
    maxIdeas: 60,
    initialIdeas: 3,
    keptForEvolution: 0.5,
    maxMatchesPerIdea: 12,
    wallClockSeconds: 7200,
    budgetUsd: 25,
    budgetTokens: 5_000_000,
    gates: [],
  },
  generation: { debateEvery: 4, debateTurns: 4, matchesPerIdea: 2, differFrom: 40 },
  ranking: {
    rating: "bradley_terry",
    pairing: "information",
    topK: 5,
    wholeOrder: 0.05,
    priorWidth: 0,
    reviewPrior: 0.3,
    parentPrior: 0.5,
    eloInitial: 1200,
    kFactorNew: 32,
    kFactorWarm: 16,
    kSwitchMatches: 5,
    debateWhenMatchesLt: 2,
    debateWhenEloDeltaLt: 50,
    debateTurns: 2,
    pNew: 0.4,
    pClose: 0.4,
    pRandom: 0.2,
    closeWindow: 200,
    maxMatchesPerPair: 2,
    order: "coin",
    panel: [],
    staleMatches: "count",
    judgedAtOnce: 2,
  },
  scope: { known: [], criteria: [] },
  evolution: { minMature: 20, matureMatches: 3, topK: 5, everyMatches: 20, standstillSnapshots: 3 },
  metareview: {
    everyMatches: 50,
    maxReviews: 50,
    maxRationales: 50,
    reviewChars: 3000,
    rationaleChars: 1500,
    topHypotheses: 10,
  },
  reflection: { verifyTop: 3 },
  termination: {
    eloStabilityK: 5,
    eloStabilityN: 3,
    eloStabilityEps: 25,
    matchSnapshotEvery: 10,
    minIdeas: 0,
    minMatches: 0,
    topKPrecision: 0.8,
    stallAfter: 8,
  },
  vectors: {
    embedder: "hash",
    model: "",
    dimensions: 1024,
    baseUrl: "",
    usdPerMillionTokens: 0.18,
    dedupCosineThreshold: 0.92,
    clusterThreshold: 0.15,
    reclusterEveryMatches: 20,
    index: "exact",
    efSearch: 64,
  },
  lease: {
    defaultSeconds: 300,
    reflectionSeconds: 600,
    overviewSeconds: 1800,
    maxAttempts: 3,
    backoffSeconds: 2,
  },
  retry: {
    maxAttempts429: 6,
    maxAttempts529: 8,
    maxAttempts5xx: 5,
    maxAttemptsTimeout: 3,
    baseMs: 1000,
    capMs: 60_000,
    perCallTimeoutSeconds: 120,
    perCallTimeoutThinkingSeconds: 300,
  },
  toolLoop: {
    generationMaxTurns: 8,
    reflectionMaxTurns: 8,
    evolutionMaxTurns: 6,
    parallelCap: 4,
    toolTimeoutSeconds: 30,
    resultChars: 60_000,
    searchResults: 8,
  },
  models: {
    "parse_goal": MIDDLE,
    "generation.literature": STRONG,
    "generation.debate": STRONG,
    "reflection.full": STRONG,
    "reflection.verification": STRONG,
    "reflection.observation": STRONG,
    "ranking.pairwise": MIDDLE,
    "ranking.debate": MIDDLE,
    "evolution.combine": STRONG,
    "evolution.simplify": STRONG,
    "evolution.out_of_box": STRONG,
    "evolution.feasibility": STRONG,
    "metareview.system": MIDDLE,
    "metareview.final": STRONG,
    "classifier": SMALL,
  },
  thinking: {
    "parse_goal": 0,
    "generation.literature": 4000,
    "generation.debate": 8000,
    "reflection.full": 0,
    "reflection.verification": 12_000,
    "reflection.observation": 6000,
    "ranking.pairwise": 4000,
    "ranking.debate": 8000,
    "evolution.combine": 6000,
    "evolution.simplify": 0,
    "evolution.out_of_box": 6000,
    "evolution.feasibility": 0,
    "metareview.system": 8000,
    "metareview.final": 16_000,
    "classifier": 0,
  },
  maxTokens: {
    "parse_goal": 2048,
    "generation.literature": 8192,
    "generation.debate": 8192,
    "reflection.full": 6144,
    "reflection.verification": 6144,
    "reflection.observation": 6144,
    "ranking.pairwise": 2048,
    "ranking.debate": 4096,
    "evolution.combine": 6144,
    "evolution.simplify": 6144,
    "evolution.out_of_box": 6144,
    "evolution.feasibility": 6144,
    "metareview.system": 4096,
    "metareview.final": 8192,
    "classifier": 512,
  },
  efforts: { low: 0, medium: 4000, high: 8000, xhigh: 12_000 },
  budgetShares: {
    generation: 0.2,
    reflection: 0.2,
    ranking: 0.25,
    evolution: 0.15,
    metareview: 0.1,
    proximity: 0.02,
    reserve: 0.08,
  },
  safety: {
    enabled: true,
    blockCategories: ["cbrn", "csam", "weapons", "illicit_synthesis"],
    warnCategories: ["dual_use_bio"],
    warnConfidence: 0.6,
  },
  simulator: { latencyMs: 0, judgeNoise: 0.6, positionBias: 0.2, tieWidth: 0 },
});
