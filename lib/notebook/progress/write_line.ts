import { inKernel } from "../kernel.ts";

const encoder = new TextEncoder();

/** Writes a line for whoever watches: to standard error, or under the cell in a kernel, which shows none of it. */
export function tellLine(line: string): void {
  if (inKernel()) {
    // deno-lint-ignore no-console -- nothing else that a program writes reaches a notebook
    console.log(line);
  } else writeText(Deno.stderr, `${line}\n`);
}

/** Writes all of a text, unless its reader has gone. */
export function writeText(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let bytes = encoder.encode(text);
  try {
    while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
  } catch (error) {
    // A reader such as `head` has had enough; the work itself goes on.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
