import { countActions } from "../../lib/domain/count_actions.ts";
import { NO_COST } from "../../lib/domain/records.ts";
import type { TaskReport } from "../../lib/engine/report.ts";
import type { CostRow, LeaderboardRow } from "../../lib/engine/snapshot.ts";
import type { AdditionData } from "../../lib/notebook/displays/addition.ts";
import type {
  DirectiveCardData,
  EvidenceCardData,
  FeedbackCardData,
  HypothesisCardData,
  MatchCardData,
  OverviewCardData,
  ReviewCardData,
  TaskCardData,
} from "../../lib/notebook/displays/cards.ts";
import type { ComparedSession, ComparisonData } from "../../lib/notebook/displays/comparison.ts";
import type { CostTableData } from "../../lib/notebook/displays/costs.ts";
import type { DirectiveListData } from "../../lib/notebook/displays/directives.ts";
import type { EstimateData } from "../../lib/engine/estimate.ts";
import type { EventListData } from "../../lib/notebook/displays/events.ts";
import type { ExportedData } from "../../lib/notebook/displays/exported.ts";
import type { FrameListData } from "../../lib/notebook/displays/frame_list.ts";
import type { PlotListData } from "../../lib/notebook/displays/plot_list.ts";
import type { GateCardData } from "../../lib/notebook/displays/gate_card.ts";
import type { JudgeCardData } from "../../lib/notebook/displays/judge_card.ts";
import type { PeekData } from "../../lib/notebook/displays/peek.ts";
import type { QueueListData } from "../../lib/notebook/displays/queue.ts";
import type { RunData } from "../../lib/notebook/displays/run.ts";
import type { SessionListData } from "../../lib/notebook/displays/sessions.ts";
import type { SettingsData } from "../../lib/notebook/displays/settings.ts";
import type { SnapshotContent } from "../../lib/notebook/displays/snapshot.ts";
import type { TakenTaskData } from "../../lib/notebook/displays/taken_task.ts";
import type { TickData } from "../../lib/notebook/displays/tick.ts";
import type { TranscriptData } from "../../lib/notebook/displays/transcript.ts";
import type { TranscriptListData, TranscriptRow } from "../../lib/notebook/displays/transcripts.ts";
import type { Sample } from "./frames/rows.ts";
import { judgeCard } from "../../lib/tournament/judge_card.ts";
import type { JudgedMatch } from "../../lib/tournament/judge_looks.ts";

// Plausible data of every kind of value, to be shown in tests. A text that is given as `foreign` stands wherever a text
// of foreign origin stands.

const TITLES = [
  "Mebendazole disrupts FLT3-ITD signalling by binding the colchicine site of β-tubulin",
  "Inhibition of DHODH by leflunomide forces differentiation of NPM1-mutant blasts",
  "Itraconazole starves leukaemic stem cells of cholesterol",
  "Combining metformin with venetoclax lowers the apoptotic threshold of monocytic AML",
  "Pyrvinium blocks mitochondrial respiration in quiescent CD34+CD38− cells",
];

const ORIGIN = { session: "aml", simulated: true } as const;

/** A cost as people read it. */
export const COST: CostRow = {
  usd: 1.2345,
  inputTokens: 210_400,
  outputTokens: 48_210,
  calls: 61,
  unconfirmedUsd: 0.0312,
};

/** A leaderboard of so many rows; each seventh is folded under the one before it. */
export function leaderboard(size: number, foreign?: string): LeaderboardRow[] {
  let rank = 0;
  return Array.from({ length: size }, (_, i): LeaderboardRow => {
    const folded = i % 7 === 3;
    const rating = 1352.3 - i * 260 / size, half = 58 + i * 31 % 40;
    return {
      rank: folded ? null : ++rank,
      label: `H${(i * 37) % size + 1}`,
      title: foreign ?? TITLES[i % TITLES.length] ?? "",
      rating,
      ratingLow: rating - half,
      ratingHigh: rating + half,
      topChance: folded ? null : 1 / (1 + Math.exp((i - 5.1) * 0.5)),
      tier: folded ? null : 1 + Math.floor(i / 5),
      elo: 1310.4 - i * 220 / size,
      matches: 9,
      won: 6 - i % 5,
      lost: 2 + i % 5,
      tied: 1,
      verdict: (["neutral", "missing_piece", "other_more_likely", null] as const)[i % 4] ?? null,
      strategy: (["literature", "debate", "combine", "out_of_box"] as const)[i % 4] ?? "literature",
      generation: i % 4 === 2 ? 1 : 0,
      age: 201 - 7 * i % 190,
      parents: i % 4 === 2 ? ["H3", "H9"] : [],
      foldedUnder: folded ? `H${((i - 1) * 37) % size + 1}` : null,
      trajectory: Array.from({ length: 24 }, (_, j) => 1200 + Math.sin(j / 3 + i) * 14 + (j * (8 - i)) / 4),
      pinned: i % 9 === 4,
      result: i % 11 === 2 ? "confirmed" : i % 11 === 5 ? "refuted" : null,
      author: i % 10 === 6 ? foreign ?? "Dr. Iris Chen" : "model",
      stale: i === 2 ? 2 : 0,
    };
  });
}

const NONE = countActions([]);

