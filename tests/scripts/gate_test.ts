/** Gates on the command line: a run stops at one, says what is proposed and how to answer, and goes on after the answer. */
import assert from "node:assert/strict";
import { cosci, workFolder } from "./command_line.ts";

const GOAL = "Which coatings could keep ships free of barnacles?";
const RUN = ["run", "--goal", GOAL, "--name", "ships", "--set", "run.maxIdeas=3", "--until", "matches=1"];

Deno.test("a run stops at a gate with code 6, and goes on once it is answered", async () => {
  await using folder = await workFolder();
  const at = (...args: string[]) => cosci(folder.path, ...args);
  const gates = ["--set", 'run.gates=["plan","finish"]'];
  const first = await at(...RUN, ...gates);
  assert.equal(first.code, 6, first.stderr);
  assert.match(
    first.stdout,
    /G1 research plan of ships waits for your yes[^]*Objective: [^]*deno task gate accept/,
  );

  const shown = await at("gate", "--json");
  assert.equal(shown.code, 6);
  assert.equal(JSON.parse(shown.stdout).proposal.kind, "plan");
  assert.equal((await at("gate", "refuse")).code, 2, "why is not left out");
  assert.equal((await at("gate", "acept")).code, 2);
  await Deno.writeTextFile(folder.file("edit.json"), '{ "objective": "Which coatings are cheap?" }');
  const accepted = await at("gate", "accept", "--edit", "edit.json", "--author", "Ada");
  assert.equal(accepted.code, 0, accepted.stderr);
  assert.match(accepted.stdout, /Accepted with changes of objective by Ada/);
  const none = await at("gate", "accept");
  assert.equal(none.code, 2);
  assert.match(none.stderr, /nothing waits for an answer/);

  const second = await at("resume", "--until", "matches=1", "--json");
  assert.equal(second.code, 6, second.stderr);
  const result = JSON.parse(second.stdout);
  assert.deepEqual([result.gate.label, result.gate.kind, result.exitCode], ["G2", "finish", 6]);
  assert.equal((await at("gate", "accept")).code, 0);
  const status = await at("status", "--json");
  assert.deepEqual([JSON.parse(status.stdout).status, JSON.parse(status.stdout).exitCode], ["done", 0]);
});
