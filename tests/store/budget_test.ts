import assert from "node:assert/strict";
import fc from "fast-check";
import type { AgentName } from "../../lib/domain/records.ts";
import type { BudgetLimits, SqlCallLedger } from "../../lib/store/budget.ts";
import type { Reservation } from "../../lib/store/calls.ts";
import { Store } from "../../lib/store/store.ts";
import { LIMITS, ManualClock, newSession, reservation, settlement, transcript } from "./fixture.ts";

/** A dollar with 200,000 for the overview: shares of 200,000 for generation and ranking, 80,000 in common. */
function budget(limits: BudgetLimits = LIMITS) {
  const clock = new ManualClock();
  const store = new Store({ database: ":memory:", clock });
  const session = store.createSession(newSession("s")).id;
  let now = limits;
  const calls = store.calls(session, "me", () => now);
  return {
    store,
    session,
    clock,
    calls,
    limit: (changed: Partial<BudgetLimits>) => (now = { ...now, ...changed }),
  };
}

function admitted(calls: SqlCallLedger, microUsd: number, more: Partial<Reservation> = {}): string {
  const admission = calls.admit(reservation(microUsd, more));
  assert.equal(admission.kind, "admitted", `${microUsd} of ${more.agent ?? "ranking"}`);
  return admission.kind === "admitted" ? admission.id : "";
}

function spend(calls: SqlCallLedger, microUsd: number, more: Partial<Reservation> = {}): void {
  const id = admitted(calls, microUsd, more);
  calls.settle(id, settlement(microUsd), transcript({ agent: more.agent ?? "ranking" }), null);
}

Deno.test("an agent may spend its share and what all have in common, and no more", () => {
  const { calls } = budget();
  assert.equal(calls.headroom("ranking").microUsd, 280_000);
  spend(calls, 200_000);
  assert.equal(calls.headroom("ranking").microUsd, 80_000);
  assert.equal(calls.headroom("generation").microUsd, 280_000);
  spend(calls, 50_000);
  assert.equal(calls.headroom("ranking").microUsd, 30_000);
  assert.equal(calls.headroom("generation").microUsd, 230_000);
  assert.deepEqual(calls.admit(reservation(30_001)), { kind: "never", left: 30_000, limit: "usd" });
});

Deno.test("agents without a share draw on what is in common", () => {
  const { calls } = budget();
  assert.equal(calls.headroom("planning").microUsd, 80_000);
  spend(calls, 60_000, { agent: "safety" });
  assert.equal(calls.headroom("planning").microUsd, 20_000);
  assert.equal(calls.headroom("ranking").microUsd, 220_000);
});

Deno.test("what fits only if reserved money came free waits; what doesn't fit even then never will", () => {
  const { calls } = budget();
  const held = admitted(calls, 250_000);
  assert.deepEqual(calls.headroom("ranking"), {
    microUsd: 30_000,
    microUsdLater: 280_000,
    tokens: 1_000_000,
  });
  assert.deepEqual(calls.admit(reservation(100_000)), { kind: "later", left: 280_000, limit: "usd" });
  assert.deepEqual(calls.admit(reservation(280_001)), { kind: "never", left: 280_000, limit: "usd" });
  calls.settle(held, settlement(10_000), transcript(), null);
  admitted(calls, 100_000);
});

Deno.test("the overview may use all that is left; nobody else touches its reserve", () => {
  const { calls } = budget({ ...LIMITS, shares: { generation: 0.5, ranking: 0.5 }, reserve: 0.5 });
  spend(calls, 400_000, { agent: "generation" });
  spend(calls, 400_000, { agent: "ranking" });
  for (const agent of ["generation", "ranking", "planning"] as const) {
    assert.equal(calls.headroom(agent).microUsd, 0);
    assert.equal(calls.admit(reservation(1, { agent })).kind, "never");
  }
  assert.equal(calls.headroom("metareview", true).microUsd, 200_000);
  admitted(calls, 200_000, { agent: "metareview", overview: true });
  assert.equal(calls.admit(reservation(1, { agent: "metareview", overview: true })).kind, "later");
});

Deno.test("tokens are a limit of their own, and the overview's are put aside as well", () => {
  const { calls } = budget({ ...LIMITS, capTokens: 1_000, overviewTokens: 300 });
  const held = admitted(calls, 0, { tokens: 600 });
  assert.deepEqual(calls.admit(reservation(0, { tokens: 200 })), {
    kind: "later",
    left: 700,
    limit: "tokens",
  });
  assert.deepEqual(calls.admit(reservation(0, { tokens: 701 })), {
    kind: "never",
    left: 700,
    limit: "tokens",
  });
  calls.settle(held, settlement(0, { inputTokens: 500, outputTokens: 100 }), transcript(), null);
  assert.deepEqual(calls.admit(reservation(0, { tokens: 101 })), {
    kind: "never",
    left: 100,
    limit: "tokens",
  });
  admitted(calls, 0, { tokens: 400, overview: true });
});

Deno.test("a raised cap counts at the next call", () => {
  const { calls, limit } = budget();
  spend(calls, 280_000);
  assert.equal(calls.admit(reservation(1)).kind, "never");
  limit({ capMicroUsd: 2_000_000 });
  admitted(calls, 1);
});

