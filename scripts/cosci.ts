import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { CosciError, messageOf } from "../lib/domain/errors.ts";
import { demo } from "./cli/demo.ts";
import { EXIT, exitCodeOfError } from "./cli/exit_codes.ts";
import { LOG_LEVELS, type LogChoice, startLog } from "./cli/log_options.ts";
import { newFolder } from "./cli/new_folder.ts";
import { run, type RunOptions } from "./cli/run_command.ts";
import {
  abort,
  estimate,
  exportFiles,
  gate,
  type GateOptions,
  inspect,
  list,
  pause,
  resume,
  type ResumeOptions,
  type SessionOptions,
  status,
} from "./cli/session_commands.ts";
import { say, tell } from "./cli/streams.ts";

/** The command line. @param answer takes the exit code of the command that was called */
function commandLine(answer: (code: number) => void): Command {
  const program = new Command("cosci")
    .description("A notebook-first AI co-scientist. Models are simulated unless --models says otherwise.")
    .exitOverride()
    .configureOutput({ writeOut: (text) => say(text.trimEnd()), writeErr: (text) => tell(text.trimEnd()) })
    .showSuggestionAfterError();

  const command = (name: string, description: string) => program.command(name).description(description);
  const onSession = (name: string, description: string) =>
    command(name, description).addOption(STORE()).addOption(NAME()).addOption(JSON_OUTPUT());

  command(
    "run",
    "Runs a session from a goal to its overview, and leaves its files in a folder of its own under --out: " +
      "report.html (to read and send), session.ipynb (to go on from), overview.md, leaderboard.csv, elo.svg, lineage.svg, run.json.",
  )
    .option("--goal <text>", "the research goal in plain words")
    .option("--goal-file <file>", "a text file with the goal")
    .option("--goals <csv>", "a CSV file (goal, name, preferences) with a session a row")
    .option("--preferences <text>", "what you prefer, in plain words")
    .addOption(STORE())
    .option("--name <name>", "the session's name; the same name goes on with the same session")
    .option("--models <which>", "simulator, anthropic, current, a server's address, or JSON", "simulator")
    .option("--usd <dollars>", "money at most, for each session", number)
    .option("--tokens <count>", "tokens at most, for each session", number)
    .addOption(UNTIL())
    .addOption(SET())
    .addOption(CONFIG())
    .addOption(PROMPTS())
    .option("--seed <text>", "the seed of all chance")
    .option("--dry-run", "only say what it would cost")
    .addOption(YES())
    .addOption(OUT())
    .addOption(LOG_FILE())
    .addOption(LOG_LEVEL())
    .addOption(JSON_OUTPUT())
    .action(async (options: RunOptions & LogChoice) => {
      using _log = startLog(options);
      answer(await run(options));
    });

  onSession("resume", "Goes on with a session that was paused, stopped, aborted, or whose process died.")
    .option("--usd <dollars>", "money at most from now on", number)
    .option("--tokens <count>", "tokens at most from now on", number)
    .addOption(UNTIL())
    .addOption(SET())
    .addOption(CONFIG())
    .addOption(PROMPTS())
    .addOption(YES())
    .addOption(OUT())
    .addOption(LOG_FILE())
    .addOption(LOG_LEVEL())
    .action(async (options: ResumeOptions & LogChoice) => {
      using _log = startLog(options);
      answer(await resume(options));
    });

  command("list", "Lists the sessions of a store.")
    .addOption(STORE()).addOption(JSON_OUTPUT())
    .action((options: SessionOptions) => answer(list(options)));
  onSession("status", "Shows in short how a session stands.")
    .action(async (options: SessionOptions) => answer(await status(options)));
  onSession("inspect", "Shows everything about a session, or about one label (H7, M12, V3, T5).")
    .argument("[label]", "what to show")
    .action(async (label: string | undefined, options: SessionOptions) =>
      answer(await inspect(label, options))
    );
  onSession("pause", "Pauses a session, whoever runs it.")
    .action(async (options: SessionOptions) => answer(await pause(options)));
  onSession("abort", "Aborts a session, whoever runs it; no further call is made.")
    .action(async (options: SessionOptions) => answer(await abort(options)));
  onSession("gate", "Shows what waits for your yes, or answers it.")
    .addArgument(new Argument("[answer]", "accept or refuse").choices(["accept", "refuse"]))
    .argument("[reason]", "why it is refused: whoever tries again is told")
    .option("--edit <file>", "a JSON file with what is to be another before it is accepted")
    .option("--author <name>", "who answers")
    .action(async (reply: string | undefined, reason: string | undefined, options: GateOptions) =>
      answer(await gate(reply, reason, options))
    );
  onSession("estimate", "Says what going on would cost.")
    .addOption(UNTIL())
    .action(async (options: SessionOptions & { until?: string[] }) => answer(await estimate(options)));
  onSession(
    "export",
    "Writes a session to a file, by its ending: .html (report), .md (report as text), .ipynb (notebook that shows it), " +
      ".json (everything), .csv (leaderboard), .jsonl (every record). Without a file: the files that run leaves.",
  )
    .argument("[file]", "where to, from the folder that you call from; a file that is there is replaced")
    .addOption(OUT())
    .action(async (file: string | undefined, options: SessionOptions & { out: string }) =>
      answer(await exportFiles(file, options))
    );

  command("demo", "Runs a small session offline and shows what comes of it.")
    .addOption(OUT())
    .action(async (options: { out: string }) => answer(await demo(options)));
  command("new", "Makes a folder of one's own with a first notebook.")
    .argument("<folder>", "the folder to make")
    .action(async (folder: string) => answer(await newFolder(folder)));
  return program;
}

const STORE = () => new Option("--store <file>", "the store's file").default("cosci.db");
const NAME = () => new Option("--name <name>", "which session; may be left out where there is one");
const OUT = () => new Option("--out <folder>", "where folders of results go").default("out");
const CONFIG = () => new Option("--config <file>", "a JSON file with settings");
const PROMPTS = () => new Option("--prompts <folder>", "prompts that replace the shipped ones, file by file");
const LOG_FILE = () => new Option("--log-file <file>", "a file for the log, one JSON object a line");
const LOG_LEVEL = () =>
  new Option("--log-level <level>", "how much is logged (to standard error without a file)").choices(
    LOG_LEVELS,
  );
const YES = () => new Option("--yes", "spend without asking");
const JSON_OUTPUT = () => new Option("--json", "results as JSON, one object a line");
const SET = () => new Option("--set <setting=value...>", "a setting, such as ranking.kFactorNew=40");
const UNTIL = () =>
  new Option(
    "--until <total=number...>",
    "totals to end at: matches, hypotheses, reviews, evolved, feedback, usd",
  );

function number(text: string): number {
  const value = text.trim() === "" ? NaN : Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError("Give a number above 0.");
  return value;
}

/** Does what the arguments say. @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  let code: number = EXIT.done;
  try {
    await commandLine((answer) => {
      code = answer;
    }).parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    // Commander has said what was wrong, or shown its help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.input;
    const exitCode = exitCodeOfError(error);
    tell(`Error: ${messageOf(error)}`);
    if (!(error instanceof CosciError) && error instanceof Error && error.stack !== undefined) {
      tell(error.stack);
    }
    if (args.includes("--json")) {
      const about = error instanceof CosciError ? error.code : "internal";
      say(JSON.stringify({ exitCode, error: { code: about, message: messageOf(error) } }));
    }
    return exitCode;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
