import type { SettingChange } from "../config/patch.ts";
import type { Settings } from "../config/settings.ts";
import type { AgentName, TaskRecord } from "../domain/records.ts";
import { generationQuota } from "../engine/next_steps.ts";
import { staleItems } from "../engine/staleness.ts";
import type { View } from "../store/view.ts";

/** From when a change of a setting holds, and for what. */
type Effect =
  /** Read when a task is claimed: tasks in hand keep what they were claimed under. */
  | { readonly when: "claim"; readonly agents: readonly AgentName[] | "all"; readonly what: string }
  /** Read whenever it is decided what to do next, or whether to stop. */
  | { readonly when: "decision"; readonly what: string }
  /** Read when a task is enqueued: those in the queue keep theirs. */
  | { readonly when: "enqueue"; readonly what: string }
  /** Read when a run begins. */
  | { readonly when: "run"; readonly what: string }
  /** Read at a moment that the sentence names. */
  | { readonly when: "then"; readonly what: string }
  /** Read whenever it is looked at or counted. */
  | { readonly when: "now"; readonly what: string };

/** One for a whole group, or one for each of its settings: a setting without one doesn't compile. */
type Effects = { readonly [G in keyof Settings]: Effect | { readonly [N in keyof Settings[G]]: Effect } };

const claim = (agents: readonly AgentName[] | "all", what = ""): Effect => ({ when: "claim", agents, what });
const decision = (what: string): Effect => ({ when: "decision", what });
const enqueue = (what: string): Effect => ({ when: "enqueue", what });
const run = (what: string): Effect => ({ when: "run", what });
const now = (what: string): Effect => ({ when: "now", what });
const then = (what: string): Effect => ({ when: "then", what });

const RERATE = "Past matches are unchanged; lab.rerate() shows the effect on them.";
const PAIRS = claim(["ranking"], "Pairs that were drawn before stay.");
const LOOPS = "Loops that are under way keep their length.";
const REFITTED = now("Strengths are computed anew from all matches, past ones too.");