const FEEDBACK =
  "Reviewers keep asking for exposure: many proposals name a target without showing that the approved " +
  "dose reaches it in marrow. Claims on leukaemic stem cells lean on cell lines that hold none. Proposals that pair a " +
  "metabolic inhibitor with venetoclax win when they say which patients they are for.\n\nState the plasma and marrow " +
  "concentration beside the IC50, and name the subtype.";

/** Where a session stands. */
export function snapshotData(size = 18, foreign?: string): SnapshotContent {
  const text = (own: string) => foreign ?? own;
  return {
    session: text("aml"),
    goal: text(
      "Which approved drugs could be repurposed for acute myeloid leukaemia, in adults who relapse after " +
        "venetoclax with azacitidine and can't be transplanted? Oral drugs with known safety in the elderly are " +
        "preferred; combinations are welcome if each partner is approved for something, and if the proposed effect " +
        "can be tested in primary samples within three months.",
    ),
    simulated: true,
    seq: 214,
    revision: 3,
    status: "stopped",
    stopReason: "budget",
    note: text("The budget of $2 is spent."),
    phase: "stopped",
    objective: text(
      "Find approved drugs that could be repurposed for relapsed acute myeloid leukaemia in adults.",
    ),
    counts: {
      hypotheses: size + 5,
      inTournament: size,
      mature: 11,
      folded: Math.floor(size / 7),
      duplicates: 3,
      reviews: 41,
      matches: 120,
      invalidMatches: 2,
      feedback: 2,
      overviews: 1,
      stale: 3,
      droppedCitations: 4,
    },
    ranking: { by: "bradley_terry", topK: 5, expectedPrecision: 0.623 },
    leaderboard: leaderboard(size, foreign),
    outside: (["disproved", "quarantined", "rejected", "draft", "draft"] as const).map((state, i) => ({
      label: `H${90 + i}`,
      title: text(TITLES[i] ?? ""),
      state,
      reason: text(state === "draft" ? "" : "Its review says that the effect was refuted in two trials."),
    })),
    feedback: { label: "F2", narrative: text(FEEDBACK) },
    gate: null,
    overviews: [{ label: "O1", source: "model", final: false }],
    open: { ...NONE, review: 2, match: 7 },
    troubled: [
      {
        label: "T88",
        action: "review",
        target: "H14",
        status: "dead",
        attempts: 3,
        reason: text("529 overloaded_error: Overloaded"),
      },
      {
        label: "T91",
        action: "generate",
        target: null,
        status: "pending",
        attempts: 1,
        reason: text("the record has no citations"),
      },
    ],
    screens: [{
      target: "H91",
      result: "warned",
      rationale: text("It names a toxin beside a way to make it."),
    }],
    cost: COST,
    inherited: { ...COST, usd: 0.31 },
    forkedAt: 37,
    costByAgent: { generation: { ...COST, usd: 0.81 }, ranking: { ...COST, usd: 0.4245, unconfirmedUsd: 0 } },
    now: {
      parent: foreign ?? "aml",
      inHand: [text("T120 match H3–H7 (this process)")],
      ready: 6,
      deferred: 1,
      spentUsd: 1.74,
      lostUsd: 0.02,
      reservedUsd: 0.12,
      budgetUsd: 2,
      spentTokens: 258_610,
      budgetTokens: 5_000_000,
      ranSeconds: 312,
      wallClockSeconds: 7200,
      faults: [
        { type: "call_retried", text: text("ranking.pairwise: 529, another try in 4.1 s") },
        {
          type: "call_degraded",
          text: text("generation.literature: claude-sonnet-4-6 instead of claude-opus-4-7"),
        },
      ],
    },
  };
}

/** One attempt. */
export function taskReport(over: Partial<TaskReport> = {}, foreign?: string): TaskReport {
  return {
    label: "T5",
    agent: "reflection",
    action: "review",
    target: "H3",
    status: "done",
    gist: foreign ??
      "V7: missing piece. The marrow concentration of itraconazole is not known to reach the IC50.",
    error: null,
    cost: {
      microUsd: 23_411,
      inputTokens: 12_044,
      outputTokens: 2_310,
      calls: 3,
      unconfirmedMicroUsd: 0,
    },
    durationMs: 12_340,
    seq: 31,
    ...over,
  };
}

/** An attempt that failed. */
export function failedReport(foreign?: string): TaskReport {
  return taskReport({
    label: "T6",
    action: "generate",
    agent: "generation",
    target: null,
    status: "deferred",
    gist: foreign ?? "No hypothesis was recorded.",
    error: foreign ?? "record_hypothesis was called with an empty mechanism, three times",
    cost: { ...NO_COST, microUsd: 91_000, calls: 1, unconfirmedMicroUsd: 91_000 },
  });
}

/** One tick. */
export function tickData(over: Partial<TickData> = {}, foreign?: string): TickData {
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    ran: [taskReport({}, foreign), failedReport(foreign)],
    stop: null,
    gate: null,
    waiting: null,
    changes: [foreign ?? "prompt ranking.pairwise changed in its file (R4)"],
    status: "running",
    nextLine: foreign ?? "match H3–H7 (T9), after a generation that waits for another try",
    feedback: { label: "F1", narrative: foreign ?? FEEDBACK },
    notices: ["50 % of the budget is spent: $1.01 of $2.00."],
    ...over,
  };
}

