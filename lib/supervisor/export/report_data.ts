import { basename } from "node:path";
import type {
  HypothesisBrief,
  Provenance,
  ReportData,
  ReportedHypothesis,
  ReportedMatch,
} from "../../notebook/report/data.ts";
import { jsonLine } from "../../notebook/displays/wording.ts";
import { commitTime } from "../../store/work_costs.ts";
import type { Standing, View } from "../../store/view.ts";
import { idsOf } from "../../tournament/absorbed.ts";
import { feedbackCard, hypothesisCard, overviewCard, reviewCard } from "../cards.ts";
import { COSCI_VERSION } from "../version.ts";
import type { Looked } from "./looked.ts";

/** Hypotheses that a report tells in full: the best `ranking.topK`, but no fewer and no more than these. */
const LEADING = { least: 5, most: 12 } as const;
/** Newest matches of each that are told with what the judge said. */
const MATCHES = 40;
/** Newest system feedback that is told. */
const FEEDBACKS = 3;

/** Everything that a report of a session says, as it stands. */
export function reportData(lab: Looked): ReportData {
  const view = lab.view();
  const now = lab.inspect();
  const leading = leadingOf(view).map((standing) => reported(view, standing));
  const told = new Set(leading.map(({ label }) => label));
  const { id: _id, seq: _seq, ...plan } = view.plan ?? { id: "", seq: 0, objective: "" };
  return {
    ...now,
    plan: view.plan === null ? null : { preferences: [], constraints: [], ideaAttributes: [], ...plan },
    overview: view.overviews.map(({ id }) => overviewCard(view, id)).at(-1) ?? null,
    leading,
    others: briefs(view, now).filter(({ label }) => !told.has(label)),
    judge: lab.judge,
    directives: [...lab.directives],
    changes: [...lab.revisions],
    costs: lab.cost(),
    feedbacks: view.feedback.slice(-FEEDBACKS).map(({ id }) => feedbackCard(view, id)),
    settings: [...lab.settings].filter(({ by, value, default: standard }) =>
      by !== null || jsonLine(value) !== jsonLine(standard)
    ),
    provenance: provenanceOf(lab, view),
  };
}

/** Best first; and whatever a person keeps in play, or results speak of, since that outranks a place. */
function leadingOf(view: View): Standing[] {
  const count = Math.min(LEADING.most, Math.max(LEADING.least, view.settings.ranking.topK));
  const best = view.leaderboard.filter(({ foldedUnder }) => foldedUnder === null).slice(0, count);
  const named = view.hypotheses.filter((standing) =>
    !best.includes(standing) && standing.mergedInto === null && (standing.pinned || standing.result !== null)
  );
  return [...best, ...named.slice(0, LEADING.most)];
}

function reported(view: View, standing: Standing): ReportedHypothesis {
  const { reviews: _reviews, lastMatches, ...card } = hypothesisCard(view, standing, MATCHES);
  const { id } = standing.record;
  const matches = new Map(view.matches.map((match) => [match.label, match]));
  const ids = idsOf(view, id);
  return {
    ...card,
    reviews: view.reviews.filter(({ hypothesisId }) => hypothesisId === id).map((review) =>
      reviewCard(view, review.id)
    ),
    judged: lastMatches.map((line): ReportedMatch => {
      const match = matches.get(line.label);
      return {
        ...line,
        rationale: match === undefined ? "" : view.rationale(match.id),
        judge: match?.judge ?? null,
      };
    }),
    judgedInAll: view.matches.filter(({ firstId, secondId }) => ids.has(firstId) || ids.has(secondId)).length,
  };
}

/** All hypotheses in short: those in the tournament by their place, then those outside. */
function briefs(view: View, { leaderboard }: Pick<ReportData, "leaderboard">): HypothesisBrief[] {
  const rows = new Map(leaderboard.map((row) => [row.label, row]));
  const outside = view.hypotheses.filter(({ state }) => state !== "in_tournament");
  return [...view.leaderboard, ...outside].map(({ record, state, stateReason }) => ({
    label: record.label,
    title: record.title,
    state,
    stateReason,
    statement: record.statement,
    row: rows.get(record.label) ?? null,
    author: view.versionsOf(record.id)[0]?.author ?? record.author,
  }));
}

function provenanceOf(lab: Looked, view: View): Provenance {
  const { session } = view;
  const { store } = lab;
  return {
    store: store.path === null ? null : basename(store.path),
    createdAt: session.createdAt,
    committedAt: commitTime(store.sql, store.stretches(session.id), view.seq),
    seed: session.seed,
    provider: [
      session.provider.name,
      session.provider.baseUrl,
      ...Object.entries(session.provider.servers ?? {}).map(([route, server]) => `${route}: ${server}`),
    ].filter((part) => part !== "").join(", "),
    models: lab.cost().byModel.map(({ name, calls }) => ({ name, calls })),
    prompts: lab.prompts.list().filter(({ calls, earlierCalls, changed }) =>
      calls + earlierCalls > 0 || changed
    ),
    version: COSCI_VERSION,
  };
}
