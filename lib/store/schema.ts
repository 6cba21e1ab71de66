import { READER_VIEWS } from "./reader_views.ts";

/** One step from a version of the file format to the next. Applied in one transaction, whole or not at all. */
export interface Migration {
  /** The version that it leads to: 1, 2, 3 … */
  readonly version: number;
  /** What it does, in a few words. */
  readonly name: string;
  /** The statements. */
  readonly sql: string;
}

/** `cosc` in ASCII: SQLite's `application_id` of a store, by which other databases are told apart. */
export const APPLICATION_ID = 0x636f7363;

/**
 * Columns that every append-only table begins with. Apart from this, all words stand in the SQL itself and are not taken
 * from the records' types: those grow, and what a released version said must not.
 */
const LEAD = "session TEXT NOT NULL REFERENCES sessions (id), seq INTEGER NOT NULL CHECK (seq > 0)";

const FIRST = `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, goal TEXT NOT NULL CHECK (length(goal) > 0),
  preferences TEXT NOT NULL, seed TEXT NOT NULL, mode TEXT NOT NULL CHECK (mode IN ('simulator', 'live')),
  provider TEXT NOT NULL CHECK (json_valid(provider)), settings TEXT NOT NULL CHECK (json_valid(settings)),
  parent_id TEXT REFERENCES sessions (id), parent_seq INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE commits (
  ${LEAD}, at INTEGER NOT NULL, kind TEXT NOT NULL, task_id TEXT, agent TEXT, author TEXT NOT NULL,
  revision INTEGER NOT NULL, progress INTEGER NOT NULL CHECK (progress IN (-1, 0, 1)),
  micro_usd INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, calls INTEGER NOT NULL,
  unconfirmed_micro_usd INTEGER NOT NULL, PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE session_states (
  ${LEAD}, status TEXT NOT NULL CHECK (status IN ('created', 'running', 'paused', 'stopped', 'done', 'aborted')),
  reason TEXT CHECK (reason IN ('budget', 'wall_clock', 'elo_stable', 'top_k_settled', 'idle', 'stalled', 'provider', 'blocked', 'external')), note TEXT NOT NULL
) STRICT;
CREATE INDEX session_states_by_seq ON session_states (session, seq);

CREATE TABLE research_plans (
  ${LEAD}, id TEXT NOT NULL, objective TEXT NOT NULL, preferences TEXT NOT NULL CHECK (json_valid(preferences)),
  constraints TEXT NOT NULL CHECK (json_valid(constraints)), idea_attributes TEXT NOT NULL CHECK (json_valid(idea_attributes)),
  domain_hint TEXT, UNIQUE (session, id)
) STRICT;
CREATE INDEX research_plans_by_seq ON research_plans (session, seq);

CREATE TABLE hypotheses (
  ${LEAD}, id TEXT NOT NULL, label TEXT NOT NULL, version INTEGER NOT NULL CHECK (version > 0), title TEXT NOT NULL,
  statement TEXT NOT NULL, mechanism TEXT NOT NULL, entities TEXT NOT NULL CHECK (json_valid(entities)),
  anticipated_outcomes TEXT NOT NULL, novelty_argument TEXT NOT NULL,
  strategy TEXT NOT NULL CHECK (strategy IN ('literature', 'debate', 'combine', 'simplify', 'out_of_box', 'feasibility', 'human')), parents TEXT NOT NULL CHECK (json_valid(parents)),
  citations TEXT NOT NULL CHECK (json_valid(citations)), dropped_citations INTEGER NOT NULL, author TEXT NOT NULL,
  generation INTEGER NOT NULL CHECK (generation >= 0), task_id TEXT, UNIQUE (session, id, version)
) STRICT;
CREATE INDEX hypotheses_by_seq ON hypotheses (session, seq);

CREATE TABLE hypothesis_states (
  ${LEAD}, hypothesis_id TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('draft', 'reviewed', 'in_tournament', 'disproved', 'rejected', 'quarantined')), reason TEXT NOT NULL
) STRICT;
CREATE INDEX hypothesis_states_by_seq ON hypothesis_states (session, seq);

CREATE TABLE embeddings_meta (
  ${LEAD}, hypothesis_id TEXT NOT NULL, version INTEGER NOT NULL, model TEXT NOT NULL,
  dimensions INTEGER NOT NULL CHECK (dimensions > 0), vector BLOB NOT NULL CHECK (length(vector) = 4 * dimensions),
  UNIQUE (session, hypothesis_id, version, model)
) STRICT;
CREATE INDEX embeddings_by_seq ON embeddings_meta (session, seq);

CREATE TABLE duplicates (
  ${LEAD}, id TEXT NOT NULL, title TEXT NOT NULL, statement TEXT NOT NULL, duplicate_of TEXT NOT NULL, cosine REAL NOT NULL,
  task_id TEXT NOT NULL, UNIQUE (session, id)
) STRICT;
CREATE INDEX duplicates_by_seq ON duplicates (session, seq);

CREATE TABLE reviews (
  ${LEAD}, id TEXT NOT NULL, label TEXT NOT NULL, hypothesis_id TEXT NOT NULL, hypothesis_version INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('full', 'verification', 'observation')), verdict TEXT NOT NULL CHECK (verdict IN ('already_explained', 'other_more_likely', 'missing_piece', 'neutral', 'disproved')),
  scores TEXT NOT NULL CHECK (json_valid(scores)), assumptions TEXT NOT NULL CHECK (json_valid(assumptions)),
  evidence TEXT NOT NULL CHECK (json_valid(evidence)), dropped_evidence INTEGER NOT NULL, notes TEXT NOT NULL,
  author TEXT NOT NULL, task_id TEXT, UNIQUE (session, id)
) STRICT;
CREATE INDEX reviews_by_seq ON reviews (session, seq);

CREATE TABLE evidence (
  ${LEAD}, id TEXT NOT NULL, hypothesis_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('literature', 'computation', 'experiment', 'expert')), claim TEXT NOT NULL,
  stance TEXT NOT NULL CHECK (stance IN ('supports', 'contradicts', 'neutral')), source TEXT NOT NULL, excerpt TEXT NOT NULL,
  origin TEXT NOT NULL, UNIQUE (session, id)
) STRICT;
CREATE INDEX evidence_by_seq ON evidence (session, seq);

CREATE TABLE safety_screens (
  ${LEAD}, id TEXT NOT NULL, target TEXT NOT NULL,
  result TEXT NOT NULL CHECK (result IN ('clear', 'warned', 'blocked', 'failed')),
  categories TEXT NOT NULL CHECK (json_valid(categories)), confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  rationale TEXT NOT NULL, UNIQUE (session, id)
) STRICT;
CREATE INDEX safety_screens_by_seq ON safety_screens (session, seq);

CREATE TABLE tournament_matches (
  ${LEAD}, id TEXT NOT NULL, label TEXT NOT NULL, first_id TEXT NOT NULL, second_id TEXT NOT NULL CHECK (first_id <> second_id),
  mode TEXT NOT NULL CHECK (mode IN ('pairwise', 'debate')), verdict TEXT NOT NULL CHECK (verdict IN ('first', 'second', 'tie', 'invalid')),
  author TEXT NOT NULL, weight REAL NOT NULL CHECK (weight >= 0), judge TEXT, prompt_version TEXT, revision INTEGER NOT NULL,
  task_id TEXT, rationale TEXT NOT NULL, UNIQUE (session, id)
) STRICT;
CREATE INDEX tournament_matches_by_seq ON tournament_matches (session, seq);

CREATE TABLE elo_journal (
  ${LEAD}, epoch INTEGER NOT NULL CHECK (epoch >= 0), match_id TEXT NOT NULL, first_id TEXT NOT NULL, second_id TEXT NOT NULL,
  k REAL NOT NULL, weight REAL NOT NULL, score REAL NOT NULL CHECK (score IN (0, 0.5, 1)), first_before REAL NOT NULL, second_before REAL NOT NULL, delta REAL NOT NULL,
  UNIQUE (session, epoch, match_id)
) STRICT;
CREATE INDEX elo_journal_by_seq ON elo_journal (session, seq);

CREATE TABLE elo_snapshots (
  ${LEAD}, matches INTEGER NOT NULL, ids TEXT NOT NULL CHECK (json_valid(ids)), elos TEXT NOT NULL CHECK (json_valid(elos)),
  pool INTEGER NOT NULL
) STRICT;
CREATE INDEX elo_snapshots_by_seq ON elo_snapshots (session, seq);

CREATE TABLE proximity (
  ${LEAD}, id TEXT NOT NULL, clusters TEXT NOT NULL CHECK (json_valid(clusters)), matches_seen INTEGER NOT NULL,
  vectors INTEGER NOT NULL, UNIQUE (session, id)
) STRICT;
CREATE INDEX proximity_by_seq ON proximity (session, seq);

CREATE TABLE system_feedback (
  ${LEAD}, id TEXT NOT NULL, label TEXT NOT NULL, narrative TEXT NOT NULL, weaknesses TEXT NOT NULL CHECK (json_valid(weaknesses)),
  strengths TEXT NOT NULL CHECK (json_valid(strengths)), focus_areas TEXT NOT NULL CHECK (json_valid(focus_areas)),
  matches_seen INTEGER NOT NULL, task_id TEXT, UNIQUE (session, id)
) STRICT;
CREATE INDEX system_feedback_by_seq ON system_feedback (session, seq);

CREATE TABLE directives (
  ${LEAD}, id TEXT NOT NULL, label TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('directive', 'preference')),
  body TEXT NOT NULL, recipients TEXT NOT NULL CHECK (json_valid(recipients)), author TEXT NOT NULL, UNIQUE (session, id)
) STRICT;
CREATE INDEX directives_by_seq ON directives (session, seq);

CREATE TABLE revisions (
  ${LEAD}, id TEXT NOT NULL, label TEXT NOT NULL, number INTEGER NOT NULL CHECK (number > 0),
  kind TEXT NOT NULL CHECK (kind IN ('configure', 'prompt', 'queue', 'session')), target TEXT NOT NULL,
  before TEXT NOT NULL CHECK (json_valid(before)), after TEXT NOT NULL CHECK (json_valid(after)), author TEXT NOT NULL,
  UNIQUE (session, id)
) STRICT;
CREATE INDEX revisions_by_seq ON revisions (session, seq);

CREATE TABLE overviews (
  ${LEAD}, id TEXT NOT NULL, label TEXT NOT NULL, version INTEGER NOT NULL, source TEXT NOT NULL CHECK (source IN ('model', 'fallback')),
  markdown TEXT NOT NULL, final INTEGER NOT NULL CHECK (final IN (0, 1)), notes TEXT NOT NULL CHECK (json_valid(notes)), model TEXT,
  UNIQUE (session, id), UNIQUE (session, version)
) STRICT;
CREATE INDEX overviews_by_seq ON overviews (session, seq);

CREATE TABLE tasks (
  ${LEAD}, id TEXT NOT NULL, label TEXT NOT NULL, key TEXT NOT NULL, agent TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('parse_goal', 'generate', 'review', 'match', 'evolve', 'system_feedback', 'overview')), target_id TEXT, payload TEXT NOT NULL CHECK (json_valid(payload)),
  priority INTEGER NOT NULL, max_attempts INTEGER NOT NULL, UNIQUE (session, id), UNIQUE (session, key)
) STRICT;
CREATE INDEX tasks_by_seq ON tasks (session, seq);

CREATE TABLE task_states (
  ${LEAD}, task_id TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('pending', 'deferred', 'leased', 'in_progress', 'waiting', 'done', 'dead', 'cancelled', 'void')), attempts INTEGER NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE INDEX task_states_by_seq ON task_states (session, seq);
CREATE INDEX task_states_by_task ON task_states (session, task_id, seq);
-- A task that is done, cancelled or void has ended for good; a dead one may be revived.
CREATE UNIQUE INDEX task_ends ON task_states (session, task_id) WHERE status IN ('done', 'cancelled', 'void');

-- The working queue: open tasks only, changed in place. What ended is history, in tasks and task_states.
CREATE TABLE queue (
  session TEXT NOT NULL REFERENCES sessions (id), task_id TEXT NOT NULL, n INTEGER NOT NULL, priority INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'deferred', 'leased', 'in_progress', 'waiting', 'done', 'dead', 'cancelled', 'void')), not_before INTEGER NOT NULL DEFAULT 0,
  owner TEXT, lease_expires_at INTEGER, attempts INTEGER NOT NULL DEFAULT 0, crashes INTEGER NOT NULL DEFAULT 0,
  claim_seq INTEGER, revision INTEGER, decision TEXT CHECK (decision IS NULL OR json_valid(decision)),
  calls_base INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (session, task_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX queue_ready ON queue (session, status, priority, n);

CREATE TABLE call_journal (
  session TEXT NOT NULL REFERENCES sessions (id), key TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('model', 'embedding', 'tool')),
  task_id TEXT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (session, key)
) STRICT;
CREATE INDEX call_journal_by_task ON call_journal (session, task_id);

CREATE TABLE transcripts (
  n INTEGER PRIMARY KEY, session TEXT NOT NULL REFERENCES sessions (id), seq INTEGER, task_id TEXT NOT NULL, agent TEXT NOT NULL,
  route TEXT NOT NULL, model TEXT NOT NULL, prompt TEXT NOT NULL, prompt_version TEXT NOT NULL, revision INTEGER NOT NULL,
  directives TEXT NOT NULL CHECK (json_valid(directives)), request TEXT NOT NULL, response TEXT NOT NULL, stop_reason TEXT NOT NULL,
  error TEXT NOT NULL, micro_usd INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
  unconfirmed INTEGER NOT NULL CHECK (unconfirmed IN (0, 1)), duration_ms INTEGER NOT NULL,
  concessions TEXT NOT NULL CHECK (json_valid(concessions)), at INTEGER NOT NULL
) STRICT;
CREATE INDEX transcripts_by_task ON transcripts (session, task_id);

CREATE TABLE spending (
  session TEXT NOT NULL REFERENCES sessions (id), agent TEXT NOT NULL, micro_usd INTEGER NOT NULL, tokens INTEGER NOT NULL,
  lost_micro_usd INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (session, agent)
) STRICT, WITHOUT ROWID;

CREATE TABLE budget_reservations (
  id TEXT PRIMARY KEY, session TEXT NOT NULL REFERENCES sessions (id), agent TEXT NOT NULL, task_id TEXT NOT NULL, owner TEXT NOT NULL,
  micro_usd INTEGER NOT NULL CHECK (micro_usd >= 0), tokens INTEGER NOT NULL CHECK (tokens >= 0), expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX budget_reservations_by_session ON budget_reservations (session);

-- Who is at work on a session, and for how long it has run: wall clock counts running time only.
CREATE TABLE session_clocks (
  session TEXT PRIMARY KEY REFERENCES sessions (id), ran_ms INTEGER NOT NULL, beat_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  n INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL REFERENCES sessions (id), seq INTEGER, at INTEGER NOT NULL,
  type TEXT NOT NULL, payload TEXT NOT NULL CHECK (json_valid(payload))
) STRICT;
CREATE INDEX events_by_session ON events (session, n);

CREATE TABLE spans (
  n INTEGER PRIMARY KEY, session TEXT NOT NULL REFERENCES sessions (id), task_id TEXT, name TEXT NOT NULL, started_at REAL NOT NULL,
  duration_ms REAL NOT NULL, status TEXT NOT NULL CHECK (status IN ('ok', 'error')), attributes TEXT NOT NULL CHECK (json_valid(attributes))
) STRICT;
CREATE INDEX spans_by_session ON spans (session, n);
`;

