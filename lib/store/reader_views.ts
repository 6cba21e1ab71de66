/**
 * The views for readers in other languages, as version 7 of the file format has them: `VIEWS.md` tells of each column. They
 * use nothing but SQLite's own functions, so that any SQLite from 3.38 on can read them.
 *
 * All begin with whose a row is: the session's id, its name, and whether its models are simulated (0 or 1). A row of a
 * fork's ancestor stands for the fork too, up to the commit at which it was forked off.
 */

/** Whose. */
const WHOSE = "x.session, x.session_name, x.simulated";

/** The rows of an append-only table that sessions are made of, their ancestors' included. */
function rowsOf(table: string, as: string, stretches = "x"): string {
  return `v_stretches ${stretches} JOIN ${table} ${as} ON ${as}.session = ${stretches}.ancestor ` +
    `AND ${as}.seq > ${stretches}.after AND ${as}.seq <= ${stretches}.upto`;
}

/** When a row of an ancestor was committed. */
function commitOf(row: string): string {
  return `LEFT JOIN commits c ON c.session = x.ancestor AND c.seq = ${row}.seq`;
}

/** The label of each record of a table, by session and id. */
function labels(table: string, where = ""): string {
  return `(SELECT y.session, l.id, l.label FROM ${rowsOf(table, "l", "y")}${where})`;
}

const HYPOTHESES = labels("hypotheses", " WHERE l.version = 1");
const TASKS = labels("tasks");

const REVIEWS = labels("reviews");

/** Calls of a session: its own, and those that ended with an ancestor's commit before the fork. */
const CALLS = "v_stretches x JOIN transcripts t ON t.session = x.ancestor " +
  "AND (x.session = x.ancestor OR (t.seq > x.after AND t.seq <= x.upto))";

/** The ledger of the newest epoch, by session, with each line's place in its order. */
const JOURNAL =
  `SELECT ${WHOSE}, e.rowid AS line, e.seq AS rated_seq, e.epoch, e.match_id, e.first_id, e.second_id, e.k,
      e.weight, e.score, e.first_before, e.second_before, e.delta
    FROM ${rowsOf("elo_journal", "e")}
    LEFT JOIN v_epochs n ON n.session = x.session
    WHERE e.epoch = coalesce(n.epoch, 0)`;

