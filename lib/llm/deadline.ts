/** Work that took longer than it may. */
export class TimedOut extends Error {
  /** `ms`: how long it might take, in milliseconds. */
  constructor(ms: number) {
    super(`no answer within ${ms / 1000} s`);
    this.name = "TimedOut";
  }
}

/**
 * Work with a signal that aborts when the caller's does, or after `ms` milliseconds. Ends at that moment even if the
 * work doesn't heed its signal.
 *
 * @throws TimedOut after `ms`; the signal's reason when the caller aborts; whatever the work throws
 */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  const stop = (reason: unknown) => {
    controller.abort(reason);
    ended.reject(reason);
  };
  const onAbort = () => stop(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => stop(new TimedOut(ms)), ms);
  try {
    return await Promise.race([work(controller.signal), ended.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
