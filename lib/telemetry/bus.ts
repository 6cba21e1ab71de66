import type { SessionEvent } from "./events.ts";

/** How many events wait for a slow subscriber; older ones are dropped. They are in the store all the same. */
export const BUS_CAPACITY = 256;

/** A subscriber's end of the bus: an async iterable that ends when it is closed. */
export interface Subscription extends AsyncIterable<SessionEvent> {
  /** Events that were dropped because nobody took them in time. */
  readonly dropped: number;
  /** Ends it. */
  close(): void;
}

/** Publish and subscribe within a process. Publishing never waits: each subscriber holds 256 events and drops the oldest. */
export class EventBus {
  readonly #subscribers = new Set<Mailbox>();

  /** Hands events to all subscribers of their session. */
  publish(events: readonly SessionEvent[]): void {
    for (const mailbox of this.#subscribers) {
      for (const event of events) mailbox.offer(event);
    }
  }

  /** Starts to receive: all events from now on, or those of one session. */
  subscribe(session?: string): Subscription {
    const mailbox = new Mailbox(session, () => this.#subscribers.delete(mailbox));
    this.#subscribers.add(mailbox);
    return mailbox;
  }

  /** Ends all subscriptions. */
  close(): void {
    for (const mailbox of [...this.#subscribers]) mailbox.close();
  }
}

class Mailbox implements Subscription {
  readonly #session: string | undefined;
  readonly #onClose: () => void;
  readonly #events: SessionEvent[] = [];
  #wake: (() => void) | null = null;
  #closed = false;
  #dropped = 0;

  constructor(session: string | undefined, onClose: () => void) {
    this.#session = session;
    this.#onClose = onClose;
  }

  get dropped(): number {
    return this.#dropped;
  }

  offer(event: SessionEvent): void {
    if (this.#closed || (this.#session !== undefined && event.session !== this.#session)) return;
    this.#events.push(event);
    if (this.#events.length > BUS_CAPACITY) {
      this.#events.shift();
      this.#dropped++;
    }
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#onClose();
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<SessionEvent> {
    try {
      for (;;) {
        const event = this.#events.shift();
        if (event !== undefined) yield event;
        else if (this.#closed) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.close();
    }
  }
}
