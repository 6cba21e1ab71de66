import assert from "node:assert/strict";
import { PromptLibrary } from "../../lib/llm/prompts.ts";
import { CosciError } from "../../lib/domain/errors.ts";

const library = PromptLibrary.of({
  greet:
    "---\ninputs: name, items\n---\nDear {{ name }},\n{% for item in items %}{{ item.label }};{% endfor %}",
  plain: "---\ninputs:\n---\nNothing to fill in.",
});

const promptError = (pattern: RegExp) => (error: unknown) =>
  error instanceof CosciError && error.code === "prompt" && pattern.test(error.message);

Deno.test("a template is rendered as it is: nothing is escaped, values are not templates", () => {
  const rendered = library.render("greet", { name: "<b>&{{ x }}", items: [{ label: "a" }, { label: "b" }] });
  assert.equal(rendered, "Dear <b>&{{ x }},\na;b;");
  assert.equal(library.render("plain", {}), "Nothing to fill in.");
});

Deno.test("missing, extra and undefined inputs are errors that name prompt, variable and the nearest name", () => {
  assert.throws(
    () => library.render("greet", { nmae: "x", items: [] }),
    promptError(/"greet".*"name".*"nmae"/),
  );
  assert.throws(
    () => library.render("greet", { name: "x", items: [], titel: 1 }),
    promptError(/"titel" is not declared/),
  );
  assert.throws(
    () => library.render("greet", { name: undefined, items: [] }),
    promptError(/"name" was not given/),
  );
  assert.throws(() => library.render("greet", { name: "x", items: [{}] }), promptError(/item\.label/));
  assert.throws(() => library.render("gret", {}), promptError(/Did you mean "greet"/));
});

Deno.test("a template that disagrees with its front matter is refused when it enters", () => {
  const enter = (text: string) => () => PromptLibrary.of({ p: text });
  assert.throws(
    enter("---\ninputs: goal\n---\n{{ gaol }}"),
    promptError(/"gaol" is unknown. Did you mean "goal"/),
  );
  assert.throws(
    enter("---\ninputs: goal, plan\n---\n{{ goal }}"),
    promptError(/"plan" is declared and not used/),
  );
  assert.throws(enter("---\ninputs: goal, goal\n---\n{{ goal }}"), promptError(/declared twice/));
  assert.throws(enter("{{ goal }}"), promptError(/no front matter/));
  assert.throws(enter("---\ntitle: x\n---\ntext"), promptError(/title: x/));
  assert.throws(enter("---\ninputs: goal\n---\n{{ goal | shout }}"), promptError(/shout/));
  assert.throws(enter("---\ninputs: goal\n---\n{{ goal "), promptError(/p/));
});

Deno.test("a template can't read files or other templates", () => {
  for (const tag of ["include", "render", "layout"]) {
    assert.throws(
      () => PromptLibrary.of({ p: `---\ninputs:\n---\n{% ${tag} "/etc/passwd" %}` }),
      promptError(new RegExp(tag)),
    );
  }
});

Deno.test("replacing makes a new library and leaves the old one", () => {
  const shorter = library.with({ greet: "Hi {{ name }} ({{ items.size }})" });
  assert.equal(shorter.render("greet", { name: "Ann", items: [] }), "Hi Ann (0)");
  assert.equal(library.render("greet", { name: "Ann", items: [] }), "Dear Ann,");
  assert.notEqual(shorter.version("greet"), library.version("greet"));
  assert.equal(shorter.version("plain"), library.version("plain"));
  assert.deepEqual(shorter.names, ["greet", "plain"]);
  assert.equal(shorter.source("greet"), "Hi {{ name }} ({{ items.size }})");
});

Deno.test("a replacement drops an input only where it says so", () => {
  assert.throws(
    () => library.with({ greet: "Hi {{ name }}" }),
    promptError(/"items" is declared and not used/),
  );
  const fewer = library.with(new Map([["greet", "---\ninputs: name\n---\nHi {{ name }}"]]));
  assert.equal(fewer.render("greet", { name: "Ann", items: [] }), "Hi Ann");
  assert.throws(
    () => library.with({ greet: "---\ninputs: nam\n---\n{{ nam }}" }),
    promptError(/Did you mean "name"/),
  );
  assert.throws(() => library.with({ gret: "x" }), promptError(/Did you mean "greet"/));
});

Deno.test("the version depends on the text and on the tools that are offered with it", () => {
  const tool = { name: "t", description: "d", input_schema: { type: "object" } } as const;
  const versions = [
    library.version("greet"),
    library.version("greet", [tool]),
    library.version("greet", [{ ...tool, description: "other" }]),
    library.version("greet", [{ ...tool, input_schema: { type: "object", properties: {} } }]),
  ];
  assert.equal(new Set(versions).size, 4);
  const marked = { ...tool, cache_control: { type: "ephemeral" } };
  assert.equal(library.version("greet", [marked]), versions[1], "a breakpoint of the cache is no other tool");
});

Deno.test("the shipped prompts load, and rendering one takes well under a millisecond", async () => {
  const shipped = await PromptLibrary.load(new URL("../../prompts/", import.meta.url));
  const system = shipped.render("system", { agent: "ranking", step: "ranking.pairwise" });
  assert.match(system, /^Step: ranking\.pairwise$/m);
  const session = { goal: "g", plan: "p", known: "", criteria: "", feedback: "f", directives: ["a", "b"] };
  assert.match(shipped.render("session", session), /a\n\nb/);
  const started = performance.now();
  for (let i = 0; i < 500; i++) shipped.render("session", session);
  assert.ok((performance.now() - started) / 500 < 1);
});

Deno.test("a folder that isn't there is named", async () => {
  await assert.rejects(PromptLibrary.load("/no/such/folder"), /\/no\/such\/folder/);
});
