import { join } from "node:path";
import { Supervisor } from "../../../mod.ts";

/** A folder with a store in it, removed with all handles that were opened. */
export interface ExportFolder extends AsyncDisposable {
  /** The path of a file in it. */
  path(name: string): string;
  /** The text of a file in it. */
  read(name: string): Promise<string>;
  /** The names in it, without those of the store. */
  names(): Promise<string[]>;
  /** A session in its store, or in memory. */
  session(
    name: string,
    options?: { readonly goal?: string; readonly inMemory?: boolean },
  ): Promise<Supervisor>;
}

/** A folder for exports. @param within the folder that it is made in; the system's for temporary files by default */
export async function exportFolder(within?: string): Promise<ExportFolder> {
  const folder = await Deno.makeTempDir({
    prefix: "cosci-export-",
    ...(within === undefined ? {} : { dir: within }),
  });
  const labs: Supervisor[] = [];
  return {
    path: (name) => join(folder, name),
    read: (name) => Deno.readTextFile(join(folder, name)),
    names: async () =>
      (await Array.fromAsync(Deno.readDir(folder), (entry) => entry.name)).filter((name) =>
        !name.startsWith("store.db")
      ).sort(),
    session: async (
      name,
      { goal = "Which coatings could keep ships free of barnacles?", inMemory = false } = {},
    ) => {
      const lab = await Supervisor.create({
        name,
        goal,
        store: inMemory ? ":memory:" : join(folder, "store.db"),
        settings: { run: { maxIdeas: 6, concurrency: 1 }, evolution: { minMature: 4 }, ranking: { topK: 2 } },
        environment: {},
      });
      labs.push(lab);
      return lab;
    },
    async [Symbol.asyncDispose]() {
      for (const lab of labs) await lab.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Texts of foreign origin for a session that is {@linkcode steer}ed. */
export interface Words {
  readonly title: string;
  readonly statement: string;
  readonly notes: string;
  readonly rationale: string;
  readonly claim: string;
  readonly source: string;
  readonly directive: string;
  readonly author: string;
}

/** What a person might write. */
export const PLAIN: Words = {
  title: "Sharkskin riblets",
  statement: "Riblets of 30 micrometres keep cyprids from settling.",
  notes: "The spacing is missing.",
  rationale: "Cheaper, and nearly as sure.",
  claim: "On forty plates, settlement was halved.",
  source: "https://example.org/plates",
  directive: "Prefer what needs no biocide",
  author: "Dr. Grün",
};

/** A session with everything in it that reports tell of: evolved hypotheses, a person's words, results, an overview. */
export async function steered(lab: Supervisor, words: Words = PLAIN): Promise<void> {
  const { author } = words;
  await lab.runUntil({ matches: 8 });
  lab.direct(words.directive, { author });
  lab.configure({ ranking: { kFactorNew: 24 } }, { author });
  const { label } = await lab.addHypothesis({ title: words.title, statement: words.statement }, {
    author,
    force: true,
  });
  await lab.runUntil({ matches: 14 });
  const [first, second, third] = lab.inspect().leaderboard.map((row) => row.label).filter((each) =>
    each !== label
  );
  if (first === undefined || second === undefined || third === undefined) {
    throw new Error("too few in the tournament");
  }
  lab.addReview(first, { verdict: "missing_piece", notes: words.notes, author });
  lab.addVerdict(first, second, second, { rationale: words.rationale, author });
  lab.addResult(second, {
    outcome: "confirmed",
    claim: words.claim,
    kind: "experiment",
    source: words.source,
    author,
  });
  lab.pin(third, { author });
  await lab.metareview();
  await lab.overview();
}
