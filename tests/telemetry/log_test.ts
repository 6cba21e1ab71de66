import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { configureSync, getConfig, type LogRecord, resetSync } from "@logtape/logtape";
import { z } from "zod";
import { configureLog, logger } from "../../lib/telemetry/log.ts";

const line = z.looseObject({
  "@timestamp": z.string(),
  level: z.string(),
  logger: z.string(),
  message: z.string(),
  properties: z.record(z.string(), z.unknown()),
});

function inFolder(body: (path: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "cosci-log-"));
  try {
    body(join(folder, "cosci.log"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(path: string) {
  return readFileSync(path, "utf8").split("\n").filter((text) => text !== "").map((text) =>
    line.parse(JSON.parse(text))
  );
}

Deno.test("a file gets one JSON object a line, from the level on", () =>
  inFolder((path) => {
    const log = configureLog({ level: "info", file: path });
    logger("engine").info("Task {task} failed: {error}", { task: "T5", error: new Error("disk\nfull") });
    logger("engine").debug("Not this");
    logger("store").warn("Slow", { ms: 12 });
    log[Symbol.dispose]();
    const lines = read(path);
    assert.deepEqual(lines.map((l) => [l.level, l.logger]), [["INFO", "cosci.engine"], [
      "WARN",
      "cosci.store",
    ]]);
    assert.match(lines[0]?.message ?? "", /^Task .*T5.* failed: .*disk/);
    assert.equal(lines[0]?.properties["task"], "T5");
    assert.match(JSON.stringify(lines[0]?.properties["error"]), /disk\\nfull/);
    assert.equal(lines[1]?.properties["ms"], 12);
  }));

Deno.test("after it has ended nothing is logged, and a later log goes on behind the lines there are", () =>
  inFolder((path) => {
    configureLog({ level: "info", file: path })[Symbol.dispose]();
    logger("engine").error("Lost");
    using _log = configureLog({ level: "info", file: path });
    logger("engine").error("Kept");
    using _again = configureLog({ level: "error", file: path });
    logger("engine").error("Kept too");
    logger("engine").info("Not this");
    assert.deepEqual(read(path).map((l) => l.message), ["Kept", "Kept too"]);
  }));

Deno.test("ending a log that was replaced leaves its successor alone", () =>
  inFolder((path) => {
    const first = configureLog({ level: "info", file: path });
    using _second = configureLog({ level: "info", file: path });
    first[Symbol.dispose]();
    logger("engine").info("Still here");
    assert.equal(read(path).length, 1);
  }));

Deno.test("without configuration the log is silent", () => {
  assert.equal(getConfig(), null);
  logger("engine").error("Nobody hears this");
});

Deno.test("a program that has configured LogTape itself keeps its configuration and hears of us", () => {
  const heard: LogRecord[] = [];
  configureSync({
    sinks: { mine: (record) => void heard.push(record) },
    loggers: [{ category: "cosci", sinks: ["mine"] }, {
      category: ["logtape", "meta"],
      lowestLevel: "error",
      sinks: [],
    }],
  });
  try {
    assert.throws(() => configureLog({ level: "info" }), { code: "state", message: /"cosci"/ });
    logger("engine").info("Hello");
    assert.deepEqual(heard.map((record) => record.category), [["cosci", "engine"]]);
  } finally {
    resetSync();
  }
});

Deno.test("a file that can't be written is refused by its name", () =>
  inFolder((path) => {
    assert.throws(() => configureLog({ level: "info", file: join(path, "no", "x.log") }), {
      code: "input",
      message: /x\.log/,
    });
    assert.equal(getConfig(), null);
  }));

Deno.test("the console is standard error, for every level, and standard output stays the program's", async () => {
  const program = new URL("../../lib/telemetry/log.ts", import.meta.url).href;
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      "--config",
      fileURLToPath(new URL("../../deno.json", import.meta.url)),
      `import { configureLog, logger } from ${JSON.stringify(program)};
       configureLog({ level: "debug" });
       logger("engine").debug("one"); logger("engine").error("two {n}", { n: 2 });`,
    ],
    env: { NO_COLOR: "1" },
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  assert.equal(new TextDecoder().decode(stdout), "");
  const text = new TextDecoder().decode(stderr);
  assert.match(text, /cosci·engine: one\n/);
  assert.match(text, /cosci·engine: two 2\n/);
});