const READERS = `
CREATE VIEW v_hypotheses AS
  SELECT h.* FROM hypotheses h
  WHERE h.version = (SELECT max(version) FROM hypotheses o WHERE o.session = h.session AND o.id = h.id);
CREATE VIEW v_leaderboard AS
  WITH played AS (
    SELECT session, first_id AS id, delta, verdict_score AS score FROM (
      SELECT e.session, e.first_id, e.second_id, e.delta,
        CASE m.verdict WHEN 'first' THEN 1.0 WHEN 'second' THEN 0.0 ELSE 0.5 END AS verdict_score
      FROM elo_journal e JOIN tournament_matches m ON m.session = e.session AND m.id = e.match_id
      WHERE e.epoch = (SELECT max(epoch) FROM elo_journal o WHERE o.session = e.session))
    UNION ALL
    SELECT session, second_id, -delta, 1.0 - verdict_score FROM (
      SELECT e.session, e.first_id, e.second_id, e.delta,
        CASE m.verdict WHEN 'first' THEN 1.0 WHEN 'second' THEN 0.0 ELSE 0.5 END AS verdict_score
      FROM elo_journal e JOIN tournament_matches m ON m.session = e.session AND m.id = e.match_id
      WHERE e.epoch = (SELECT max(epoch) FROM elo_journal o WHERE o.session = e.session)))
  SELECT h.session, h.label, h.title, h.strategy, h.generation, s.state,
    json_extract(x.settings, '$.ranking.eloInitial') + coalesce(sum(p.delta), 0) AS elo,
    count(p.id) AS matches, coalesce(sum(p.score = 1), 0) AS won, coalesce(sum(p.score = 0), 0) AS lost,
    coalesce(sum(p.score = 0.5), 0) AS tied
  FROM v_hypotheses h JOIN sessions x ON x.id = h.session
  JOIN hypothesis_states s ON s.rowid = (
    SELECT max(rowid) FROM hypothesis_states o WHERE o.session = h.session AND o.hypothesis_id = h.id)
  LEFT JOIN played p ON p.session = h.session AND p.id = h.id
  GROUP BY h.session, h.id;
CREATE VIEW v_matches AS
  SELECT m.session, m.seq, m.label, a.label AS first, b.label AS second, m.mode, m.verdict, m.judge, m.author, m.weight,
    e.k, e.first_before, e.second_before, e.delta, m.rationale
  FROM tournament_matches m
  LEFT JOIN elo_journal e ON e.session = m.session AND e.match_id = m.id AND e.epoch = 0
  JOIN v_hypotheses a ON a.session = m.session AND a.id = m.first_id
  JOIN v_hypotheses b ON b.session = m.session AND b.id = m.second_id;
CREATE VIEW v_calls AS
  SELECT session, n, seq, task_id, agent, route, model, prompt, prompt_version, revision, stop_reason, error,
    micro_usd / 1e6 AS usd, input_tokens, output_tokens, unconfirmed, duration_ms, at FROM transcripts;
`;

