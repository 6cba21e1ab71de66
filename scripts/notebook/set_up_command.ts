import { Command, CommanderError } from "commander";
import { CosciError } from "../../lib/domain/errors.ts";
import { say, tell } from "../cli/streams.ts";

/** Exit codes of what sets up. */
export const EXIT = { done: 0, missing: 1, input: 2 } as const;

/** A command for what sets up, with the help and the errors of the command line. */
export function setUpCommand(name: string, description: string): Command {
  return new Command(name).description(description).exitOverride()
    .configureOutput({ writeOut: (text) => say(text.trimEnd()), writeErr: (text) => tell(text.trimEnd()) });
}

/** Runs a command. @param answer gives the exit code, once it has run @returns the exit code */
export async function runCommand(
  command: Command,
  args: readonly string[],
  answer: () => number,
): Promise<number> {
  try {
    await command.parseAsync(args, { from: "user" });
    return answer();
  } catch (error) {
    // Commander has said what was wrong, or shown its help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.input;
    if (!(error instanceof CosciError)) throw error;
    tell(`Error: ${error.message}`);
    return EXIT.input;
  }
}
