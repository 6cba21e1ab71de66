import { z } from "zod";
import {
  type EloRecord,
  MATCH_MODES,
  MATCH_VERDICTS,
  type MatchRecord,
  type ProximityRecord,
} from "../../domain/records.ts";
import type { EloSnapshot } from "../view.ts";
import {
  asNumber,
  asText,
  asWord,
  json,
  number,
  numbers,
  text,
  textOrNull,
  texts,
  word,
} from "../database.ts";
import type { Table } from "../table.ts";

/** A match with its rationale, which views leave in the store until it is asked for. */
export type MatchRow = MatchRecord & {
  /** Why, in the judge's words. */
  readonly rationale: string;
};

/** A snapshot with the commit that took it. */
export type EloSnapshotRecord = EloSnapshot & {
  /** The commit. */
  readonly seq: number;
};

const MATCH_COLUMNS = [
  "id",
  "label",
  "first_id",
  "second_id",
  "mode",
  "verdict",
  "author",
  "weight",
  "judge",
  "prompt_version",
  "revision",
  "task_id",
  "as_shown",
  "swapped",
  "match_group",
  "panelist",
] as const;

function verdicts(asShown: unknown, swapped: unknown): MatchRecord["bothOrders"] {
  if (asShown === null || swapped === null) return null;
  return [asWord(asShown, "as_shown", MATCH_VERDICTS), asWord(swapped, "swapped", MATCH_VERDICTS)];
}

function decodeMatch(row: Parameters<Table<MatchRecord>["decode"]>[0]): MatchRecord {
  return {
    seq: number(row, "seq"),
    id: text(row, "id"),
    label: text(row, "label"),
    firstId: text(row, "first_id"),
    secondId: text(row, "second_id"),
    mode: word(row, "mode", MATCH_MODES),
    verdict: word(row, "verdict", MATCH_VERDICTS),
    bothOrders: verdicts(row["as_shown"], row["swapped"]),
    group: textOrNull(row, "match_group"),
    author: text(row, "author"),
    weight: number(row, "weight"),
    judge: textOrNull(row, "judge"),
    panelist: textOrNull(row, "panelist"),
    promptVersion: textOrNull(row, "prompt_version"),
    revision: number(row, "revision"),
    taskId: textOrNull(row, "task_id"),
  };
}

/** Twenty thousand matches are read when a long session is opened: by place, not by name. */
function decodeMatchTuple(values: readonly unknown[]): MatchRecord {
  const [
    seq,
    id,
    label,
    firstId,
    secondId,
    mode,
    verdict,
    author,
    weight,
    judge,
    promptVersion,
    revision,
    task,
    asShown,
    swapped,
    group,
    panelist,
  ] = values;
  return {
    seq: asNumber(seq, "seq"),
    id: asText(id, "id"),
    label: asText(label, "label"),
    firstId: asText(firstId, "first_id"),
    secondId: asText(secondId, "second_id"),
    mode: asWord(mode, "mode", MATCH_MODES),
    verdict: asWord(verdict, "verdict", MATCH_VERDICTS),
    bothOrders: verdicts(asShown, swapped),
    group: group === null ? null : asText(group, "match_group"),
    author: asText(author, "author"),
    weight: asNumber(weight, "weight"),
    judge: judge === null ? null : asText(judge, "judge"),
    panelist: panelist === null ? null : asText(panelist, "panelist"),
    promptVersion: promptVersion === null ? null : asText(promptVersion, "prompt_version"),
    revision: asNumber(revision, "revision"),
    taskId: task === null ? null : asText(task, "task_id"),
  };
}

function encodeMatch(m: MatchRecord) {
  return [
    m.id,
    m.label,
    m.firstId,
    m.secondId,
    m.mode,
    m.verdict,
    m.author,
    m.weight,
    m.judge,
    m.promptVersion,
    m.revision,
    m.taskId,
    m.bothOrders?.[0] ?? null,
    m.bothOrders?.[1] ?? null,
    m.group,
    m.panelist,
  ];
}