/** A proposal at each kind of gate. */
export function proposals(foreign?: string): NonNullable<GateCardData["proposal"]>[] {
  const text = (own: string) => foreign ?? own;
  const parent = { label: "H3", title: text(TITLES[2] ?? "") };
  return [
    {
      kind: "plan",
      objective: text("Find approved drugs that could be repurposed for relapsed acute myeloid leukaemia."),
      preferences: [text("Oral drugs")],
      constraints: [text("Testable in primary samples within three months")],
      ideaAttributes: [text("specific"), text("testable")],
      domainHint: text("haematology"),
    },
    {
      kind: "feedback",
      narrative: text(FEEDBACK),
      weaknesses: [text("Exposure is left out.")],
      strengths: [text("A single experiment decides.")],
      focusAreas: [text("Cholesterol export")],
      matchesSeen: 50,
    },
    {
      kind: "evolution",
      tasks: [{ strategy: "combine", parents: [parent, parent] }, {
        strategy: "out_of_box",
        parents: [parent],
      }],
      leftOut: [{ strategy: "simplify", why: text("All 5 leaders have been through simplify.") }],
    },
    {
      kind: "finish",
      label: "O1",
      version: 1,
      source: "model",
      markdown: text("# Overview\n\n## Executive summary\n\nItraconazole leads [H3]."),
      notes: [text("The model was shown 5 of 18 hypotheses.")],
    },
  ];
}

/** A gate at which this waits. */
export function gateData(proposal: GateCardData["proposal"], foreign?: string): GateCardData {
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    open: true,
    label: "G2",
    kind: proposal?.kind ?? null,
    proposal,
    answer: null,
    behind: ["G3"],
    gates: ["plan", "feedback", "evolution", "finish"],
    seq: 41,
  };
}

/** A match that a person took. */
export function takenData(foreign?: string): TakenTaskData {
  const text = (own: string) => foreign ?? own;
  const side = (label: string) => ({
    label: text(label),
    texts: [
      { what: "hypothesis", about: "", text: text(`Title: ${TITLES[0]}`) },
      { what: "review", about: text("kind full, by model"), text: text("Finding: missing piece") },
      {
        what: "source",
        about: text("n 1, url https://doi.org/10.1000/xyz"),
        text: text("Azoles and exposure"),
      },
    ],
  });
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    label: "T9",
    action: "match",
    kind: null,
    by: text("Ada"),
    sides: [side("H3"), side("H7")],
    answer: 'lab.queue.answer("T9", { winner: "…", rationale: "…" }) with H3, H7 or tie',
  };
}

/** A run. */
export function runData(over: Partial<RunData> = {}, foreign?: string): RunData {
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    endedBy: "stopped",
    stop: { reason: "budget", note: foreign ?? "The budget of $2 is spent." },
    tasks: { ...NONE, generate: 6, review: 12, match: 40, system_feedback: 1 },
    failures: 7,
    lastFailures: [failedReport(foreign)],
    changes: [foreign ?? "prompt ranking.pairwise changed in its file (R4)"],
    cost: { ...NO_COST, microUsd: 1_740_000, inputTokens: 210_400, outputTokens: 48_210, calls: 61 },
    durationMs: 312_000,
    snapshot: snapshotData(18, foreign),
    expectedUsd: 1.9,
    notices: ["80 % of the budget is spent: $1.61 of $2.00."],
    notes: [foreign ?? "H9 is left as it is: it was edited by hand since."],
    ...over,
  };
}

