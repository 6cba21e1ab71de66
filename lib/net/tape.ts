import { appendFile, readFile } from "node:fs/promises";
import { Buffer } from "node:buffer";
import { z } from "zod";
import { CosciError, messageOf } from "../domain/errors.ts";
import { canonicalJson, hashOf } from "../domain/ids.ts";

/** The request header that carries the key of an outside call. Tapes go by it; it never reaches the network. */
export const CALL_HEADER = "x-cosci-call";

/** How a tape is used. */
export type TapeMode = "record" | "replay" | "replay_then_live";

/** What a tape needs. */
export interface TapeOptions {
  /**
   * `record`: everything goes out and is written down · `replay`: nothing goes out · `replay_then_live`: what is not on
   * the tape goes out and is written down.
   */
  readonly mode: TapeMode;
  /** The tape's file: JSON lines, appended to. */
  readonly path: string;
  /** What goes out goes through this; the network by default. */
  readonly next?: typeof fetch;
  /** Keys that must never be written: they are blotted out wherever they stand. */
  readonly secrets: readonly string[];
}

const entrySchema = z.object({
  call: z.string().nullable(),
  method: z.string(),
  url: z.string(),
  /** The body that was sent, without secrets. */
  sent: z.string(),
  /** What came back, or what failed. */
  answer: z.union([
    z.object({
      status: z.number().int(),
      headers: z.record(z.string(), z.string()),
      encoding: z.enum(["utf8", "base64"]),
      body: z.string(),
    }),
    z.object({ error: z.string() }),
  ]),
});
type Entry = z.infer<typeof entrySchema>;
type Asked = Pick<Entry, "call" | "method" | "url" | "sent">;

/** Headers of an answer that are kept: what a client reads. Everything else (cookies, ids of accounts) is left out. */
const KEPT_HEADERS = ["content-type", "retry-after", "retry-after-ms", "request-id", "location", "link"];
/** Statuses whose answers have no body: `Response` refuses one. */
const BODILESS = new Set([204, 205, 304]);

/**
 * A `fetch` that records to a tape or replays from it.
 *
 * A request is found by the call key in its header {@linkcode CALL_HEADER}, and without one by method, address and
 * body. Several answers under one key are given back in the order in which they came. Request headers are never stored.
 * Answers are read to their end before they are handed on; streams are kept as their raw text.
 *
 * What it returns throws `CosciError` `tape` where a strict replay misses: it names the request and where it differs
 * from the nearest one on the tape.
 */
export function tapeFetch(options: TapeOptions): typeof fetch {
  const next = options.next ?? globalThis.fetch;
  const secrets = options.secrets.filter((secret) => secret !== "");
  const redact = (text: string) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
  let tape: Promise<Tape> | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = (entry: Entry): Promise<void> => {
    // One after another, so that lines never mix; a failed write fails its own call and not the later ones.
    const written = writing.then(() => appendFile(options.path, `${JSON.stringify(entry)}\n`));
    writing = written.catch(() => {});
    return written;
  };

  return async (input, init) => {
    const request = new Request(input, init);
    const call = request.headers.get(CALL_HEADER);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const asked: Asked = {
      call,
      method: request.method,
      url: redact(request.url),
      sent: redact(textOf(bytes).text),
    };
    if (options.mode !== "record") {
      tape ??= Tape.read(options.path, options.mode === "replay");
      const entry = (await tape).take(asked);
      if (entry !== undefined) return replayed(entry);
      if (options.mode === "replay") throw missed(asked, (await tape).entries, options.path);
    }
    const headers = new Headers(request.headers);
    headers.delete(CALL_HEADER);
    let response: Response, body: Uint8Array<ArrayBuffer>;
    try {
      response = await next(request.url, {
        method: request.method,
        headers,
        signal: request.signal,
        redirect: request.redirect,
        ...(bytes.length === 0 ? {} : { body: bytes }),
      });
      body = new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      // What the caller stopped is no answer of the server's, and no part of the tape.
      if (!request.signal.aborted) await write({ ...asked, answer: { error: redact(messageOf(error)) } });
      throw error;
    }
    const { text, encoding } = textOf(body);
    await write({
      ...asked,
      answer: {
        status: response.status,
        headers: Object.fromEntries(
          KEPT_HEADERS.flatMap((name) => {
            const value = response.headers.get(name);
            return value === null ? [] : [[name, redact(value)]];
          }),
        ),
        encoding,
        body: encoding === "utf8" ? redact(text) : text,
      },
    });
    // The body was decoded on its way in, so what was said of its encoding holds no longer.
    const passed = new Headers(response.headers);
    passed.delete("content-encoding");
    passed.delete("content-length");
    return new Response(BODILESS.has(response.status) ? null : body, {
      status: response.status,
      statusText: response.statusText,
      headers: passed,
    });
  };
}

/** A `fetch` that takes the call key off before a request goes out. */
export function withoutCallHeader(next: typeof fetch): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    if (!headers.has(CALL_HEADER)) return next(input, init);
    headers.delete(CALL_HEADER);
    return next(input, { ...init, headers });
  };
}

/** The entries of a file, and how far each key was played. */
class Tape {
  readonly entries: readonly Entry[];
  readonly #byKey = new Map<string, Entry[]>();

