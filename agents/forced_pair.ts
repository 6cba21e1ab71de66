import type { Decision } from "../lib/domain/agent.ts";
import { rng } from "../lib/domain/rng.ts";
import type { TaskRecord } from "../lib/domain/records.ts";
import type { Standing, View } from "../lib/store/view.ts";
import { type Contender, matchMode, showOrder } from "../lib/tournament/order.ts";
import { nextJudge } from "../lib/tournament/panel.ts";

/**
 * The match between two that a person named: shown in the order that the settings give, judged like any other. Who is not
 * in the tournament doesn't play.
 */
export function forcedPair(
  view: View,
  task: TaskRecord,
  pair: readonly [string, string],
  busy: readonly Decision[],
): Decision {
  const [one, other] = [view.hypothesis(pair[0]), view.hypothesis(pair[1])];
  if (one === undefined || other === undefined || one === other) {
    return { kind: "nothing", reason: `There are no two hypotheses ${pair.join(" and ")} to be compared.` };
  }
  const out = [one, other].find(({ state }) => state !== "in_tournament");
  if (out !== undefined) {
    return { kind: "nothing", reason: `${out.record.label} is ${out.state} and plays no matches.` };
  }
  const { settings, session } = view;
  const [a, b] = [contender(one), contender(other)];
  const [first, second] = showOrder(
    a,
    b,
    view.met(a.id, b.id),
    settings.ranking.order,
    rng(session.seed, task.key, "pair"),
  );
  const judge = nextJudge(settings.ranking.panel, view.matches, busy);
  return {
    kind: "match",
    firstId: first.id,
    secondId: second.id,
    mode: matchMode(a, b, settings.ranking),
    bucket: "asked",
    ...(judge === undefined ? {} : { judge }),
  };
}

function contender({ record: { id }, elo, matches, bornSeq }: Standing): Contender {
  return { id, elo, matches, bornSeq };
}
