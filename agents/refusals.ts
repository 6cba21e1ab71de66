import type { SessionContext } from "../lib/domain/agent.ts";
import { gateAnswer } from "../lib/domain/gate_answer.ts";
import type { GateKind } from "../lib/domain/records.ts";
import { fence } from "../lib/domain/text.ts";
import type { View } from "../lib/store/view.ts";

/** What was refused, by the kind of gate. */
const REFUSED: Readonly<Record<GateKind, string>> = {
  plan: "A research plan that was read from the goal",
  feedback: "A synthesis of the reviews and matches",
  evolution: "A round of new hypotheses made from the leading ones",
  finish: "A version of the research overview",
};

/**
 * The session's context with the reasons for which the researcher refused proposals of a kind, oldest first, as wishes in
 * force: until a proposal of that kind is accepted, which was made with them in view. A round of evolution is made only
 * after it was accepted, so that it carries them still, and the answer after it ends them.
 */
export function withRefusals(session: SessionContext, view: View, kind: GateKind): SessionContext {
  const refusals: { readonly id: string; readonly text: string }[] = [];
  let heeded = false;
  for (const gate of view.gates) {
    const answer = gate.kind === kind ? gateAnswer(view.marked("answered", gate.id)) : null;
    if (answer === null) continue;
    if (heeded || (answer.accepted && kind !== "evolution")) refusals.length = 0;
    heeded = answer.accepted;
    if (!answer.accepted) {
      refusals.push({
        id: gate.id,
        text: fence(
          "DIRECTIVE",
          `${REFUSED[kind]} was refused, and must not come again as it was: ${answer.reason}`,
          {
            label: gate.label,
            kind: "refused",
          },
        ),
      });
    }
  }
  return refusals.length === 0 ? session : { ...session, directives: [...session.directives, ...refusals] };
}
