import assert from "node:assert/strict";
import { CosciError, type ErrorCode } from "../../lib/domain/errors.ts";
import type { StopReason } from "../../lib/domain/records.ts";
import { type Ending, exitCodeOf, exitCodeOfError } from "../../scripts/cli/exit_codes.ts";

const DONE: Ending = {
  status: "done",
  reason: null,
  atGate: false,
  overview: "model",
  askedInVain: false,
  hypotheses: 5,
};

Deno.test("an overview by a model is success, whatever stopped the run", () => {
  const reasons: (StopReason | null)[] = [
    null,
    "budget",
    "wall_clock",
    "elo_stable",
    "idle",
    "stalled",
    "provider",
  ];
  for (const reason of reasons) assert.equal(exitCodeOf({ ...DONE, reason }), 0);
});

Deno.test("without one the answer says why", () => {
  const cases: [number, Partial<Ending>][] = [
    [3, { reason: "budget" }],
    [3, { reason: "elo_stable" }],
    [4, { reason: "stalled" }],
    [4, { reason: null, hypotheses: 0 }],
    [5, { reason: "provider" }],
    [5, { reason: "budget", askedInVain: true }],
    [5, { reason: "idle", askedInVain: true }],
    [2, { reason: "blocked", overview: null }],
  ];
  for (const [code, ending] of cases) {
    assert.equal(exitCodeOf({ ...DONE, overview: "fallback", ...ending }), code, JSON.stringify(ending));
  }
});

Deno.test("a session that waits, or was aborted, is answered as interrupted", () => {
  assert.equal(exitCodeOf({ ...DONE, status: "paused" }), 130);
  assert.equal(exitCodeOf({ ...DONE, status: "aborted", reason: "external", overview: null }), 130);
});

Deno.test("an open gate is answered as such, whatever has been written, unless the session was paused or aborted", () => {
  assert.equal(exitCodeOf({ ...DONE, status: "running", atGate: true }), 6);
  assert.equal(exitCodeOf({ ...DONE, status: "stopped", reason: "budget", overview: null, atGate: true }), 6);
  assert.equal(exitCodeOf({ ...DONE, status: "paused", atGate: true }), 130);
});

Deno.test("errors answer by their code", () => {
  const cases: [number, ErrorCode][] = [[2, "input"], [2, "store"], [2, "prompt"], [3, "budget"], [
    5,
    "provider",
  ], [
    1,
    "internal",
  ]];
  for (const [code, kind] of cases) assert.equal(exitCodeOfError(new CosciError(kind, "")), code);
  assert.equal(exitCodeOfError(new TypeError("a fault")), 1);
});
