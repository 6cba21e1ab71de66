import { clean } from "../displays/clean.ts";
import { endLine, momentBar } from "./as_line.ts";
import type { DrawnLine } from "./drawn_line.ts";
import type { Sink } from "./live_progress.ts";
import { tellLine } from "./write_line.ts";

/**
 * Shows progress as a bar on the terminal's last line; its end stays as a line.
 *
 * @param columns of the terminal, as it is now
 */
export function terminalSink(
  open: () => Promise<DrawnLine> = drawnLine,
  columns: () => number = terminalColumns,
  tell: (line: string) => void = tellLine,
): Sink {
  let drawn: DrawnLine | null = null;
  const write = (line: string) => {
    drawn?.clear();
    drawn = null;
    tell(clean(line));
  };
  return {
    firstMs: 1_000,
    everyMs: 200,
    show: async (outset, moment, course) => {
      drawn ??= await open();
      drawn.draw(clean(momentBar(outset, moment, course, columns())));
    },
    note: write,
    end: (outset, moment, ending) => write(endLine(outset, moment, ending)),
  };
}

function terminalColumns(): number {
  try {
    // Some programs that stand between say that a terminal has none.
    return Deno.consoleSize().columns || 80;
  } catch {
    return 80;
  }
}

async function drawnLine(): Promise<DrawnLine> {
  const { openDrawnLine } = await import("./drawn_line.ts");
  return openDrawnLine();
}
