import assert from "node:assert/strict";
import { ANGLES } from "../../agents/angles.ts";
import { ROUTES } from "../../lib/domain/agent.ts";
import { PROMPTS } from "./support.ts";

const OTHER_PROMPTS = [
  "system",
  "session",
  "generation.debate.turn",
  "ranking.debate.turn",
  "ranking.kwise",
  "safety.screen",
];

Deno.test("there is one prompt a route, and the shared ones; each declares exactly what it uses", () => {
  // PromptLibrary.load refuses a template that declares more or fewer inputs than it uses.
  const expected = [...ROUTES.filter((route) => route !== "classifier"), ...OTHER_PROMPTS].sort();
  assert.deepEqual([...PROMPTS.names], expected);
});

Deno.test("the system prompt names agent and step, and says what is data", () => {
  const text = PROMPTS.render("system", { agent: "ranking", step: "ranking.pairwise" });
  assert.match(text, /^Step: ranking\.pairwise$/m);
  assert.match(text, /ranking agent/);
  for (
    const tag
      of ("GOAL PREFERENCES PLAN HYPOTHESIS REVIEW SOURCE FEEDBACK DIRECTIVE DIFFER_FROM TURN RATIONALE " +
        "OVERVIEW ERROR").split(" ")
  ) assert.match(text, new RegExp(`\\b${tag}\\b`));
});

Deno.test("an empty session block is the goal alone", () => {
  const text = PROMPTS.render("session", {
    goal: "GOAL!",
    plan: "",
    known: "",
    criteria: "",
    feedback: "",
    directives: [],
  });
  assert.equal(text, "This session is about the following goal.\n\nGOAL!");
  const none = PROMPTS.render("session", {
    goal: "",
    plan: "",
    known: "",
    criteria: "",
    feedback: "",
    directives: [],
  });
  assert.match(none, /^No goal bears on this task/, "the block is never empty: the API refuses that");
});

Deno.test("every optional part of a prompt can be left empty without leaving a gap", () => {
  for (const name of PROMPTS.names) {
    const optional = (input: string) => PROMPTS.source(name).includes(`if ${input} != ""`);
    const variables = Object.fromEntries(
      PROMPTS.inputs(name).map((input) => [input, input === "directives" ? [] : optional(input) ? "" : "x"]),
    );
    assert.doesNotMatch(PROMPTS.render(name, variables), /\n{3,}/, name);
  }
});

Deno.test("prompts and angles presume no field", () => {
  const field = new RegExp(
    "\\b(gene|genes|genetic|genom\\w*|drug\\w*|patient\\w*|clinic\\w*|disease\\w*|protein\\w*|cells?|biolog\\w*|" +
      "biomed\\w*|medic\\w*|pharma\\w*|therap\\w*|tumou?r\\w*|dose\\w*|in vitro|in vivo|pubmed|assay\\w*|" +
      "molecul\\w*|alloy\\w*|econom\\w*|market\\w*)\\b",
    "i",
  );
  // The screen has to name the dangers it looks for.
  const texts = PROMPTS.names.filter((name) => name !== "safety.screen").map((name) => PROMPTS.source(name));
  for (const text of [...texts, ...ANGLES]) assert.doesNotMatch(text, field);
});
