import { DEFAULT_SETTINGS, type Settings } from "../../lib/config/settings.ts";
import {
  type EloRecord,
  EVOLUTION_STRATEGIES,
  type HypothesisRecord,
  type MatchRecord,
  type RevisionRecord,
} from "../../lib/domain/records.ts";
import { rng } from "../../lib/domain/rng.ts";
import type { SessionRecord, Standing, View } from "../../lib/store/view.ts";
import { sessionRatings } from "../../lib/tournament/session_ratings.ts";
import { unitVector } from "../../lib/vectors/cosine.ts";
import { eloDelta, kFactor, scoreOf } from "../../lib/tournament/elo.ts";

/** What the pieces of the notebook read of a view. */
export type ViewDouble = Pick<
  View,
  | "session"
  | "settings"
  | "hypotheses"
  | "hypothesis"
  | "leaderboard"
  | "eloJournal"
  | "matches"
  | "counted"
  | "ratings"
  | "revisions"
  | "vector"
  | "embedding"
  | "proximity"
>;

const WORDS =
  "Veltrin kinase inhibition restores orbal transport in stressed dorsal cells under low light and heat while tamrin binding slows decay"
    .split(" ");

/** A hypothesis for doubles. */
export function hypothesisRecord(n: number, over: Partial<HypothesisRecord> = {}): HypothesisRecord {
  return {
    seq: n,
    id: `hyp_${n}`,
    label: `H${n}`,
    version: 1,
    strategy: "literature",
    parents: [],
    citations: [],
    droppedCitations: 0,
    author: "model",
    generation: 0,
    model: "claude-opus-4-7",
    taskId: null,
    title: `Title ${n}`,
    statement: "",
    mechanism: "",
    entities: [],
    anticipatedOutcomes: "",
    noveltyArgument: "",
    ...over,
  };
}

/** A match for doubles. */
export function matchRecord(n: number, over: Partial<MatchRecord> = {}): MatchRecord {
  return {
    seq: n,
    id: `mat_${n}`,
    label: `M${n}`,
    firstId: "hyp_1",
    secondId: "hyp_2",
    mode: "pairwise",
    verdict: "first",
    bothOrders: null,
    group: null,
    author: "model",
    weight: 1,
    judge: null,
    panelist: null,
    promptVersion: null,
    revision: 0,
    taskId: null,
    ...over,
  };
}

/** A revision for doubles. */
export function revisionRecord(number: number, seq: number): RevisionRecord {
  return {
    seq,
    id: `rvn_${number}`,
    label: `R${number}`,
    number,
    kind: "configure",
    target: "ranking.topK",
    before: 5,
    after: 3,
    author: "Ada",
    undoes: null,
  };
}

/** A view of given records, rated by their matches in order. */
export function viewOf(
  records: readonly HypothesisRecord[],
  matches: readonly MatchRecord[] = [],
  over: {
    states?: Record<string, Standing["state"]>;
    revisions?: RevisionRecord[];
    mode?: SessionRecord["mode"];
    /** Embeddings by id. */
    vectors?: ReadonlyMap<string, Float32Array>;
    /** Clusters of near-duplicates. */
    clusters?: readonly (readonly string[])[];
    ranking?: Partial<Settings["ranking"]>;
  } = {},
): ViewDouble {
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    ranking: { ...DEFAULT_SETTINGS.ranking, ...over.ranking },
  };
  const bradleyTerry = sessionRatings(settings.ranking);
  for (const record of records) bradleyTerry.enter(record, null);
  bradleyTerry.judge(matches);
  const ratings = new Map(records.map(({ id }) => [id, { elo: 1200, matches: 0 }]));
  const journal: EloRecord[] = [];
  for (const match of matches) {
    const first = ratings.get(match.firstId), second = ratings.get(match.secondId);
    const score = scoreOf(match.verdict);
    if (first === undefined || second === undefined || score === null) continue;
    const k = kFactor(first.matches, second.matches, DEFAULT_SETTINGS.ranking);
    const delta = eloDelta({ first: first.elo, second: second.elo, score, k, weight: match.weight });
    journal.push({
      seq: match.seq,
      epoch: 0,
      matchId: match.id,
      firstId: match.firstId,
      secondId: match.secondId,
      k,
      weight: match.weight,
      score,
      firstBefore: first.elo,
      secondBefore: second.elo,
      delta,
    });
    ratings.set(match.firstId, { elo: first.elo + delta, matches: first.matches + 1 });
    ratings.set(match.secondId, { elo: second.elo - delta, matches: second.matches + 1 });
  }
  const hypotheses = records.map((record): Standing => ({
    record,
    state: over.states?.[record.label] ?? "in_tournament",
    stateReason: "",
    foldedUnder: null,
    elo: ratings.get(record.id)?.elo ?? 1200,
    strength: bradleyTerry.strength(record.id)?.mean ?? null,
    strengthSd: bradleyTerry.strength(record.id)?.sd ?? null,
    matches: ratings.get(record.id)?.matches ?? 0,
    won: 0,
    lost: 0,
    tied: 0,
    bornSeq: record.seq,
    pinned: false,
    mergedInto: null,
    result: null,
  }));
  const byId = new Map(hypotheses.map((standing) => [standing.record.id, standing]));
  return {
    session: {
      id: "ses",
      name: "double",
      goal: "A goal",
      preferences: "",
      seed: "seed",
      mode: over.mode ?? "simulator",
      provider: { name: "simulator", baseUrl: "", models: {} },
      settings: DEFAULT_SETTINGS,
      parentId: null,
      parentSeq: 0,
      createdAt: 0,
    },
    settings,
    hypotheses,
    hypothesis: (id) => byId.get(id),
    leaderboard: hypotheses.filter(({ state }) => state === "in_tournament").sort((a, b) =>
      settings.ranking.rating === "elo"
        ? b.elo - a.elo
        : (b.strength ?? 0) - (a.strength ?? 0) || b.elo - a.elo
    ),
    eloJournal: journal,
    matches,
    counted: matches,
    ratings: bradleyTerry,
    revisions: over.revisions ?? [],
    vector: (id) => over.vectors?.get(id),
    embedding: (hypothesisId, version) => {
      const vector = over.vectors?.get(hypothesisId);
      return vector === undefined ? undefined : { seq: 1, hypothesisId, version, model: "double", vector };
    },
    proximity: over.clusters === undefined ? null : {
      seq: 1,
      id: "prx_1",
      clusters: over.clusters,
      matchesSeen: matches.length,
      vectors: over.vectors?.size ?? 0,
    },
  };
}