/** Matches as they are written and exported. */
export const matches: Table<MatchRow> = {
  name: "tournament_matches",
  letter: "M",
  columns: [...MATCH_COLUMNS, "rationale"],
  encode: (m) => [...encodeMatch(m), m.rationale],
  decode: (row) => ({ ...decodeMatch(row), rationale: text(row, "rationale") }),
};

/** Matches as views hold them: without the rationale, which is most of their size. */
export const matchHeads: Table<MatchRecord> = {
  name: "tournament_matches",
  columns: [...MATCH_COLUMNS],
  encode: encodeMatch,
  decode: decodeMatch,
  decodeTuple: decodeMatchTuple,
};

function asScore(value: unknown): EloRecord["score"] {
  if (value === 1 || value === 0.5 || value === 0) return value;
  throw new TypeError(`Cannot read column "score": expected 1, 0.5 or 0, found ${String(value)}`);
}

/** The ledger of ratings. */
export const eloJournal: Table<EloRecord> = {
  name: "elo_journal",
  columns: [
    "epoch",
    "match_id",
    "first_id",
    "second_id",
    "k",
    "weight",
    "score",
    "first_before",
    "second_before",
    "delta",
  ],
  encode: (
    e,
  ) => [
    e.epoch,
    e.matchId,
    e.firstId,
    e.secondId,
    e.k,
    e.weight,
    e.score,
    e.firstBefore,
    e.secondBefore,
    e.delta,
  ],
  decode: (row) => ({
    seq: number(row, "seq"),
    epoch: number(row, "epoch"),
    matchId: text(row, "match_id"),
    firstId: text(row, "first_id"),
    secondId: text(row, "second_id"),
    k: number(row, "k"),
    weight: number(row, "weight"),
    score: asScore(row["score"]),
    firstBefore: number(row, "first_before"),
    secondBefore: number(row, "second_before"),
    delta: number(row, "delta"),
  }),
  decodeTuple: (
    [seq, epoch, matchId, firstId, secondId, k, weight, score, firstBefore, secondBefore, delta],
  ) => ({
    seq: asNumber(seq, "seq"),
    epoch: asNumber(epoch, "epoch"),
    matchId: asText(matchId, "match_id"),
    firstId: asText(firstId, "first_id"),
    secondId: asText(secondId, "second_id"),
    k: asNumber(k, "k"),
    weight: asNumber(weight, "weight"),
    score: asScore(score),
    firstBefore: asNumber(firstBefore, "first_before"),
    secondBefore: asNumber(secondBefore, "second_before"),
    delta: asNumber(delta, "delta"),
  }),
};

/** The leaders every so many matches: what `elo_stable` compares. */
export const eloSnapshots: Table<EloSnapshotRecord> = {
  name: "elo_snapshots",
  columns: ["matches", "ids", "elos", "pool"],
  encode: (s) => [s.matches, JSON.stringify(s.ids), JSON.stringify(s.elos), s.pool],
  decode: (row) => ({
    seq: number(row, "seq"),
    matches: number(row, "matches"),
    ids: texts(row, "ids"),
    elos: numbers(row, "elos"),
    pool: number(row, "pool"),
  }),
};

const clusters = z.array(z.array(z.string()));

/** Groups of near-duplicates. */
export const proximity: Table<ProximityRecord> = {
  name: "proximity",
  columns: ["id", "clusters", "matches_seen", "vectors"],
  encode: (p) => [p.id, JSON.stringify(p.clusters), p.matchesSeen, p.vectors],
  decode: (row) => ({
    seq: number(row, "seq"),
    id: text(row, "id"),
    clusters: clusters.parse(json(row, "clusters")),
    matchesSeen: number(row, "matches_seen"),
    vectors: number(row, "vectors"),
  }),
};
