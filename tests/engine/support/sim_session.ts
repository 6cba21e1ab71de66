import assert from "node:assert/strict";
import type { SettingsPatch } from "../../../lib/config/settings.ts";
import type { NowData } from "../../../lib/engine/snapshot.ts";
import type { Fault, FaultRule } from "../../../lib/simulator/faults.ts";
import { createSimulator, type Simulator, type SimulatorOptions } from "../../../lib/simulator/server.ts";
import type { CreateOptions } from "../../../lib/supervisor/create_options.ts";
import { replay } from "../../../lib/tournament/elo.ts";
import { Supervisor } from "../../../mod.ts";
import { VirtualClock } from "./virtual_clock.ts";

/** The goal that these sessions ask about. */
export const GOAL = "Which approved drugs could be repurposed for acute myeloid leukaemia?";

/** The full counts that the issue names, or about a tenth of them. */
export const LONG = Deno.env.get("COSCI_LONG") === "1";

/** What a test says of a session over a simulator of its own. */
export interface SimSession {
  readonly seed?: string;
  readonly settings?: SettingsPatch;
  readonly rules?: readonly FaultRule[];
  readonly simulator?: Partial<SimulatorOptions>;
  readonly create?: Partial<CreateOptions>;
}

/** A session in memory, the server behind it, and the clock that both go by. */
export interface Opened extends AsyncDisposable {
  readonly lab: Awaited<ReturnType<typeof Supervisor.create>>;
  readonly server: Simulator;
  readonly clock: VirtualClock;
}

/** Opens a session in memory over a simulator that fails on demand. No time passes while it waits. */
export async function openSession(
  { seed = "seed", settings = {}, rules = [], simulator = {}, create = {} }: SimSession,
): Promise<Opened> {
  const clock = new VirtualClock();
  const server = createSimulator({ seed, clock, faults: { rules }, ...simulator });
  const lab = await Supervisor.create({
    goal: GOAL,
    name: "session",
    store: ":memory:",
    seed,
    settings,
    clock,
    // A key for whom a session asks for the vendor's models; nothing here goes to the network.
    environment: { ANTHROPIC_API_KEY: "a key of the tests" },
    fetch: (input, init) => server.fetch(input, init),
    ...create,
  });
  return { lab, server, clock, [Symbol.asyncDispose]: () => lab.close() };
}

/** A fault as titles of tests name it. */
export function nameOf(fault: Fault): string {
  return fault.kind === "status" ? String(fault.status) : fault.kind;
}

/** What goes on right now, of a handle that looks at the present. */
export function nowOf(lab: Opened["lab"]): NowData {
  const { now } = lab.inspect();
  assert.ok(now !== null);
  return now;
}

/** What holds after any run, whatever went wrong in it: every record is whole and none is missing. */
export function assertNothingLost({ lab }: Pick<Opened, "lab">): void {
  const view = lab.view();
  const { store } = lab;
  // Whoever is open is queued, and nobody is left in hand.
  const queued = store.queue(view.session.id).list();
  assert.deepEqual(
    queued.map((item) => item.taskId).sort(),
    view.openTasks.map((task) => task.record.id).sort(),
    "the queue holds the open tasks",
  );
  assert.ok(queued.every((item) => item.status !== "in_progress"), "nothing is left in hand");
  assert.equal(nowOf(lab).reservedUsd, 0, "nothing is left reserved");

  // Every valid match is rated once, every invalid one not at all, and the ledger gives the ratings.
  assert.equal(view.matches.filter((match) => match.verdict !== "invalid").length, view.validMatches);
  const valid = view.counted.filter((match) => match.verdict !== "invalid");
  assert.deepEqual(view.eloJournal.map((row) => row.matchId), valid.map((match) => match.id));
  const ratings = replay(view.eloJournal, view.settings.ranking.eloInitial);
  for (const { record, elo, matches } of view.hypotheses) {
    const games = valid.filter(({ firstId, secondId }) => firstId === record.id || secondId === record.id);
    assert.equal(matches, games.length, `${record.label}'s matches`);
    assert.equal(elo, ratings.get(record.id) ?? view.settings.ranking.eloInitial, `${record.label}'s rating`);
  }
  const sum = view.hypotheses.reduce((total, { elo }) => total + elo, 0);
  assert.ok(
    Math.abs(sum - view.settings.ranking.eloInitial * view.hypotheses.length) < 1e-6,
    "Elo is zero-sum",
  );

  // No hypothesis falls between two tasks: who is a draft has a review to come, or one that died and is listed.
  for (const { record, state } of view.hypotheses) {
    if (state !== "draft") continue;
    const reviews = [...view.openTasks, ...view.deadTasks].filter((task) =>
      task.record.targetId === record.id
    );
    assert.ok(reviews.length > 0, `${record.label} has a review to come`);
  }

  // What the calls cost is what the ledger says.
  const { microUsd } = store.sql.get(
    "SELECT coalesce(sum(micro_usd), 0) AS microUsd FROM transcripts WHERE session = ?",
    view.session.id,
  ) ?? {};
  assert.ok(
    Math.abs(Number(microUsd) / 1e6 - nowOf(lab).spentUsd) < 1e-9,
    "every cent has its transcript",
  );
}