const JUDGING = `
DROP VIEW v_leaderboard;
DROP VIEW v_matches;
-- A CHECK can't be altered: the table is made anew, with the rows and their order as they were.
CREATE TABLE matches_of_version_3 (
  ${LEAD}, id TEXT NOT NULL, label TEXT NOT NULL, first_id TEXT NOT NULL, second_id TEXT NOT NULL CHECK (first_id <> second_id),
  mode TEXT NOT NULL CHECK (mode IN ('pairwise', 'debate', 'kwise')),
  verdict TEXT NOT NULL CHECK (verdict IN ('first', 'second', 'tie', 'invalid')),
  author TEXT NOT NULL, weight REAL NOT NULL CHECK (weight >= 0), judge TEXT, prompt_version TEXT, revision INTEGER NOT NULL,
  task_id TEXT, rationale TEXT NOT NULL,
  -- What the judge said with the first shown first, and with the second shown first; both told by the match's own order.
  as_shown TEXT CHECK (as_shown IN ('first', 'second', 'tie', 'invalid')),
  swapped TEXT CHECK (swapped IN ('first', 'second', 'tie', 'invalid')),
  match_group TEXT, panelist TEXT, UNIQUE (session, id), CHECK ((as_shown IS NULL) = (swapped IS NULL))
) STRICT;
INSERT INTO matches_of_version_3 (rowid, session, seq, id, label, first_id, second_id, mode, verdict, author, weight, judge,
    prompt_version, revision, task_id, rationale)
  SELECT rowid, session, seq, id, label, first_id, second_id, mode, verdict, author, weight, judge,
    prompt_version, revision, task_id, rationale
  FROM tournament_matches ORDER BY rowid;
DROP TABLE tournament_matches;
ALTER TABLE matches_of_version_3 RENAME TO tournament_matches;
CREATE INDEX tournament_matches_by_seq ON tournament_matches (session, seq);
CREATE VIEW v_leaderboard AS
  WITH played AS (
    SELECT session, first_id AS id, delta, verdict_score AS score FROM (
      SELECT e.session, e.first_id, e.second_id, e.delta,
        CASE m.verdict WHEN 'first' THEN 1.0 WHEN 'second' THEN 0.0 ELSE 0.5 END AS verdict_score
      FROM elo_journal e JOIN tournament_matches m ON m.session = e.session AND m.id = e.match_id
      WHERE e.epoch = (SELECT max(epoch) FROM elo_journal o WHERE o.session = e.session))
    UNION ALL
    SELECT session, second_id, -delta, 1.0 - verdict_score FROM (
      SELECT e.session, e.first_id, e.second_id, e.delta,
        CASE m.verdict WHEN 'first' THEN 1.0 WHEN 'second' THEN 0.0 ELSE 0.5 END AS verdict_score
      FROM elo_journal e JOIN tournament_matches m ON m.session = e.session AND m.id = e.match_id
      WHERE e.epoch = (SELECT max(epoch) FROM elo_journal o WHERE o.session = e.session)))
  SELECT h.session, h.label, h.title, h.strategy, h.generation, s.state,
    json_extract(x.settings, '$.ranking.eloInitial') + coalesce(sum(p.delta), 0) AS elo,
    count(p.id) AS matches, coalesce(sum(p.score = 1), 0) AS won, coalesce(sum(p.score = 0), 0) AS lost,
    coalesce(sum(p.score = 0.5), 0) AS tied
  FROM v_hypotheses h JOIN sessions x ON x.id = h.session
  JOIN hypothesis_states s ON s.rowid = (
    SELECT max(rowid) FROM hypothesis_states o WHERE o.session = h.session AND o.hypothesis_id = h.id)
  LEFT JOIN played p ON p.session = h.session AND p.id = h.id
  GROUP BY h.session, h.id;
CREATE VIEW v_matches AS
  SELECT m.session, m.seq, m.label, a.label AS first, b.label AS second, m.mode, m.verdict, m.judge, m.author, m.weight,
    e.k, e.first_before, e.second_before, e.delta, m.rationale, m.as_shown, m.swapped, m.match_group, m.panelist
  FROM tournament_matches m
  LEFT JOIN elo_journal e ON e.session = m.session AND e.match_id = m.id AND e.epoch = 0
  JOIN v_hypotheses a ON a.session = m.session AND a.id = m.first_id
  JOIN v_hypotheses b ON b.session = m.session AND b.id = m.second_id;
`;

