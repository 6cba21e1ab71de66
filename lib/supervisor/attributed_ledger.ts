import type { AgentName } from "../domain/records.ts";
import type { Admission, CallLedger, CallOrigin, Headroom, Reservation, Settlement } from "../store/calls.ts";
import type { TranscriptDraft } from "../store/calls.ts";
import type { Store } from "../store/store.ts";

/** Calls that a person asks for outside of any task. */
export interface Attributed {
  /** The store. */
  readonly store: Store;
  /** The session's id. */
  readonly session: string;
  /** What pays. */
  readonly ledger: CallLedger;
  /** What stands for a task: no task has this id. */
  readonly taskId: string;
  /** What the commits are called. */
  readonly kind: string;
  /** Who asked. */
  readonly author: string;
}

/**
 * A ledger for calls outside of any task: each is settled together with a commit that it belongs to, so that no crash can
 * leave a call without one. Nothing is journalled, because nothing is tried again.
 */
export class AttributedLedger implements CallLedger {
  readonly #of: Attributed;

  /** @param of the calls */
  constructor(of: Attributed) {
    this.#of = of;
  }

  /** Nothing was answered before. */
  find(): null {
    return null;
  }

  /** As the ledger that pays says. */
  admit(reservation: Reservation): Admission {
    return this.#of.ledger.admit(reservation);
  }

  /** Settles the call and commits it. */
  settle(
    reservationId: string,
    settlement: Settlement,
    transcript: TranscriptDraft,
    _journal: unknown,
    origin?: CallOrigin,
  ): void {
    const { store, session, ledger, taskId, kind, author } = this.#of;
    const { agent, revision } = transcript;
    store.write(() => {
      ledger.settle(reservationId, settlement, transcript, null, origin);
      store.commit(session, () => ({
        kind,
        author,
        progress: 0,
        entries: [],
        task: { id: taskId, agent, revision, owner: null, then: { kind: "ended", status: "done" } },
      }));
    });
  }

  /** Nothing is journalled. */
  journal(): void {}

  /** As the ledger that pays says. */
  headroom(agent: AgentName): Headroom {
    return this.#of.ledger.headroom(agent);
  }
}
