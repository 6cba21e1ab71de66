import type { SafetyDraft } from "../../domain/drafts.ts";
import type { SafetyCategory } from "../../domain/records.ts";
import type { Prompt } from "./prompt.ts";

/**
 * The words at which the simulated screen objects, so that blocking can be exercised offline. A real screen is a model;
 * this list protects nobody.
 */
export const TRIGGERS: Readonly<Record<Exclude<SafetyCategory, "none">, readonly string[]>> = {
  dual_use_bio: ["gain of function", "gain-of-function", "increase transmissibility"],
  cbrn: ["nerve agent", "dirty bomb", "enrich uranium"],
  weapons: ["pipe bomb", "improvised explosive"],
  illicit_synthesis: ["synthesise methamphetamine", "synthesize methamphetamine"],
  csam: ["child sexual"],
};

/**
 * The assessment of the text in the fences of the user's messages (all of the user's text where nothing is fenced): the
 * categories whose trigger words it contains, else none. What the prompt itself says of the categories doesn't count.
 */
export function answerSafety(prompt: Prompt): SafetyDraft {
  const text = (prompt.asked.length === 0 ? prompt.plain : textsOfAll(prompt)).toLowerCase();
  const found: SafetyCategory[] = [];
  const words: string[] = [];
  for (const category of ["dual_use_bio", "cbrn", "weapons", "illicit_synthesis", "csam"] as const) {
    const hit = TRIGGERS[category].find((trigger) => text.includes(trigger));
    if (hit === undefined) continue;
    found.push(category);
    words.push(hit);
  }
  return found.length === 0
    ? { categories: ["none"], confidence: 0.95, rationale: "Nothing in the text gives cause for concern." }
    : { categories: found, confidence: 0.97, rationale: `The text speaks of: ${words.join(", ")}.` };
}

function textsOfAll(prompt: Prompt): string {
  return prompt.asked.map((item) => item.text).join("\n");
}
