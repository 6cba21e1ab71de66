import { z } from "zod";
import { CosciError, inputError } from "../domain/errors.ts";
import { recordId } from "../domain/ids.ts";
import type { MatchRecord } from "../domain/records.ts";
import { epochEntries } from "../engine/elo_epoch.ts";
import { type HumanVerdict, verdictEntries } from "../engine/human_verdicts.ts";
import type { View } from "../store/view.ts";
import { hypothesisOf, recordOf } from "./labels.ts";
import { REASON, requireState } from "./standing_verbs.ts";
import { readAuthor, readWeight, steer, type Steered } from "./steer.ts";
import { requireSteeringOptions } from "./verb_options.ts";
import { readOptions, readText } from "./wrong_option.ts";
import { answeredBy } from "./taken_tasks.ts";

/** What `addVerdict` takes besides the pair and its winner. */
export interface VerdictOptions {
  /** Why, in words. */
  readonly rationale?: string | undefined;
  /** How much it counts; a model's counts 1. @default 1 */
  readonly weight?: number | undefined;
  /** Who judged. @default "person" */
  readonly author?: string | undefined;
}

const RULE = {
  shape: z.strictObject({
    rationale: z.string().trim().max(20_000).optional(),
    weight: z.unknown().optional(),
    author: z.unknown().optional(),
  }),
  example: '{ rationale: "…", author: "Ada" }',
  remedies: { rationale: "Give a text of at most 20000 characters." },
};

/**
 * Enters a person's verdict on a pair as a match that counts; a match on that pair which they took from the queue is answered
 * by it. Returns its id. @throws CosciError
 */
export function addVerdict(on: Steered, a: unknown, b: unknown, winner: unknown, options: unknown): string {
  const read = readOptions("addVerdict", options, RULE);
  const author = readAuthor("addVerdict", read.author), weight = readWeight("addVerdict", read.weight);
  let id = "";
  steer(on, "addVerdict", author, (view) => {
    const first = hypothesisOf(view, a, "addVerdict"), second = hypothesisOf(view, b, "addVerdict");
    if (first === second) {
      throw new CosciError(
        "input",
        `addVerdict: ${first.record.label} can't be compared with itself. Name two hypotheses.`,
      );
    }
    for (const side of [first, second]) requireState(side, "addVerdict", ["in_tournament"]);
    const verdict = verdictOf(view, first.record.id, second.record.id, winner);
    const key = `addVerdict/${view.seq + 1}`;
    id = recordId("mat", key);
    const sides = [first.record.id, second.record.id];
    const answered = answeredBy(
      view,
      on.store.queue(on.session),
      author,
      (_, decision) =>
        decision.kind === "match" && sides.includes(decision.firstId) && sides.includes(decision.secondId),
    );
    const given = verdictEntries(view, [{
      firstId: first.record.id,
      secondId: second.record.id,
      verdict,
      author,
      weight,
      rationale: read.rationale ?? "",
      key,
    }]);
    return {
      entries: [...given.entries, ...answered.entries],
      changes: [...given.changes, ...answered.changes],
      events: [...given.events ?? [], ...answered.events],
      task: answered.task,
    };
  });
  return id;
}

function verdictOf(view: View, firstId: string, secondId: string, winner: unknown): HumanVerdict["verdict"] {
  if (typeof winner === "string" && winner.trim().toLowerCase() === "tie") return "tie";
  const labels = [firstId, secondId].flatMap((id) => view.hypothesis(id)?.record.label ?? []);
  const said = typeof winner === "string" ? winner.trim() : winner;
  const index = [firstId, secondId].findIndex((id, i) =>
    said === id || (typeof said === "string" && said.toUpperCase() === labels[i])
  );
  if (index === 0) return "first";
  if (index === 1) return "second";
  throw inputError("addVerdict: winner", winner, `Give "${labels.join('", "')}" or "tie".`, [
    ...labels,
    "tie",
  ]);
}

/**
 * Takes a verdict out of the ratings, a model's or a person's. Of a group that one call ranked all matches go together:
 * they are one opinion. Returns the id of the one that was named. @throws CosciError
 */
export function voidVerdict(
  on: Steered,
  label: unknown,
  reason: unknown,
  options: { readonly author?: string },
): string {
  requireSteeringOptions("voidVerdict", options);
  const author = readAuthor("voidVerdict", options.author);
  const why = readText("voidVerdict: reason", reason, REASON);
  let id = "";
  steer(on, "voidVerdict", author, (view) => {
    const match = recordOf(view, label, "voidVerdict", "match", view.matches);
    ({ id } = match);
    if (match.verdict === "invalid") {
      throw new CosciError(
        "state",
        `voidVerdict: ${match.label} has no verdict and counts nowhere as it is.`,
      );
    }
    if (isVoid(view, match)) {
      throw new CosciError("state", `voidVerdict: ${match.label} is void already. undo() takes that back.`);
    }
    const all = match.group === null
      ? [match]
      : view.matches.filter((each) => each.group === match.group && !isVoid(view, each));
    return {
      entries: epochEntries(view, {
        marks: all.map((each) => ({ mark: "void", targetId: each.id, value: `${why} (${author})` })),
      }),
      changes: all.map((each) => ({
        kind: "verdict",
        target: each.label,
        before: "counts",
        after: "void",
      })),
      events: [{
        type: "verdict_given",
        payload: { matches: all.map((each) => each.label), void: true, reason: why, author },
      }],
    };
  });
  return id;
}

function isVoid(view: View, { id }: MatchRecord): boolean {
  return view.marked("void", id) !== null;
}