/** Hypotheses of before get the model that their task's last answered call of writing was given by. */
const WRITERS = `
ALTER TABLE hypotheses ADD COLUMN model TEXT;
UPDATE hypotheses SET model = (
  SELECT t.model FROM transcripts t
  WHERE t.session = hypotheses.session AND t.task_id = hypotheses.task_id AND t.error = ''
    AND (t.route LIKE 'generation.%' OR t.route LIKE 'evolution.%')
  ORDER BY t.n DESC LIMIT 1)
  WHERE author = 'model';
`;

const RATINGS = `
-- What Bradley-Terry says of a session: a cache, computed anew from the matches where it is missing or older.
CREATE TABLE ratings (
  session TEXT PRIMARY KEY REFERENCES sessions (id), seq INTEGER NOT NULL, method INTEGER NOT NULL,
  kept TEXT NOT NULL CHECK (json_valid(kept))
) STRICT;
`;

const STEERING = `
DROP VIEW v_leaderboard;
DROP VIEW v_matches;
DROP VIEW v_calls;
DROP VIEW v_hypotheses;
-- A CHECK can't be altered: tables whose words grew are made anew, with the rows and their order as they were. What a
-- word may be is checked where rows are read and written.
CREATE TABLE states_of_version_6 (
  ${LEAD}, hypothesis_id TEXT NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL
) STRICT;
INSERT INTO states_of_version_6 (rowid, session, seq, hypothesis_id, state, reason)
  SELECT rowid, session, seq, hypothesis_id, state, reason FROM hypothesis_states ORDER BY rowid;
DROP TABLE hypothesis_states;
ALTER TABLE states_of_version_6 RENAME TO hypothesis_states;
CREATE INDEX hypothesis_states_by_seq ON hypothesis_states (session, seq);

CREATE TABLE revisions_of_version_6 (
  ${LEAD}, id TEXT NOT NULL, label TEXT NOT NULL, number INTEGER NOT NULL CHECK (number > 0), kind TEXT NOT NULL,
  target TEXT NOT NULL, before TEXT NOT NULL CHECK (json_valid(before)), after TEXT NOT NULL CHECK (json_valid(after)),
  author TEXT NOT NULL, undoes INTEGER, UNIQUE (session, id)
) STRICT;
INSERT INTO revisions_of_version_6 (rowid, session, seq, id, label, number, kind, target, before, after, author)
  SELECT rowid, session, seq, id, label, number, kind, target, before, after, author FROM revisions ORDER BY rowid;
DROP TABLE revisions;
ALTER TABLE revisions_of_version_6 RENAME TO revisions;
CREATE INDEX revisions_by_seq ON revisions (session, seq);

CREATE TABLE tasks_of_version_6 (
  ${LEAD}, id TEXT NOT NULL, label TEXT NOT NULL, key TEXT NOT NULL, agent TEXT NOT NULL, action TEXT NOT NULL,
  target_id TEXT, payload TEXT NOT NULL CHECK (json_valid(payload)), priority INTEGER NOT NULL,
  max_attempts INTEGER NOT NULL, UNIQUE (session, id), UNIQUE (session, key)
) STRICT;
INSERT INTO tasks_of_version_6 (rowid, session, seq, id, label, key, agent, action, target_id, payload, priority, max_attempts)
  SELECT rowid, session, seq, id, label, key, agent, action, target_id, payload, priority, max_attempts
  FROM tasks ORDER BY rowid;
DROP TABLE tasks;
ALTER TABLE tasks_of_version_6 RENAME TO tasks;
CREATE INDEX tasks_by_seq ON tasks (session, seq);
CREATE INDEX tasks_by_label ON tasks (session, label);

ALTER TABLE overviews ADD COLUMN read_seq INTEGER NOT NULL DEFAULT 0;
UPDATE overviews SET read_seq = seq;
ALTER TABLE reviews ADD COLUMN weight REAL NOT NULL DEFAULT 1;
ALTER TABLE reviews ADD COLUMN amends TEXT;
ALTER TABLE directives ADD COLUMN until TEXT CHECK (until IS NULL OR json_valid(until));
ALTER TABLE evidence ADD COLUMN label TEXT NOT NULL DEFAULT '';
ALTER TABLE evidence ADD COLUMN outcome TEXT;
ALTER TABLE evidence ADD COLUMN weight REAL NOT NULL DEFAULT 1;
UPDATE evidence SET label = 'E' || numbered.n
  FROM (SELECT rowid AS at, row_number() OVER (PARTITION BY session ORDER BY rowid) AS n FROM evidence) AS numbered
  WHERE numbered.at = evidence.rowid;

-- What a person put on a record (a pin, a withdrawal, another weight), or took off again: the newest row of a kind holds.
CREATE TABLE marks (
  ${LEAD}, target_id TEXT NOT NULL, mark TEXT NOT NULL, value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;
CREATE INDEX marks_by_seq ON marks (session, seq);

CREATE TABLE gates (
  ${LEAD}, id TEXT NOT NULL, label TEXT NOT NULL, kind TEXT NOT NULL, proposal TEXT NOT NULL CHECK (json_valid(proposal)),
  task_id TEXT, UNIQUE (session, id)
) STRICT;
CREATE INDEX gates_by_seq ON gates (session, seq);

CREATE TABLE rejudgements (
  ${LEAD}, id TEXT NOT NULL, batch INTEGER NOT NULL, match_id TEXT NOT NULL, verdict TEXT NOT NULL, as_shown TEXT,
  swapped TEXT, judge TEXT, prompt_version TEXT, rationale TEXT NOT NULL, task_id TEXT NOT NULL, UNIQUE (session, id)
) STRICT;
CREATE INDEX rejudgements_by_seq ON rejudgements (session, seq);

-- Which pairs a blind sheet shows: what is sent back names nothing but its code.
CREATE TABLE sheets (
  ${LEAD}, id TEXT NOT NULL, code TEXT NOT NULL, pairs TEXT NOT NULL CHECK (json_valid(pairs)), recipient TEXT,
  author TEXT NOT NULL, UNIQUE (session, id), UNIQUE (session, code)
) STRICT;
CREATE INDEX sheets_by_seq ON sheets (session, seq);

-- What a version of a prompt was: its text, and the tools that were offered with it.
CREATE TABLE prompt_versions (
  name TEXT NOT NULL, version TEXT NOT NULL, source TEXT NOT NULL, tools TEXT NOT NULL CHECK (json_valid(tools)),
  PRIMARY KEY (name, version)
) STRICT, WITHOUT ROWID;
-- What a call was made from, so that it can be made again: the commit on which its task was claimed, and what was decided then.
ALTER TABLE transcripts ADD COLUMN claim_seq INTEGER;
ALTER TABLE transcripts ADD COLUMN decision TEXT CHECK (decision IS NULL OR json_valid(decision));
CREATE INDEX transcripts_by_prompt ON transcripts (session, prompt, prompt_version, revision, task_id);

-- Whose commits a session is made of: its own, and of each ancestor those up to where the next one was forked off.
CREATE VIEW v_stretches AS
  WITH RECURSIVE stretch (session, ancestor, after, upto, parent) AS (
    SELECT id, id, parent_seq, 9223372036854775807, parent_id FROM sessions
    UNION ALL
    SELECT s.session, p.id, p.parent_seq, min(s.after, s.upto), p.parent_id
    FROM stretch s JOIN sessions p ON p.id = s.parent)
  SELECT session, ancestor, after, upto FROM stretch WHERE upto > after;
CREATE VIEW v_hypotheses AS
  WITH versions AS (
    SELECT x.session AS of_session, h.*, row_number() OVER (PARTITION BY x.session, h.id ORDER BY h.version DESC) AS newest
    FROM v_stretches x JOIN hypotheses h ON h.session = x.ancestor AND h.seq > x.after AND h.seq <= x.upto)
  SELECT of_session AS session, seq, id, label, version, title, statement, mechanism, entities, anticipated_outcomes,
    novelty_argument, strategy, parents, citations, dropped_citations, author, generation, task_id, model
  FROM versions WHERE newest = 1;
-- A session without a row is in its first epoch, 0.
CREATE VIEW v_epochs AS
  SELECT x.session, max(CAST(m.value AS INTEGER)) AS epoch
  FROM v_stretches x JOIN marks m ON m.session = x.ancestor AND m.seq > x.after AND m.seq <= x.upto
  WHERE m.mark = 'epoch' GROUP BY x.session;
CREATE VIEW v_leaderboard AS
  WITH journal AS (
    SELECT x.session AS of_session, e.*, coalesce(n.epoch, 0) AS newest
    FROM v_stretches x JOIN elo_journal e ON e.session = x.ancestor AND e.seq > x.after AND e.seq <= x.upto
    LEFT JOIN v_epochs n ON n.session = x.session),
  played AS (
    SELECT of_session AS session, first_id AS id, delta, score FROM journal WHERE epoch = newest
    UNION ALL
    SELECT of_session, second_id, -delta, 1.0 - score FROM journal WHERE epoch = newest),
  states AS (
    SELECT x.session, s.hypothesis_id, s.state,
      row_number() OVER (PARTITION BY x.session, s.hypothesis_id ORDER BY s.seq DESC, s.rowid DESC) AS newest
    FROM v_stretches x JOIN hypothesis_states s ON s.session = x.ancestor AND s.seq > x.after AND s.seq <= x.upto)
  SELECT h.session, h.label, h.title, h.strategy, h.generation, s.state,
    json_extract(x.settings, '$.ranking.eloInitial') + coalesce(sum(p.delta), 0) AS elo,
    count(p.id) AS matches, coalesce(sum(p.score = 1), 0) AS won, coalesce(sum(p.score = 0), 0) AS lost,
    coalesce(sum(p.score = 0.5), 0) AS tied
  FROM v_hypotheses h JOIN sessions x ON x.id = h.session
  JOIN states s ON s.session = h.session AND s.hypothesis_id = h.id AND s.newest = 1
  LEFT JOIN played p ON p.session = h.session AND p.id = h.id
  GROUP BY h.session, h.id;
-- The line of the ledger is that of the newest epoch: a match that doesn't count any more has none.
CREATE VIEW v_matches AS
  WITH journal AS (
    SELECT x.session AS of_session, e.*, coalesce(n.epoch, 0) AS newest
    FROM v_stretches x JOIN elo_journal e ON e.session = x.ancestor AND e.seq > x.after AND e.seq <= x.upto
    LEFT JOIN v_epochs n ON n.session = x.session)
  SELECT x.session, m.seq, m.label, a.label AS first, b.label AS second, m.mode, m.verdict, m.judge, m.author,
    coalesce(e.weight, 0) AS weight, e.k, e.first_before, e.second_before, e.delta, m.rationale, m.as_shown, m.swapped,
    m.match_group, m.panelist
  FROM v_stretches x JOIN tournament_matches m ON m.session = x.ancestor AND m.seq > x.after AND m.seq <= x.upto
  LEFT JOIN journal e ON e.of_session = x.session AND e.match_id = m.id AND e.epoch = e.newest
  JOIN v_hypotheses a ON a.session = x.session AND a.id = m.first_id
  JOIN v_hypotheses b ON b.session = x.session AND b.id = m.second_id;
-- Calls of an ancestor are inherited: they are no cost of the fork's own.
CREATE VIEW v_calls AS
  SELECT x.session, t.n, t.seq, t.task_id, t.agent, t.route, t.model, t.prompt, t.prompt_version, t.revision, t.stop_reason,
    t.error, t.micro_usd / 1e6 AS usd, t.input_tokens, t.output_tokens, t.unconfirmed, t.duration_ms, t.at,
    x.session <> x.ancestor AS inherited
  FROM v_stretches x JOIN transcripts t ON t.session = x.ancestor
    AND (x.session = x.ancestor OR (t.seq > x.after AND t.seq <= x.upto));
CREATE VIEW v_revisions AS
  SELECT x.session, r.seq, r.label, r.number, r.kind, r.target, r.before, r.after, r.author, r.undoes
  FROM v_stretches x JOIN revisions r ON r.session = x.ancestor AND r.seq > x.after AND r.seq <= x.upto;
`;

/** The file format's history. A version that was ever released is never edited. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "records, queue, calls, budget, events", sql: FIRST },
  { version: 2, name: "views for readers in other languages", sql: READERS },
  { version: 3, name: "matches judged in both orders, in groups, by a panel", sql: JUDGING },
  { version: 4, name: "the model that wrote a hypothesis", sql: WRITERS },
  { version: 5, name: "ratings kept", sql: RATINGS },
  {
    version: 6,
    name: "steering: marks, gates, rejudgements, blind sheets, versions of prompts; views of forks",
    sql: STEERING,
  },
  {
    version: 7,
    name: "views for readers: whose each row is, and one for each kind of record",
    sql: READER_VIEWS,
  },
];
