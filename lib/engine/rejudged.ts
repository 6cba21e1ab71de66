import type { Outcome } from "../domain/agent.ts";
import { recordId } from "../domain/ids.ts";
import type { MatchVerdict } from "../domain/records.ts";
import type { View } from "../store/view.ts";
import { done, type Settled, voided, type Work } from "./settled.ts";

/** The record of what was said of a stored match when it was judged again. No rating moves, and no match is added. */
export function matchRejudged(
  outcome: Extract<Outcome, { kind: "match_rejudged" }>,
  work: Work,
  view: View,
): Settled {
  const { task } = work;
  const match = view.matches.find(({ id }) => id === outcome.matchId);
  const batch = task.payload.rejudge?.batch;
  if (match === undefined || batch === undefined) return voided(work, "The match is not there.");
  const { verdict, bothOrders, judge, promptVersion, rationale } = outcome;
  const [first, second] = [match.firstId, match.secondId].map((id) =>
    view.hypothesis(id)?.record.label ?? id
  );
  const says = (said: MatchVerdict) => said === "first" ? first : said === "second" ? second : said;
  const gist = `${match.label} ${first} – ${second}: ${says(verdict)}, was ${says(match.verdict)}`;
  return done(
    work,
    "rejudged",
    // It adds nothing to the session, and is no sign of a stall either.
    0,
    [{
      kind: "rejudgement",
      record: {
        id: recordId("rjd", task.key),
        batch,
        matchId: match.id,
        verdict,
        bothOrders,
        judge,
        promptVersion,
        rationale,
        taskId: task.id,
      },
    }],
    [{ type: "rejudged", payload: { match: match.label, before: match.verdict, after: verdict, batch } }],
    gist,
  );
}
