import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CosciError } from "../../lib/domain/errors.ts";
import { CALL_HEADER, tapeFetch, withoutCallHeader } from "../../lib/net/tape.ts";

async function withTape(work: (path: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "tape-"));
  try {
    await work(join(dir, "run.tape"));
  } finally {
    await rm(dir, { recursive: true });
  }
}

const URL_ = "http://models.test/v1/messages";
const post = (body: unknown, call?: string) => ({
  method: "POST",
  headers: {
    authorization: "Bearer sk-1",
    cookie: "c=1",
    ...(call === undefined ? {} : { [CALL_HEADER]: call }),
  },
  body: JSON.stringify(body),
});
const never: typeof fetch = () => Promise.reject(new Error("went out"));
const tapeError = (pattern: RegExp) => (error: unknown) =>
  error instanceof CosciError && error.code === "tape" && pattern.test(error.message);

/** A server that counts its answers and remembers the headers it got. */
function counting(headers: Record<string, string> = {}) {
  const got: Headers[] = [];
  const server: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    got.push(request.headers);
    return Promise.resolve(Response.json({ n: got.length }, { headers }));
  };
  return { server, got };
}

Deno.test("what was recorded is replayed without going out: by call key, attempts in order", async () => {
  await withTape(async (path) => {
    const { server, got } = counting();
    const record = tapeFetch({ mode: "record", path, next: server, secrets: [] });
    await record(URL_, post({ a: 1 }, "key-1"));
    await record(URL_, post({ a: 1 }, "key-1"));
    await record(URL_, post({ a: 2 }, "key-2"));
    assert.equal(got[0]?.get(CALL_HEADER), null, "the key stays at home");
    assert.equal(got[0]?.get("authorization"), "Bearer sk-1");

    const replay = tapeFetch({ mode: "replay", path, next: never, secrets: [] });
    const answer = async (call: string) => await (await replay(URL_, post({ other: true }, call))).json();
    assert.deepEqual(await answer("key-2"), { n: 3 });
    assert.deepEqual(await answer("key-1"), { n: 1 });
    assert.deepEqual(await answer("key-1"), { n: 2 });
    await assert.rejects(answer("key-1"), tapeError(/recorded 2 times and is asked for once more/));
  });
});

Deno.test("without a call key a request is found by method, address and body", async () => {
  await withTape(async (path) => {
    const record = tapeFetch({ mode: "record", path, next: counting().server, secrets: [] });
    await record("http://search.test/?q=x");
    await record("http://search.test/?q=y");
    const replay = tapeFetch({ mode: "replay", path, next: never, secrets: [] });
    assert.deepEqual(await (await replay("http://search.test/?q=y")).json(), { n: 2 });
    await assert.rejects(
      replay("http://search.test/?q=z"),
      tapeError(/GET .*q=z is not on the tape.*differs in url/),
    );
  });
});

Deno.test("secrets never reach the tape: no request headers, and known keys are blotted out everywhere", async () => {
  await withTape(async (path) => {
    const leaky: typeof fetch = () =>
      Promise.resolve(
        new Response("your key sk-1 is fine", {
          headers: { "request-id": "r-sk-1", "set-cookie": "s=sk-1" },
        }),
      );
    const record = tapeFetch({ mode: "record", path, next: leaky, secrets: ["sk-1", ""] });
    const response = await record("http://x.test/?key=sk-1", post({ key: "sk-1" }, "k"));
    assert.equal(await response.text(), "your key sk-1 is fine");
    const tape = await readFile(path, "utf8");
    assert.ok(!tape.includes("sk-1") && !tape.includes("cookie") && !tape.includes("authorization"));
    const replay = tapeFetch({ mode: "replay", path, next: never, secrets: ["sk-1"] });
    const again = await replay("http://x.test/?key=sk-1", post({ key: "sk-1" }));
    assert.equal(await again.text(), "your key [secret] is fine");
    assert.equal(again.headers.get("request-id"), "r-[secret]");
  });
});

Deno.test("a strict miss says how the request differs from the nearest one on the tape", async () => {
  await withTape(async (path) => {
    const record = tapeFetch({ mode: "record", path, next: counting().server, secrets: [] });
    await record(URL_, post({ model: "m", max_tokens: 5, messages: ["tell me about x"] }, "key-1"));
    await record(URL_, post({ model: "other", max_tokens: 7, messages: ["?"] }, "key-2"));
    const replay = tapeFetch({ mode: "replay", path, next: never, secrets: [] });
    const ask = (body: unknown) => replay(URL_, post(body, "key-3"));
    await assert.rejects(
      ask({ model: "m", max_tokens: 5, messages: ["tell me about y"] }),
      tapeError(/call key-3.*differs in messages: messages at character 16 has .*about y.*about x/),
    );
    await assert.rejects(
      ask({ model: "m", max_tokens: 9, messages: ["tell me about x"] }),
      tapeError(/differs in max_tokens/),
    );
    await assert.rejects(
      ask({ messages: ["tell me about x"], max_tokens: 5, model: "m" }),
      tapeError(/same request was recorded under another key/),
    );
  });
});

