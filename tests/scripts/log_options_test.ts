import assert from "node:assert/strict";
import { startLog } from "../../scripts/cli/log_options.ts";
import { logger } from "../../lib/telemetry/log.ts";

Deno.test("a log is kept where it is asked for, and nowhere else", async () => {
  assert.equal(startLog({}), null);
  const file = await Deno.makeTempFile({ suffix: ".jsonl" });
  {
    using _log = startLog({ logFile: file, logLevel: "warning" });
    logger("test").info("not this");
    logger("test").warn("this");
  }
  const lines = (await Deno.readTextFile(file)).trim().split("\n");
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /this/);
  await Deno.remove(file);
});

Deno.test("an unknown level is named, with those that there are", () => {
  assert.throws(() => startLog({ logLevel: "loud" }), /"loud"[\s\S]*trace, debug, info/);
});
