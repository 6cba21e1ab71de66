import { z } from "zod";
import type { Agent } from "../domain/agent.ts";
import { CosciError, inputError } from "../domain/errors.ts";
import { exactly } from "../domain/exactly.ts";
import type { GateAnswer } from "../domain/gate_answer.ts";
import {
  type EvolutionProposal,
  type FeedbackProposal,
  type FinishProposal,
  type PlanProposal,
  proposalOf,
} from "../domain/gate_proposal.ts";
import { recordId } from "../domain/ids.ts";
import type { EvolutionStrategy, GateRecord } from "../domain/records.ts";
import { SIMULATED_MARK } from "../domain/simulated_mark.ts";
import { asRecord } from "../engine/gate_records.ts";
import { type NewTask, taskEntry } from "../engine/new_task.ts";
import { feedbackEntry, finishedNote, planEntries } from "../engine/outcome_records.ts";
import { GateCard } from "../notebook/values/gate_card.ts";
import type { Entry } from "../store/records.ts";
import type { View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { draftOf, gateCard } from "./gate_card.ts";
import { hypothesisOf } from "./labels.ts";
import { readAuthor, requireSteerable, steer, type Steered } from "./steer.ts";
import { type OptionsRule, requireOptions } from "./wrong_option.ts";

/** What of a proposed research plan is to be another. */
export interface PlanEdit {
  /** The research question. */
  readonly objective?: string | undefined;
  /** What makes a good answer. */
  readonly preferences?: readonly string[] | undefined;
  /** Limits of scope and method. */
  readonly constraints?: readonly string[] | undefined;
  /** Adjectives of strong candidates. */
  readonly ideaAttributes?: readonly string[] | undefined;
  /** The field. */
  readonly domainHint?: string | undefined;
}

/** What of proposed system feedback is to be another. */
export interface FeedbackEdit {
  /** One or two paragraphs. */
  readonly narrative?: string | undefined;
  /** Recurring criticism. */
  readonly weaknesses?: readonly string[] | undefined;
  /** What is praised. */
  readonly strengths?: readonly string[] | undefined;
  /** Where to look next. */
  readonly focusAreas?: readonly string[] | undefined;
}

/** What of a proposed round of evolution is to be another. */
export interface EvolutionEdit {
  /** The strategies that are kept, of those proposed; all by default. */
  readonly strategies?: readonly EvolutionStrategy[] | undefined;
  /** Other parents, by strategy: labels. */
  readonly parents?: Readonly<Partial<Record<EvolutionStrategy, string | readonly string[]>>> | undefined;
}

/** Another text of the last overview. */
export interface FinishEdit {
  /** Markdown. */
  readonly markdown?: string | undefined;
}

/** What is to be another before it is accepted, by the kind of the gate that is open. */
export type GateEdit = PlanEdit | FeedbackEdit | EvolutionEdit | FinishEdit;

/** What answers take besides. */
export interface AnswerOptions {
  /** Who answers. */
  readonly author?: string | undefined;
  /** Which gate is meant (`G1`): an error where another one is open. */
  readonly gate?: string | undefined;
}

/** What answers need of the handle. */
export interface Gatekeeper extends Steered {
  /** Who decides what an evolution is made from. */
  readonly agents: readonly Agent<View>[];
}

const OPTIONS: OptionsRule = {
  shape: z.strictObject({ author: z.unknown().optional(), gate: z.string().min(1).optional() }),
  example: '{ author: "Ada" }',
  remedies: { gate: 'Give the label of the gate that is meant, such as "G1".' },
};

const text = z.string().trim().min(1).max(20_000);
const texts = z.array(text).max(100);
const TEXTS = "Give a list of texts.";

const PLAN: OptionsRule = {
  shape: z.strictObject({
    objective: text.optional(),
    preferences: texts.optional(),
    constraints: texts.optional(),
    ideaAttributes: texts.optional(),
    domainHint: z.string().trim().max(2000).optional(),
  }),
  example: '{ objective: "…" }',
  remedies: {
    objective: "Give the research question as a text.",
    preferences: TEXTS,
    constraints: TEXTS,
    ideaAttributes: TEXTS,
    domainHint: "Give the field as a text.",
  },
};
const FEEDBACK: OptionsRule = {
  shape: z.strictObject({
    narrative: text.optional(),
    weaknesses: texts.optional(),
    strengths: texts.optional(),
    focusAreas: texts.optional(),
  }),
  example: '{ narrative: "…" }',
  remedies: { narrative: "Give a text.", weaknesses: TEXTS, strengths: TEXTS, focusAreas: TEXTS },
};
const evolutionShape = z.strictObject({
  strategies: z.array(z.string()).min(1).optional(),
  parents: z.record(z.string(), z.union([z.string(), z.array(z.string()).min(1)])).optional(),
});
const EVOLUTION: OptionsRule = {
  shape: evolutionShape,
  example: '{ strategies: ["combine"] }',
  remedies: {
    strategies: "Give the strategies to keep, at least one; refuse(reason) skips the round.",
    parents: 'Give labels by strategy, such as { combine: ["H1", "H2"] }.',
  },
};
const finishShape = z.strictObject({ markdown: z.string().trim().min(1).max(1_000_000).optional() });
const FINISH: OptionsRule = {
  shape: finishShape,
  example: '{ markdown: "# …" }',
  remedies: { markdown: "Give the overview as Markdown." },
};

/**
 * Says yes to what waits, as it is or edited, and brings it into force in one commit.
 *
 * @throws CosciError `state` where no gate is open, or another one than is meant; `input` for an edit that can't be
 */
export function accept(on: Gatekeeper, edit: unknown, options: unknown): GateCard {
  return answer(on, "accept", options, (view, gate, author) => {
    const { entries, events, edited, tasks } = inForce(on, view, gate, edit ?? {}, author);
    const accepted = { accepted: true, reason: "", edited };
    return { entries, events, answer: tasks === undefined ? accepted : { ...accepted, tasks: [...tasks] } };
  });
}

const reasonShape = z.string().trim().min(1).max(5000);

/** Says no to what waits. @throws CosciError `state` where no gate is open; `input` without a reason */
export function refuse(on: Gatekeeper, reason: unknown, options: unknown): GateCard {
  const given = reasonShape.safeParse(reason);
  if (!given.success) {
    throw inputError(
      "refuse: reason",
      reason,
      "Say why in at most 5,000 characters: whoever tries again is told.",
    );
  }
  return answer(on, "refuse", options, (view, gate) => ({
    entries: gate.kind === "plan"
      ? [taskEntry({ key: `plan/${gate.label}`, action: "parse_goal" }, view.settings.lease.maxAttempts)]
      : [],
    events: [],
    answer: { accepted: false, reason: given.data, edited: [] },
  }));
}

interface Answered {
  readonly entries: readonly Entry[];
  readonly events: readonly EventDraft[];
  readonly answer: GateAnswer;
}

function answer(
  on: Gatekeeper,
  verb: "accept" | "refuse",
  options: unknown,
  decide: (view: View, gate: GateRecord, author: string) => Answered,
): GateCard {
  requireOptions(verb, options, OPTIONS);
  const { author: name, gate: label }: { author?: unknown; gate?: unknown } = Object(options);
  const author = readAuthor(verb, name);
  requireSteerable(on.view(), verb);
  const meant = requireOpen(on.view(), verb, label);
  steer(on, verb, author, (view) => {
    const gate = requireOpen(view, verb, meant.label);
    const { entries, events, answer: value } = decide(view, gate, author);
    const { accepted, reason } = value;
    return {
      entries: [...entries, { kind: "mark", record: { targetId: gate.id, mark: "answered", value } }],
      changes: [{ kind: "gate", target: gate.label, before: "open", after: { accepted, reason } }],
      events: [...events, {
        type: "gate_answered",
        payload: { gate: gate.label, kind: gate.kind, accepted, reason },
      }],
    };
  });
  return new GateCard(gateCard(on.view(), on.view().gates.find(({ id }) => id === meant.id) ?? null));
}

function requireOpen(view: View, verb: string, label: unknown): GateRecord {
  const gate = view.openGate;
  if (gate === null) {
    const last = view.gates.at(-1);
    const before = last === undefined ? "" : ` ${last.label} was answered already.`;
    throw new CosciError(
      "state",
      `${verb}: nothing waits for an answer.${before} lab.gate shows when something does.`,
    );
  }
  if (label !== undefined && label !== gate.label) {
    throw new CosciError("state", `${verb}: ${String(label)} is not open; ${gate.label} (${gate.kind}) is.`);
  }
  return gate;
}

interface InForce {
  readonly entries: readonly Entry[];
  readonly events: readonly EventDraft[];
  readonly edited: string[];
  /** Of an edited round of evolution: its tasks as they are accepted. */
  readonly tasks?: GateAnswer["tasks"];
}

function inForce(on: Gatekeeper, view: View, gate: GateRecord, edit: unknown, author: string): InForce {
  const proposal = proposalOf(gate);
  const made = `accept/${view.seq + 1}`;
  switch (proposal.kind) {
    case "plan": {
      const { plan, edited } = editedPlan(proposal, edit);
      return {
        entries: planEntries(view, recordId("pln", made), plan),
        events: [{ type: "plan_recorded", payload: { objective: plan.objective } }],
        edited,
      };
    }
    case "feedback": {
      const { feedback, edited } = editedFeedback(proposal, edit);
      return {
        entries: [feedbackEntry(recordId("fbk", made), feedback, gate.taskId)],
        events: [{ type: "system_feedback", payload: { narrative: feedback.narrative } }],
        edited,
      };
    }
    case "evolution":
      return evolutionInForce(on, view, proposal, edit);
    case "finish":
      return finished(view, proposal, edit, recordId("ovw", made), author);
    default:
      return exactly(proposal);
  }
}

function requireEdit(
  gate: "plan" | "feedback" | "evolution" | "finish",
  edit: unknown,
  rule: OptionsRule,
): void {
  if (typeof edit === "object" && edit !== null && Object.hasOwn(edit, "author")) {
    throw new CosciError("input", 'accept: author goes behind the edit: lab.accept({}, { author: "Ada" }).');
  }
  requireOptions(`accept (${gate})`, edit, rule);
}

/** The names of what an edit really changes. */
function changed(before: object, after: object): string[] {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(old.get(name)) ? [] : [name]
  );
}