/**
 * A session of `n` hypotheses, a third of them seeds and the rest evolved from the better ones, with `m` matches whose
 * winners follow a hidden quality. Each seventh is out of play if it is no good.
 */
export function syntheticView(n: number, m: number, mode: SessionRecord["mode"] = "simulator"): ViewDouble {
  const chance = rng("view", `${n} ${m}`, "double");
  const records: HypothesisRecord[] = [];
  const quality = new Map<string, number>();
  const seeds = Math.max(3, Math.ceil(n / 3));
  const every = Math.max(1, Math.floor(m / Math.max(1, n)));
  for (let i = 1; i <= n; i++) {
    const title = chance.shuffle(WORDS).slice(0, 4 + chance.int(8)).join(" ");
    const seq = (i - 1) * (every + 1) + 1;
    const strategy = chance.pick(EVOLUTION_STRATEGIES);
    const pool = records.filter((record) => (quality.get(record.id) ?? 0) > 0);
    if (i <= seeds || pool.length === 0) {
      records.push(
        hypothesisRecord(i, {
          title,
          seq,
          strategy: i % 4 === 0 ? "debate" : i % 11 === 5 ? "human" : "literature",
        }),
      );
    } else {
      const parents = chance.shuffle(pool).slice(0, strategy === "combine" ? 2 + chance.int(2) : 1);
      const generation = 1 + Math.max(...parents.map((parent) => parent.generation));
      records.push(
        hypothesisRecord(i, { title, seq, strategy, parents: parents.map(({ id }) => id), generation }),
      );
    }
    quality.set(`hyp_${i}`, chance.normal());
  }
  const matches: MatchRecord[] = [];
  for (let i = 1; i <= m && n > 1; i++) {
    const alive = records.slice(0, Math.max(2, Math.ceil(i / Math.max(1, m) * n * 1.1)));
    const [a, b] = chance.shuffle(alive);
    if (a === undefined || b === undefined) continue;
    const edge = 1 / (1 + Math.exp(2 * ((quality.get(b.id) ?? 0) - (quality.get(a.id) ?? 0))));
    matches.push(matchRecord(i, {
      seq: Math.max(a.seq, b.seq, Math.ceil(i / every) * (every + 1)),
      firstId: a.id,
      secondId: b.id,
      verdict: chance.next() < 0.05 ? "tie" : chance.next() < edge ? "first" : "second",
      revision: i > m * 0.7 ? 3 : i > m * 0.69 ? 2 : i > m * 0.3 ? 1 : 0,
    }));
  }
  const states: Record<string, Standing["state"]> = {};
  for (const [i, record] of records.entries()) {
    if (i % 7 === 3 && (quality.get(record.id) ?? 0) < 0) states[record.label] = "rejected";
  }
  const vectors = new Map<string, Float32Array>();
  const clusters = new Map<string, string[]>();
  for (const { id, parents } of records) {
    const near = vectors.get(parents[0] ?? "");
    // A sixth of those with a parent nearly repeat it; the others go their own way from there.
    const repeats = near !== undefined && chance.next() < 1 / 6;
    const step = near === undefined ? 1 : repeats ? 0.02 : 0.12;
    const vector = unitVector(
      Array.from({ length: 48 }, (_, i) => (near?.[i] ?? 0) + step * chance.normal()),
    );
    if (vector !== null) vectors.set(id, vector);
    if (!repeats) continue;
    const root = parents[0] ?? id;
    const own = [...clusters.values()].find((members) => members.includes(root)) ?? [root];
    own.push(id);
    clusters.set(own[0] ?? id, own);
  }
  return viewOf(records, matches, {
    mode,
    states,
    vectors,
    clusters: [...clusters.values()],
    revisions: [1, 2, 3].map((number) => revisionRecord(number, number)),
  });
}
