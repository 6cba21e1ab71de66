import type { Store } from "../store/store.ts";
import type { EventDraft } from "../telemetry/events.ts";

/** Tells events, and goes on where that fails: telling is not worth failing for. */
export function tellQuietly(store: Store, session: string, events: readonly EventDraft[]): void {
  if (events.length === 0) return;
  try {
    store.tell(session, events);
  } catch {
    // The next commit meets the same store and says what is wrong with it.
  }
}
