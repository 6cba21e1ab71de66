/** What whoever sits at a terminal sees of a run. */
import assert from "node:assert/strict";
import { cosciInTerminal, terminalToBeHad, workFolder } from "./command_line.ts";

const RUN = [
  ...["run", "--goal", "Which coatings could keep ships free of barnacles?", "--name", "ships"],
  ...["--set", "run.maxIdeas=3", "--set", "simulator.latencyMs=80", "--until", "matches=1"],
];
const ESC = "\u001b";
/** What terminals take as a command to move, to clear or to colour. */
const COMMAND = new RegExp(`${ESC}(?:\\[[\\d;?]*[A-Za-z]|\\d)`, "g");
const LINE_START = `${ESC}[1G`;

for (const columns of [100, 40]) {
  Deno.test({
    name: `in a terminal ${columns} columns wide, a bar goes on in its line and leaves how it ended`,
    ignore: !terminalToBeHad,
    fn: async () => {
      await using folder = await workFolder();
      const seen = await cosciInTerminal(folder.path, columns, ...RUN);
      const drawn = seen.split(LINE_START).slice(1).map((part) => part.replaceAll(COMMAND, "").trimEnd());
      const bars = drawn.filter((line) => /\d+%/.test(line));
      assert.ok(bars.length > 2, seen);
      for (const bar of bars) assert.ok(bar.length < columns, `"${bar}" fills the line`);
      assert.ok(
        bars.every((bar) => bar.includes("SIMULATED") && (columns < 100 || /\[█*░*\] \d+% · /.test(bar))),
        bars.join("\n"),
      );
      assert.doesNotMatch(seen.slice(0, seen.lastIndexOf(ESC)), /\n/, "nothing but the bar moves");
      assert.match(
        drawn.at(-1) ?? "",
        /^SIMULATED · run of ships: finished · \d+ tasks in [\d.]+ s · \$[\d.]+ of \$25\.00 spent$/,
      );
      assert.deepEqual(
        [...new Set(seen.match(COMMAND))].filter((command) => command.endsWith("m")),
        [],
        "nothing is coloured: NO_COLOR is set",
      );
      assert.match(await folder.read("results"), /^ships \(SIMULATED\)\n/);
      assert.doesNotMatch(await folder.read("results"), COMMAND, "results can be piped");
    },
  });
}
