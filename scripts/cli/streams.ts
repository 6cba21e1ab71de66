import { writeText } from "../../lib/notebook/progress/write_line.ts";

/** Writes a line of results. Nothing but results goes there, so that they can be piped. */
export function say(line: string): void {
  writeText(Deno.stdout, `${line}\n`);
}

/** Writes a line about what goes on: for whoever watches. */
export function tell(line: string): void {
  writeText(Deno.stderr, `${line}\n`);
}
