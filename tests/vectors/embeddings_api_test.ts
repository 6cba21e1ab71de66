import assert from "node:assert/strict";
import { z } from "zod";
import { CosciError } from "../../lib/domain/errors.ts";
import { EmbeddingError } from "../../lib/vectors/embedder.ts";
import { openAiEmbedder } from "../../lib/vectors/openai_embedder.ts";
import { voyageEmbedder } from "../../lib/vectors/voyage_embedder.ts";

const never = new AbortController().signal;
const KEY = "sk-very-secret";

const Body = z.looseObject({ model: z.string(), input: z.array(z.string()) });

/** A server that embeds a text as [its length, 1, 0], answers in reverse order, and keeps what it was asked. */
function server() {
  const requests: { url: string; authorization: string | null; body: z.infer<typeof Body> }[] = [];
  const fetch = async (request: Request) => {
    const body = Body.parse(await request.json());
    requests.push({ url: request.url, authorization: request.headers.get("authorization"), body });
    const data = body.input.map((text, index) => ({ index, embedding: [text.length, 1, 0] })).reverse();
    return Response.json({ data, usage: { total_tokens: 10 * data.length } });
  };
  return { requests, fetch };
}

function openAi(answer: (request: Request) => Response | Promise<Response>, dimensions?: number) {
  return openAiEmbedder({
    apiKey: KEY,
    baseUrl: "http://embed.test/v1/",
    model: "m",
    ...(dimensions === undefined ? {} : { dimensions }),
    fetch: async (request) => await answer(request),
  });
}

function answering(...embeddings: unknown[]) {
  return openAi(() => Response.json({ data: embeddings.map((embedding, index) => ({ index, embedding })) }));
}

Deno.test("vectors come in the order of the texts and with length 1, whatever order the server answers in", async () => {
  const { fetch } = server();
  const embedder = openAiEmbedder({ baseUrl: "http://embed.test/v1", model: "m", fetch });
  assert.equal(embedder.dimensions, null);
  const { vectors, tokens } = await embedder.embed(["", "abc"], never);
  assert.deepEqual(vectors.map((v) => [...v]), [
    [0, 1, 0],
    [Math.fround(3 / Math.sqrt(10)), Math.fround(1 / Math.sqrt(10)), 0],
  ]);
  assert.equal(tokens, 20);
  assert.equal(embedder.dimensions, 3);
});

Deno.test("a request holds at most 128 texts and 100,000 characters", async () => {
  const { fetch, requests } = server();
  const embedder = openAiEmbedder({ baseUrl: "http://embed.test/v1", model: "m", fetch });
  const texts = Array.from({ length: 300 }, (_, i) => "x".repeat(i));
  const { vectors, tokens } = await embedder.embed(texts, never);
  assert.deepEqual(requests.map((request) => request.body.input.length), [128, 128, 44]);
  assert.equal(tokens, 3000);
  assert.deepEqual(
    vectors.map((v) => Math.round((v[0] ?? 0) / (v[1] ?? 0))),
    texts.map((text) => text.length),
  );
  requests.length = 0;
  await embedder.embed(["x".repeat(60_000), "y".repeat(60_000), "z".repeat(150_000), "w"], never);
  assert.deepEqual(requests.map((request) => request.body.input.length), [1, 1, 1, 1]);
});

Deno.test("nothing to embed is no request", async () => {
  const { fetch, requests } = server();
  const embedder = openAiEmbedder({ baseUrl: "http://embed.test/v1", model: "m", fetch });
  assert.deepEqual(await embedder.embed([], never), { vectors: [], tokens: 0 });
  assert.equal(requests.length, 0);
});

Deno.test("Voyage is asked for its model, its kind of input and the dimensions", async () => {
  const { fetch, requests } = server();
  await voyageEmbedder({ apiKey: KEY, dimensions: 3, fetch }).embed(["a"], never);
  assert.deepEqual(requests, [{
    url: "https://api.voyageai.com/v1/embeddings",
    authorization: `Bearer ${KEY}`,
    body: { model: "voyage-3-large", input: ["a"], input_type: "document", output_dimension: 3 },
  }]);
  assert.throws(() => voyageEmbedder({ apiKey: "", fetch }), { code: "input", message: /VOYAGE_API_KEY/ });
});

