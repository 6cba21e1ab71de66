import { exactly } from "../domain/exactly.ts";
import { type GateAnswer, gateAnswer } from "../domain/gate_answer.ts";
import { type GateProposal, proposalOf } from "../domain/gate_proposal.ts";
import { CosciError } from "../domain/errors.ts";
import type { GateRecord } from "../domain/records.ts";
import type { HypothesisRef } from "../notebook/displays/cards.ts";
import type { GateCardData, ShownAnswer, ShownProposal } from "../notebook/displays/gate_card.ts";
import type { View } from "../store/view.ts";
import { originOf } from "./look.ts";

/** What is said of a gate; of none, that nothing waits. */
export function gateCard(view: View, gate: GateRecord | null): GateCardData {
  const open = gate !== null && view.marked("answered", gate.id) === null;
  const answer = gate === null ? null : answerTo(view, gate);
  return {
    ...originOf(view),
    open,
    label: gate?.label ?? null,
    kind: gate?.kind ?? null,
    proposal: gate === null ? null : shown(view, asAnswered(view, proposalOf(gate), answer)),
    answer: answer === null ? null : answer.shown,
    behind: !open ? [] : view.gates
      .filter(({ id }) => id !== gate.id && view.marked("answered", id) === null)
      .map(({ label }) => label),
    gates: view.settings.run.gates,
    seq: gate?.seq ?? view.seq,
  };
}

interface Answered {
  readonly shown: ShownAnswer;
  readonly tasks: GateAnswer["tasks"];
}

function answerTo(view: View, gate: GateRecord): Answered | null {
  const answer = gateAnswer(view.marked("answered", gate.id));
  if (answer === null) return null;
  const { tasks, ...said } = answer;
  const revision = view.revisions.findLast(({ kind, target }) => kind === "gate" && target === gate.label);
  return { shown: { ...said, by: revision?.author ?? "", seq: revision?.seq ?? gate.seq }, tasks };
}

/** What is in force by the answer: of an edited proposal the edited one, so that whoever edited it sees the edit. */
function asAnswered(view: View, proposal: GateProposal, answer: Answered | null): GateProposal {
  if (answer === null || answer.shown.edited.length === 0) return proposal;
  const { seq } = answer.shown;
  switch (proposal.kind) {
    case "plan": {
      if (view.plan?.seq !== seq) return proposal;
      const { objective, preferences, constraints, ideaAttributes, domainHint } = view.plan;
      return { kind: "plan", objective, preferences, constraints, ideaAttributes, domainHint };
    }
    case "feedback": {
      const made = view.feedback.find((each) => each.seq === seq);
      if (made === undefined) return proposal;
      const { narrative, weaknesses, strengths, focusAreas, matchesSeen } = made;
      return { kind: "feedback", narrative, weaknesses, strengths, focusAreas, matchesSeen };
    }
    case "evolution":
      return answer.tasks === undefined ? proposal : { ...proposal, tasks: answer.tasks };
    case "finish": {
      const made = view.overviews.find((each) => each.seq === seq);
      return made === undefined ? proposal : { ...proposal, overviewId: made.id };
    }
    default:
      return exactly(proposal);
  }
}

function shown(view: View, proposal: GateProposal): ShownProposal {
  switch (proposal.kind) {
    case "plan":
    case "feedback":
      return proposal;
    case "evolution":
      return {
        kind: "evolution",
        tasks: proposal.tasks.map(({ strategy, parents }) => ({
          strategy,
          parents: parents.map((id) => refTo(view, id)),
        })),
        leftOut: proposal.leftOut,
      };
    case "finish": {
      const { label, version, source, markdown, notes } = draftOf(view, proposal.overviewId);
      return { kind: "finish", label, version, source, markdown, notes };
    }
    default:
      return exactly(proposal);
  }
}

/** The draft that waits at a gate. @throws CosciError `store` where it is not there */
export function draftOf(view: View, overviewId: string) {
  const draft = view.overviews.find(({ id }) => id === overviewId);
  if (draft === undefined) {
    throw new CosciError(
      "store",
      `The overview ${overviewId} of a gate is not there: the store may be damaged.`,
    );
  }
  return draft;
}

function refTo(view: View, id: string): HypothesisRef {
  const record = view.hypothesis(id)?.record;
  return record === undefined ? { label: id, title: "" } : { label: record.label, title: record.title };
}
