/** Frames: a session's records as plain rows, by name, and their way to Python. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { columnsOf } from "../../lib/notebook/displays/plain.ts";
import type { FrameColumn } from "../../lib/notebook/frames/columns.ts";
import type { Frame } from "../../lib/notebook/frames/frame.ts";
import type { FrameName } from "../../lib/supervisor/frames.ts";
import { FRAME_NAMES, FRAMES } from "../../lib/supervisor/frames.ts";
import { enter } from "../engine/support/session.ts";
import { sampleFrame } from "../notebook/frames/rows.ts";
import { findPython, pythonTest, runPython } from "../store/python.ts";
import { steeredStore } from "../store/steered.ts";
import { assertRefused, filesIn, withFolder, writesOf } from "./support.ts";

const NAMES = Object.keys(FRAMES).filter((name): name is FrameName => FRAME_NAMES.includes(name));

/** Whether a value is of its column's type. */
function fits({ type }: FrameColumn, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  switch (type) {
    case "integer":
      return Number.isSafeInteger(value);
    case "double":
      return Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "text":
      return typeof value === "string";
    case "time":
      return typeof value === "string" && new Date(value).toISOString() === value;
    case "list":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "json":
      return JSON.stringify(value) !== undefined;
  }
}

Deno.test("lab.frames names every frame with what its rows are; help names the verb", async () => {
  await using lab = await enter(":memory:");
  assert.deepEqual(lab.frames.map(({ name }) => name), NAMES);
  for (const { name, what, columns } of lab.frames) {
    assert.match(what, /^(a|an|one|something|the session's own) /, `${name}: a row is ${what}`);
    assert.ok(columns.length >= 5);
    assert.equal(new Set(columns).size, columns.length);
    assert.ok(!columns.includes("session_name") && !columns.includes("simulated"), "files have these before");
  }
  assert.match(String(lab.frames), /matches .* a match with its verdict/);
  assert.match(String(lab.help()), /frame\("matches"\)/);
});

Deno.test("an unknown name is refused with the nearest one and the list; looking writes nothing", async () => {
  await using lab = await enter(":memory:");
  const before = writesOf(lab);
  const name: string = "match";
  await assertRefused(() => lab.frame(name as FrameName), {
    code: "input",
    says: ["frame", '"match"', 'Did you mean "matches"?', "leaderboard, hypotheses", "lab.frames"],
  });
  for (const wrong of [undefined, null, 7, "toString", "__proto__"]) {
    await assertRefused(() => Reflect.apply(lab.frame, lab, [wrong]), {
      code: "input",
      says: ["Frames are"],
    });
  }
  for (const each of NAMES) assert.equal(lab.frame(each).name, each);
  assert.deepEqual(writesOf(lab), before);
});

Deno.test("frames of a steered session and its forks: every field is a column of its type, and none is always unknown", () =>
  withFolder(async (folder) => {
    const labs = await steeredStore(join(folder, "s.db"));
    const known = new Set<string>();
    for (const lab of labs) {
      for (const name of NAMES) {
        const frame = lab.frame(name);
        const fields = frame.columns.map((column) => column.name);
        for (const row of frame) {
          assert.deepEqual(Object.keys(row).filter((field) => !fields.includes(field)), [], name);
          for (const column of frame.columns) {
            const value: unknown = Reflect.get(row, column.name);
            assert.ok(
              fits(column, value),
              `${name}.${column.name} is ${column.type}, not ${JSON.stringify(value)}`,
            );
            if (value !== null && value !== undefined) known.add(`${name}.${column.name}`);
          }
        }
        const text = String(frame);
        assert.ok(text.split("\n").every((line) => columnsOf(line) <= 100), text);
      }
    }
    const unknown = NAMES.flatMap((name) =>
      labs[0]?.frame(name).columns.map((column) => `${name}.${column.name}`) ?? []
    ).filter((column) => !known.has(column));
    assert.deepEqual(unknown, []);
    const [lab, , other] = labs;
    assert.ok(lab !== undefined && other !== undefined);

    // Sums are those of the cards.
    const sum = (numbers: readonly number[]) => Math.round(numbers.reduce((a, b) => a + b, 0) * 1e6);
    for (const each of [lab, other]) {
      const { total } = each.cost();
      const own = each.frame("calls").filter(({ inherited }) => !inherited);
      assert.equal(sum(own.map(({ usd }) => usd)), Math.round(total.usd * 1e6));
      assert.equal(sum(each.frame("costs").map(({ usd }) => usd)), Math.round(total.usd * 1e6));
      assert.equal(own.length, total.calls);
      assert.equal(own.reduce((all, { outputTokens }) => all + outputTokens, 0), total.outputTokens);
    }
    assert.ok(other.frame("calls").some(({ inherited }) => inherited));
    const tasks = new Map(lab.frame("tasks").map((task) => [task.label, task]));
    for (const hypothesis of lab.frame("hypotheses")) {
      const own = [...tasks.values()].filter(({ action, target }) =>
        action === "review" && target === hypothesis.label
      );
      const made = hypothesis.task === null ? [] : [tasks.get(hypothesis.task)];
      assert.equal(
        Math.round(hypothesis.usd * 1e6),
        sum([...own, ...made].map((task) => task?.usd ?? 0)),
        hypothesis.label,
      );
    }

    // What people did stands in them.
    assert.deepEqual(
      lab.frame("directives").map((
        { label, withdrawn, inForce, calls },
      ) => [label, withdrawn, inForce, calls > 0]),
      [["D1", true, false, true], ["D2", false, false, true]],
    );
    const settings = new Map(lab.frame("settings").map((setting) => [setting.path, setting]));
    assert.deepEqual(
      [settings.get("ranking.eloInitial")?.value, settings.get("ranking.eloInitial")?.revision],
      [1500, "R1"],
    );
    assert.ok(lab.frame("matches").some((match) => match.void && !match.counted && match.weight === 0));
    assert.ok(lab.frame("matches").some((match) => match.author === "Ada" && match.weight === 2));
    assert.ok(
      lab.frame("scores").some(({ criterion, must, inForce }) =>
        criterion === "oral form" && must && inForce
      ),
    );
    assert.equal(lab.frame("leaderboard")[0]?.result, "confirmed");
    assert.equal(
      lab.frame("leaderboard").filter(({ rank, foldedUnder }) => rank === null && foldedUnder !== null)
        .length,
      1,
    );
    for (const each of labs) await each.close();
  }));

Deno.test("csv and parquet write what they say, over what was there", () =>
  withFolder(async (folder) => {
    await using lab = await enter(":memory:");
    await lab.runUntil({ matches: 2 });
    const frame = lab.frame("matches");
    await Deno.writeTextFile(join(folder, "m.csv"), "old");
    await frame.csv(join(folder, "m.csv"));
    await frame.parquet(join(folder, "m.PARQUET"));
    assert.equal(await Deno.readTextFile(join(folder, "m.csv")), frame.toCsv());
    assert.deepEqual(await Deno.readFile(join(folder, "m.PARQUET")), await frame.toParquet());
    assert.deepEqual(filesIn(folder), ["m.PARQUET", "m.csv"]);
  }));

Deno.test("another ending and a folder that isn't there are refused before anything is written", () =>
  withFolder(async (folder) => {
    await using lab = await enter(":memory:");
    const frame = lab.frame("matches");
    await assertRefused(() => frame.csv(join(folder, "m.xlsx")), {
      code: "input",
      says: ["csv", "m.xlsx", '".csv"'],
    });
    await assertRefused(() => frame.csv(join(folder, "m.parquet")), {
      code: "input",
      says: ["csv", ".parquet(path)"],
    });
    await assertRefused(() => frame.parquet(join(folder, "m.csv")), {
      code: "input",
      says: ["parquet", ".csv(path)"],
    });
    await assertRefused(() => frame.parquet(join(folder, "m")), { code: "input", says: ['".parquet"'] });
    await assertRefused(() => Reflect.apply(frame.csv, frame, []), {
      code: "input",
      says: ["csv", "nothing"],
    });
    for (
      const write of [
        () => frame.csv(join(folder, "no/m.csv")),
        () => frame.parquet(join(folder, "no/m.parquet")),
      ]
    ) {
      await assertRefused(write, { code: "input", says: ["no/m.", "There is no folder", "make it first"] });
    }
    await Deno.mkdir(join(folder, "m.csv"));
    await assertRefused(() => frame.csv(join(folder, "m.csv")), { code: "input", says: ["It is a folder"] });
    await Deno.remove(join(folder, "m.csv"));
    assert.deepEqual(filesIn(folder), []);
  }));

Deno.test(
  pythonTest(
    await findPython("pandas", "pyarrow"),
    "pandas reads every frame from CSV and Parquet, with the same values and proper types",
    (python) =>
      withFolder(async (folder) => {
        const labs = await steeredStore(join(folder, "s.db"));
        const [lab] = labs;
        assert.ok(lab !== undefined);
        // Those of the session, and one of texts that are awkward; halves of pairs are no text in any file.
        const awkward = sampleFrame();
        const frames: readonly Frame<object>[] = [...NAMES.map((name) => lab.frame(name)), awkward];
        const expected = await Promise.all(frames.map(async (frame) => {
          await frame.csv(join(folder, `${frame.name}.csv`));
          await frame.parquet(join(folder, `${frame.name}.parquet`));
          return {
            name: frame.name,
            columns: frame.columns,
            frame: JSON.parse(JSON.stringify(frame), wellFormed),
          };
        }));
        await Deno.writeTextFile(join(folder, "expected.json"), JSON.stringify(expected));
        const { ok, text } = await runPython(python, READ, folder);
        assert.ok(ok, text);
        assert.equal(text.trim(), `${frames.length} frames`);
        for (const each of labs) await each.close();
      }),
  ),
);

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}

/** Reads each frame both ways, and compares both with the rows as JSON. */
const READ = `
import json, math, os, sys
import pandas as pd
os.chdir(sys.argv[1])
DTYPES = {"integer": ("int64", "float64"), "double": ("float64",), "boolean": ("bool", "object"),
          "text": ("str", "object"), "time": ("datetime64[ms, UTC]",), "list": ("object",), "json": ("str", "object")}

def known(value):
    return not (value is None or (isinstance(value, float) and math.isnan(value)) or value is pd.NaT)

def plain(value, type):
    if type == "list" and value is not None:
        return [str(item) for item in value]
    if not known(value):
        return None
    if type == "json":
        return json.loads(value)
    if type == "time":
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value

def same(a, b):
    return a == b or (isinstance(a, (int, float)) and math.isclose(a, b, rel_tol=1e-12))

count = 0
with open("expected.json", encoding="utf-8") as file:
    frames = json.load(file)
for each in frames:
    name, columns, rows = each["name"], each["columns"], each["frame"]
    parquet = pd.read_parquet(name + ".parquet")
    texts = {c["column"]: str for c in columns if c["type"] in ("text", "list", "json", "time")}
    csv = pd.read_csv(name + ".csv", dtype=texts, keep_default_na=False, na_values={c["column"]: [""] for c in columns})
    names = ["session_name", "simulated"] + [c["column"] for c in columns]
    assert list(parquet.columns) == names and list(csv.columns) == names, (name, list(csv.columns))
    assert len(parquet) == len(csv) == len(rows), (name, len(parquet), len(csv))
    if len(rows) > 0:
        assert parquet.simulated.all() and csv.simulated.all()
    for c in columns:
        assert str(parquet[c["column"]].dtype) in DTYPES[c["type"]], (name, c, parquet[c["column"]].dtype)
        for i, row in enumerate(rows):
            expected = row.get(c["name"])
            found = plain(parquet[c["column"]].iloc[i], c["type"])
            assert same(found, expected), (name, c["column"], i, found, expected)
            cell = csv[c["column"]].iloc[i]
            if c["type"] in ("list", "json") and expected is not None:
                assert json.loads(cell) == expected, (name, c["column"], i, cell)
            elif expected is None or expected == "":
                assert not known(cell), (name, c["column"], i, cell)
            elif isinstance(expected, str) and expected[0] in "=+-@\\t\\r\\n":
                assert cell == "'" + expected, (name, c["column"], i, cell)
            else:
                assert same(cell, expected), (name, c["column"], i, cell, expected)
    count += 1
print(count, "frames")
`;