/** Drops the views of before, and makes those of version 7. */
export const READER_VIEWS = `
DROP VIEW v_revisions;
DROP VIEW v_calls;
DROP VIEW v_matches;
DROP VIEW v_leaderboard;
DROP VIEW v_epochs;
DROP VIEW v_hypotheses;
DROP VIEW v_stretches;

-- Whose commits a session is made of: its own, and of each ancestor those up to where the next one was forked off. Without
-- an end it is 2^53 - 1, which R and JavaScript can tell.
CREATE VIEW v_stretches AS
  WITH RECURSIVE stretch (session, session_name, simulated, ancestor, after, upto, parent) AS (
    SELECT id, name, mode = 'simulator', id, parent_seq, 9007199254740991, parent_id FROM sessions
    UNION ALL
    SELECT s.session, s.session_name, s.simulated, p.id, p.parent_seq, min(s.after, s.upto), p.parent_id
    FROM stretch s JOIN sessions p ON p.id = s.parent)
  SELECT session, session_name, simulated, ancestor, after, upto FROM stretch WHERE upto > after;

CREATE VIEW v_commits AS
  SELECT ${WHOSE}, c.seq, c.at, c.kind, k.label AS task, c.agent, c.author, c.revision, c.progress, c.micro_usd / 1e6 AS usd,
    c.input_tokens, c.output_tokens, c.calls, c.unconfirmed_micro_usd / 1e6 AS unconfirmed_usd,
    x.session <> x.ancestor AS inherited
  FROM ${rowsOf("commits", "c")}
  LEFT JOIN ${TASKS} k ON k.session = x.session AND k.id = c.task_id;

-- What a fork inherits of a status is that its ancestor had, ready to run on.
CREATE VIEW v_sessions AS
  WITH states AS (
    SELECT x.session, x.session <> x.ancestor AS inherited, s.status, s.reason,
      row_number() OVER (PARTITION BY x.session ORDER BY s.seq DESC, s.rowid DESC) AS newest
    FROM ${rowsOf("session_states", "s")}),
  plans AS (
    SELECT x.session, p.objective, row_number() OVER (PARTITION BY x.session ORDER BY p.seq DESC, p.rowid DESC) AS newest
    FROM ${rowsOf("research_plans", "p")}),
  spent AS (
    SELECT session, count(*) AS calls, sum(micro_usd) / 1e6 AS usd, sum(input_tokens) AS input_tokens,
      sum(output_tokens) AS output_tokens FROM transcripts GROUP BY session)
  SELECT x.id AS session, x.name AS session_name, x.mode = 'simulator' AS simulated, x.goal, x.preferences, x.seed,
    parent.name AS parent, CASE WHEN x.parent_id IS NULL THEN NULL ELSE x.parent_seq END AS parent_seq,
    x.created_at, coalesce((SELECT max(seq) FROM commits c WHERE c.session = x.id), x.parent_seq) AS seq,
    CASE WHEN s.status IS NULL THEN 'created' WHEN NOT s.inherited THEN s.status
      WHEN s.status IN ('paused', 'aborted') THEN 'running'
      WHEN s.status = 'done' THEN CASE WHEN s.reason IS NULL THEN 'running' ELSE 'stopped' END
      ELSE s.status END AS status,
    CASE WHEN s.inherited AND s.status IN ('paused', 'aborted') THEN NULL ELSE s.reason END AS stop_reason,
    p.objective, x.settings, coalesce(u.calls, 0) AS calls, coalesce(u.usd, 0.0) AS usd,
    coalesce(u.input_tokens, 0) AS input_tokens, coalesce(u.output_tokens, 0) AS output_tokens
  FROM sessions x LEFT JOIN sessions parent ON parent.id = x.parent_id
  LEFT JOIN states s ON s.session = x.id AND s.newest = 1
  LEFT JOIN plans p ON p.session = x.id AND p.newest = 1
  LEFT JOIN spent u ON u.session = x.id;

-- What people put on records and did not take off again: the newest row of a kind holds.
CREATE VIEW v_marks AS
  WITH every AS (
    SELECT ${WHOSE}, m.seq, m.target_id, m.mark, m.value, row_number() OVER (
      PARTITION BY x.session, m.target_id, m.mark ORDER BY m.seq DESC, m.rowid DESC) AS newest
    FROM ${rowsOf("marks", "m")})
  SELECT session, session_name, simulated, seq, target_id, mark, value FROM every WHERE newest = 1 AND value <> 'null';

-- Which hypothesis stands for a merged one. Of those that were merged in a circle it is the one with the least id.
CREATE VIEW v_merged AS
  WITH RECURSIVE merged AS (
    SELECT session, session_name, simulated, target_id AS id, json_extract(value, '$') AS into_id
    FROM v_marks WHERE mark = 'merged'),
  reach (session, id, node) AS (
    SELECT session, id, into_id FROM merged
    UNION
    SELECT r.session, r.id, m.into_id FROM reach r JOIN merged m ON m.session = r.session AND m.id = r.node),
  ends AS (
    SELECT r.session, r.id, r.node FROM reach r LEFT JOIN merged m ON m.session = r.session AND m.id = r.node
    WHERE m.id IS NULL),
  circles AS (
    SELECT r.session, r.id, min(r.node) AS node FROM reach r
    JOIN reach c ON c.session = r.session AND c.id = r.node AND c.node = r.node GROUP BY r.session, r.id)
  SELECT m.session, m.session_name, m.simulated, a.label AS hypothesis, b.label AS merged_into, r.label AS stands_for_it,
    m.id AS hypothesis_id, m.into_id AS merged_into_id, coalesce(e.node, c.node) AS stands_for_it_id
  FROM merged m LEFT JOIN ends e ON e.session = m.session AND e.id = m.id
  LEFT JOIN circles c ON c.session = m.session AND c.id = m.id
  JOIN ${HYPOTHESES} a ON a.session = m.session AND a.id = m.id
  LEFT JOIN ${HYPOTHESES} b ON b.session = m.session AND b.id = m.into_id
  LEFT JOIN ${HYPOTHESES} r ON r.session = m.session AND r.id = coalesce(e.node, c.node);

CREATE VIEW v_hypotheses AS
  WITH versions AS (
    SELECT x.session AS of_session, x.session_name, x.simulated, x.ancestor, h.*,
      row_number() OVER (PARTITION BY x.session, h.id ORDER BY h.version DESC) AS newest,
      min(h.seq) OVER (PARTITION BY x.session, h.id) AS born_seq
    FROM ${rowsOf("hypotheses", "h")}),
  states AS (
    SELECT x.session, s.hypothesis_id, s.state, s.reason,
      row_number() OVER (PARTITION BY x.session, s.hypothesis_id ORDER BY s.seq DESC, s.rowid DESC) AS newest
    FROM ${rowsOf("hypothesis_states", "s")}),
  births AS (SELECT x.session, c.seq, c.at FROM ${rowsOf("commits", "c")})
  SELECT v.of_session AS session, v.session_name, v.simulated, v.seq, v.id, v.label, v.version, v.title, v.statement,
    v.mechanism, v.entities, v.anticipated_outcomes, v.novelty_argument, v.strategy, v.parents, v.citations,
    v.dropped_citations, v.author, v.generation, v.task_id, v.model, k.label AS task, v.born_seq, b.at,
    coalesce(s.state, 'draft') AS state, coalesce(s.reason, '') AS state_reason, p.target_id IS NOT NULL AS pinned,
    m.merged_into
  FROM versions v LEFT JOIN states s ON s.session = v.of_session AND s.hypothesis_id = v.id AND s.newest = 1
  LEFT JOIN births b ON b.session = v.of_session AND b.seq = v.born_seq
  LEFT JOIN ${TASKS} k ON k.session = v.of_session AND k.id = v.task_id
  LEFT JOIN v_marks p ON p.session = v.of_session AND p.target_id = v.id AND p.mark = 'pinned'
  LEFT JOIN v_merged m ON m.session = v.of_session AND m.hypothesis_id = v.id
  WHERE v.newest = 1;

-- Materialised, or SQLite tries every hypothesis as every other's parent.
CREATE VIEW v_lineage AS
  WITH children AS MATERIALIZED (
    SELECT h.session, h.session_name, h.simulated, h.label, h.strategy, h.generation, h.id, e.value AS parent_id
    FROM v_hypotheses h JOIN json_each(h.parents) e)
  SELECT c.session, c.session_name, c.simulated, c.label AS child, p.label AS parent, c.strategy, c.generation,
    c.id AS child_id, c.parent_id
  FROM children c JOIN ${HYPOTHESES} p ON p.session = c.session AND p.id = c.parent_id;

-- A session without a row is in its first epoch, 0.
CREATE VIEW v_epochs AS
  SELECT session, session_name, simulated, CAST(value AS INTEGER) AS epoch, seq FROM v_marks WHERE mark = 'epoch';

-- Two rows a match that counts: what it did to each side's rating, in the newest epoch.
CREATE VIEW v_elo AS
  WITH journal AS (${JOURNAL}),
  played AS (
    SELECT *, row_number() OVER (PARTITION BY session ORDER BY rated_seq, line) AS match FROM journal),
  matches AS (SELECT x.session, m.id, m.label, m.seq, m.revision FROM ${rowsOf("tournament_matches", "m")}),
  sides AS (
    SELECT session, session_name, simulated, match, match_id, epoch, first_id AS id, second_id AS other, k, weight, score,
      first_before AS before, delta FROM played
    UNION ALL
    SELECT session, session_name, simulated, match, match_id, epoch, second_id, first_id, k, weight, 1.0 - score,
      second_before, -delta FROM played)
  SELECT s.session, s.session_name, s.simulated, s.match, m.label AS match_label, a.label AS hypothesis, b.label AS opponent,
    m.seq, m.revision, s.epoch, s.k, s.weight, s.score, s.before, s.before + s.delta AS elo, s.delta
  FROM sides s JOIN matches m ON m.session = s.session AND m.id = s.match_id
  JOIN ${HYPOTHESES} a ON a.session = s.session AND a.id = s.id
  JOIN ${HYPOTHESES} b ON b.session = s.session AND b.id = s.other;

CREATE VIEW v_evidence AS
  SELECT ${WHOSE}, e.seq, c.at, e.label, a.label AS hypothesis, e.kind, e.claim, e.stance, e.outcome, e.weight, e.source,
    e.excerpt, coalesce(r.label, k.label, e.origin) AS origin, v.target_id IS NOT NULL AS void, e.id, e.hypothesis_id
  FROM ${rowsOf("evidence", "e")} ${commitOf("e")}
  LEFT JOIN ${HYPOTHESES} a ON a.session = x.session AND a.id = e.hypothesis_id
  LEFT JOIN ${REVIEWS} r ON r.session = x.session AND r.id = e.origin
  LEFT JOIN ${TASKS} k ON k.session = x.session AND k.id = e.origin
  LEFT JOIN v_marks v ON v.session = x.session AND v.target_id = e.id AND v.mark = 'void';

CREATE VIEW v_leaderboard AS
  WITH journal AS (${JOURNAL}),
  lines AS (
    SELECT session, rated_seq, line, first_id AS id, first_before + delta AS elo, score FROM journal
    UNION ALL
    SELECT session, rated_seq, line, second_id, second_before - delta, 1.0 - score FROM journal),
  played AS (
    SELECT session, id, count(*) AS matches, sum(score = 1) AS won, sum(score = 0) AS lost, sum(score = 0.5) AS tied
    FROM lines GROUP BY session, id),
  last AS (
    SELECT session, id, elo, row_number() OVER (PARTITION BY session, id ORDER BY rated_seq DESC, line DESC) AS newest
    FROM lines),
  -- What newcomers begin with can be changed until the first one is there.
  initials AS (
    SELECT x.session, CAST(r.after AS REAL) AS elo,
      row_number() OVER (PARTITION BY x.session ORDER BY r.seq DESC, r.rowid DESC) AS newest
    FROM ${rowsOf("revisions", "r")} WHERE r.kind = 'configure' AND r.target = 'ranking.eloInitial'),
  found AS (
    SELECT session, hypothesis_id AS id,
      CASE outcome WHEN 'confirmed' THEN weight WHEN 'refuted' THEN -weight ELSE 0 END AS says
    FROM v_evidence WHERE outcome IS NOT NULL AND NOT void),
  -- Results of a merged one count for the one that stands for it, too.
  results AS (
    SELECT session, id, sum(says) AS says FROM (
      SELECT session, id, says FROM found
      UNION ALL
      SELECT f.session, m.stands_for_it_id, f.says FROM found f
      JOIN v_merged m ON m.session = f.session AND m.hypothesis_id = f.id AND m.stands_for_it_id <> f.id)
    GROUP BY session, id)
  SELECT h.session, h.session_name, h.simulated, h.label, h.title, h.strategy, h.generation, h.state,
    coalesce(l.elo, i.elo, json_extract(x.settings, '$.ranking.eloInitial') * 1.0) AS elo,
    coalesce(p.matches, 0) AS matches, coalesce(p.won, 0) AS won, coalesce(p.lost, 0) AS lost, coalesce(p.tied, 0) AS tied,
    CASE WHEN r.says > 0 THEN 'confirmed' WHEN r.says < 0 THEN 'refuted' END AS result, h.pinned, h.author, h.id
  FROM v_hypotheses h JOIN sessions x ON x.id = h.session
  LEFT JOIN played p ON p.session = h.session AND p.id = h.id
  LEFT JOIN last l ON l.session = h.session AND l.id = h.id AND l.newest = 1
  LEFT JOIN initials i ON i.session = h.session AND i.newest = 1
  LEFT JOIN results r ON r.session = h.session AND r.id = h.id;

-- The line of the ledger is that of the newest epoch: a match that doesn't count any more has none.
CREATE VIEW v_matches AS
  WITH journal AS (${JOURNAL})
  SELECT ${WHOSE}, m.seq, c.at, m.label, a.label AS first, b.label AS second,
    CASE m.verdict WHEN 'first' THEN a.label WHEN 'second' THEN b.label END AS winner, m.mode, m.verdict, m.judge, m.author,
    coalesce(e.weight, 0) AS weight, e.k, e.first_before, e.second_before, e.delta, m.rationale, m.as_shown, m.swapped,
    m.match_group, m.panelist, m.prompt_version, m.revision, k.label AS task, e.match_id IS NOT NULL AS counted,
    v.target_id IS NOT NULL AS void, m.id
  FROM ${rowsOf("tournament_matches", "m")} ${commitOf("m")}
  LEFT JOIN journal e ON e.session = x.session AND e.match_id = m.id
  JOIN ${HYPOTHESES} a ON a.session = x.session AND a.id = m.first_id
  JOIN ${HYPOTHESES} b ON b.session = x.session AND b.id = m.second_id
  LEFT JOIN ${TASKS} k ON k.session = x.session AND k.id = m.task_id
  LEFT JOIN v_marks v ON v.session = x.session AND v.target_id = m.id AND v.mark = 'void';

CREATE VIEW v_rejudgements AS
  SELECT ${WHOSE}, r.seq, c.at, r.batch, m.label AS match, m.verdict AS verdict_before, r.verdict, r.as_shown, r.swapped,
    m.judge AS judge_before, r.judge, m.prompt_version AS prompt_version_before, r.prompt_version, k.label AS task, r.rationale
  FROM ${rowsOf("rejudgements", "r")} ${commitOf("r")}
  JOIN (SELECT y.session, l.id, l.label, l.verdict, l.judge, l.prompt_version FROM ${
  rowsOf("tournament_matches", "l", "y")
}) m ON m.session = x.session AND m.id = r.match_id
  LEFT JOIN ${TASKS} k ON k.session = x.session AND k.id = r.task_id;

CREATE VIEW v_reviews AS
  SELECT ${WHOSE}, r.seq, c.at, r.label, a.label AS hypothesis, r.hypothesis_version, r.kind, r.verdict,
    json_extract(r.scores, '$.novelty') AS novelty, json_extract(r.scores, '$.correctness') AS correctness,
    json_extract(r.scores, '$.testability') AS testability, json_extract(r.scores, '$.feasibility') AS feasibility,
    r.weight, r.author, v.target_id IS NOT NULL AS void, o.label AS amends, json_array_length(r.assumptions) AS assumptions,
    json_array_length(r.evidence) AS evidence, r.dropped_evidence, r.notes, k.label AS task, r.id, r.hypothesis_id
  FROM ${rowsOf("reviews", "r")} ${commitOf("r")}
  JOIN ${HYPOTHESES} a ON a.session = x.session AND a.id = r.hypothesis_id
  LEFT JOIN ${REVIEWS} o ON o.session = x.session AND o.id = r.amends
  LEFT JOIN ${TASKS} k ON k.session = x.session AND k.id = r.task_id
  LEFT JOIN v_marks v ON v.session = x.session AND v.target_id = r.id AND v.mark = 'void';

-- One row a score: the four of every review, then those by the scientist's own criteria.
CREATE VIEW v_scores AS
  WITH given AS (
    SELECT x.session, x.session_name, x.simulated, r.id, r.label, r.hypothesis_id, s.key AS criterion, 0 AS own, s.value AS score
    FROM ${rowsOf("reviews", "r")} JOIN json_each(r.scores) s WHERE s.key <> 'criteria'
    UNION ALL
    SELECT x.session, x.session_name, x.simulated, r.id, r.label, r.hypothesis_id, s.key, 1, s.value
    FROM ${rowsOf("reviews", "r")} JOIN json_each(r.scores, '$.criteria') s)
  SELECT g.session, g.session_name, g.simulated, g.label AS review, a.label AS hypothesis, g.criterion, g.own, g.score,
    v.target_id IS NOT NULL AS void
  FROM given g JOIN ${HYPOTHESES} a ON a.session = g.session AND a.id = g.hypothesis_id
  LEFT JOIN v_marks v ON v.session = g.session AND v.target_id = g.id AND v.mark = 'void';

-- Calls of an ancestor are inherited: they are no cost of the fork's own.
CREATE VIEW v_calls AS
  SELECT ${WHOSE}, t.n, t.seq, t.task_id, t.agent, t.route, t.model, t.prompt, t.prompt_version, t.revision, t.stop_reason,
    t.error, t.micro_usd / 1e6 AS usd, t.input_tokens, t.output_tokens, t.unconfirmed, t.duration_ms, t.at,
    x.session <> x.ancestor AS inherited, k.label AS task,
    CASE WHEN t.task_id GLOB 'resend/[0-9]*/*' THEN CAST(substr(t.task_id, 8) AS INTEGER) END AS resend_of,
    CASE WHEN t.error = '' THEN 'answered' ELSE 'failed' END AS status,
    CASE WHEN json_valid(t.response) THEN coalesce(json_extract(t.response, '$.usage.cache_read_input_tokens'), 0) ELSE 0 END
      AS cached_tokens,
    CASE WHEN json_valid(t.response) THEN coalesce(json_extract(t.response, '$.usage.cache_creation_input_tokens'), 0) ELSE 0
      END AS cache_write_tokens
  FROM ${CALLS}
  LEFT JOIN ${TASKS} k ON k.session = x.session AND k.id = t.task_id;

CREATE VIEW v_costs AS
  SELECT x.id AS session, x.name AS session_name, x.mode = 'simulator' AS simulated, t.agent, t.model, t.prompt,
    t.prompt_version, count(*) AS calls, sum(t.error <> '') AS failed, sum(t.input_tokens) AS input_tokens,
    sum(t.output_tokens) AS output_tokens, sum(t.micro_usd) / 1e6 AS usd,
    sum(CASE WHEN t.unconfirmed = 1 THEN t.micro_usd ELSE 0 END) / 1e6 AS unconfirmed_usd, sum(t.duration_ms) AS duration_ms
  FROM transcripts t JOIN sessions x ON x.id = t.session
  GROUP BY t.session, t.agent, t.model, t.prompt, t.prompt_version;

CREATE VIEW v_tasks AS
  WITH states AS (
    SELECT x.session, s.task_id, s.seq, s.status, s.attempts, s.reason,
      row_number() OVER (PARTITION BY x.session, s.task_id ORDER BY s.seq DESC, s.rowid DESC) AS newest
    FROM ${rowsOf("task_states", "s")}),
  spent AS (
    SELECT x.session, t.task_id, count(*) AS calls, sum(t.micro_usd) AS micro_usd, sum(t.input_tokens) AS input_tokens,
      sum(t.output_tokens) AS output_tokens, sum(t.duration_ms) AS duration_ms FROM ${CALLS} GROUP BY x.session, t.task_id)
  SELECT ${WHOSE}, t.seq, c.at, t.label, t.agent, t.action, h.label AS target, t.priority,
    coalesce(s.status, 'pending') AS status, coalesce(s.attempts, 0) AS attempts, coalesce(s.reason, '') AS reason,
    CASE WHEN s.status IN ('done', 'dead', 'cancelled', 'void') THEN s.seq END AS ended_seq, coalesce(u.calls, 0) AS calls,
    coalesce(u.micro_usd, 0) / 1e6 AS usd, coalesce(u.input_tokens, 0) AS input_tokens,
    coalesce(u.output_tokens, 0) AS output_tokens, coalesce(u.duration_ms, 0) AS duration_ms, t.payload, t.id
  FROM ${rowsOf("tasks", "t")} ${commitOf("t")}
  LEFT JOIN states s ON s.session = x.session AND s.task_id = t.id AND s.newest = 1
  LEFT JOIN spent u ON u.session = x.session AND u.task_id = t.id
  LEFT JOIN ${HYPOTHESES} h ON h.session = x.session AND h.id = t.target_id;

-- A session's own: what its ancestors did is theirs.
CREATE VIEW v_events AS
  SELECT x.id AS session, x.name AS session_name, x.mode = 'simulator' AS simulated, e.n, e.seq, e.at, e.type, e.payload
  FROM events e JOIN sessions x ON x.id = e.session;

CREATE VIEW v_revisions AS
  SELECT ${WHOSE}, r.seq, c.at, r.label, r.number, r.kind, r.target, r.before, r.after, r.author, r.undoes
  FROM ${rowsOf("revisions", "r")} ${commitOf("r")};

CREATE VIEW v_directives AS
  SELECT ${WHOSE}, d.seq, c.at, d.label, d.kind, d.body AS text, d.recipients, d.until, d.author,
    w.target_id IS NOT NULL AS withdrawn, d.id
  FROM ${rowsOf("directives", "d")} ${commitOf("d")}
  LEFT JOIN v_marks w ON w.session = x.session AND w.target_id = d.id AND w.mark = 'withdrawn';

CREATE VIEW v_feedback AS
  SELECT ${WHOSE}, f.seq, c.at, f.label, f.narrative, f.weaknesses, f.strengths, f.focus_areas, f.matches_seen,
    k.label AS task
  FROM ${rowsOf("system_feedback", "f")} ${commitOf("f")}
  LEFT JOIN ${TASKS} k ON k.session = x.session AND k.id = f.task_id;

CREATE VIEW v_duplicates AS
  SELECT ${WHOSE}, d.seq, c.at, d.title, d.statement, h.label AS duplicate_of,
    CASE WHEN d.duplicate_of LIKE 'known: %' THEN substr(d.duplicate_of, 8) END AS known_idea, d.cosine, k.label AS task
  FROM ${rowsOf("duplicates", "d")} ${commitOf("d")}
  LEFT JOIN ${HYPOTHESES} h ON h.session = x.session AND h.id = d.duplicate_of
  LEFT JOIN ${TASKS} k ON k.session = x.session AND k.id = d.task_id;
`;
