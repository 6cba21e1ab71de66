import assert from "node:assert/strict";
import { evolution } from "../../agents/evolution.ts";
import { generation } from "../../agents/generation.ts";
import { metareview } from "../../agents/metareview.ts";
import { planning } from "../../agents/planning.ts";
import { ranking } from "../../agents/ranking.ts";
import { reflection } from "../../agents/reflection.ts";
import type { Agent } from "../../lib/domain/agent.ts";
import { EVOLUTION_STRATEGIES, REVIEW_KINDS, type TaskRecord } from "../../lib/domain/records.ts";
import type { View } from "../../lib/store/view.ts";
import {
  draft,
  evidence,
  feedback,
  hypothesis,
  makeTask,
  makeView,
  match,
  PROMPTS,
  review,
  runTask,
  settingsWith,
} from "./support.ts";

const GOALS = [
  "Which coatings keep perovskite solar modules stable in humid heat?",
  "Why does productivity growth differ between regions with the same capital stock?",
];

const BIOMEDICAL =
  /\b(gene|genes|genetic\w*|genom\w*|drugs?|patients?|clinic\w*|diseases?|proteins?|cells?|biolog\w*|biomed\w*|medic\w*|pharma\w*|therap\w*|tumou?rs?|dos(e|es|age)|in vitro|in vivo|assays?)\b/i;

/** Everything that the agents send, in all their modes, over one session about a goal. */
async function allPrompts(goal: string): Promise<string[]> {
  const texts: string[] = [];
  const view = makeView({
    session: { goal },
    settings: settingsWith({ ranking: { maxMatchesPerPair: 5 } }),
    hypotheses: [1, 2, 3].map((n) => hypothesis(n)),
    reviews: [review(1, 1), review(2, 2)],
    matches: [match(1, 1, 2)],
    rationales: { mat_1: "better supported" },
    evidence: [evidence(1, 1)],
    feedback: [feedback("Say how large the effect is")],
  });
  const send = async <I>(agent: Agent<View, I>, task: TaskRecord, record: unknown) => {
    const { context } = await runTask(agent, view, task, {
      records: [record],
      prose: Array.from({ length: 8 }, () => "A point."),
    });
    for (const { call, text, session } of context.sent) {
      texts.push(PROMPTS.render("system", { agent: agent.name, step: call.prompt }), session, text);
    }
  };
  await send(planning, makeTask("planning", "parse_goal"), { objective: goal, preferences: [] });
  for (const mode of ["literature", "debate"] as const) {
    await send(generation, makeTask("generation", "generate", { mode }), draft());
  }
  for (const kind of REVIEW_KINDS) {
    await send(reflection, makeTask("reflection", "review", { kind }, "hyp_1"), { verdict: "neutral" });
  }
  await send(ranking, makeTask("ranking", "match"), { winner: "1" });
  for (const strategy of EVOLUTION_STRATEGIES) {
    await send(evolution, makeTask("evolution", "evolve", { strategy }), draft());
  }
  await send(metareview, makeTask("metareview", "system_feedback"), { narrative: "Be exact." });
  await send(metareview, makeTask("metareview", "overview"), null);
  return texts;
}

for (const goal of GOALS) {
  Deno.test(`nothing that agents say presumes another field: ${goal}`, async () => {
    const texts = await allPrompts(goal);
    assert.ok(texts.length > 50);
    for (const text of texts) assert.doesNotMatch(text, BIOMEDICAL);
    assert.ok(texts.some((text) => text.includes(goal)));
  });
}
