import type { FeedbackProposal, PlanProposal } from "../../domain/gate_proposal.ts";
import type { EvolutionStrategy, GateKind, OverviewRecord } from "../../domain/records.ts";
import { card, type Html, markup, table } from "../html.ts";
import type { CardOrigin, HypothesisRef } from "./cards.ts";
import type { Display } from "./display.ts";
import { markdownHtml } from "./markdown.ts";
import { blocks, headline, lines, textTable, wrapped } from "./plain.ts";
import { faint, line, paragraph, prose, section, short } from "./prose.ts";
import { counted, words } from "./wording.ts";

/** One task of a proposed round of evolution. */
export interface ProposedEvolution {
  /** How. */
  readonly strategy: EvolutionStrategy;
  /** What it would be made from. */
  readonly parents: readonly HypothesisRef[];
}

/** A proposed round of evolution, with labels instead of ids. */
export interface ProposedRound {
  /** Tells it from other proposals. */
  readonly kind: "evolution";
  /** Its tasks. */
  readonly tasks: readonly ProposedEvolution[];
  /** Strategies that have nothing to work from, and why. */
  readonly leftOut: readonly { readonly strategy: EvolutionStrategy; readonly why: string }[];
}

/** The draft of an overview with which the session would end. */
export interface ProposedEnd
  extends Pick<OverviewRecord, "label" | "version" | "source" | "markdown" | "notes"> {
  /** Tells it from other proposals. */
  readonly kind: "finish";
}

/** What waits at a gate, as people read it. */
export type ShownProposal = PlanProposal | FeedbackProposal | ProposedRound | ProposedEnd;

/** What a person said to it. */
export interface ShownAnswer {
  /** Yes or no. */
  readonly accepted: boolean;
  /** Why it was refused. */
  readonly reason: string;
  /** What of it was edited before it was accepted. */
  readonly edited: readonly string[];
  /** Who. */
  readonly by: string;
  /** The commit. */
  readonly seq: number;
}

/** A gate with what waits there, or that none is open. */
export interface GateCardData extends CardOrigin {
  /** Whether something waits for an answer. */
  readonly open: boolean;
  /** `G1`; `null` where nothing waits. */
  readonly label: string | null;
  /** Which kind of step waits; `null` where none does. */
  readonly kind: GateKind | null;
  /** What is proposed. */
  readonly proposal: ShownProposal | null;
  /** The answer, if it was given. */
  readonly answer: ShownAnswer | null;
  /** Labels of gates that wait behind it. */
  readonly behind: readonly string[];
  /** Kinds of step that wait for a yes. */
  readonly gates: readonly GateKind[];
  /** The commit that opened it, or that was looked at where none is open. */
  readonly seq: number;
}

/** How a gate is shown. */
export const gateDisplay: Display<GateCardData> = {
  html: (gate) =>
    card({
      title: title(gate),
      simulated: gate.simulated,
      body: [
        paragraph(faint(origin(gate))),
        gate.answer === null ? null : paragraph(markup`<b>${answered(gate)}</b>`),
        gate.answer === null || gate.answer.reason === "" ? null : paragraph(line(gate.answer.reason, 2000)),
        gate.proposal === null ? null : proposalHtml(gate.proposal, gate.simulated),
        ...howTo(gate).map(([name, text]) => paragraph(markup`<b>${name}:</b> ${text}`)),
      ],
    }),
  text: (gate) =>
    blocks(
      lines(
        headline(title(gate), gate.simulated),
        wrapped(origin(gate)),
        gate.answer === null ? null : wrapped(answered(gate)),
        gate.answer === null || gate.answer.reason === "" ? null : wrapped(gate.answer.reason, "Reason: "),
      ),
      gate.proposal === null ? null : proposalText(gate.proposal),
      lines(...howTo(gate).map(([name, text]) => wrapped(text, `${name}: `))),
    ),
};

/** Points of each list that are shown. */
const POINTS = 40;

function title({ label, kind, session, open }: GateCardData): string {
  if (label === null || kind === null) return `No gate of ${session} is open`;
  return open
    ? `${label} ${WHAT[kind]} of ${session} waits for your yes`
    : `${label} ${WHAT[kind]} of ${session}`;
}

const WHAT: Readonly<Record<GateKind, string>> = {
  plan: "research plan",
  feedback: "system feedback",
  evolution: "round of evolution",
  finish: "last overview",
};

function origin({ label, gates, behind, seq, open }: GateCardData): string {
  const asked = gates.length === 0 ? "no step waits for a yes (run.gates)" : `run.gates: ${gates.join(", ")}`;
  if (label === null) return asked;
  return [
    `since commit ${seq}`,
    open ? "runs end here until it is answered" : null,
    behind.length === 0 ? null : `${behind.join(", ")} ${behind.length === 1 ? "waits" : "wait"} behind it`,
  ].filter((part) => part !== null).join(" · ");
}

function answered({ answer }: GateCardData): string {
  if (answer === null) return "";
  const edited = answer.edited.length === 0 ? "" : ` with changes of ${answer.edited.join(", ")}`;
  return `${answer.accepted ? `Accepted${edited}` : "Refused"} by ${
    answer.by.slice(0, 80)
  }, commit ${answer.seq}.`;
}