/** A hypothesis. */
export function hypothesisData(foreign?: string): HypothesisCardData {
  const text = (own: string) => foreign ?? own;
  const other = (n: number) => ({ label: `H${n}`, title: text(TITLES[n % TITLES.length] ?? "") });
  return {
    ...ORIGIN,
    session: text("aml"),
    seq: 12,
    id: "h-3",
    label: "H3",
    version: 2,
    title: text(TITLES[2] ?? ""),
    statement: text(
      "Itraconazole at its antifungal dose lowers cholesterol in leukaemic stem cells below what oxidative " +
        "phosphorylation needs, and so restores their response to venetoclax.",
    ),
    mechanism: text(
      "Itraconazole binds NPC1 and blocks the export of cholesterol from lysosomes. mTORC1 then loses its lysosomal " +
        "cholesterol signal, which lowers MCL1 translation; cells that had escaped venetoclax by MCL1 depend on BCL2 " +
        "again. The effect does not need CYP51.",
    ),
    entities: [text("itraconazole"), text("NPC1"), text("MCL1"), text("venetoclax")],
    anticipatedOutcomes: text(
      "MCL1 falls within 24 h in CD34+ primary cells, and the IC50 of venetoclax by a factor of 5.",
    ),
    noveltyArgument: text(
      "Antifungals are given with venetoclax for other reasons; their effect on MCL1 was not asked.",
    ),
    strategy: "combine",
    citations: [
      {
        url: text("https://pubmed.ncbi.nlm.nih.gov/12345678/"),
        title: text("Cholesterol export and mTORC1 in haematopoiesis"),
        excerpt: text("Loss of NPC1 abolished the response."),
        year: 2021,
      },
      { url: text("https://doi.org/10.1000/xyz"), title: text("Azoles and venetoclax exposure") },
    ],
    droppedCitations: 1,
    author: text("model"),
    generation: 1,
    model: text("claude-opus-4-7"),
    taskId: "t-2",
    state: "in_tournament",
    stateReason: "",
    foldedUnder: null,
    pinned: true,
    result: "confirmed",
    mergedInto: null,
    merged: [other(12)],
    rank: 2,
    rating: 1321.4,
    ratingLow: 1248.7,
    ratingHigh: 1394.1,
    topChance: 0.78,
    topK: 5,
    tier: 1,
    elo: 1284.6,
    matches: 9,
    won: 6,
    lost: 2,
    tied: 1,
    trajectory: [1200, 1216, 1231, 1220, 1236, 1251, 1240, 1262, 1285],
    parents: [other(1), other(9)],
    children: [other(17)],
    stale: text("made from version 1 of H9, which is at 2"),
    reviews: [{
      label: "V4",
      kind: "full",
      hypothesisVersion: 1,
      verdict: "missing_piece",
      scores: { novelty: 0.7, correctness: 0.55, testability: 0.9 },
      notes: text("The marrow concentration is not known to reach the IC50. ".repeat(6)),
      author: "model",
      weight: 1,
      voided: text("cites a withdrawn paper (Dr. Iris Chen)"),
      stale: true,
    }, {
      label: "V9",
      kind: "verification",
      hypothesisVersion: 2,
      verdict: "neutral",
      scores: {},
      notes: text("The assumptions hold as far as sources go."),
      author: text("Dr. Iris Chen"),
      weight: 2,
      voided: null,
      stale: false,
    }],
    lastMatches: [
      {
        label: "M11",
        opponent: other(1),
        result: "won",
        mode: "pairwise",
        author: text("Dr. Iris Chen"),
        playedAs: "H12",
        voided: null,
        eloBefore: 1262,
        eloAfter: 1284.6,
        stale: true,
      },
      {
        label: "M12",
        opponent: other(4),
        result: "invalid",
        mode: "debate",
        author: "model",
        playedAs: null,
        voided: "",
        eloBefore: null,
        eloAfter: null,
        stale: false,
      },
    ],
    evidence: [{
      label: "E3",
      outcome: "confirmed",
      by: text("Dr. Iris Chen"),
      weight: 2,
      voided: null,
      kind: "computation",
      claim: text("Docking puts itraconazole into the sterol pocket of NPC1 with −11.2 kcal/mol."),
      stance: "supports",
      source: text("artefact 5f1c…"),
      excerpt: text("best pose −11.2"),
    }],
    screens: [{
      result: "warned",
      categories: ["dual_use_bio"],
      rationale: text("Names a pathway of toxins."),
    }],
  };
}

/** A review. */
export function reviewData(foreign?: string): ReviewCardData {
  const text = (own: string) => foreign ?? own;
  return {
    ...ORIGIN,
    session: text("aml"),
    seq: 15,
    id: "v-4",
    label: "V4",
    stale: true,
    replaced: false,
    hypothesis: { label: "H3", title: text(TITLES[2] ?? "") },
    hypothesisVersion: 1,
    newestVersion: 2,
    kind: "verification",
    verdict: "missing_piece",
    scores: { novelty: 0.7, correctness: 0.55, testability: 0.9, feasibility: 0.82 },
    assumptions: [
      {
        assumption: text("Itraconazole reaches 1 µM in marrow"),
        plausibility: "uncertain",
        rationale: text("Plasma levels do; marrow was not measured."),
      },
      {
        assumption: text("MCL1 has no other support"),
        plausibility: "implausible",
        rationale: text("ERK stabilises it in monocytic AML."),
      },
    ],
    evidence: [{
      claim: text("Trough levels of 0.5 to 2 mg/L are usual"),
      url: text("https://pubmed.ncbi.nlm.nih.gov/23456789/"),
      excerpt: text("Troughs above 0.5 mg/L were seen in 78 % of patients."),
    }],
    droppedEvidence: 2,
    notes: text("What is missing is exposure. ".repeat(8)),
    author: "model",
    weight: 1,
    amends: null,
    taskId: "t-5",
    voided: text("amended by V12"),
  };
}

/** A match. */
export function matchData(foreign?: string): MatchCardData {
  const text = (own: string) => foreign ?? own;
  return {
    ...ORIGIN,
    session: text("aml"),
    seq: 31,
    id: "m-12",
    label: "M12",
    first: { label: "H3", title: text(TITLES[2] ?? ""), eloBefore: 1268.6, eloAfter: 1284.6 },
    second: { label: "H7", title: text(TITLES[1] ?? ""), eloBefore: 1251.2, eloAfter: 1235.2 },
    mode: "debate",
    verdict: "first",
    bothOrders: null,
    group: null,
    author: text("model"),
    weight: 1,
    judge: text("claude-sonnet-4-6"),
    panelist: null,
    ranking: null,
    promptVersion: "9f31c2aa",
    revision: 2,
    taskId: "t-31",
    rationale: text(
      "Both are testable in primary samples. The first says which cells it is for and what falsifies it; the second " +
        "leaves open how DHODH inhibition would differ from what is known of brequinar.",
    ),
    k: 32,
    stale: text("judged on version 1 of H3, which is at 2"),
    transcripts: 3,
    voided: text("the judge had mixed the two up (Dr. Iris Chen)"),
  };
}

