import { join } from "node:path";
import { Supervisor } from "../../mod.ts";
import { environmentVariables } from "../../lib/config/environment.ts";
import { DEFAULT_SETTINGS, type SettingsPatch } from "../../lib/config/settings.ts";
import { CosciError, messageOf } from "../../lib/domain/errors.ts";
import { estimateDisplay } from "../../lib/notebook/displays/estimate.ts";
import { dollars } from "../../lib/notebook/displays/wording.ts";
import type { ModelsChoice } from "../../lib/supervisor/models.ts";
import type { SupervisorHandle as Handle } from "../../lib/supervisor/supervisor.ts";
import type { Totals } from "../../lib/engine/totals.ts";
import { consent } from "./consent.ts";
import { EXIT, exitCodeOfError } from "./exit_codes.ts";
import { type Goal, type GoalOptions, goalsFrom } from "./goals.ts";
import { modelsFrom } from "./models_option.ts";
import { callersFolder, folderName, fromCaller } from "./paths.ts";
import { type Result, resultText, writeResults } from "./results.ts";
import { readyToGoOn, runToEnd } from "./session_run.ts";
import { settingsFrom, type SettingsOptions, untilFrom } from "./settings_options.ts";
import { say, tell } from "./streams.ts";

/** What `run` takes. */
export interface RunOptions extends GoalOptions, SettingsOptions {
  /** The store's file. */
  readonly store: string;
  /** Money at most, in dollars, for each session. */
  readonly usd?: number | undefined;
  /** Tokens at most, for each session. */
  readonly tokens?: number | undefined;
  /** Totals at which a run ends. */
  readonly until?: readonly string[] | undefined;
  /** A folder of prompts that replace the shipped ones. */
  readonly prompts?: string | undefined;
  /** The seed of all chance. */
  readonly seed?: string | undefined;
  /** Only an estimate. */
  readonly dryRun?: boolean | undefined;
  /** Yes to spending. */
  readonly yes?: boolean | undefined;
  /** Where folders of results go. */
  readonly out: string;
  /** Results as JSON. */
  readonly json?: boolean | undefined;
}

/** Everything that `run` was told, understood. */
interface Plan {
  readonly goals: readonly Goal[];
  readonly settings: SettingsPatch;
  readonly models: ModelsChoice;
  readonly until: Totals;
  readonly options: RunOptions;
}

/** Runs one session a goal, one after the other. Returns the exit code: of several, the first that isn't 0. */
export async function run(options: RunOptions): Promise<number> {
  const plan: Plan = {
    goals: await goalsFrom(options),
    settings: await settingsFrom(options),
    models: modelsFrom(options.models),
    until: untilFrom(options.until),
    options,
  };
  if (options.dryRun === true) return await dryRun(plan);
  if (plan.models !== "simulator" && !await agreed(plan)) {
    tell("Nothing was started, and nothing spent.");
    return EXIT.input;
  }
  let code: number = EXIT.done;
  for (const goal of plan.goals) {
    const own = plan.goals.length === 1 ? await runOne(plan, goal) : await runOneOfMany(plan, goal);
    code = code === EXIT.done ? own : code;
    if (own === EXIT.interrupted) return own;
  }
  return code;
}

/** One goal of several: what is wrong with it must not keep the others from being run. */
async function runOneOfMany(plan: Plan, goal: Goal): Promise<number> {
  try {
    return await runOne(plan, goal);
  } catch (error) {
    if (!(error instanceof CosciError)) throw error;
    const exitCode = exitCodeOfError(error);
    tell(`${goal.name}: ${messageOf(error)}`);
    if (plan.options.json === true) {
      say(
        JSON.stringify({ session: goal.name, exitCode, error: { code: error.code, message: error.message } }),
      );
    }
    return exitCode;
  }
}

async function runOne({ settings, models, until, options }: Plan, goal: Goal): Promise<number> {
  const lab = await Supervisor.create({
    ...goal,
    store: fromCaller(options.store),
    models,
    settings,
    budget: budgetOf(options),
    seed: options.seed,
    promptsFolder: options.prompts === undefined ? undefined : fromCaller(options.prompts),
  });
  try {
    for (const note of lab.notes) tell(`${lab.name}: ${note}`);
    const folder = join(fromCaller(options.out), folderName(lab.name));
    const before = readyToGoOn(lab, false);
    if (before !== null) {
      tell(`${lab.name} is done already; \`deno task resume --until …\` goes on with it.`);
      return report(await writeResults(lab, folder), options.json);
    }
    return report(await runToEnd(lab, until, folder), options.json);
  } finally {
    await lab.close();
  }
}

/** Shows a result and returns its exit code. */
export function report(result: Result, json: boolean | undefined): number {
  say(json === true ? JSON.stringify(result) : `${resultText(result)}\n`);
  return result.exitCode;
}

function budgetOf({ usd, tokens }: RunOptions) {
  return { ...(usd === undefined ? {} : { usd }), ...(tokens === undefined ? {} : { tokens }) };
}

/** What the sessions would cost. Nothing is written: sessions that are not there yet are made in memory. */
async function dryRun(plan: Plan): Promise<number> {
  for (const goal of plan.goals) {
    const lab = await sketch(plan, goal);
    try {
      const estimate = lab.estimate(plan.until);
      say(plan.options.json === true ? JSON.stringify(estimate) : `${estimateDisplay.text(estimate)}\n`);
    } finally {
      await lab.close();
    }
  }
  tell("A dry run: nothing was spent, and nothing written.");
  return EXIT.done;
}

/** The session as it is, or as it would be. */
async function sketch({ settings, models, options }: Plan, goal: Goal): Promise<Handle> {
  const store = fromCaller(options.store);
  if (await exists(store) && Supervisor.list(store).some((session) => session.name === goal.name)) {
    return await Supervisor.open({ store, session: goal.name });
  }
  const budget = budgetOf(options);
  const environment = await environmentVariables(store === ":memory:" ? callersFolder() : join(store, ".."));
  return await Supervisor.create({
    ...goal,
    store: ":memory:",
    models,
    settings,
    // Whoever asks what it may cost has not decided yet what to allow.
    budget: models === "simulator"
      ? budget
      : { usd: settings.run?.budgetUsd ?? DEFAULT_SETTINGS.run.budgetUsd, ...budget },
    seed: options.seed,
    promptsFolder: options.prompts === undefined ? undefined : fromCaller(options.prompts),
    // Nothing is asked of a model, and so no key is needed.
    environment: { ...environment, ANTHROPIC_API_KEY: environment["ANTHROPIC_API_KEY"] || "unused" },
  });
}

async function exists(path: string): Promise<boolean> {
  if (path === ":memory:") return false;
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Says what live models may cost, and asks. @throws CosciError `input` where no limit was given */
async function agreed(plan: Plan): Promise<boolean> {
  const { usd, yes } = plan.options;
  if (usd === undefined) {
    throw new CosciError(
      "input",
      "--usd: live models cost money, and no limit was given. Add --usd 5, or try --dry-run first.",
    );
  }
  const n = plan.goals.length;
  const most = n === 1 ? dollars(usd) : `${dollars(usd)} each, ${dollars(usd * n)} in all`;
  let expected = 0;
  for (const goal of plan.goals) {
    const lab = await sketch(plan, goal);
    expected += lab.estimate(plan.until).usd;
    await lab.close();
  }
  return await consent(
    `${n === 1 ? "This session" : `These ${n} sessions`} with live models may cost up to ${most}; ` +
      `about ${dollars(Math.min(expected, usd * n))} is expected.`,
    yes === true,
  );
}