/** What may be answered, and what follows from it. */
function howTo({ open, proposal, label, gates }: GateCardData): [string, string][] {
  if (label === null) {
    return gates.length > 0 ? [] : [[
      "To be asked",
      'lab.configure({ run: { gates: ["plan", "feedback", "evolution", "finish"] } }), or some of them.',
    ]];
  }
  if (!open || proposal === null) return [];
  switch (proposal.kind) {
    case "plan":
      return [
        [
          "Yes",
          'lab.accept(), or with changes: lab.accept({ objective: "…", constraints: ["…"] }). The first hypotheses follow.',
        ],
        ["No", 'lab.refuse("why"): the goal is read again, with the reason told.'],
      ];
    case "feedback":
      return [
        [
          "Yes",
          'lab.accept(), or with changes: lab.accept({ narrative: "…", focusAreas: ["…"] }). Later prompts carry it.',
        ],
        ["No", 'lab.refuse("why"): it is dropped, and the next one, when it is due, is told the reason.'],
      ];
    case "evolution":
      return [
        [
          "Yes",
          'lab.accept(), or with changes: lab.accept({ strategies: ["combine"], parents: { combine: ["H1", "H2"] } }).',
        ],
        ["No", 'lab.refuse("why"): this round is skipped, and the next one is told the reason.'],
      ];
    case "finish":
      return [
        ["Yes", 'lab.accept() closes the session with this text; lab.accept({ markdown: "…" }) with yours.'],
        ["No", 'lab.refuse("why"): the session stays open, and the next lab.finish() is told the reason.'],
      ];
  }
}

function listsOf(proposal: PlanProposal | FeedbackProposal): (readonly [string, readonly string[]])[] {
  const all: readonly (readonly [string, readonly string[]])[] = proposal.kind === "plan"
    ? [
      ["Preferences", proposal.preferences],
      ["Constraints", proposal.constraints],
      ["A strong hypothesis is", proposal.ideaAttributes],
    ]
    : [
      ["Recurring criticism", proposal.weaknesses],
      ["What is praised", proposal.strengths],
      ["Where to look next", proposal.focusAreas],
    ];
  return all.filter(([, points]) => points.length > 0);
}

function proposalHtml(proposal: ShownProposal, simulated: boolean): Html {
  switch (proposal.kind) {
    case "plan":
      return markup`${[
        section("Objective", prose(proposal.objective)),
        ...listsOf(proposal).map(([name, points]) => section(name, bullets(points))),
        proposal.domainHint === undefined || proposal.domainHint === ""
          ? null
          : section("Field", line(proposal.domainHint)),
      ]}`;
    case "feedback":
      return markup`${[
        paragraph(faint(seen(proposal))),
        prose(proposal.narrative),
        ...listsOf(proposal).map(([name, points]) => section(name, bullets(points))),
      ]}`;
    case "evolution":
      return markup`${[
        table([
          { head: "Strategy", cell: (row) => short(words(row.strategy)) },
          { head: "From", cell: (row) => row.parents.map(parentHtml) },
        ], proposal.tasks),
        ...proposal.leftOut.map((left) => paragraph(faint(line(leftOut(left), 300)))),
      ]}`;
    case "finish":
      return markup`${[
        paragraph(faint(draft(proposal))),
        ...proposal.notes.map((note) => paragraph(faint(["Note: ", line(note, 400)]))),
        markdownHtml(proposal.markdown, simulated),
      ]}`;
  }
}

function proposalText(proposal: ShownProposal): string {
  const lists = (of: PlanProposal | FeedbackProposal) =>
    listsOf(of).map(([name, points]) =>
      lines(`${name}:`, ...points.slice(0, POINTS).map((point) => wrapped(point, "  - ", 400)))
    );
  switch (proposal.kind) {
    case "plan":
      return blocks(
        wrapped(proposal.objective, "Objective: "),
        ...lists(proposal),
        proposal.domainHint === undefined || proposal.domainHint === ""
          ? null
          : wrapped(proposal.domainHint, "Field: "),
      );
    case "feedback":
      return blocks(seen(proposal), wrapped(proposal.narrative), ...lists(proposal));
    case "evolution":
      return blocks(
        textTable([
          { head: "strategy", cell: (row) => words(row.strategy) },
          {
            head: "from",
            cell: (row) => row.parents.map(({ label, title }) => `${label} ${title}`).join("; "),
          },
        ], proposal.tasks),
        lines(...proposal.leftOut.map((left) => wrapped(leftOut(left)))),
      );
    case "finish":
      return blocks(
        lines(draft(proposal), ...proposal.notes.map((note) => wrapped(note, "Note: ", 400))),
        wrapped(proposal.markdown, "", 100_000),
      );
  }
}

function seen({ matchesSeen }: FeedbackProposal): string {
  return `After ${counted(matchesSeen, "match", "matches")}; no prompt carries it yet.`;
}

function draft({ label, version, source }: ProposedEnd): string {
  return `${label}, version ${version}, ${
    source === "model" ? "by a model" : "put together from the records, by no model"
  }`;
}

function leftOut({ strategy, why }: ProposedRound["leftOut"][number]): string {
  return `Not ${words(strategy)}: ${why}`;
}

function parentHtml({ label, title }: HypothesisRef): Html {
  return markup`<div><b>${short(label)}</b> ${line(title, 160)}</div>`;
}

function bullets(points: readonly string[]): Html {
  return markup`${
    points.slice(0, POINTS).map((point) =>
      markup`<div style="padding-inline-start:12px;text-indent:-10px">• ${line(point, 600)}</div>`
    )
  }`;
}
