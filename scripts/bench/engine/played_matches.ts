import type { SupervisorHandle } from "cosci";
import { recordId } from "../../../lib/domain/ids.ts";
import type { MatchVerdict } from "../../../lib/domain/records.ts";
import type { Rng } from "../../../lib/domain/rng.ts";
import type { Entry } from "../../../lib/store/records.ts";
import { rateAll } from "../../../lib/tournament/elo.ts";
import { logistic } from "../../../lib/tournament/normal.ts";
import { poolId } from "./pool.ts";

/** Matches of a pool before a noisy judge. */
export interface PlayedMatches {
  /** Of the pool. */
  readonly hypotheses: number;
  /** In all. */
  readonly matches: number;
  /** Of a commit: the engine makes one each; so many at once are quicker to build and rated the same. */
  readonly perCommit: number;
  /** What being shown first adds for the judge, in logits. */
  readonly firstBias: number;
}

/** Writes matches with their ratings into a session that has the pool. */
export function playMatches(
  lab: SupervisorHandle,
  chance: Rng,
  { hypotheses, matches, perCommit, firstBias }: PlayedMatches,
): void {
  const truth = Array.from({ length: hypotheses }, () => chance.normal());
  const games = Array.from({ length: matches }, (_, n) => {
    const i = chance.int(hypotheses), j = (i + 1 + chance.int(hypotheses - 1)) % hypotheses;
    const wins = chance.next() < logistic((truth[i] ?? 0) - (truth[j] ?? 0) + firstBias);
    const verdict: MatchVerdict = wins ? "first" : "second";
    return { id: recordId("mat", `bench ${n}`), firstId: poolId(i), secondId: poolId(j), verdict, weight: 1 };
  });
  const ledger = rateAll(games, lab.view().settings.ranking);
  for (let n = 0; n < matches; n += perCommit) {
    const played = games.slice(n, n + perCommit).map((game): Entry => ({
      kind: "match",
      record: {
        ...game,
        mode: "pairwise",
        bothOrders: null,
        group: null,
        author: "model",
        judge: "bench",
        panelist: null,
        promptVersion: "p0123456789ab",
        revision: 0,
        taskId: null,
        rationale: "The first one says more that can be measured, and says it more exactly. ".repeat(4),
      },
    }));
    const rated = ledger.slice(n, n + perCommit).map((line): Entry => ({
      kind: "elo",
      record: { ...line, epoch: 0 },
    }));
    lab.store.commit(lab.view().session.id, () => ({
      kind: "match",
      author: "engine",
      progress: 1,
      entries: [...played, ...rated],
    }));
  }
}