Deno.test("a server that wants no key gets none, and dimensions only if they were chosen", async () => {
  const { fetch, requests } = server();
  await openAiEmbedder({ baseUrl: "http://embed.test/v1", model: "m", fetch }).embed(["a"], never);
  await openAiEmbedder({ baseUrl: "http://embed.test/v1", model: "m", dimensions: 3, fetch }).embed(
    ["a"],
    never,
  );
  assert.deepEqual(requests.map((request) => request.authorization), [null, null]);
  assert.deepEqual(requests.map((request) => request.body), [
    { model: "m", input: ["a"] },
    { model: "m", input: ["a"], dimensions: 3 },
  ]);
});

Deno.test("where the server counts no tokens, they are estimated from the bytes", async () => {
  const { tokens } = await answering([1], [1]).embed(["eight by", "氧化"], never);
  assert.equal(tokens, 2 + 2);
});

Deno.test("a refusal names the status and the server's words, and never the key", async () => {
  const bodies = [
    { error: { message: `Incorrect API key provided: ${KEY}` } },
    { detail: `Incorrect API key provided: ${KEY}` },
    { message: `Incorrect API key provided: ${KEY}` },
  ];
  for (const body of bodies) {
    const refused = openAi(() => Response.json(body, { status: 429, headers: { "retry-after": "7" } }));
    await assert.rejects(refused.embed(["a"], never), (error) => {
      assert.ok(error instanceof EmbeddingError && error instanceof CosciError);
      assert.equal(error.code, "provider");
      assert.equal(error.status, 429);
      assert.equal(error.retryAfter, "7");
      assert.match(error.message, /429: Incorrect API key provided: \[key\]$/);
      return true;
    });
  }
  await assert.rejects(
    openAi(() => new Response("<h1>Bad gateway</h1>", { status: 502 })).embed(["a"], never),
    {
      message: /502: <h1>Bad gateway/,
    },
  );
});

Deno.test("a server that can't be reached is a provider's failure without a status", async () => {
  const unreachable = openAi(() => {
    throw new TypeError(`connection refused with Bearer ${KEY}`);
  });
  await assert.rejects(unreachable.embed(["a"], never), (error) => {
    assert.ok(error instanceof EmbeddingError);
    assert.equal(error.status, null);
    assert.match(error.message, /couldn't be reached: connection refused with Bearer \[key\]/);
    return true;
  });
});

Deno.test("an abort is passed on as it is, before and during the request", async () => {
  const controller = new AbortController();
  const hanging = openAi((request) =>
    new Promise((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
      controller.abort(new Error("enough"));
    })
  );
  await assert.rejects(hanging.embed(["a"], controller.signal), /^Error: enough$/);
  await assert.rejects(hanging.embed(["a"], controller.signal), /^Error: enough$/);
});

Deno.test("an answer is believed only if it is whole and finite", async () => {
  const cases: [ReturnType<typeof openAi>, RegExp][] = [
    [answering([1, 2]), /1 embeddings for 2 texts/],
    [answering([1, 2], [1, 2, 3]), /3 dimensions for text 1 where 2/],
    [answering([1, 2], [0, 0]), /without direction for text 1/],
    [answering([1, 2], [1, null]), /data\.1\.embedding\.1/],
    [answering([1, 2], []), /data\.1\.embedding/],
    [
      openAi(() => new Response('{"data":[{"index":0,"embedding":[1e999]},{"index":1,"embedding":[1]}]}')),
      /data\.0/,
    ],
    [openAi(() => new Response("not JSON")), /isn't a list of embeddings/],
    [
      openAi(() => Response.json({ data: [{ index: 0, embedding: [1] }, { index: 0, embedding: [1] }] })),
      /no embedding with index 1/,
    ],
  ];
  for (const [embedder, message] of cases) {
    await assert.rejects(embedder.embed(["a", "b"], never), { code: "provider", message });
  }
});

Deno.test("dimensions are held to what was asked for, or to the first answer", async () => {
  const two = () => Response.json({ data: [{ index: 0, embedding: [1, 2] }] });
  await assert.rejects(openAi(two, 4).embed(["a"], never), { message: /2 dimensions for text 0 where 4/ });
  let answers = 0;
  const changing = openAi(() =>
    Response.json({ data: [{ index: 0, embedding: answers++ === 0 ? [1, 2] : [1, 2, 3] }] })
  );
  await changing.embed(["a"], never);
  await assert.rejects(changing.embed(["a"], never), { message: /3 dimensions for text 0 where 2/ });
});

Deno.test("it works over a real connection with the global fetch", async () => {
  const { fetch: handler } = server();
  await using listening = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler);
  const embedder = openAiEmbedder({
    baseUrl: `http://127.0.0.1:${listening.addr.port}/v1`,
    model: "m",
    fetch,
  });
  const { vectors } = await embedder.embed(["abc"], never);
  assert.equal(vectors.length, 1);
});
