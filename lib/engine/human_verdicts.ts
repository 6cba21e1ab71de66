import { recordId } from "../domain/ids.ts";
import type { MatchVerdict } from "../domain/records.ts";
import type { Entry } from "../store/records.ts";
import type { View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { ratedGames } from "./rated_games.ts";
import type { Change } from "./revision_entry.ts";

/** What a person says of two hypotheses. */
export interface HumanVerdict {
  /** The hypothesis that the person saw first. */
  readonly firstId: string;
  /** The one they saw second. */
  readonly secondId: string;
  /** Which is better, or that neither is. */
  readonly verdict: Exclude<MatchVerdict, "invalid">;
  /** Who says so. */
  readonly author: string;
  /** How much it counts; 1 is what a model's counts. */
  readonly weight: number;
  /** Why; may be empty. */
  readonly rationale: string;
  /** What the match's id is made from: unique in the session. */
  readonly key: string;
}

/** Verdicts of people as a commit's records, with what is told of them. */
export interface HumanVerdicts {
  /** Matches with their lines in the ledger, and the snapshot that is due after them. */
  readonly entries: readonly Entry[];
  /** One change a verdict, in their order. */
  readonly changes: readonly Omit<Change, "author">[];
  /** What to tell the world: one event a verdict. */
  readonly events: readonly EventDraft[];
  /** The matches' labels, in their order. */
  readonly labels: readonly string[];
}

/**
 * Verdicts of people as matches on top of a view, rated one after the other. Both sides of each must be in the view; that they may be compared is for the
 * caller to see to.
 */
export function verdictEntries(view: View, verdicts: readonly HumanVerdict[]): HumanVerdicts {
  const games = verdicts.flatMap((given) => {
    const first = view.hypothesis(given.firstId), second = view.hypothesis(given.secondId);
    return first === undefined || second === undefined
      ? []
      : [{ ...given, id: recordId("mat", given.key), first, second }];
  });
  const { entries: rated, gains } = ratedGames(games, view.settings.ranking, view);
  const labels = games.map((_, i) => `M${view.matchCount + 1 + i}`);
  return {
    entries: [...games.map((game) => matchEntry(view, game)), ...rated],
    changes: games.map(({ verdict, weight }, i) => ({
      kind: "verdict",
      target: labels[i] ?? "",
      before: null,
      after: { verdict, weight },
    })),
    events: games.map(({ first, second, verdict, weight, author }, i) => ({
      type: "verdict_given",
      payload: {
        match: labels[i],
        first: first.record.label,
        second: second.record.label,
        verdict,
        weight,
        author,
        delta: gains[i] ?? 0,
      },
    })),
    labels,
  };
}

function matchEntry(
  view: View,
  { id, firstId, secondId, verdict, author, weight, rationale }: HumanVerdict & { readonly id: string },
): Entry {
  return {
    kind: "match",
    record: {
      id,
      firstId,
      secondId,
      mode: "pairwise",
      verdict,
      bothOrders: null,
      group: null,
      author,
      weight,
      judge: null,
      panelist: null,
      promptVersion: null,
      revision: view.revision,
      taskId: null,
      rationale,
    },
  };
}