const EFFECTS: Effects = {
  run: {
    concurrency: run("A run that goes on keeps its number of workers."),
    maxIdeas: decision("Hypotheses that are there stay."),
    initialIdeas: decision(
      "The first round is enqueued when the plan is made; afterwards it says how many ideas may run ahead of the matches.",
    ),
    keptForEvolution: decision("What generation and evolution have made stays."),
    maxMatchesPerIdea: decision("Matches that were played stay."),
    wallClockSeconds: now("It is compared with the time that the session has run so far."),
    budgetUsd: now("It is compared with what was spent so far; tasks that waited for money try again."),
    budgetTokens: now("It is compared with what was spent so far; tasks that waited for money try again."),
    gates: decision("A gate that is open stays open until it is answered."),
  },
  generation: {
    debateEvery: enqueue("Generations in the queue keep their mode."),
    debateTurns: claim(["generation"]),
    matchesPerIdea: decision("Hypotheses that are there stay."),
    differFrom: claim(["generation", "evolution"]),
  },
  ranking: {
    rating: now("Leaderboard, top k and evolution's choice go by it; both ratings are kept."),
    pairing: PAIRS,
    topK: now(
      "Chances and precision are told for it; pairs are drawn for it from the next claimed match on.",
    ),
    wholeOrder: PAIRS,
    priorWidth: REFITTED,
    reviewPrior: REFITTED,
    parentPrior: REFITTED,
    eloInitial: now(""),
    kFactorNew: claim(["ranking"], RERATE),
    kFactorWarm: claim(["ranking"], RERATE),
    kSwitchMatches: claim(["ranking"], RERATE),
    debateWhenMatchesLt: PAIRS,
    debateWhenEloDeltaLt: PAIRS,
    debateTurns: claim(["ranking"], "Past matches are unchanged."),
    pNew: PAIRS,
    pClose: PAIRS,
    pRandom: PAIRS,
    closeWindow: PAIRS,
    maxMatchesPerPair: PAIRS,
    order: claim(["ranking"], "Past matches are unchanged; lab.rejudge() asks again about them."),
    panel: claim(["ranking"], "Past matches are unchanged; lab.rejudge() asks again about them."),
    staleMatches: now("Both ratings are made anew from the matches that count; Elo begins another epoch."),
    judgedAtOnce: claim(["ranking"], "Past matches are unchanged."),
  },
  scope: {
    known: claim(
      ["generation", "evolution"],
      "Hypotheses that are there stay, also those that are one of them.",
    ),
    criteria: claim(
      ["reflection", "ranking"],
      "Past reviews are unchanged; lab.reflect(labels) judges by the new criteria.",
    ),
  },
  evolution: {
    minMature: decision("Rounds that were begun go on."),
    matureMatches: decision("Who counts as mature is told by it at once."),
    topK: claim(["evolution"], "Children that are there stay."),
    everyMatches: decision("Rounds that were begun go on."),
    standstillSnapshots: decision("Rounds that were begun go on."),
  },
  metareview: {
    everyMatches: decision("Syntheses that are there stay."),
    maxReviews: claim(["metareview"]),
    maxRationales: claim(["metareview"]),
    reviewChars: claim(["metareview"]),
    rationaleChars: claim(["metareview"]),
    topHypotheses: claim(["metareview"], "Overviews that are there stay; lab.overview() drafts another."),
  },
  reflection: { verifyTop: decision("Reviews that are there stay.") },
  termination: decision(
    "It is asked before each task whether the session stops; a session that stopped goes on by a run.",
  ),
  vectors: {
    embedder: now(""),
    model: now(""),
    dimensions: now(""),
    baseUrl: now(""),
    usdPerMillionTokens: claim("all", "What was spent is booked at the old price."),
    dedupCosineThreshold: claim(
      ["generation", "evolution"],
      "Hypotheses that are there stay, and proposals that were refused stay refused.",
    ),
    clusterThreshold: then("From the next clustering on, near-duplicates are folded by it."),
    reclusterEveryMatches: then("From the next match on it says when the next clustering is due."),
    index: then("From the next proposal on, neighbours are found by it."),
    efSearch: then("From the next proposal on: the index is opened anew."),
  },
  lease: {
    defaultSeconds: claim("all", "It holds at the next claim or renewal."),
    reflectionSeconds: claim(["reflection"], "It holds at the next claim or renewal."),
    overviewSeconds: claim(["metareview"], "It holds at the next claim or renewal."),
    maxAttempts: enqueue("Tasks in the queue keep their number of tries."),
    backoffSeconds: claim("all"),
  },
  retry: claim("all", "Calls that are under way keep their number of tries."),
  toolLoop: {
    generationMaxTurns: claim(["generation"], LOOPS),
    reflectionMaxTurns: claim(["reflection"], LOOPS),
    evolutionMaxTurns: claim(["evolution"], LOOPS),
    parallelCap: claim("all"),
    toolTimeoutSeconds: claim("all"),
    resultChars: claim("all"),
    searchResults: claim("all"),
  },
  models: claim("all", "What was written so far stays; transcripts tell the model of each call."),
  thinking: claim("all"),
  maxTokens: claim("all"),
  efforts: claim("all"),
  budgetShares: now("The shares are compared with what each agent spent so far."),
  safety: {
    enabled: claim("all", "What was screened stays as it is."),
    blockCategories: claim("all", "What was screened stays as it is."),
    warnCategories: claim("all", "What was screened stays as it is."),
    warnConfidence: claim("all", "What was screened stays as it is."),
  },
  simulator: now(""),
};

/** A task that is in hand, or goes on later with what it was claimed under. */
export interface Claimed {
  /** The task. */
  readonly record: TaskRecord;
}

/**
 * What a change of a setting changes from when, in a sentence or two.
 *
 * @param view the session after the change
 * @param claimed the tasks that were claimed before it and have not ended
 */
export function effectOf(view: View, change: SettingChange, claimed: readonly Claimed[]): string {
  const { path } = change;
  const late = tooLate(view, path);
  if (late !== null) return `No effect any more: ${late}`;
  const idle = unread(view.settings, path);
  const told = sentence(view, effectAt(path), claimed, path);
  return idle === null ? told : `${told} It is not read at present: ${idle}.`;
}

function effectAt(path: string): Effect {
  const dot = path.indexOf("."), group = path.slice(0, dot), name = path.slice(dot + 1);
  const of: Effect | Readonly<Record<string, Effect>> | undefined = new Map(Object.entries(EFFECTS)).get(
    group,
  );
  if (of === undefined) return now("");
  return isEffect(of) ? of : of[name] ?? now("");
}

function isEffect(of: Effect | Readonly<Record<string, Effect>>): of is Effect {
  return typeof of["when"] === "string";
}

