import { z } from "zod";
import { settingsSchema } from "../../../lib/config/settings.ts";
import {
  HYPOTHESIS_STATES,
  MATCH_MODES,
  MATCH_VERDICTS,
  REVIEW_KINDS,
  REVIEW_VERDICTS,
  SESSION_STATUSES,
  STRATEGIES,
} from "../../../lib/domain/records.ts";

// What a program that reads the export relies on: the names at the top are all there and no other, and each record says
// who it is. A change that breaks this shape needs another `format`.

const record = { id: z.string(), seq: z.int() };
const labelled = { ...record, label: z.string().regex(/^[A-Z]\d+$/) };
const usd = z.number().nonnegative();
const author = z.string().min(1);

const hypothesis = z.looseObject({
  ...record,
  version: z.int().positive(),
  title: z.string(),
  statement: z.string(),
  mechanism: z.string(),
  entities: z.array(z.string()),
  strategy: z.enum(STRATEGIES),
  parents: z.array(z.string()),
  citations: z.array(z.looseObject({ url: z.string(), title: z.string() })),
  author,
});

const shape = z.strictObject({
  format: z.literal(1),
  cosci: z.string().regex(/^\d+\.\d+\.\d+/),
  simulated: z.boolean(),
  session: z.looseObject({
    name: z.string(),
    goal: z.string(),
    seed: z.string(),
    createdAt: z.iso.datetime(),
    parentId: z.string().nullable(),
    parentSeq: z.int().nullable(),
    settingsAtCreation: settingsSchema,
  }),
  settings: settingsSchema,
  snapshot: z.looseObject({
    status: z.enum(SESSION_STATUSES),
    leaderboard: z.array(z.looseObject({
      label: z.string(),
      rank: z.int().nullable(),
      elo: z.number(),
      rating: z.number().nullable(),
    })),
  }),
  plan: z.looseObject({ ...record, objective: z.string() }).nullable(),
  hypotheses: z.array(hypothesis.extend({
    ...labelled,
    state: z.enum(HYPOTHESIS_STATES),
    elo: z.number(),
    strength: z.number().nullable(),
    matches: z.int(),
    result: z.enum(["confirmed", "refuted"]).nullable(),
    versions: z.array(hypothesis).min(1),
  })),
  reviews: z.array(z.looseObject({
    ...labelled,
    hypothesisId: z.string(),
    kind: z.enum(REVIEW_KINDS),
    verdict: z.enum(REVIEW_VERDICTS),
    scores: z.looseObject({}),
    notes: z.string(),
    author,
    void: z.boolean(),
  })),
  matches: z.array(z.looseObject({
    ...labelled,
    firstId: z.string(),
    secondId: z.string(),
    mode: z.enum(MATCH_MODES),
    verdict: z.enum(MATCH_VERDICTS),
    author,
    judge: z.string().nullable(),
    rationale: z.string(),
    void: z.boolean(),
  })),
  ratings: z.array(z.looseObject({
    epoch: z.int(),
    matchId: z.string(),
    k: z.number(),
    firstBefore: z.number(),
    secondBefore: z.number(),
    delta: z.number(),
  })),
  duplicates: z.array(z.looseObject(record)),
  proximity: z.looseObject({ ...record, clusters: z.array(z.array(z.string())) }).nullable(),
  evidence: z.array(z.looseObject({
    ...labelled,
    claim: z.string(),
    outcome: z.enum(["confirmed", "refuted"]).nullable(),
    void: z.boolean(),
  })),
  directives: z.array(z.looseObject({ ...labelled, text: z.string(), author, inForce: z.boolean() })),
  feedback: z.array(z.looseObject({ ...labelled, narrative: z.string() })),
  criteria: z.looseObject({}).optional(),
  revisions: z.array(z.looseObject({ ...labelled, kind: z.string(), author })),
  gates: z.array(z.looseObject(record)),
  rejudgements: z.array(z.looseObject(record)),
  screens: z.array(z.looseObject({ ...record, result: z.string() })),
  overviews: z.array(z.looseObject({ ...labelled, version: z.int(), markdown: z.string() })),
  judge: z.looseObject({ judges: z.array(z.looseObject({})) }),
  costs: z.looseObject({ total: z.looseObject({ usd, calls: z.int() }), budgetUsd: usd }),
  prompts: z.array(z.looseObject({
    name: z.string(),
    version: z.string().nullable(),
    changed: z.boolean(),
    calls: z.int(),
  })),
});

/** A session's export as a program reads it. @throws where it has another shape */
export function readSessionJson(text: string): z.infer<typeof shape> {
  return shape.parse(JSON.parse(text));
}
