import { z } from "zod";
import { applyPatch, changesBetween } from "../config/patch.ts";
import type { Settings } from "../config/settings.ts";
import { CosciError, inputError } from "../domain/errors.ts";
import { epochEntries } from "../engine/elo_epoch.ts";
import { inSlices } from "../engine/in_slices.ts";
import { rateInSteps } from "../engine/rate_in_steps.ts";
import { combinations, sweepRatings, type SweptSetting } from "../engine/rating_sweep.ts";
import {
  compareRankings,
  rankingNow,
  RATING_SETTINGS,
  type RatingPatch,
  type RatingSetting,
  type Replayed,
  replayIf,
} from "../engine/rerating.ts";
import { withOutcome } from "../notebook/forgotten_await.ts";
import { whileInterruptible } from "../notebook/interrupt.ts";
import { RatingSweep } from "../notebook/values/rating_sweep.ts";
import { Rerating } from "../notebook/values/rerating.ts";
import type { CountChange, View } from "../store/view.ts";
import { originOf } from "./look.ts";
import {
  type MatchChoice,
  SELECTOR_REMEDY,
  selectorFields,
  type WeightChange,
  type WeightedMatches,
  weightMarks,
} from "./match_selection.ts";
import { readAuthor, requireSteerable, steer, type Steered } from "./steer.ts";
import { requireOptions } from "./wrong_option.ts";

/** How the match log is to be rated anew: settings of the group `ranking`, and what else. */
export interface RerateOptions extends RatingPatch {
  /** Matches to be left out: labels of matches, or of hypotheses for all of theirs, and selectors. */
  readonly exclude?: MatchChoice | readonly MatchChoice[] | undefined;
  /** Matches that are to count more or less. */
  readonly weights?: WeightedMatches | readonly WeightedMatches[] | undefined;
  /** Whether it becomes the ranking: a new epoch begins. @default {false} */
  readonly apply?: boolean | undefined;
  /** Who does it. */
  readonly author?: string | undefined;
}

/** Values to try, by setting of the group `ranking`. */
export type RatingGrid = {
  readonly [K in RatingSetting]?: readonly Settings["ranking"][K][] | undefined;
};

/** Rates the match log anew, without a model call. */
export interface Rerate {
  /**
   * Replays all matches that count under other settings, or without some of them, and shows both rankings side by side. With
   * `apply` it becomes the ranking.
   *
   * @throws CosciError `input` for a wrong setting, label or selector; `state` where there is nothing to rate or nothing to apply
   */
  (options?: RerateOptions): Promise<Rerating>;
  /**
   * Tries values of one or several settings: a table and a plot of what each makes of the ranking. Changes nothing.
   *
   * @throws CosciError `input` for a wrong setting or value, and for too many combinations
   */
  sweep(grid: RatingGrid): Promise<RatingSweep>;
}

/** Combinations that a sweep may have. */
const MOST_COMBINATIONS = 64;
/** How often a replay begins anew where the session went on meanwhile, before the thread is held to be done with it. */
const TRIES = 4;

/** The verb of a handle. */
export function rerateOf(on: Steered): Rerate {
  return Object.assign(
    (options: RerateOptions = {}) => withOutcome(whileInterruptible((signal) => rerate(on, options, signal))),
    {
      sweep: (grid: RatingGrid) => withOutcome(whileInterruptible((signal) => sweep(on, grid, signal))),
    },
  );
}

const selector = z.strictObject(selectorFields).refine((given) => Object.keys(given).length > 0);
const choice = z.union([z.string(), selector]);
const weighted = z.strictObject({
  ...selectorFields,
  matches: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  weight: z.number().min(0).max(100),
}).refine((given) => Object.keys(given).length > 1);
const optionsShape = z.strictObject({
  ...Object.fromEntries(RATING_SETTINGS.map((name) => [name, z.unknown().optional()])),
  exclude: z.union([choice, z.array(choice)]).optional(),
  weights: z.union([weighted, z.array(weighted)]).optional(),
  apply: z.boolean().optional(),
  author: z.unknown().optional(),
});

