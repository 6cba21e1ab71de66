import { z } from "zod";
import { CosciError, inputError } from "../domain/errors.ts";
import { recordId } from "../domain/ids.ts";
import type { AgentName, DirectiveRecord, DirectiveUntil } from "../domain/records.ts";
import type { DirectiveCardData } from "../notebook/displays/cards.ts";
import type { DirectiveListData } from "../notebook/displays/directives.ts";
import { callsCarrying } from "../store/transcripts.ts";
import type { Sql } from "../store/database.ts";
import type { View } from "../store/view.ts";
import { recordOf } from "./labels.ts";
import { originOf } from "./look.ts";
import { readAuthor, steer, type Steered } from "./steer.ts";
import { requireSteeringOptions } from "./verb_options.ts";
import { readOptions, readText } from "./wrong_option.ts";

/** An agent that can be given directives: all but the safety screen, which judges a text alone, and the embedder. */
export type DirectedAgent = Exclude<AgentName, "proximity" | "safety">;

const DIRECTED: readonly DirectedAgent[] = [
  "planning",
  "generation",
  "reflection",
  "ranking",
  "evolution",
  "metareview",
];

/** What `direct` takes besides the text. */
export interface DirectOptions {
  /** An instruction, or what is liked better. @default "directive" */
  readonly kind?: "directive" | "preference" | undefined;
  /** For whom; all agents by default. */
  readonly to?: DirectedAgent | readonly DirectedAgent[] | undefined;
  /** Totals of the session at which it ends by itself; the first that is reached ends it. */
  readonly until?: DirectiveUntil | undefined;
  /** Who gives it. */
  readonly author?: string | undefined;
}

/** Characters of a directive at most: every call of its agents pays for them. */
const MOST = 4000;

const total = z.number().int().min(1);
const RULE = {
  shape: z.strictObject({
    kind: z.enum(["directive", "preference"]).optional(),
    to: z.unknown().optional(),
    until: z.strictObject({
      matches: total.optional(),
      hypotheses: total.optional(),
      reviews: total.optional(),
    }).refine((until) => Object.values(until).some((value) => value !== undefined)).optional(),
    author: z.unknown().optional(),
  }),
  example: '{ to: "generation", until: { matches: 40 } }',
  remedies: {
    kind: 'Give "directive" or "preference".',
    until: "Give totals of the session, whole numbers above 0, such as { matches: 40 }.",
  },
};

/** Gives a directive. Returns its id. @throws CosciError */
export function direct(on: Steered, text: unknown, options: unknown): string {
  const read = readOptions("direct", options, RULE);
  const author = readAuthor("direct", read.author);
  const wish = readText("direct", text, MOST);
  const to = readAgents(read.to);
  const kind = read.kind ?? "directive", until = read.until ?? null;
  let id = "";
  steer(on, "direct", author, (view) => {
    if (until !== null) requireAhead(view, until);
    id = recordId("dir", `direct/${view.seq + 1}`);
    const label = `D${view.directives.length + 1}`;
    return {
      entries: [{ kind: "directive", record: { id, kind, text: wish, to, until, author } }],
      changes: [{ kind: "directive", target: label, before: null, after: { kind, text: wish, to, until } }],
      events: [{ type: "directive_given", payload: { directive: label, kind, text: wish, to } }],
    };
  });
  return id;
}

/** Takes a directive back. Returns its id. @throws CosciError `state` for one that is not in force */
export function withdraw(on: Steered, label: unknown, options: { readonly author?: string }): string {
  requireSteeringOptions("withdraw", options);
  const author = readAuthor("withdraw", options.author);
  let id = "";
  steer(on, "withdraw", author, (view) => {
    const directive = recordOf(view, label, "withdraw", "directive", view.directives);
    const why = whyNot(view, directive);
    if (why !== null) {
      throw new CosciError("state", `withdraw: ${directive.label} is not in force any more: ${why}.`);
    }
    const { kind, text, to, until } = directive;
    ({ id } = directive);
    return {
      entries: [{ kind: "mark", record: { targetId: id, mark: "withdrawn", value: true } }],
      changes: [{
        kind: "directive",
        target: directive.label,
        before: { kind, text, to, until },
        after: null,
      }],
      events: [{ type: "directive_withdrawn", payload: { directive: directive.label } }],
    };
  });
  return id;
}