/** A result. */
export function evidenceData(foreign?: string): EvidenceCardData {
  const text = (own: string) => foreign ?? own;
  return {
    ...ORIGIN,
    session: text("aml"),
    seq: 40,
    id: "e-3",
    label: "E3",
    hypothesis: { label: "H3", title: text(TITLES[2] ?? "") },
    kind: "experiment",
    claim: text("No synergy in three primary samples at 1 µM."),
    stance: "contradicts",
    source: text("https://eln.example/2026/114"),
    excerpt: text("Bliss score 0.4 ± 1.1 (n = 3)"),
    origin: text("Dr. Iris Chen"),
    outcome: "refuted",
    weight: 2,
    together: "refuted",
    voided: null,
  };
}

/** A directive that has ended. */
export function directiveData(foreign?: string, calls = 3): DirectiveCardData {
  const text = (own: string) => foreign ?? own;
  return {
    ...ORIGIN,
    session: text("aml"),
    seq: 12,
    id: "d-1",
    label: "D1",
    kind: "directive",
    text: text("Prefer drugs with an oral form. ".repeat(4)),
    to: ["generation", "evolution"],
    until: { matches: 40, reviews: 90 },
    author: text("Dr. Iris Chen"),
    inForce: false,
    whyNot: text("withdrawn by Dr. Iris Chen (R4, commit 51)"),
    calls: Array.from({ length: calls }, (_, i) => ({
      n: 100 + i,
      agent: "generation",
      prompt: "generation.literature",
      task: `T${20 + i}`,
      seq: i === calls - 1 ? null : 30 + i,
      failed: i === 1,
    })),
  };
}

/** Directives as a list. */
export function directivesData(foreign?: string): DirectiveListData {
  const { label, kind, text, to, until, inForce, whyNot, author, seq } = directiveData(foreign);
  const row = { label, kind, text, to, until, inForce, whyNot, author, seq, calls: 0 };
  return { ...ORIGIN, rows: [row, { ...row, label: "D2", to: [], inForce: true, whyNot: null, calls: 12 }] };
}

/** A hypothesis of a person that repeats another one. */
export function additionData(foreign?: string): AdditionData {
  const text = (own: string) => foreign ?? own;
  return {
    ...ORIGIN,
    session: text("aml"),
    accepted: false,
    label: null,
    title: text(TITLES[0] ?? ""),
    statement: text("Itraconazole deepens the response to venetoclax in monocytic AML."),
    duplicateOf: "H3",
    nearest: { label: "H3", title: text(TITLES[2] ?? "") },
    cosine: 0.93,
    threshold: 0.88,
    force: false,
    next: "addHypothesis(…, { force: true }) enters it all the same.",
  };
}

/** A report that was written. */
export function exportedData(foreign?: string): ExportedData {
  const text = (own: string) => foreign ?? own;
  return {
    ...ORIGIN,
    session: text("aml"),
    path: text("/home/iris/aml/reports/2026-12-01/repurposing.html"),
    form: ".html",
    holds: "a report of one page: overview, leaderboard, hypotheses, plots and the bibliography",
    bytes: 412_345,
    seq: 87,
    notes: [text("Two hypotheses are quarantined; the report names them and does not repeat what they say.")],
  };
}

/** Two of the plots that there are. */
export function plotListData(foreign?: string): PlotListData {
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    rows: [
      { call: "lab.plots.elo()", what: "each hypothesis's Elo over the matches", frame: "elo" },
      { call: "lab.plots.compare(fork)", what: "how forks differ", frame: null },
    ],
  };
}

/** Two of the frames that there are. */
export function frameListData(foreign?: string): FrameListData {
  const text = (own: string) => foreign ?? own;
  return {
    ...ORIGIN,
    session: text("aml"),
    rows: [
      {
        name: "leaderboard",
        what: text("a hypothesis in the tournament, best first"),
        columns: [
          "rank",
          "label",
          "title",
          "rating",
          "rating_low",
          "rating_high",
          "elo",
          "won",
          "lost",
          "tied",
        ]
          .map(text),
      },
      { name: "ratings", what: "a rating after a match", columns: ["match", "label", "elo"] },
    ],
  };
}

/** Rows of a frame with a column of each type, more of them than it shows. */
export function samples(foreign?: string): Sample[] {
  const text = (own: string) => foreign ?? own;
  return Array.from({ length: 30 }, (_, i): Sample => ({
    label: text(`H${i + 1}`),
    inputTokens: 12_044 + i * 917,
    usd: i === 3 ? null : 0.0234 + i / 97,
    inForce: i % 3 !== 0,
    at: "2026-12-01T01:02:03.004Z",
    parents: i < 4 ? [] : [text("H1"), text(`H${i - 2}`)],
    before: { strategy: text("combine"), generation: i },
  }));
}

/** A task that died. */
export function taskData(foreign?: string): TaskCardData {
  const text = (own: string) => foreign ?? own;
  return {
    ...ORIGIN,
    session: text("aml"),
    label: "T88",
    seq: 60,
    agent: "reflection",
    action: "review",
    target: { label: "H14", title: text(TITLES[4] ?? "") },
    payload: { kind: "full" },
    status: "dead",
    attempts: 3,
    maxAttempts: 3,
    priority: 20,
    reason: text("529 overloaded_error: Overloaded"),
    cost: { ...COST, calls: 3 },
    calls: [
      {
        n: 301,
        route: "reflection.full",
        model: "claude-opus-4-7",
        usd: 0.031,
        stopReason: "tool_use",
        error: "",
        durationMs: 8123,
      },
      {
        n: 302,
        route: "reflection.full",
        model: "claude-opus-4-7",
        usd: 0,
        stopReason: "",
        error: text("529 overloaded_error: Overloaded"),
        durationMs: 640,
      },
    ],
  };
}