async function rerate(on: Steered, options: RerateOptions, signal: AbortSignal): Promise<Rerating> {
  const verb = "rerate";
  const first = on.view();
  refuseOtherSettings(first, verb, options);
  requireOptions(verb, options, {
    shape: optionsShape,
    example: "{ kFactorNew: 40, exclude: [{ judge: … }] }",
    remedies: {
      exclude:
        `Give labels ("M12", "H7") and selectors, such as { author: "model", mode: "debate" }. ${SELECTOR_REMEDY}`,
      weights:
        "Give objects with a weight from 0 to 100 and what it is for: matches (labels) or conditions. " +
        SELECTOR_REMEDY,
      apply: "true makes it the ranking; false, the default, only shows it.",
    },
  });
  const author = readAuthor(verb, options.author);
  const apply = options.apply === true;
  if (apply) requireSteerable(first, verb);
  requireMatches(first, verb);
  for (let tries = 1;; tries++) {
    const view = on.view(), { seq } = view;
    const asked = askedOf(view, options);
    const last = tries >= TRIES;
    const before = last ? atOnce(rankingNow(view)) : await inSlices(rankingNow(view), signal);
    if (on.view().seq !== seq) continue;
    const steps = replayIf(view, asked.change, asked.ranking);
    const replayed = apply && last ? atOnce(steps) : await inSlices(steps, signal);
    const data = {
      ...originOf(view),
      ...compareRankings(before, replayed.ranking),
      seq,
      settings: asked.settings,
      excluded: asked.weights.excluded,
      reweighted: asked.weights.reweighted,
    };
    if (!apply) return new Rerating({ ...data, applied: null, notes: notesOf(asked, replayed) });
    if (on.view().seq !== seq) continue;
    requireDifference(asked, replayed);
    const applied = begin(on, author, seq, asked);
    if (applied === null) continue;
    // Whoever looks next finds it rated.
    await rateInSteps(on.view());
    return new Rerating({ ...data, applied, notes: notesOf(asked, replayed) });
  }
}

/** What is asked for, as a view has it. */
interface Asked {
  readonly change: CountChange;
  readonly weights: WeightChange;
  readonly settings: readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[];
  readonly ranking: Settings["ranking"];
}

function askedOf(view: View, options: RerateOptions): Asked {
  const patch = Object.fromEntries(
    RATING_SETTINGS.flatMap((name) => options[name] === undefined ? [] : [[name, options[name]]]),
  );
  const settings = applyPatch(view.settings, { ranking: patch }, "rerate");
  const weights = weightMarks(view, "rerate", [options.exclude ?? []].flat(), [options.weights ?? []].flat());
  return {
    change: { marks: weights.marks },
    weights,
    settings: changesBetween(view.settings, settings),
    ranking: settings.ranking,
  };
}

/** Begins the epoch in which matches count so; `null` where the session went on meanwhile. */
function begin(on: Steered, author: string, seq: number, { change, weights, settings, ranking }: Asked) {
  const view = on.view();
  // Thousands of lines: worked out before the transaction, not in it.
  const entries = epochEntries(view, change, { ranking, anew: true }), epoch = view.epoch + 1;
  const committed = steer(on, "rerate", author, (now) =>
    now.seq !== seq ? null : {
      entries,
      changes: [
        ...settings.map((
          { path: target, before, after },
        ) => ({ kind: "configure", target, before, after } as const)),
        {
          kind: "rating",
          target: `epoch ${epoch}`,
          before: { marks: weights.before },
          after: { marks: weights.marks },
        },
      ],
      events: [{
        type: "rated_anew",
        payload: { epoch, excluded: weights.excluded, reweighted: weights.reweighted, settings },
      }],
    });
  if (committed === null) return null;
  const revisions = committed.saved.flatMap((item) => item.kind === "revision" ? [item.record.label] : []);
  return { epoch, revisions, seq: committed.seq };
}

function requireDifference({ settings, weights }: Asked, { ledger }: Replayed): void {
  if (settings.length > 0 || weights.marks.length > 0 || !ledger.asItStands) return;
  throw new CosciError(
    "state",
    "rerate: there is nothing to apply: under these settings the match log gives the ranking as it stands.",
  );
}

