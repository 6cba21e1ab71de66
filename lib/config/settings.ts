import { z } from "zod";
import { ROUTES } from "../domain/agent.ts";
import { SAFETY_CATEGORIES } from "../domain/records.ts";

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

/** How hard a model may be asked to think where it takes no budget of tokens. */
export const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;
/** How hard a model may be asked to think. */
export type Effort = (typeof EFFORTS)[number];

const blocking = z.enum(SAFETY_CATEGORIES).exclude(["none"]);

/**
 * Every setting of a session, by group. Names are the seed's in camelCase; each has a reader. Units stand in the name or
 * in the comment behind it.
 */
export const settingsSchema = z.strictObject({
  run: z.strictObject({
    /** Tasks at work side by side in a run. */
    concurrency: positive.max(64),
    /** Hypotheses at most, a person's own ones apart. */
    maxIdeas: positive,
    /** Generation tasks enqueued at the start. */
    initialIdeas: positive,
    /** The part of `maxIdeas` that generation leaves to evolution. */
    keptForEvolution: fraction,
    /** Matches at most, as a multiple of the hypotheses in the tournament. */
    maxMatchesPerIdea: positive,
    /** Running time at most; pauses don't count. */
    wallClockSeconds: seconds,
    /** Money at most, in USD. */
    budgetUsd: z.number().positive(),
    /** Tokens read and written at most. */
    budgetTokens: positive,
  }),
  generation: z.strictObject({
    /** Each n-th generation is a debate; 0 for never. */
    debateEvery: count,
    /** Turns of a debate before the hypothesis is recorded. */
    debateTurns: z.number().int().min(2).max(10),
    /** Valid matches that each hypothesis beyond the first ones waits for, so that later ones can learn from earlier ones. */
    matchesPerIdea: z.number().nonnegative(),
    /** Titles that a new hypothesis is told to differ from: the nearest ones where there are more. */
    differFrom: positive,
  }),
  ranking: z.strictObject({
    /** Rating of a newcomer. */
    eloInitial: z.number(),
    /** K while one of the two is new. */
    kFactorNew: z.number().positive(),
    /** K afterwards. */
    kFactorWarm: z.number().positive(),
    /** Matches after which a hypothesis is no longer new to K. */
    kSwitchMatches: count,
    /** Debate while one of the two has fewer matches than this. */
    debateWhenMatchesLt: count,
    /** Debate when the ratings are nearer than this. */
    debateWhenEloDeltaLt: z.number().nonnegative(),
    /** Turns of a debate before the verdict: each side speaks half of them. */
    debateTurns: z.number().int().min(2).max(10),
    /** Weight of pairs of a new one and its nearest. */
    pNew: z.number().nonnegative(),
    /** Weight of pairs of near rating. */
    pClose: z.number().nonnegative(),
    /** Weight of pairs at random. */
    pRandom: z.number().nonnegative(),
    /** How near is near, in rating points. */
    closeWindow: z.number().positive(),
    /** Matches at most between the same two. */
    maxMatchesPerPair: positive,
    /** Who is shown first: by lot (balanced for repeats), or the older one. */
    order: z.enum(["coin", "fixed"]),
  }),
  evolution: z.strictObject({
    /** Mature hypotheses at which evolution begins. */
    minMature: positive,
    /** Matches that make a hypothesis mature. */
    matureMatches: positive,
    /** How many of the best are evolved. */
    topK: positive,
    /** Valid matches between two rounds at least. */
    everyMatches: positive,
    /** Snapshots through which the leaders stand still until evolution begins anyway. */
    standstillSnapshots: z.number().int().min(2),
  }),
  metareview: z.strictObject({
    /** Valid matches between two syntheses. */
    everyMatches: positive,
    /** Newest reviews that one reads. */
    maxReviews: positive,
    /** Newest rationales that one reads. */
    maxRationales: positive,
    /** Characters of each review. */
    reviewChars: positive,
    /** Characters of each rationale. */
    rationaleChars: positive,
    /** Hypotheses that the overview is about. */
    topHypotheses: positive,
  }),
  reflection: z.strictObject({
    /** How many of the leaders get a verification. */
    verifyTop: count,
  }),
  termination: z.strictObject({
    /** Leaders that are watched. */
    eloStabilityK: positive,
    /** Snapshots through which they must stand. */
    eloStabilityN: z.number().int().min(2),
    /** Rating points that each may drift meanwhile. */
    eloStabilityEps: z.number().positive(),
    /** Valid matches between snapshots. */
    matchSnapshotEvery: positive,
    /** Hypotheses before stability counts; 0 asks for `run.maxIdeas`, or for all that money allows. */
    minIdeas: count,
    /** Valid matches before stability counts. */
    minMatches: count,
    /** Tasks that end in a row without progress until the session counts as stalled. */
    stallAfter: positive,
  }),
  vectors: z.strictObject({
    /** Who makes vectors: offline hashing, Voyage, or any OpenAI-style endpoint. */
    embedder: z.enum(["hash", "voyage", "openai"]),
    /** The embedding model; empty for the embedder's own. */
    model: z.string(),
    /** Length of a vector. */
    dimensions: positive,
    /** Address of an OpenAI-style endpoint. */
    baseUrl: z.string(),
    /** Price of a million tokens embedded, in USD; hashing costs nothing. */
    usdPerMillionTokens: z.number().nonnegative(),
    /** Cosine from which a proposal is a duplicate. */
    dedupCosineThreshold: fraction,
    /** Cosine distance within which hypotheses are folded. */
    clusterThreshold: fraction,
    /** Valid matches between two clusterings. */
    reclusterEveryMatches: positive,
    /** How neighbours are found. */
    index: z.enum(["exact", "hnsw"]),
    /** Breadth of the approximate search. */
    efSearch: positive,
  }),
  lease: z.strictObject({
    /** How long a claim holds unless renewed. */
    defaultSeconds: seconds,
    /** The same for reviews. */
    reflectionSeconds: seconds,
    /** The same for overviews. */
    overviewSeconds: seconds,
    /** Tries before a task is dead. */
    maxAttempts: positive,
    /** First wait before another try; doubled each time. */
    backoffSeconds: z.number().nonnegative(),
  }),
  retry: z.strictObject({
    /** Tries after 429. */
    maxAttempts429: positive,
    /** Tries after 529. */
    maxAttempts529: positive,
    /** Tries after other 5xx. */
    maxAttempts5xx: positive,
    /** Tries after a time-out or a lost connection. */
    maxAttemptsTimeout: positive,
    /** First wait, in milliseconds. */
    baseMs: z.number().nonnegative(),
    /** Longest wait, in milliseconds. */
    capMs: z.number().nonnegative(),
    /** How long a call may take. */
    perCallTimeoutSeconds: seconds,
    /** How long a call with thinking may take. */
    perCallTimeoutThinkingSeconds: seconds,
  }),
  toolLoop: z.strictObject({
    /** Model turns of a generation at most. */
    generationMaxTurns: positive,
    /** Model turns of a review at most. */
    reflectionMaxTurns: positive,
    /** Model turns of an evolution at most. */
    evolutionMaxTurns: positive,
    /** Tool calls side by side. */
    parallelCap: positive,
    /** How long a tool may take. */
    toolTimeoutSeconds: seconds,
    /** Characters of a tool's answer that the model gets. */
    resultChars: positive,
    /** Results that a search returns. */
    searchResults: positive,
  }),
  models: byRoute(z.string().min(1)),
  thinking: byRoute(count),
  maxTokens: byRoute(positive),
  /** Up to how many thinking tokens an effort stands for; more is `max`. */
  efforts: z.strictObject({ low: count, medium: count, high: count, xhigh: count }),
  budgetShares: z.strictObject({
    generation: fraction,
    reflection: fraction,
    ranking: fraction,
    evolution: fraction,
    metareview: fraction,
    proximity: fraction,
    /** For routes without a share, and for what runs over. */
    reserve: fraction,
  }),
  safety: z.strictObject({
    /** Whether goal, hypotheses and overview are screened. */
    enabled: z.boolean(),
    /** What stops a goal or quarantines a hypothesis. */
    blockCategories: z.array(blocking),
    /** What quarantines a hypothesis when the screen is sure. */
    warnCategories: z.array(blocking),
    /** How sure. */
    warnConfidence: fraction,
  }),
  simulator: z.strictObject({
    /** How long the simulated model takes, in milliseconds. */
    latencyMs: z.number().nonnegative(),
    /** Spread of the judge's noise, in logits. */
    judgeNoise: z.number().nonnegative(),
    /** What standing first is worth to the judge, in logits. */
    positionBias: z.number(),
  }),
});

/** Every setting of a session. */
export type Settings = z.infer<typeof settingsSchema>;

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
  },
  generation: { debateEvery: 4, debateTurns: 4, matchesPerIdea: 2, differFrom: 40 },
  ranking: {
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
  },
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
  simulator: { latencyMs: 0, judgeNoise: 0.6, positionBias: 0.2 },
});