/** System feedback. */
export function feedbackData(foreign?: string): FeedbackCardData {
  const text = (own: string) => foreign ?? own;
  return {
    ...ORIGIN,
    session: text("aml"),
    seq: 80,
    id: "f-2",
    label: "F2",
    narrative: text(FEEDBACK),
    weaknesses: [text("Exposure in marrow is left out"), text("Cell lines stand for stem cells")],
    strengths: [text("Clear falsification criteria")],
    focusAreas: [text("Oral combinations with venetoclax")],
    matchesSeen: 100,
    taskId: "t-70",
  };
}

/** An overview. */
export function overviewData(foreign?: string): OverviewCardData {
  const text = (own: string) => foreign ?? own;
  return {
    ...ORIGIN,
    session: text("aml"),
    seq: 90,
    id: "o-1",
    label: "O1",
    readSeq: 88,
    stale: text("tells of version 1 of H3, which is at 2"),
    version: 1,
    source: "model",
    markdown: text(
      [
        "# Repurposed drugs for relapsed AML",
        "",
        "## Executive summary",
        "",
        "The session converged on **lowering MCL1 by metabolic means** [H3], [1, 2].",
        "It rests on *few* primary samples.",
        "",
        "## Main research directions",
        "",
        "### Cholesterol export",
        "",
        "- **Claim:** itraconazole restores the response to `venetoclax`.",
        "- **Supporting hypotheses:** [H3], and against it [H7].",
        "  - nested: see [the source](https://example.org/a)",
        "1. **First experiment:** titrate both in 12 samples.",
        "",
        "> Not a clinical recommendation.",
        "",
        "## References",
        "",
        "- [1] Cholesterol export and mTORC1. <https://pubmed.ncbi.nlm.nih.gov/12345678/>",
      ].join("\n"),
    ),
    final: false,
    notes: [text("Labels that no hypothesis has were marked: 1 label.")],
    model: "claude-opus-4-7",
  };
}

/** One judge of a card, and what it answered: so many times each. */
export interface JudgeDouble {
  readonly judge: string;
  readonly mode?: JudgedMatch["mode"];
  readonly first?: number;
  readonly second?: number;
  readonly tie?: number;
  readonly invalid?: number;
}

/** How judges judge: ten hypotheses meet in turn, each pair in both orders. */
export function judgesData(judges: readonly JudgeDouble[], foreign?: string): JudgeCardData {
  const text = (own: string) => foreign ?? own;
  const matches = judges.flatMap(({ judge, mode = "pairwise", ...answers }) =>
    (["first", "second", "tie", "invalid"] as const).flatMap((verdict) =>
      Array.from({ length: answers[verdict] ?? 0 }, (_, i): JudgedMatch => {
        const pair = [`h${(i >> 1) % 10}`, `h${((i >> 1) + 1 + (i >> 1) % 4) % 10}`] as const;
        const [firstId, secondId] = i % 2 === 0 ? pair : [pair[1], pair[0]];
        return {
          seq: i,
          firstId,
          secondId,
          mode,
          verdict,
          author: "model",
          weight: 1,
          judge: text(judge),
          promptVersion: text("9f31c2aa5e01bb42"),
        };
      })
    )
  );
  const ids = Array.from({ length: 10 }, (_, i) => `h${i}`);
  return {
    ...ORIGIN,
    session: text("aml"),
    ...judgeCard({
      matches,
      lengths: new Map(ids.map((id, i) => [id, 1200 + i * 90])),
      makers: new Map(ids.map((id, i) => [id, i % 3 === 0 ? "gpt-5" : "claude-opus-4-7"])),
      families: new Map([
        ["gpt-5", "openai"],
        ["claude-opus-4-7", "anthropic"],
        ["claude-sonnet-4-6", "anthropic"],
      ]),
      results: new Map([["h0", "supported"], ["h1", "contradicted"]]),
    }),
  };
}

/** A card with every kind of warning, a judge with few verdicts, and gaps. */
export function judgeData(foreign?: string): JudgeCardData {
  return judgesData([
    { judge: "claude-sonnet-4-6", first: 31, second: 27, tie: 2 },
    { judge: "claude-sonnet-4-6", mode: "debate", first: 24 },
    { judge: "gpt-5", first: 5, second: 6, tie: 12, invalid: 1 },
    { judge: "llama-3.3-70b", first: 5, second: 4, invalid: 6 },
    { judge: "o3", second: 3 },
  ], foreign);
}

/** A look ahead. */
export function peekData(foreign?: string): PeekData {
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    lines: [
      foreign ?? "T9 match H3–H7, pairwise: ratings 17 points apart (bucket close)",
      foreign ?? "Then nothing is ready: 2 reviews wait for another try at 12:04:10Z.",
    ],
    maxUsd: 0.0712,
    worth: { matches: 4, topK: 5, now: 0.612, after: 0.637, usd: 0.124 },
    stop: null,
  };
}