function readAgents(to: unknown): readonly DirectedAgent[] {
  if (to === undefined) return [];
  const given: readonly unknown[] = Array.isArray(to) ? to : [to];
  const agents = given.map((name) => {
    const agent = DIRECTED.find((each) => each === name);
    if (agent !== undefined) return agent;
    const remedy = name === "safety" || name === "proximity"
      ? "It reads nothing but the texts that it judges or measures."
      : "Leave it out for all agents.";
    throw inputError("direct: to", name, `${remedy} Agents are ${DIRECTED.join(", ")}.`, DIRECTED);
  });
  if (agents.length === 0) {
    throw inputError("direct: to", to, `Leave it out for all agents. Agents are ${DIRECTED.join(", ")}.`);
  }
  return [...new Set(agents)];
}

function totalsOf(view: View): Required<{ readonly [K in keyof DirectiveUntil]: number }> {
  return {
    matches: view.validMatches,
    hypotheses: view.hypotheses.length,
    reviews: view.reviews.length,
  };
}

function requireAhead(view: View, until: DirectiveUntil): void {
  const reached = firstReached(view, until);
  if (reached === null) return;
  const { name, there } = reached;
  throw inputError(
    `direct: until.${name}`,
    until[name],
    `There are ${there} ${name} already: give a larger total.`,
  );
}

function firstReached(
  view: View,
  until: DirectiveUntil,
): { readonly name: keyof DirectiveUntil; readonly there: number } | null {
  const totals = totalsOf(view);
  for (const name of ["matches", "hypotheses", "reviews"] as const) {
    if (totals[name] >= (until[name] ?? Infinity)) return { name, there: totals[name] };
  }
  return null;
}

/** Why a directive is not in force; `null` where it is. */
function whyNot(view: View, directive: DirectiveRecord): string | null {
  if (view.inForce(directive)) return null;
  if (view.marked("withdrawn", directive.id) !== null) {
    const by = view.revisions.findLast(({ kind, target, after }) =>
      kind === "directive" && target === directive.label && after === null
    );
    return by === undefined ? "withdrawn" : `withdrawn by ${by.author} (${by.label}, commit ${by.seq})`;
  }
  const reached = directive.until === null ? null : firstReached(view, directive.until);
  return reached === null
    ? "at its end"
    : `ended by itself: it held until ${
      directive.until?.[reached.name]
    } ${reached.name}, and there are ${reached.there}`;
}

/** What the card of a directive says. */
export function directiveCard(view: View, sql: Sql, id: string): DirectiveCardData {
  const directive = view.directives.find((each) => each.id === id);
  if (directive === undefined) throw new CosciError("input", `There is no directive ${id}.`);
  return {
    ...originOf(view),
    ...directive,
    inForce: view.inForce(directive),
    whyNot: whyNot(view, directive),
    calls: callsCarrying(sql, view.session.id, id).map(({ taskId, ...call }) => ({
      ...call,
      task: view.task(taskId)?.record.label ?? taskId,
    })),
  };
}

/** All directives, as their list shows them. */
export function directiveRows(view: View, sql: Sql): DirectiveListData {
  return {
    ...originOf(view),
    rows: view.directives.map((directive) => ({
      label: directive.label,
      kind: directive.kind,
      text: directive.text,
      to: directive.to,
      until: directive.until,
      inForce: view.inForce(directive),
      whyNot: whyNot(view, directive),
      calls: callsCarrying(sql, view.session.id, directive.id).length,
      author: directive.author,
      seq: directive.seq,
    })),
  };
}