const planShape = z.object({
  objective: text,
  preferences: texts,
  constraints: texts,
  ideaAttributes: texts,
  domainHint: z.string().trim(),
}).partial();

function editedPlan(proposal: PlanProposal, edit: unknown): { plan: PlanProposal; edited: string[] } {
  requireEdit("plan", edit, PLAN);
  const given = planShape.parse(edit);
  const plan: PlanProposal = {
    kind: "plan",
    objective: given.objective ?? proposal.objective,
    preferences: given.preferences ?? proposal.preferences,
    constraints: given.constraints ?? proposal.constraints,
    ideaAttributes: given.ideaAttributes ?? proposal.ideaAttributes,
    domainHint: given.domainHint ?? proposal.domainHint,
  };
  return { plan, edited: changed(proposal, plan) };
}

const feedbackShape = z.object({
  narrative: text,
  weaknesses: texts,
  strengths: texts,
  focusAreas: texts,
}).partial();

function editedFeedback(
  proposal: FeedbackProposal,
  edit: unknown,
): { feedback: FeedbackProposal; edited: string[] } {
  requireEdit("feedback", edit, FEEDBACK);
  const given = feedbackShape.parse(edit);
  const feedback: FeedbackProposal = {
    kind: "feedback",
    narrative: given.narrative ?? proposal.narrative,
    weaknesses: given.weaknesses ?? proposal.weaknesses,
    strengths: given.strengths ?? proposal.strengths,
    focusAreas: given.focusAreas ?? proposal.focusAreas,
    matchesSeen: proposal.matchesSeen,
  };
  return { feedback, edited: changed(proposal, feedback) };
}