Deno.test("a share that is nothing leaves what is in common; a cap of nothing leaves nothing", () => {
  const { calls, limit } = budget({ ...LIMITS, shares: {} });
  assert.equal(calls.headroom("ranking").microUsd, 80_000);
  limit({ capMicroUsd: 100_000 });
  assert.equal(calls.headroom("ranking").microUsd, 0);
  assert.equal(calls.headroom("metareview", true).microUsd, 100_000);
});

Deno.test("reservations of tasks whose holder died are booked in full, and so are forgotten ones", () => {
  const { calls, clock } = budget();
  admitted(calls, 1_000, { taskId: "dead", tokens: 10 });
  admitted(calls, 200, { taskId: "alive", tokens: 5 });
  calls.loseReservations(["dead"]);
  assert.deepEqual(calls.spending(), {
    microUsd: 1_000,
    lostMicroUsd: 1_000,
    tokens: 10,
    reservedMicroUsd: 200,
    inFlight: 1,
  });
  clock.advance(3_600_000);
  calls.loseReservations([]);
  assert.deepEqual(calls.spending(), {
    microUsd: 1_200,
    lostMicroUsd: 1_200,
    tokens: 15,
    reservedMicroUsd: 0,
    inFlight: 0,
  });
});

Deno.test("an answer that comes after its reservation was lost is kept, for its task, and not paid again", () => {
  const { calls, store, session } = budget();
  const id = admitted(calls, 1_000, { taskId: "slow" });
  calls.loseReservations(["slow"]);
  calls.settle(id, settlement(400), transcript(), { key: "k", kind: "model", answer: "1" });
  assert.equal(calls.spending().microUsd, 1_000);
  assert.equal(calls.find("k")?.answer, "1");
  const row = store.sql.get("SELECT task_id, micro_usd FROM transcripts WHERE session = ?", session);
  assert.deepEqual({ ...row }, { task_id: "slow", micro_usd: 400 });
});

Deno.test("two ledgers of one session share its budget", () => {
  const { calls, store, session } = budget();
  const other = store.calls(session, "you", () => LIMITS);
  admitted(calls, 250_000);
  assert.equal(other.admit(reservation(40_000)).kind, "later");
  admitted(other, 30_000);
  assert.equal(calls.spending().inFlight, 2);
});

type Act =
  | {
    readonly kind: "admit";
    readonly agent: AgentName;
    readonly microUsd: number;
    readonly overview: boolean;
  }
  | { readonly kind: "settle"; readonly which: number; readonly part: number }
  | { readonly kind: "lose" };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("admit" as const),
      agent: fc.constantFrom<AgentName>(
        "planning",
        "generation",
        "reflection",
        "ranking",
        "evolution",
        "safety",
      ),
      microUsd: fc.nat(300_000),
      overview: fc.constant(false),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("admit" as const),
      agent: fc.constant<AgentName>("metareview"),
      microUsd: fc.nat(300_000),
      overview: fc.constant(true),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("settle" as const),
      which: fc.nat(20),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Act>({ kind: "lose" }) },
);

Deno.test("no order of calls passes the cap, nor takes what is put aside for the overview", () => {
  fc.assert(
    fc.property(
      fc.array(act, { maxLength: 40 }),
      fc.record({
        generation: fc.nat(50),
        ranking: fc.nat(50),
        reserve: fc.nat(100),
        overview: fc.nat(1_000_000),
      }),
      (acts, parts) => {
        const limits = {
          ...LIMITS,
          overviewMicroUsd: parts.overview,
          shares: { generation: parts.generation / 100, ranking: parts.ranking / 100 },
          reserve: parts.reserve / 100,
        };
        const { calls, store } = budget(limits);
        const held: { id: string; microUsd: number; agent: AgentName; overview: boolean }[] = [];
        let overviewUsed = 0;
        for (const a of acts) {
          if (a.kind === "admit") {
            const room = calls.headroom(a.agent, a.overview);
            const admission = calls.admit(
              reservation(a.microUsd, { agent: a.agent, overview: a.overview, taskId: "t" }),
            );
            assert.equal(admission.kind === "admitted", a.microUsd <= room.microUsd);
            if (admission.kind === "admitted") {
              held.push({ id: admission.id, microUsd: a.microUsd, agent: a.agent, overview: a.overview });
              if (a.overview) overviewUsed += a.microUsd;
            } else assert.equal(admission.kind === "later", a.microUsd <= room.microUsdLater);
          } else if (a.kind === "lose") {
            calls.loseReservations(["t"]);
            held.length = 0;
          } else {
            const [call] = held.splice(a.which % Math.max(1, held.length), 1);
            if (call === undefined) continue;
            const actual = Math.floor(call.microUsd * a.part);
            calls.settle(call.id, settlement(actual), transcript({ agent: call.agent }), null);
            if (call.overview) overviewUsed -= call.microUsd - actual;
          }
          const { microUsd, reservedMicroUsd } = calls.spending();
          assert.ok(microUsd + reservedMicroUsd <= limits.capMicroUsd, "the cap");
          assert.ok(
            microUsd + reservedMicroUsd - overviewUsed <= limits.capMicroUsd - limits.overviewMicroUsd,
            "the overview's reserve",
          );
        }
        store.close();
      },
    ),
    { numRuns: 150 },
  );
});
