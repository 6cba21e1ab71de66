import { z } from "zod";
import { CosciError } from "../domain/errors.ts";
import { recordId } from "../domain/ids.ts";
import { type EvidenceRecord, type ResultOutcome, RESULTS } from "../domain/records.ts";
import { hypothesisOf, recordOf } from "./labels.ts";
import { IN_PLAY, REASON, requireState } from "./standing_verbs.ts";
import { readAuthor, readWeight, steer, type Steered } from "./steer.ts";
import { requireSteeringOptions } from "./verb_options.ts";
import { readOptions, readText } from "./wrong_option.ts";

/** What came of a test of a hypothesis. */
export interface OwnResult {
  /** What it says of the hypothesis. */
  readonly outcome: ResultOutcome;
  /** What was found, in a sentence or two. */
  readonly claim: string;
  /** How it was found. @default "experiment" */
  readonly kind?: "experiment" | "computation" | "expert" | undefined;
  /** Where it can be seen: an address, a notebook, a report. */
  readonly source?: string | undefined;
  /** In the source's words. */
  readonly excerpt?: string | undefined;
  /** How much it counts beside other results. @default 1 */
  readonly weight?: number | undefined;
  /** Who reports it. @default "person" */
  readonly author?: string | undefined;
}

const RULE = {
  shape: z.strictObject({
    outcome: z.enum(RESULTS),
    claim: z.unknown().optional(),
    kind: z.enum(["experiment", "computation", "expert"]).optional(),
    source: z.string().trim().max(2000).optional(),
    excerpt: z.string().trim().max(20_000).optional(),
    weight: z.unknown().optional(),
    author: z.unknown().optional(),
  }),
  example: '{ outcome: "refuted", claim: "No effect in three replicates" }',
  remedies: {
    outcome: 'Give "confirmed", "refuted" or "inconclusive".',
    kind: 'Give "experiment", "computation" or "expert".',
    source: "Give where it can be seen, in at most 2000 characters.",
    excerpt: "Give at most 20000 characters.",
  },
};

/** Enters a result of a person. Returns its id. @throws CosciError */
export function addResult(on: Steered, label: unknown, result: unknown): string {
  const read = readOptions("addResult", result, RULE);
  const author = readAuthor("addResult", read.author), weight = readWeight("addResult", read.weight);
  const claim = readText("addResult: claim", read.claim, 4000);
  const { outcome, kind = "experiment" } = read;
  let id = "";
  steer(on, "addResult", author, (view) => {
    const standing = hypothesisOf(view, label, "addResult");
    requireState(standing, "addResult", [...IN_PLAY, "disproved", "unfit", "rejected"]);
    id = recordId("evd", `addResult/${view.seq + 1}`);
    const name = `E${view.allEvidence.length + 1}`;
    return {
      entries: [{
        kind: "evidence",
        record: {
          id,
          hypothesisId: standing.record.id,
          kind,
          claim,
          stance: STANCE[outcome],
          source: read.source ?? "",
          excerpt: read.excerpt ?? "",
          origin: author,
          outcome,
          weight,
        },
      }],
      changes: [{ kind: "result", target: name, before: null, after: { outcome, weight } }],
      events: [{
        type: "result_added",
        payload: { result: name, hypothesis: standing.record.label, outcome, kind, weight, author },
      }],
    };
  });
  return id;
}

const STANCE: Readonly<Record<ResultOutcome, EvidenceRecord["stance"]>> = {
  confirmed: "supports",
  refuted: "contradicts",
  inconclusive: "neutral",
};

/** Takes a result, or a finding that was read, out of account. Returns its id. @throws CosciError */
export function voidResult(
  on: Steered,
  label: unknown,
  reason: unknown,
  options: { readonly author?: string },
): string {
  requireSteeringOptions("voidResult", options);
  const author = readAuthor("voidResult", options.author);
  const why = readText("voidResult: reason", reason, REASON);
  let id = "";
  steer(on, "voidResult", author, (view) => {
    const result = recordOf(view, label, "voidResult", "result", view.allEvidence);
    ({ id } = result);
    if (view.marked("void", id) !== null) {
      throw new CosciError("state", `voidResult: ${result.label} is void already. undo() takes that back.`);
    }
    return {
      entries: [{ kind: "mark", record: { targetId: id, mark: "void", value: `${why} (${author})` } }],
      changes: [{ kind: "result", target: result.label, before: "counts", after: "void" }],
      events: [{ type: "result_added", payload: { result: result.label, void: true, reason: why, author } }],
    };
  });
  return id;
}