function evolutionInForce(on: Gatekeeper, view: View, proposal: EvolutionProposal, edit: unknown): InForce {
  requireEdit("evolution", edit, EVOLUTION);
  const given = evolutionShape.parse(edit);
  const proposed = proposal.tasks.map(({ strategy }) => strategy);
  for (const strategy of given.strategies ?? []) {
    if (proposed.some((each) => each === strategy)) continue;
    throw inputError("accept: strategies", strategy, `Proposed are ${proposed.join(", ")}.`, proposed);
  }
  const kept = proposal.tasks.filter(({ strategy }) => given.strategies?.includes(strategy) !== false);
  const keptNames = kept.map(({ strategy }) => strategy);
  for (const strategy of Object.keys(given.parents ?? {})) {
    if (keptNames.some((each) => each === strategy)) continue;
    throw inputError(
      "accept: parents",
      strategy,
      `Strategies that are kept are ${keptNames.join(", ")}.`,
      keptNames,
    );
  }
  const others = new Map(Object.entries(given.parents ?? {}));
  let changedParents = false;
  const accepted: EvolutionProposal["tasks"][number][] = [];
  const tasks = kept.map(({ strategy, parents: before }): NewTask => {
    const labels = others.get(strategy);
    const parents = labels === undefined
      ? before
      : [labels].flat().map((label) => hypothesisOf(view, label, `accept: parents.${strategy}`).record.id);
    if (JSON.stringify(parents) !== JSON.stringify(before)) changedParents = true;
    const task: NewTask = {
      key: `${proposal.round}/${strategy}`,
      action: "evolve",
      payload: { strategy, parents },
    };
    requirePossible(on, view, task, strategy);
    accepted.push({ strategy, parents });
    return task;
  });
  const edited = [
    ...(kept.length < proposal.tasks.length ? ["strategies"] : []),
    ...(changedParents ? ["parents"] : []),
  ];
  return {
    entries: tasks.map((task) => taskEntry(task, view.settings.lease.maxAttempts)),
    events: [],
    edited,
    ...(edited.length === 0
      ? {}
      : { tasks: accepted.map(({ strategy, parents }) => ({ strategy, parents: [...parents] })) }),
  };
}