  private constructor(entries: readonly Entry[]) {
    this.entries = entries;
    for (const entry of entries) {
      // An entry answers for its call key, and for its content where a request comes without one.
      for (const key of keysOf(entry)) {
        const queue = this.#byKey.get(key);
        if (queue === undefined) this.#byKey.set(key, [entry]);
        else queue.push(entry);
      }
    }
  }

  static async read(path: string, must: boolean): Promise<Tape> {
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      if (!must) return new Tape([]);
      throw new CosciError("tape", `The tape ${path} can't be read: ${messageOf(error)}`, { cause: error });
    }
    const lines = text.split("\n");
    const entries: Entry[] = [];
    for (const [i, line] of lines.entries()) {
      if (line.trim() === "") continue;
      const entry = readEntry(line);
      if (entry !== null) entries.push(entry);
      // A process that was killed leaves half a line at the end; anywhere else it is damage.
      else if (i < lines.length - 1) {
        throw new CosciError("tape", `Line ${i + 1} of the tape ${path} is damaged. Record it again.`);
      }
    }
    return new Tape(entries);
  }

  /** The next answer to a request. */
  take(asked: Asked): Entry | undefined {
    const [key] = keysOf(asked);
    return key === undefined ? undefined : this.#byKey.get(key)?.shift();
  }
}

function keysOf(asked: Asked): string[] {
  const content = `content ${hashOf(asked.method, asked.url, asked.sent)}`;
  return asked.call === null ? [content] : [`call ${asked.call}`, content];
}

function readEntry(line: string): Entry | null {
  try {
    const parsed = entrySchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function replayed({ answer }: Entry): Response {
  if ("error" in answer) throw new TypeError(answer.error);
  const body = answer.encoding === "utf8" ? answer.body : new Uint8Array(Buffer.from(answer.body, "base64"));
  return new Response(BODILESS.has(answer.status) ? null : body, {
    status: answer.status,
    headers: answer.headers,
  });
}

/** Bytes as text where they are text, and as base64 where they are not. */
function textOf(bytes: Uint8Array): { readonly text: string; readonly encoding: "utf8" | "base64" } {
  try {
    return {
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
      encoding: "utf8",
    };
  } catch {
    return { text: Buffer.from(bytes).toString("base64"), encoding: "base64" };
  }
}

function missed(asked: Asked, entries: readonly Entry[], path: string): CosciError {
  const name = asked.call === null ? "" : ` (call ${asked.call.slice(0, 16)})`;
  const head = `${asked.method} ${asked.url}${name} is not on the tape ${path}. `;
  const same = entries.filter((entry) =>
    asked.call !== null ? entry.call === asked.call : keysOf(entry).at(-1) === keysOf(asked).at(-1)
  );
  if (same.length > 0) {
    return new CosciError("tape", `${head}It was recorded ${same.length} times and is asked for once more.`);
  }
  const nearest = entries
    .map((entry) => ({ entry, differences: differencesOf(asked, entry) }))
    .sort((a, b) => a.differences.length - b.differences.length || b.entry.sent.length - a.entry.sent.length);
  const best = nearest
    .filter(({ differences }) => differences.length === nearest[0]?.differences.length)
    .sort((a, b) => (b.differences[0]?.position ?? 0) - (a.differences[0]?.position ?? 0))[0];
  if (best === undefined) return new CosciError("tape", `${head}The tape is empty.`);
  const [first] = best.differences;
  return new CosciError(
    "tape",
    head +
      (first === undefined
        ? "The same request was recorded under another key: a task, or the order of its calls, has changed."
        : `The nearest recorded one differs in ${best.differences.map(({ field }) => field).join(", ")}: ` +
          `${first.field} at character ${first.position} has ${first.asked} where the tape has ${first.recorded}.`),
  );
}

/** One field of a request that is not what was recorded. */
interface Difference {
  readonly field: string;
  readonly position: number;
  readonly asked: string;
  readonly recorded: string;
}

function differencesOf(asked: Asked, entry: Entry): Difference[] {
  const differences: Difference[] = [];
  const compare = (field: string, a: string, b: string) => {
    if (a === b) return;
    let position = 0;
    while (position < a.length && a[position] === b[position]) position++;
    const cut = (text: string) =>
      text === "" ? "nothing" : JSON.stringify(text.slice(Math.max(0, position - 20), position + 40));
    differences.push({ field, position, asked: cut(a), recorded: cut(b) });
  };
  compare("method", asked.method, entry.method);
  compare("url", asked.url, entry.url);
  const a = fieldsOf(asked.sent), b = fieldsOf(entry.sent);
  if (a === null || b === null) compare("body", asked.sent, entry.sent);
  else {for (const field of new Set([...a.keys(), ...b.keys()])) {
      compare(field, a.get(field) ?? "", b.get(field) ?? "");
    }}
  return differences;
}

function fieldsOf(body: string): Map<string, string> | null {
  try {
    const parsed = z.record(z.string(), z.unknown()).safeParse(JSON.parse(body));
    if (!parsed.success) return null;
    return new Map(Object.entries(parsed.data).map(([field, value]) => [field, canonicalJson(value)]));
  } catch {
    return null;
  }
}
