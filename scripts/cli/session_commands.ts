import { join } from "node:path";
import { Supervisor } from "../../mod.ts";
import { mergePatches } from "../../lib/config/patch.ts";
import { CosciError, messageOf } from "../../lib/domain/errors.ts";
import type { SettingsPatch } from "../../lib/config/settings.ts";
import { estimateDisplay } from "../../lib/notebook/displays/estimate.ts";
import { textTable } from "../../lib/notebook/displays/plain.ts";
import { dollars, words } from "../../lib/notebook/displays/wording.ts";
import type { SupervisorHandle as Handle } from "../../lib/supervisor/supervisor.ts";
import { consent } from "./consent.ts";
import { EXIT } from "./exit_codes.ts";
import { folderName, fromCaller } from "./paths.ts";
import { resultOf, resultText, writeResults } from "./results.ts";
import { report } from "./run_command.ts";
import { readyToGoOn, runToEnd } from "./session_run.ts";
import { settingsFrom, type SettingsOptions, untilFrom } from "./settings_options.ts";
import { say, tell } from "./streams.ts";

/** Which session a command is about. */
export interface SessionOptions {
  /** The store's file. */
  readonly store: string;
  /** The session's name or id; may be left out where the store holds one. */
  readonly name?: string | undefined;
  /** Results as JSON. */
  readonly json?: boolean | undefined;
}

/** What `resume` takes. */
export interface ResumeOptions extends SessionOptions, SettingsOptions {
  /** Money at most from now on, in dollars. */
  readonly usd?: number | undefined;
  /** Tokens at most from now on. */
  readonly tokens?: number | undefined;
  /** Totals at which the run ends. */
  readonly until?: readonly string[] | undefined;
  /** A folder of prompts that replace the shipped ones. */
  readonly prompts?: string | undefined;
  /** Yes to spending. */
  readonly yes?: boolean | undefined;
  /** Where folders of results go. */
  readonly out: string;
}

/** Goes on with a session: paused, stopped, crashed or aborted; and with a finished one where it is given more to do. */
export async function resume(options: ResumeOptions): Promise<number> {
  const until = untilFrom(options.until);
  const patch = mergePatches(await settingsFrom(options), limits(options));
  return await withSession(options, async (lab) => {
    const folder = join(fromCaller(options.out), folderName(lab.name));
    const view = lab.view();
    const more = Object.keys(patch).length > 0 || Object.keys(until).length > 0;
    if (view.status === "done" && view.overviews.at(-1)?.source === "model" && !more) {
      tell(`${lab.name} is done. To go on with it, give it more to do: --until, --usd, --tokens or --set.`);
      return report(await writeResults(lab, folder), options.json);
    }
    if (view.session.mode === "live") {
      const left = (options.usd ?? view.settings.run.budgetUsd) - view.cost.microUsd / 1e6;
      const question = `Going on with live models may cost up to ${dollars(Math.max(0, left))} more.`;
      if (!await consent(question, options.yes === true)) {
        tell("Nothing was started, and nothing spent.");
        return EXIT.input;
      }
    }
    if (more) lab.configure(patch);
    readyToGoOn(lab, true);
    return report(await runToEnd(lab, until, folder), options.json);
  }, options.prompts);
}

function limits({ usd, tokens }: ResumeOptions): SettingsPatch {
  if (usd === undefined && tokens === undefined) return {};
  return {
    run: {
      ...(usd === undefined ? {} : { budgetUsd: usd }),
      ...(tokens === undefined ? {} : { budgetTokens: tokens }),
    },
  };
}

/** Lists the sessions of a store. */
export function list(options: SessionOptions): number {
  const sessions = Supervisor.list(fromCaller(options.store)), rows = [...sessions];
  if (options.json === true) {
    for (const row of [sessions.toJSON()].flat()) say(JSON.stringify(row));
  } else if (rows.length === 0) say("The store holds no session.");
  else {
    say(textTable([
      { head: "session", cell: (row) => `${row.name}${row.simulated ? " (SIMULATED)" : ""}` },
      { head: "status", cell: (row) => words(row.status) },
      { head: "hypotheses", cell: (row) => String(row.hypotheses), align: "end" },
      { head: "matches", cell: (row) => String(row.matches), align: "end" },
      { head: "cost", cell: (row) => dollars(row.usd), align: "end" },
      { head: "goal", cell: (row) => row.goal },
    ], rows));
  }
  return EXIT.done;
}