/** Refuses parents that a strategy can't work from: its task would only find that out when it is its turn. */
function requirePossible({ agents }: Gatekeeper, view: View, task: NewTask, strategy: string): void {
  const agent = agents.find(({ actions }) => actions.includes("evolve"));
  const decision = agent?.decide(view, asRecord(view, task), []);
  if (decision?.kind !== "nothing") return;
  throw new CosciError(
    "input",
    `accept: ${strategy}: ${decision.reason} Give other parents ({ parents: { ${strategy}: ["H1"] } }), ` +
      "or keep other strategies.",
  );
}

function finished(view: View, proposal: FinishProposal, edit: unknown, id: string, author: string): InForce {
  requireEdit("finish", edit, FINISH);
  const given = finishShape.parse(edit).markdown;
  const draft = draftOf(view, proposal.overviewId);
  const isEdited = given !== undefined && given.trim() !== draft.markdown.trim();
  const notes = isEdited ? [...draft.notes, `Edited by ${author} before it was accepted.`] : draft.notes;
  const { source, model } = draft;
  return {
    entries: [
      {
        kind: "overview",
        record: {
          id,
          version: view.overviews.length + 1,
          source,
          markdown: isEdited ? marked(view, `${given.trim()}\n`) : draft.markdown,
          final: true,
          notes,
          model,
          readSeq: isEdited ? view.seq : draft.readSeq,
        },
      },
      {
        kind: "sessionState",
        record: { status: "done", reason: view.stopReason, note: finishedNote(source, view) },
      },
    ],
    events: [
      { type: "overview_written", payload: { source, final: true, notes } },
      { type: "session_done", payload: { reason: view.stopReason } },
    ],
    edited: isEdited ? ["markdown"] : [],
  };
}

/** A person's text of a simulated session says so as well: what it tells of is invented all the same. */
function marked({ session }: View, markdown: string): string {
  return session.mode !== "simulator" || markdown.includes(SIMULATED_MARK)
    ? markdown
    : `${SIMULATED_MARK}\n\n${markdown}`;
}