/** A session's cost. */
export function costData(foreign?: string): CostTableData {
  const line = (name: string, usd: number) => ({ ...COST, name: foreign ?? name, usd });
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    total: COST,
    inherited: { ...COST, usd: 0.31 },
    budgetUsd: 2,
    byAgent: [line("generation", 0.81), line("ranking", 0.4245)],
    byModel: [line("claude-opus-4-7", 0.9), line("claude-sonnet-4-6", 0.3345)],
    byPrompt: [line("generation.literature", 0.81), line("ranking.pairwise", 0.4245)],
    byVersion: [
      {
        ...line("generation.literature 9f31c2aa", 0.81),
        prompt: "generation.literature",
        version: "9f31c2aa",
      },
      { ...line("ranking.pairwise 01aa", 0.4), prompt: "ranking.pairwise", version: "01aa" },
      { ...line("ranking.pairwise 02bb", 0.0245), prompt: "ranking.pairwise", version: "02bb" },
    ],
    byCommit: [
      { ...line("commit 12", 0.81), seq: 12, tasks: [foreign ?? "T9 generate"] },
      { ...line("commit 13", 0.4), seq: 13, tasks: [foreign ?? "T10 match"] },
      { ...line("not ended yet", 0.0245), seq: null, tasks: [foreign ?? "resend of 7"] },
    ],
  };
}

function transcriptRow(n: number, over: Partial<TranscriptRow>, foreign?: string): TranscriptRow {
  return {
    n,
    at: 1_787_000_000_000 + n * 1000,
    task: `T${n}`,
    resendOf: null,
    seq: n,
    agent: "ranking",
    route: "ranking.pairwise",
    model: foreign ?? "claude-sonnet-4-6",
    prompt: "ranking.pairwise",
    promptVersion: "9f31c2aa",
    revision: 2,
    directives: ["D1"],
    inputTokens: 4120,
    outputTokens: 610,
    usd: 0.0215,
    unconfirmed: false,
    stopReason: "tool_use",
    error: "",
    durationMs: 4210,
    concessions: [],
    gist: foreign ?? "calls record_verdict: first; the second leaves open how it differs from brequinar",
    inherited: n < 302,
    ...over,
  };
}

/** Model calls. */
export function transcriptsData(foreign?: string): TranscriptListData {
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    rows: [
      transcriptRow(301, {}, foreign),
      transcriptRow(302, { route: "generation.literature", concessions: ["less effort: medium"] }, foreign),
      transcriptRow(303, {
        unconfirmed: true,
        stopReason: "",
        error: foreign ?? "no answer within 120 s",
        gist: "",
      }, foreign),
    ],
  };
}

/** One model call. */
export function transcriptData(foreign?: string): TranscriptData {
  const text = (own: string) => foreign ?? own;
  return {
    ...transcriptRow(301, {}, foreign),
    ...ORIGIN,
    session: text("aml"),
    request: JSON.stringify({
      model: "claude-sonnet-4-6",
      max_tokens: 6144,
      system: [{ type: "text", text: text("You compare hypotheses. ".repeat(20)) }],
      messages: [
        {
          role: "user",
          content: [{
            type: "text",
            text: text('<HYPOTHESIS id="H3">\nTitle: …\n</HYPOTHESIS>\n'.repeat(9)),
          }],
        },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "a", name: "pubmed_search", input: { q: text("NPC1") } }],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: text("8 results …") }] },
      ],
    }),
    response: JSON.stringify({
      content: [
        { type: "thinking", thinking: "", signature: "x" },
        { type: "text", text: text("The first names what would falsify it.") },
        { type: "tool_use", id: "b", name: text("record_verdict"), input: { verdict: "first" } },
      ],
      stop_reason: "tool_use",
    }),
  };
}

/** Events. */
export function eventsData(foreign?: string): EventListData {
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    rows: [
      { n: 1, session: "s", seq: 1, at: 1_787_000_000_000, type: "session_created", payload: {} },
      {
        n: 2,
        session: "s",
        seq: 4,
        at: 1_787_000_004_000,
        type: "match_complete",
        payload: { match: "M1", verdict: foreign ?? "first" },
      },
      {
        n: 3,
        session: "s",
        seq: null,
        at: 1_787_000_009_000,
        type: "call_failed",
        payload: { route: "ranking.pairwise", error: foreign ?? "529 overloaded_error", attempts: 8 },
      },
    ],
  };
}

/** The queue. */
export function queueData(foreign?: string): QueueListData {
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    rows: [
      {
        label: "T90",
        agent: "ranking",
        action: "match",
        target: "H3",
        status: "in_progress",
        priority: 30,
        attempts: 0,
        notBeforeAt: null,
        reason: "",
      },
      {
        label: "T91",
        agent: "generation",
        action: "generate",
        target: null,
        status: "deferred",
        priority: 10,
        attempts: 1,
        notBeforeAt: 1_787_000_060_000,
        reason: foreign ?? "the record has no citations",
      },
      {
        label: "T88",
        agent: "reflection",
        action: "review",
        target: "H14",
        status: "dead",
        priority: 20,
        attempts: 3,
        notBeforeAt: null,
        reason: foreign ?? "529 overloaded_error: Overloaded",
      },
    ],
  };
}

