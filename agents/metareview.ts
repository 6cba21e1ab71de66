import type { Agent, Context, Outcome, SessionContext } from "../lib/domain/agent.ts";
import { recordSystemFeedback } from "../lib/domain/drafts.ts";
import { clip } from "../lib/domain/text.ts";
import { isReviewReplaced } from "../lib/store/stale_review.ts";
import type { View } from "../lib/store/view.ts";
import { writeOverview } from "./overview.ts";
import { type OverviewInput, overviewInput } from "./overview_input.ts";
import { onceAGroup, rationaleBlock } from "./rationale_block.ts";
import { withRefusals } from "./refusals.ts";
import { reviewBlock } from "./review_block.ts";
import { feedbackBlock, sessionContext } from "./session_context.ts";

/** What a synthesis works on. */
export interface SystemFeedbackInput {
  /** Tells the synthesis from the overview. */
  readonly action: "system_feedback";
  /** The second system block. */
  readonly session: SessionContext;
  /** The newest reviews, fenced, newest first. */
  readonly reviews: string;
  /** The newest rationales, fenced, newest first. */
  readonly rationales: string;
  /** The feedback so far, fenced; may be empty. */
  readonly previous: string;
  /** Valid matches up to now. */
  readonly matchesSeen: number;
}

/** What the meta-review works on. */
export type MetareviewInput = SystemFeedbackInput | OverviewInput;

/** Learns from all reviews and matches: system feedback for later prompts, and the overview. */
export const metareview: Agent<View, MetareviewInput> = {
  name: "metareview",
  actions: ["system_feedback", "overview"],
  decide: (view, task) =>
    task.action === "system_feedback" && view.reviews.length === 0 && view.validMatches === 0
      ? { kind: "nothing", reason: "There is no review and no match yet to learn from." }
      : { kind: "none" },
  prepare: (view, task) => task.action === "overview" ? overviewInput(view) : systemFeedbackInput(view),
  run: (input, context) =>
    input.action === "overview" ? writeOverview(input, context) : writeSystemFeedback(input, context),
};

function systemFeedbackInput(view: View): SystemFeedbackInput {
  const previous = view.feedback.at(-1);
  return {
    action: "system_feedback",
    session: withRefusals(sessionContext(view, "metareview"), view, "feedback"),
    reviews: newestReviews(view),
    rationales: newestRationales(view),
    previous: previous === undefined ? "" : feedbackBlock(previous),
    matchesSeen: view.validMatches,
  };
}

function newestReviews(view: View): string {
  const { maxReviews, reviewChars } = view.settings.metareview;
  const inForce = view.reviews.filter((review) =>
    view.marked("void", review.id) === null && !isReviewReplaced(view, review)
  );
  return inForce.slice(-maxReviews).toReversed().flatMap((review) => {
    const of = view.hypothesis(review.hypothesisId);
    return of === undefined || of.state === "quarantined"
      ? []
      : [reviewBlock(view, review, of, { scores: true, chars: reviewChars })];
  }).join("\n\n");
}

/** Read from the newest match back, because each rationale is fetched from the store. */
function newestRationales(view: View): string {
  const { maxRationales, rationaleChars } = view.settings.metareview;
  const blocks: string[] = [];
  for (const match of onceAGroup(view.matches.toReversed())) {
    if (blocks.length >= maxRationales) break;
    if (match.verdict === "invalid" || view.marked("void", match.id) !== null) continue;
    const text = clip(view.rationale(match.id).trim(), rationaleChars);
    if (text !== "") blocks.push(rationaleBlock(view, match, text));
  }
  return blocks.join("\n\n");
}

async function writeSystemFeedback(input: SystemFeedbackInput, context: Context): Promise<Outcome> {
  const { value } = await context.record({
    route: "metareview.system",
    prompt: "metareview.system",
    variables: { reviews: input.reviews, rationales: input.rationales, previous: input.previous },
    session: input.session,
    record: recordSystemFeedback,
    tools: [],
    maxTurns: 1,
  });
  return { kind: "feedback_written", feedback: value, matchesSeen: input.matchesSeen };
}
