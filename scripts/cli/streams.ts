const encoder = new TextEncoder();

/** Writes a line of results. Nothing but results goes there, so that they can be piped. */
export function say(line: string): void {
  writeAll(Deno.stdout, `${line}\n`);
}

/** Writes a line about what goes on: for whoever watches. */
export function tell(line: string): void {
  writeAll(Deno.stderr, `${line}\n`);
}

function writeAll(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let bytes = encoder.encode(text);
  try {
    while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
  } catch (error) {
    // A reader such as `head` has had enough; the session itself goes on.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
