import { createInterface } from "node:readline/promises";
import process from "node:process";
import { tell } from "./streams.ts";

/**
 * Whether live models may be paid for: asked in a terminal, unless it was said already. Without a terminal there is nobody
 * to ask, and the budget that had to be given is the consent.
 */
export async function consent(question: string, saidYes: boolean): Promise<boolean> {
  tell(question);
  if (saidYes || !Deno.stdin.isTerminal()) return true;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question("Go on? [y/N] ")).trim());
  } finally {
    lines.close();
  }
}
