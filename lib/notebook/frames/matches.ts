import type { MatchMode, MatchVerdict } from "../../domain/records.ts";
import { boolean, type ColumnsOf, double, integer, text, time } from "./columns.ts";
import { type FrameSource, hypothesisLabel, taskLabels } from "./source.ts";

/** A judged comparison. */
export interface MatchFrameRow {
  /** `M12`. */
  readonly label: string;
  /** The commit. */
  readonly seq: number;
  /** When. */
  readonly at: string | null;
  /** Label of the hypothesis shown first. */
  readonly first: string;
  /** Label of the one shown second. */
  readonly second: string;
  /** Label of the one that won; `null` for a tie, and where there is no verdict. */
  readonly winner: string | null;
  /** Who won, by the order shown. */
  readonly verdict: MatchVerdict;
  /** How it was judged. */
  readonly mode: MatchMode;
  /** The model that judged. */
  readonly judge: string | null;
  /** The version of the judging prompt. */
  readonly promptVersion: string | null;
  /** `model`, or a person's name. */
  readonly author: string;
  /** The revision under which it was judged. */
  readonly revision: number;
  /** Whether the ratings count it. */
  readonly counted: boolean;
  /** How much; 0 where they don't. */
  readonly weight: number;
  /** Whether a person took it out of account. */
  readonly void: boolean;
  /** The K of the match. */
  readonly k: number | null;
  /** Elo of the first before it. */
  readonly firstBefore: number | null;
  /** Elo of the second before it. */
  readonly secondBefore: number | null;
  /** What the first gained and the second lost. */
  readonly delta: number | null;
  /** Judged in both orders: what was said with the first shown first. */
  readonly asShown: MatchVerdict | null;
  /** And with the second shown first, told by the match's own order. */
  readonly swapped: MatchVerdict | null;
  /** Shared by the matches of one call that ranked a group. */
  readonly matchGroup: string | null;
  /** The member of the panel whose turn it was. */
  readonly panelist: string | null;
  /** Label of its task. */
  readonly task: string | null;
  /** Why, in the judge's words. */
  readonly rationale: string;
}

/** The columns of {@linkcode matchFrame}. */
export const MATCH_COLUMNS: ColumnsOf<MatchFrameRow> = {
  label: text("the match"),
  first: text("label of the hypothesis shown first"),
  second: text("label of the hypothesis shown second"),
  winner: text("label of the one that won; empty for a tie, and without a verdict"),
  verdict: text("who won, by the order shown: first, second, tie; or invalid"),
  mode: text("pairwise, debate or kwise"),
  judge: text("the model that judged, if one did"),
  counted: boolean("whether the ratings count it"),
  k: double("K of the match, in the newest epoch of Elo; empty where it isn't counted", "Elo points"),
  firstBefore: double("Elo of the first before it; likewise", "Elo points"),
  secondBefore: double("Elo of the second before it; likewise", "Elo points"),
  delta: double("what the first gained and the second lost; likewise", "Elo points"),
  author: text("model, or a person's name"),
  weight: double("how much they count it; 0 where they don't"),
  void: boolean("whether a person took it out of account"),
  revision: integer("number of the revision under which it was judged"),
  promptVersion: text("version of the judging prompt"),
  seq: integer("the commit"),
  at: time("when it was recorded"),
  asShown: text("judged in both orders: the verdict with the first shown first"),
  swapped: text("the verdict with the second shown first, told by the match's own order"),
  matchGroup: text("shared by the matches of one call that ranked a group"),
  panelist: text("the member of the panel whose turn it was"),
  task: text("label of its task"),
  rationale: text("why, in the judge's words"),
};

/** All matches, in order, invalid and void ones too. */
export function matchFrame(
  source: Pick<FrameSource, "view" | "tasks" | "rationales" | "at">,
): MatchFrameRow[] {
  const { view } = source;
  const taskOf = taskLabels(source);
  const journal = new Map(view.eloJournal.map((entry) => [entry.matchId, entry]));
  return view.matches.map((match): MatchFrameRow => {
    const first = hypothesisLabel(source, match.firstId), second = hypothesisLabel(source, match.secondId);
    const entry = journal.get(match.id);
    const [asShown, swapped] = match.bothOrders ?? [null, null];
    return {
      label: match.label,
      seq: match.seq,
      at: source.at(match.seq),
      first,
      second,
      winner: winnerOf(match.verdict, first, second),
      verdict: match.verdict,
      mode: match.mode,
      judge: match.judge,
      promptVersion: match.promptVersion,
      author: match.author,
      revision: match.revision,
      counted: entry !== undefined,
      weight: entry?.weight ?? 0,
      void: view.marked("void", match.id) !== null,
      k: entry?.k ?? null,
      firstBefore: entry?.firstBefore ?? null,
      secondBefore: entry?.secondBefore ?? null,
      delta: entry?.delta ?? null,
      asShown,
      swapped,
      matchGroup: match.group,
      panelist: match.panelist,
      task: taskOf(match.taskId),
      rationale: source.rationales.get(match.id) ?? "",
    };
  });
}

function winnerOf(verdict: MatchVerdict, first: string, second: string): string | null {
  switch (verdict) {
    case "first":
      return first;
    case "second":
      return second;
    case "tie":
    case "invalid":
      return null;
  }
}