function requireMatches(view: View, verb: string): void {
  if (view.validMatches > 0) return;
  throw new CosciError("state", `${verb}: there is no match to rate yet. await lab.rank(5) plays some.`);
}

/** Settings of the group that bear on matches to come alone are told apart from words that are no setting. */
function refuseOtherSettings(view: View, verb: string, options: unknown): void {
  if (typeof options !== "object" || options === null) return;
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(view.settings.ranking, name) || RATING_SETTINGS.some((known) => known === name)) {
      continue;
    }
    throw new CosciError(
      "input",
      name === "eloInitial"
        ? `${verb}: eloInitial can't be changed: only differences of Elo mean something, and they stay.`
        : `${verb}: ${name} bears on matches to come, not on those that were played: ` +
          `lab.configure({ ranking: { ${name}: … } }). Settings to rate by are ${
            RATING_SETTINGS.join(", ")
          }.`,
    );
  }
}

function notesOf({ weights, settings }: Asked, { ledger }: Replayed): string[] {
  const asInForce = settings.length === 0 && weights.marks.length === 0;
  return [
    ...(weights.excluded > 0
      ? ["Matches to come count as ever; lab.reject(label) takes a hypothesis out of play."]
      : []),
    ...(asInForce && !ledger.asItStands
      ? [
        "Elo comes out otherwise than it was kept match by match: settings or texts had changed between them.",
      ]
      : []),
  ];
}

async function sweep(on: Steered, grid: RatingGrid, signal: AbortSignal): Promise<RatingSweep> {
  const verb = "rerate.sweep";
  const view = on.view();
  refuseOtherSettings(view, verb, grid);
  requireOptions(verb, grid, {
    shape: z.strictObject(Object.fromEntries(
      RATING_SETTINGS.map((name) => [name, z.array(z.union([z.string(), z.number()])).min(1).optional()]),
    )),
    example: "{ kFactorNew: [16, 32, 64] }",
    remedies: Object.fromEntries(RATING_SETTINGS.map((name) => [name, "Give a list of values to try."])),
  });
  requireMatches(view, verb);
  const asked = sweptOf(view, grid);
  for (let tries = 1;; tries++) {
    const { seq } = on.view();
    const { settings, under } = tries === 1 ? asked : sweptOf(on.view(), grid);
    const table = await inSlices(sweepRatings(on.view(), settings, under), signal);
    const moved = on.view().seq !== seq;
    if (moved && tries < TRIES) continue;
    return new RatingSweep({
      ...originOf(view),
      ...table,
      seq,
      notes: moved ? ["The session went on while this was computed: later rows know of more matches."] : [],
    });
  }
}

/** The settings of each combination; every value is checked before anything is computed. */
function sweptOf(view: View, grid: RatingGrid) {
  const verb = "rerate.sweep";
  const settings = RATING_SETTINGS.flatMap((name): SweptSetting[] => {
    const values: readonly (string | number)[] | undefined = grid[name];
    if (values === undefined) return [];
    return [{ name, values: [...new Set(values)], inForce: view.settings.ranking[name] }];
  });
  if (settings.length === 0) {
    throw inputError(
      verb,
      grid,
      `Give values of one or several of ${RATING_SETTINGS.join(", ")}, such as { kFactorNew: [16, 32, 64] }.`,
    );
  }
  const count = settings.reduce((product, { values }) => product * values.length, 1);
  if (count > MOST_COMBINATIONS) {
    throw new CosciError(
      "input",
      `${verb}: ${
        settings.map(({ name, values }) => `${values.length} of ${name}`).join(" × ")
      } are ${count} ` +
        `combinations, and ${MOST_COMBINATIONS} are allowed. Try fewer values, or one setting after the other.`,
    );
  }
  const under = combinations(settings).map((values) =>
    applyPatch(view.settings, {
      ranking: Object.fromEntries(settings.map(({ name }, i) => [name, values[i]])),
    }, verb).ranking
  );
  return { settings, under };
}

function atOnce<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}