function sentence(view: View, effect: Effect, claimed: readonly Claimed[], path: string): string {
  switch (effect.when) {
    case "claim": {
      const { agents, what } = effect;
      const whose = routeAgents(path) ?? agents;
      const keeps = claimed.filter(({ record }) => whose === "all" || whose.includes(record.agent))
        .map(({ record }) => `${record.label} (${record.action})`);
      const inHand = keeps.length === 0
        ? ""
        : `; ${keeps.slice(0, 6).join(", ")}${keeps.length > 6 ? " …" : ""}, claimed before, ${
          keeps.length === 1 ? "keeps" : "keep"
        } the old value`;
      return join(
        `From the next claimed ${whose === "all" ? "task" : `task of ${whose.join(" or ")}`} on${inHand}.`,
        what,
      );
    }
    case "decision":
      return join("From the next decision on what to do.", effect.what);
    case "enqueue":
      return join("For tasks that are enqueued from now on.", effect.what);
    case "run":
      return join("From the next run on.", effect.what);
    case "then":
      return effect.what;
    case "now":
      return join(
        "At once.",
        path === "ranking.staleMatches" ? join(effect.what, staleLine(view)) : effect.what,
      );
  }
}

function staleLine(view: View): string {
  const stale = staleItems(view).filter(({ kind }) => kind === "match").length;
  const leftOut = view.settings.ranking.staleMatches === "leave_out";
  return stale === 0
    ? "No match is stale at present."
    : `${stale} stale ${stale === 1 ? "match is" : "matches are"} ${leftOut ? "left out" : "counted"}.`;
}

function join(first: string, second: string): string {
  return second === "" ? first : `${first} ${second}`;
}

/** The agent whose calls a route's model, thinking or length is for. */
function routeAgents(path: string): readonly AgentName[] | null {
  const [group = "", head = ""] = path.split(".");
  if (group !== "models" && group !== "thinking" && group !== "maxTokens") return null;
  switch (head) {
    case "parse_goal":
      return ["planning"];
    case "generation":
    case "reflection":
    case "ranking":
    case "evolution":
    case "metareview":
      return [head];
    default:
      return null;
  }
}

/** Why a setting has nothing left to act on. */
function tooLate(view: View, path: string): string | null {
  if (view.plan !== null && /^(models|thinking|maxTokens)\.parse_goal$/.test(path)) {
    return "the research plan is made, and its goal is not parsed again.";
  }
  if (path === "run.initialIdeas" && view.plan !== null) {
    const own = view.hypotheses.filter(({ record }) =>
      record.author === "model" && record.parents.length === 0
    );
    if (own.length >= generationQuota(view)) {
      return `generation has made all of its ${own.length} ideas (run.maxIdeas, run.keptForEvolution).`;
    }
  }
  return null;
}

/** Which other setting keeps a setting from being read. */
function unread(settings: Settings, path: string): string | null {
  const { ranking, generation, safety, vectors } = settings;
  const debates = ranking.debateWhenMatchesLt > 0 || ranking.debateWhenEloDeltaLt > 0;
  switch (path) {
    case "ranking.pNew":
    case "ranking.pClose":
    case "ranking.pRandom":
    case "ranking.closeWindow":
      return ranking.pairing === "buckets" ? null : `ranking.pairing is "${ranking.pairing}", not "buckets"`;
    case "ranking.wholeOrder":
      return ranking.pairing === "information"
        ? null
        : `ranking.pairing is "${ranking.pairing}", not "information"`;
    case "ranking.debateTurns":
      return debates ? null : "ranking.debateWhenMatchesLt and ranking.debateWhenEloDeltaLt are 0";
    case "models.ranking.pairwise":
    case "models.ranking.debate":
      return ranking.panel.length === 0 || (path === "models.ranking.debate" && debates)
        ? null
        : "ranking.panel judges instead";
    case "generation.debateTurns":
      return generation.debateEvery > 0 ? null : "generation.debateEvery is 0";
    case "safety.blockCategories":
    case "safety.warnCategories":
    case "safety.warnConfidence":
      return safety.enabled ? null : "safety.enabled is false";
    case "vectors.efSearch":
      return vectors.index === "hnsw" ? null : `vectors.index is "${vectors.index}"`;
    case "vectors.usdPerMillionTokens":
      return vectors.embedder === "hash" ? 'vectors.embedder is "hash", which costs nothing' : null;
    default:
      return null;
  }
}
