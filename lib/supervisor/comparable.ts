import type { SettingsPatch } from "../config/settings.ts";
import type { Store } from "../store/store.ts";
import type { View } from "../store/view.ts";
import type { ForkOptions } from "./fork.ts";
import type { INSIDE, Inside } from "./inside.ts";

/** A session that is open, as comparisons need it: its records, and a fork of it to play matches in. A handle is one. */
export interface Comparable {
  /** The session's name. */
  readonly name: string;
  /**
   * Where its records are kept.
   *
   * @internal
   */
  readonly store: Store;
  /** The records as they stand, or stood at a seq. */
  view(seq?: number): View;
  /** Branches off a session of its own. */
  fork(options: ForkOptions): Promise<Comparable>;
  /** Changes settings. */
  configure(patch: SettingsPatch, options?: { readonly author?: string }): unknown;
  /** Lets go of the session. */
  close(): Promise<void>;
  /**
   * What else is needed of it.
   *
   * @internal
   */
  readonly [INSIDE]: Inside;
}