/** Sessions of a store. */
export function sessionsData(foreign?: string): SessionListData {
  const row = {
    name: foreign ?? "aml",
    goal: foreign ?? snapshotData().goal,
    status: "stopped",
    simulated: true,
    seq: 214,
    hypotheses: 23,
    matches: 120,
    usd: 1.2345,
    createdAt: 1_787_000_000_000,
    parent: null,
  } as const;
  return {
    store: foreign ?? "aml.db",
    rows: [row, {
      ...row,
      name: foreign ?? "strict judge",
      simulated: false,
      status: "running",
      parent: foreign ?? "aml",
    }],
  };
}

/** Settings. */
export function settingsData(foreign?: string): SettingsData {
  const row = { by: null, revision: null, undoes: null, seq: null, at: null };
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    rows: [
      { path: "run.budgetUsd", value: 2, default: 25, ...row, by: foreign ?? "iris", at: 1_787_000_000_000 },
      { path: "run.maxIdeas", value: 60, default: 60, ...row },
      {
        path: "ranking.debateTurns",
        value: 4,
        default: 2,
        by: foreign ?? "iris",
        revision: "R3",
        undoes: "R2",
        seq: 101,
        at: 1_787_000_000_000,
      },
      {
        path: "models.ranking.pairwise",
        value: foreign ?? "claude-sonnet-4-6",
        default: foreign ?? "claude-sonnet-4-6",
        ...row,
      },
      { path: "safety.blockCategories", value: ["cbrn", "weapons"], default: ["cbrn", "weapons"], ...row },
    ],
  };
}

function costs(usd: number, calls: number): CostRow {
  return { usd, inputTokens: 4000 * calls, outputTokens: 800 * calls, calls, unconfirmedUsd: 0 };
}

/** An estimate. */
export function estimateData(foreign?: string): EstimateData {
  return {
    ...ORIGIN,
    session: foreign ?? "aml",
    until: foreign ?? "20 more matches",
    rows: [
      { action: "match", tasks: 20, usd: 0.43, maxUsd: 1.1, basis: "measured" },
      { action: "review", tasks: 2, usd: 0.21, maxUsd: 0.6, basis: "prices" },
    ],
    byAgent: {
      ranking: { expected: costs(0.43, 20), worst: costs(1.1, 20) },
      reflection: { expected: costs(0.21, 6), worst: costs(0.6, 16) },
    },
    usd: 0.64,
    maxUsd: 1.7,
    expected: costs(0.64, 26),
    worst: costs(1.7, 36),
    budgetUsd: 2,
    leftUsd: 0.77,
    leftTokens: 400_000,
    inheritedUsd: 0.31,
    exceedsBudget: false,
    notes: [foreign ?? "Retries are not counted."],
  };
}

/** A session and its fork side by side. */
export function comparisonData(foreign?: string): ComparisonData {
  const session = (name: string): ComparedSession => ({
    name: foreign ?? name,
    store: foreign ?? "aml.db",
    simulated: true,
    parent: name === "aml" ? null : foreign ?? "aml",
    forkedAt: name === "aml" ? null : 37,
    status: "stopped",
    seq: 60,
    hypotheses: 7,
    own: ["H6", "H7"],
    matches: 21,
    cost: COST,
    inherited: { ...COST, usd: 0.31 },
    ratedBy: "bradley_terry",
    course: [7, 14, 21].map((matches) => ({
      matches,
      usd: matches / 100,
      best: "H1",
      elo: 1200 + 4 * matches,
    })),
    leaderboard: TITLES.slice(0, 5).map((title, i) => ({
      rank: i + 1,
      label: `H${i + 1}`,
      title: foreign ?? title,
      rating: i === 4 ? null : 1300 - 20 * i,
      elo: 1280 - 15 * i,
      shared: i % 2 === 0,
    })),
    revisions: [{
      revision: "R1",
      kind: "configure",
      undoes: null,
      path: foreign ?? "ranking.topK",
      before: foreign ?? 5,
      after: foreign ?? 3,
      by: foreign ?? "iris",
      seq: 38,
    }],
  });
  return {
    goal: foreign ?? "Which approved drugs could be repurposed for acute myeloid leukaemia?",
    simulated: true,
    sharedSeq: 37,
    sessions: [session("aml"), session("strict judge")],
    shared: TITLES.slice(0, 3).map((title, i) => ({
      title: foreign ?? title,
      labels: [`H${i + 1}`, i === 2 ? null : `H${i + 1}`],
      ranks: [i + 1, i === 2 ? null : 3 - i],
      ratings: [1300, i === 2 ? null : 1280],
      elos: [1290, i === 2 ? null : 1270],
      edited: i === 1,
      moved: i === 2 ? null : 2 * i - 2,
    })),
    agreement: [{ first: foreign ?? "aml", second: foreign ?? "strict judge", shared: 5, tau: 0.6 }],
    settings: [{ name: foreign ?? "ranking.topK", values: [foreign ?? 5, foreign ?? 3] }],
    prompts: [{ name: foreign ?? "ranking.pairwise", values: [foreign ?? "one text", "another text"] }],
    cross: [{
      session: foreign ?? "aml × strict judge",
      first: foreign ?? "aml",
      second: foreign ?? "strict judge",
      firstSide: ["H6", "H7"],
      secondSide: ["H8", "H9"],
      wins: { count: 7, of: 10, share: 0.7, low: 0.397, high: 0.892 },
      ties: 1,
      invalid: 1,
      unplayed: 2,
      cost: COST,
      notes: [foreign ?? "The budget of $1 is spent."],
    }],
  };
}
