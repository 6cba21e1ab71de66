import assert from "node:assert/strict";
import { configureLog } from "../../lib/telemetry/log.ts";
import { Store } from "../../lib/store/store.ts";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";

Deno.test("every event of a session is a line of the log, faults as warnings", async () => {
  const file = await Deno.makeTempFile({ suffix: ".jsonl" });
  {
    using _log = configureLog({ level: "debug", file });
    const store = new Store({ database: ":memory:" });
    const { id } = store.createSession({
      name: "logged",
      goal: "g",
      preferences: "",
      seed: "s",
      mode: "simulator",
      provider: { name: "simulator", baseUrl: "", models: {} },
      settings: DEFAULT_SETTINGS,
      parentId: null,
      parentSeq: 0,
    });
    store.tell(id, [
      { type: "fault", payload: { error: "odd" } },
      { type: "task_enqueued", payload: { task: "T1" } },
      { type: "plan_recorded", payload: { objective: "o" } },
    ]);
    store.close();
  }
  const lines = (await Deno.readTextFile(file)).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ level, properties }) => [level, properties.event]),
    [["WARN", "fault"], ["DEBUG", "task_enqueued"], ["INFO", "plan_recorded"]],
  );
  assert.equal(lines[0]?.properties.error, "odd");
  await Deno.remove(file);
});
