// @ts-types="../../lib/notebook/d3_dsv.d.ts"
import { csvParse } from "d3-dsv";
import { CosciError, inputError } from "../../lib/domain/errors.ts";
import { hashOf } from "../../lib/domain/ids.ts";
import { textFile } from "./settings_options.ts";

/** What is to be researched in one session. */
export interface Goal {
  /** The goal in plain words. */
  readonly goal: string;
  /** The session's name. */
  readonly name: string;
  /** What the scientist prefers; may be empty. */
  readonly preferences: string;
}

/** Where goals come from: exactly one of the first three. */
export interface GoalOptions {
  /** The goal itself. */
  readonly goal?: string | undefined;
  /** A text file with it. */
  readonly goalFile?: string | undefined;
  /** A CSV file with one a row. */
  readonly goals?: string | undefined;
  /** What the scientist prefers, for all of them that don't say. */
  readonly preferences?: string | undefined;
  /** The session's name. */
  readonly name?: string | undefined;
  /** Where models come from, as it was given: another choice makes another session. */
  readonly models: string;
}

const COLUMNS = ["goal", "name", "preferences"] as const;

/** The goals that a command line asks for, at least one. @throws CosciError `input` */
export async function goalsFrom(options: GoalOptions): Promise<Goal[]> {
  const given =
    [options.goal, options.goalFile, options.goals].filter((source) => source !== undefined).length;
  if (given !== 1) {
    throw new CosciError(
      "input",
      `${
        given === 0 ? "No goal was given" : "Several goals were given"
      }. Give one of --goal "TEXT", --goal-file FILE, --goals FILE.csv.`,
    );
  }
  if (options.goals !== undefined) return await goalsFile(options.goals, options);
  const goal = options.goal ?? await textFile(options.goalFile ?? "", "--goal-file");
  if (goal.trim() === "") {
    throw inputError(
      options.goal === undefined ? "--goal-file" : "--goal",
      options.goal ?? options.goalFile,
      "It is empty. State the research goal in plain words.",
    );
  }
  return [named(goal, options.name, options.preferences ?? "", options.models)];
}

async function goalsFile(path: string, options: GoalOptions): Promise<Goal[]> {
  if (options.name !== undefined) {
    throw inputError("--name", options.name, 'With --goals each session has its own: a column "name".');
  }
  const rows = csvParse((await textFile(path, "--goals")).replace(/^\uFEFF/, ""));
  for (const column of rows.columns) {
    if (!COLUMNS.some((known) => known === column)) {
      throw inputError(`--goals: column of ${path}`, column, `Columns are ${COLUMNS.join(", ")}.`, COLUMNS);
    }
  }
  if (rows.length === 0 || !rows.columns.includes("goal")) {
    throw inputError(
      "--goals",
      path,
      'Give a CSV file with a first line "goal,name,preferences" and a goal a row.',
    );
  }
  const goals = rows.map((row, i) => {
    const goal = row["goal"]?.trim() ?? "";
    if (goal === "") {
      throw inputError(
        `--goals: goal in row ${i + 1} of ${path}`,
        goal,
        "State the research goal in plain words.",
      );
    }
    const preferences = row["preferences"]?.trim() || options.preferences || "";
    return named(goal, row["name"]?.trim() || undefined, preferences, options.models);
  });
  const names = new Set<string>();
  for (const { name } of goals) {
    if (names.has(name)) {
      throw inputError(
        `--goals: name in ${path}`,
        name,
        "Each session needs a name of its own, and each goal one row.",
      );
    }
    names.add(name);
  }
  return goals;
}

/** Without a name the session gets one by hash, so that the same command finds it again and no path holds the goal. */
function named(goal: string, name: string | undefined, preferences: string, models: string): Goal {
  return {
    goal: goal.trim(),
    preferences: preferences.trim(),
    name: name ?? `session-${hashOf("session name", goal.trim(), preferences.trim(), models).slice(0, 8)}`,
  };
}
