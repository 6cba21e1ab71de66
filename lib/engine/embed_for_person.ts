import { taskId } from "../domain/ids.ts";
import { CosciError } from "../domain/errors.ts";
import type { CallLedger } from "../store/calls.ts";
import type { EndingTask } from "../store/store.ts";
import type { View } from "../store/view.ts";
import { embed } from "./embedding.ts";
import type { Services } from "./work_context.ts";

/** Embeddings of texts that a person wrote, and what their calls are booked on. */
export interface PersonsEmbedding {
  /** The embedder. */
  readonly model: string;
  /** The unit vector of the first text. */
  readonly vector: Float32Array;
  /** Those of the others, in their order. */
  readonly others: readonly Float32Array[];
  /** For the commit that records it: it takes the cost of the calls. `undefined` where there were none. */
  readonly task: EndingTask | undefined;
}

/**
 * Embeds texts that a person wrote. No task of the queue does it: the calls, if a server makes the vectors, are
 * booked on the person's own commit.
 *
 * @param key tells the change from others: equal in forks and replays
 * @throws CosciError `budget`, `provider`
 */
export async function embedForPerson(
  view: View,
  texts: readonly [string, ...string[]],
  key: string,
  { services, ledger, signal }: {
    readonly services: Pick<Services, "embedder" | "clock">;
    readonly ledger: CallLedger;
    readonly signal: AbortSignal;
  },
): Promise<PersonsEmbedding> {
  const { embedder, remote } = services.embedder(view);
  const task = { id: taskId(key), key };
  const { revision, settings } = view;
  const [vector, ...others] = await embed(texts, {
    embedder,
    remote,
    task,
    revision,
    settings,
    ledger,
    clock: services.clock,
    seed: view.session.seed,
    signal,
  });
  if (vector === undefined) {
    throw new CosciError("internal", "The embedder returned no vector for one text: please report this.");
  }
  return {
    model: embedder.name,
    vector,
    others,
    task: remote
      ? { id: task.id, agent: "proximity", revision, owner: null, then: { kind: "ended", status: "done" } }
      : undefined,
  };
}