/** Shows in short how a session stands. */
export async function status(options: SessionOptions): Promise<number> {
  return await withSession(options, (lab) => {
    const result = resultOf(lab);
    say(options.json === true ? JSON.stringify(result) : resultText(result));
    return EXIT.done;
  });
}

/** Shows everything about a session, or about what a label stands for. */
export async function inspect(label: string | undefined, options: SessionOptions): Promise<number> {
  return await withSession(options, (lab) => {
    const found = label === undefined ? lab.inspect() : lab.inspect(label);
    say(options.json === true ? JSON.stringify(found) : String(found));
    return EXIT.done;
  });
}

/** Pauses a session, whoever runs it. */
export async function pause(options: SessionOptions): Promise<number> {
  return await withSession(options, (lab) => {
    lab.pause();
    return changed(lab, options);
  });
}

/** Aborts a session, whoever runs it. */
export async function abort(options: SessionOptions): Promise<number> {
  return await withSession(options, (lab) => {
    lab.abort();
    return changed(lab, options);
  });
}

function changed(lab: Handle, options: SessionOptions): number {
  const { status } = lab.view();
  say(options.json === true ? JSON.stringify({ session: lab.name, status }) : `${lab.name} is ${status}.`);
  return EXIT.done;
}

/** What `gate` takes. */
export interface GateOptions extends SessionOptions {
  /** A JSON file with what is to be another before it is accepted. */
  readonly edit?: string | undefined;
  /** Who answers. */
  readonly author?: string | undefined;
}

/** Shows what waits for a yes, or answers it. */
export async function gate(
  answer: string | undefined,
  reason: string | undefined,
  options: GateOptions,
): Promise<number> {
  const who = options.author === undefined ? {} : { author: options.author };
  const edit = options.edit === undefined ? {} : await jsonFile("--edit", options.edit);
  if (options.edit !== undefined && answer !== "accept") {
    throw new CosciError(
      "input",
      "--edit: only what is accepted can be edited: deno task gate accept --edit FILE.",
    );
  }
  return await withSession(options, (lab) => {
    const card = answer === undefined
      ? lab.gate
      : answer === "accept"
      ? lab.accept(edit, who)
      : lab.refuse(reason ?? "", who);
    say(options.json === true ? JSON.stringify(card) : String(card));
    return card.open ? EXIT.gate : EXIT.done;
  });
}

async function jsonFile(option: string, path: string): Promise<object> {
  let value: unknown;
  try {
    value = JSON.parse(await Deno.readTextFile(fromCaller(path)));
  } catch (error) {
    throw new CosciError("input", `${option}: "${path}" can't be read as JSON: ${messageOf(error)}.`);
  }
  if (typeof value !== "object" || value === null) {
    throw new CosciError("input", `${option}: "${path}" must hold an object, such as { "objective": "…" }.`);
  }
  return value;
}

/** Shows what going on would cost. */
export async function estimate(
  options: SessionOptions & { readonly until?: readonly string[] | undefined },
): Promise<number> {
  const until = untilFrom(options.until);
  return await withSession(options, (lab) => {
    const data = lab.estimate(until);
    say(options.json === true ? JSON.stringify(data) : estimateDisplay.text(data));
    return EXIT.done;
  });
}

/** Writes a session to a file, by its ending; or all its files into their folder. */
export async function exportFiles(
  path: string | undefined,
  options: SessionOptions & { readonly out: string },
): Promise<number> {
  return await withSession(options, async (lab) => {
    const files = path === undefined
      ? (await writeResults(lab, join(fromCaller(options.out), folderName(lab.name)))).files
      : await one(lab, fromCaller(path));
    if (options.json === true) say(JSON.stringify({ session: lab.name, files }));
    else for (const file of files) say(file);
    return EXIT.done;
  });
}

async function one(lab: Handle, path: string): Promise<string[]> {
  return [(await lab.export(path)).path];
}

/** Opens a session for one command. */
async function withSession(
  options: SessionOptions,
  work: (lab: Handle) => number | Promise<number>,
  prompts?: string,
): Promise<number> {
  const lab = await Supervisor.open({
    store: fromCaller(options.store),
    session: options.name,
    promptsFolder: prompts === undefined ? undefined : fromCaller(prompts),
  });
  try {
    return await work(lab);
  } finally {
    await lab.close();
  }
}
