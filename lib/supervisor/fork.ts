import { z } from "zod";
import { applyPatch, changesBetween } from "../config/patch.ts";
import type { Settings, SettingsPatch } from "../config/settings.ts";
import { CosciError, inputError } from "../domain/errors.ts";
import { canonicalJson } from "../domain/ids.ts";
import { formatUsd } from "../domain/money.ts";
import type { RevisionRecord } from "../domain/records.ts";
import { type Change, revisionRecords } from "../engine/revision_entry.ts";
import type { Services } from "../engine/work_context.ts";
import type { ForkPoint } from "../store/fork_point.ts";
import type { Store } from "../store/store.ts";
import type { SessionRecord, View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { refuseFixed } from "./fixed_settings.ts";
import { requireOverviewBudget } from "./overview_budget.ts";
import { readAuthor } from "./steer.ts";
import { type OptionsRule, requireOptions } from "./wrong_option.ts";

/** What a fork is made with. */
export interface ForkOptions {
  /** Its name in the store. */
  readonly name: string;
  /** The commit that it goes on from. @default the newest one */
  readonly at?: number | undefined;
  /** Settings that differ from those in force at that commit. */
  readonly settings?: SettingsPatch | undefined;
  /** Another word for `settings`. */
  readonly config?: SettingsPatch | undefined;
  /** Texts of prompts by name; `null` takes the shipped one again. */
  readonly prompts?: Readonly<Record<string, string | null>> | undefined;
  /** What the fork may spend itself. @default as much as the parent's settings allow; what was spent before is not counted */
  readonly budget?: { readonly usd?: number | undefined; readonly tokens?: number | undefined } | undefined;
  /** Who forks it. */
  readonly author?: string | undefined;
}

const FORK: OptionsRule = {
  shape: z.strictObject({
    name: z.string().trim().min(1).max(200),
    at: z.number().int().positive().optional(),
    settings: z.unknown().optional(),
    config: z.unknown().optional(),
    prompts: z.record(z.string(), z.union([z.string(), z.null()])).optional(),
    budget: z.strictObject({
      usd: z.number().positive().optional(),
      tokens: z.number().int().positive().optional(),
    }).optional(),
    author: z.unknown().optional(),
  }),
  example: '{ name: "strict judge" }',
  remedies: {
    name: "Give a name of 1 to 200 characters.",
    at: "Give the number of a commit, from 1 on; leave it out for the newest.",
    prompts: "Give texts by the names of prompts; null takes the shipped one again.",
    budget: "Give { usd, tokens? } with numbers above 0.",
  },
};

/** What is forked. */
export interface Forked {
  /** The store. */
  readonly store: Store;
  /** The parent as it stands. */
  readonly view: View;
  /** What its handle works with: the fork's will be the same. */
  readonly services: Services;
}

/** A fork that is there, with remarks on how it was made. */
export interface Fork {
  /** The session. */
  readonly session: SessionRecord;
  /** Remarks. */
  readonly notes: readonly string[];
}

/**
 * Makes a fork, or finds the one that the same call made before: a notebook that is run again forks nothing twice.
 *
 * @throws CosciError before anything is written: `input` for a wrong option, a commit that is not there or a name that another
 *   session has, `prompt` for an unknown name or a wrong template, `state` for a setting that is fixed, `budget` for one that
 *   allows no overview
 */
export function forkSession(parent: Forked, options: ForkOptions): Fork {
  requireOptions("fork", options, FORK);
  const { store, view } = parent;
  const name = options.name.trim();
  const author = readAuthor("fork", options.author);
  const known = store.findSession(name);
  if (known !== undefined) requireSameFork(view, known, options, store.name);
  const at = options.at ?? known?.parentSeq ?? view.seq;
  if (at > view.seq) {
    throw inputError("fork: at", at, `${view.session.name} has commits 1 to ${view.seq}.`);
  }
  const point = store.forkPoint(view.session.id, at);
  const { settings, changes, events } = changesOf(parent, point, options);
  if (known !== undefined) {
    requireSameChanges(store, known, changes);
    return { session: known, notes: [`"${name}" was forked before: it goes on where it stands.`] };
  }
  const session = store.fork(view.session.id, point, {
    name,
    author,
    revisions: revisionRecords(point.revision, changes.map((change) => ({ ...change, author }))),
    events: [
      {
        type: "session_created",
        payload: {
          name,
          goal: view.session.goal,
          mode: view.session.mode,
          parent: view.session.name,
          at,
        },
      },
      ...events,
    ],
  });
  return {
    session,
    notes: [
      `Forked from "${view.session.name}" at commit ${at}. It may spend ${
        formatUsd(settings.run.budgetUsd * 1e6)
      } of its own; what was spent before is told apart and not counted.`,
    ],
  };
}

/** What the options change in what holds at the commit, checked whole. */
function changesOf(
  { view, services }: Forked,
  point: ForkPoint,
  options: ForkOptions,
): {
  readonly settings: Settings;
  readonly changes: readonly Omit<Change, "author">[];
  readonly events: readonly EventDraft[];
} {
  if (options.settings !== undefined && options.config !== undefined) {
    throw new CosciError("input", "fork: config is another word for settings: give one of the two.");
  }
  const { usd, tokens } = options.budget ?? {};
  const asked = options.config === undefined
    ? applyPatch(point.settings, options.settings, "fork: settings")
    : applyPatch(point.settings, options.config, "fork: config");
  const settings = applyPatch(asked, {
    run: {
      ...(usd === undefined ? {} : { budgetUsd: usd }),
      ...(tokens === undefined ? {} : { budgetTokens: tokens }),
    },
  }, "fork: budget");
  const changed = changesBetween(point.settings, settings);
  refuseFixed({ hypotheses: { length: point.begun ? 1 : 0 } }, changed, "fork");
  if (changed.some(({ path }) => path.startsWith("run.budget"))) {
    requireOverviewBudget(settings, view.session.provider, "fork: ");
  }
  // An embedder that lacks its key must be refused here, and not by every task from now on.
  services.embedder({ settings });
  const prompts = promptChanges(services, point, options.prompts ?? {});
  return {
    settings,
    changes: [
      ...changed.map((
        { path, before, after },
      ) => ({ kind: "configure", target: path, before, after } as const)),
      ...prompts,
    ],
    events: [
      ...(changed.length === 0 ? [] : [{ type: "settings_changed", payload: { changes: changed } } as const]),
      ...prompts.map(({ target }) => ({ type: "prompt_changed", payload: { prompt: target } } as const)),
    ],
  };
}

function promptChanges(
  { prompts: shipped }: Services,
  point: ForkPoint,
  given: Readonly<Record<string, string | null>>,
) {
  const texts = Object.entries(given);
  // Both throw for a name that is none's, and the second for a template that is wrong.
  for (const [name] of texts) shipped.source(name);
  shipped.with(Object.fromEntries(texts.flatMap(([name, text]) => text === null ? [] : [[name, text]])));
  return texts.flatMap(([target, text]) => {
    const before = point.prompts.get(target) ?? null;
    const after = text === shipped.source(target) ? null : text;
    return before === after ? [] : [{ kind: "prompt", target, before, after } as const];
  });
}

/** A name stands for one session: only a fork of this one, from the commit that is asked for, is the one that is meant. */
function requireSameFork(view: View, known: SessionRecord, { at }: ForkOptions, store: string): void {
  const taken =
    `There is a session of this name in ${store}; Supervisor.open({ store, session }) opens it. ` +
    "Choose another name for the fork.";
  if (known.parentId !== view.session.id) throw inputError("fork: name", known.name, taken);
  if (at !== undefined && at !== known.parentSeq) {
    throw inputError("fork: name", known.name, `It was forked at commit ${known.parentSeq}. ${taken}`);
  }
}

/** Whether a fork was made with these changes. @throws CosciError `input` where it was made with others */
function requireSameChanges(
  store: Store,
  known: SessionRecord,
  changes: readonly Pick<Change, "kind" | "target" | "after">[],
): void {
  const made = madeWith(store, known);
  const text = (list: readonly Pick<Change, "kind" | "target" | "after">[]) =>
    canonicalJson(list.map(({ kind, target, after }) => ({ kind, target, after: after ?? null })));
  if (text(made) === text(changes)) return;
  throw inputError(
    "fork: name",
    known.name,
    "The fork of this name was made with other settings or prompts. Choose another name, or open that one and change it.",
  );
}

function madeWith(store: Store, known: SessionRecord): readonly RevisionRecord[] {
  const first = store.sql.get(
    "SELECT 1 AS found FROM commits WHERE session = ? AND seq = ? AND kind = 'fork'",
    known.id,
    known.parentSeq + 1,
  );
  if (first === undefined) return [];
  return store.view(known.id).revisions.filter(({ seq }) => seq === known.parentSeq + 1);
}