Deno.test("replaying, then live: what is missing goes out and is on the tape from then on", async () => {
  await withTape(async (path) => {
    const { server, got } = counting();
    const both = () => tapeFetch({ mode: "replay_then_live", path, next: server, secrets: [] });
    assert.deepEqual(await (await both()(URL_, post({}, "a"))).json(), { n: 1 });
    const again = both();
    assert.deepEqual(await (await again(URL_, post({}, "a"))).json(), { n: 1 });
    assert.deepEqual(await (await again(URL_, post({}, "b"))).json(), { n: 2 });
    assert.equal(got.length, 2);
  });
});

Deno.test("streams, statuses, bytes and lost connections are kept as they were", async () => {
  await withTape(async (path) => {
    const stream = "event: ping\ndata: {}\n\n";
    const bytes = new Uint8Array([0, 255, 254, 128]);
    const script: (() => Promise<Response>)[] = [
      () => Promise.resolve(new Response(stream, { headers: { "content-type": "text/event-stream" } })),
      () => Promise.resolve(new Response("slow", { status: 429, headers: { "retry-after": "3" } })),
      () => Promise.resolve(new Response(bytes)),
      () => Promise.resolve(new Response(null, { status: 204 })),
      () => Promise.reject(new TypeError("connection reset")),
    ];
    const record = tapeFetch({
      mode: "record",
      path,
      next: () => script.shift()?.() ?? assert.fail(),
      secrets: [],
    });
    const play = async (tape: typeof fetch) => {
      const streamed = await tape(URL_, post({}, "stream"));
      assert.equal(streamed.headers.get("content-type"), "text/event-stream");
      assert.equal(await streamed.text(), stream);
      const limited = await tape(URL_, post({}, "limit"));
      assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "3"]);
      assert.deepEqual(new Uint8Array(await (await tape(URL_, post({}, "bytes"))).arrayBuffer()), bytes);
      assert.equal((await tape(URL_, post({}, "empty"))).status, 204);
      await assert.rejects(tape(URL_, post({}, "lost")), /connection reset/);
    };
    await play(record);
    await play(tapeFetch({ mode: "replay", path, next: never, secrets: [] }));
  });
});

Deno.test("many answers at once are written line by line; half a line at the end is forgiven, damage is not", async () => {
  await withTape(async (path) => {
    const record = tapeFetch({ mode: "record", path, next: counting().server, secrets: [] });
    await Promise.all(Array.from({ length: 30 }, (_, i) => record(URL_, post({ i }, `k${i}`))));
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    assert.equal(lines.length, 30);
    for (const line of lines) JSON.parse(line);

    await writeFile(path, `${lines[0]}\n${lines[1]?.slice(0, 40)}`);
    const replay = tapeFetch({ mode: "replay", path, next: never, secrets: [] });
    const first: { call: string } = JSON.parse(lines[0] ?? "");
    assert.equal((await replay(URL_, post({}, first.call))).status, 200);
    await writeFile(path, `{"no": 1}\n${lines[0]}\n`);
    await assert.rejects(
      tapeFetch({ mode: "replay", path, next: never, secrets: [] })(URL_),
      tapeError(/Line 1 .* damaged/),
    );
  });
});

Deno.test("a tape that isn't there is named in a strict replay", async () => {
  const replay = tapeFetch({ mode: "replay", path: "/no/such.tape", next: never, secrets: [] });
  await assert.rejects(replay(URL_), tapeError(/\/no\/such\.tape/));
});

Deno.test("what the caller stops is no part of the tape", async () => {
  await withTape(async (path) => {
    const controller = new AbortController();
    const hanging: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) =>
        init?.signal?.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")))
      );
    const record = tapeFetch({ mode: "record", path, next: hanging, secrets: [] });
    const pending = record(URL_, { ...post({}, "k"), signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    await assert.rejects(pending);
    await assert.rejects(readFile(path));
  });
});

Deno.test("the network never sees a call key", async () => {
  const { server, got } = counting();
  await withoutCallHeader(server)(URL_, post({}, "k"));
  await withoutCallHeader(server)(new Request(URL_, post({}, "k")));
  await withoutCallHeader(server)(URL_);
  assert.deepEqual(got.map((headers) => headers.get(CALL_HEADER)), [null, null, null]);
  assert.equal(got[0]?.get("authorization"), "Bearer sk-1");
});
