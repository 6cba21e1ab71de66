import { applyPatch, changesBetween } from "../config/patch.ts";
import type { Settings } from "../config/settings.ts";
import { epochEntries } from "../engine/elo_epoch.ts";
import type { ChangeListData } from "../notebook/displays/changes.ts";
import type { View } from "../store/view.ts";
import { refuseFixed } from "./fixed_settings.ts";
import { changesOf } from "./look.ts";
import { type Claimed, effectOf } from "./setting_effects.ts";
import { readAuthor, steer, type Steered } from "./steer.ts";

/**
 * Changes settings: a revision each, in one commit; with another epoch of Elo where other matches count from then on. Says
 * of each what it changes from when.
 *
 * @param usable throws where the settings can't be worked with, such as an embedder without its key
 * @throws CosciError `input` for a wrong patch; `state` for a finished session and for what can't be changed any more
 */
export function configure(
  on: Steered,
  patch: unknown,
  author: unknown,
  usable: (settings: Settings) => void,
): ChangeListData {
  const view = on.view();
  const by = readAuthor("configure", author);
  const settings = applyPatch(view.settings, patch);
  const changes = changesBetween(view.settings, settings);
  refuseFixed(view, changes);
  if (changes.length === 0) return changesOf(view, []);
  usable(settings);
  const claimed = claimedBy(on, view);
  const committed = steer(on, "configure", by, (now) => {
    // Another process may have changed others meanwhile: those stay.
    const after = applyPatch(now.settings, patch);
    const made = changesBetween(now.settings, after);
    if (made.length === 0) return null;
    refuseFixed(now, made);
    const recount = after.ranking.staleMatches !== now.settings.ranking.staleMatches;
    return {
      entries: recount ? epochEntries(now, {}, { ranking: after.ranking }) : [],
      changes: made.map(({ path: target, before, after }) => ({ kind: "configure", target, before, after })),
      events: [{ type: "settings_changed", payload: { changes: made } }],
    };
  });
  const changed = on.view();
  const revisions = changed.revisions.filter(({ seq }) => seq === committed?.seq);
  const effects = new Map(revisions.map(({ label, target, before, after }) => [
    label,
    effectOf(changed, { path: target, before, after }, claimed),
  ]));
  return changesOf(changed, revisions, effects);
}

/** The tasks that were claimed and have not ended: in hand, or put off with what they were claimed under. */
function claimedBy({ store, session }: Steered, view: View): Claimed[] {
  return store.queue(session).list().filter(({ claimSeq }) => claimSeq !== null)
    .flatMap(({ taskId }) => view.task(taskId) ?? []);
}
