import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf, mulberry32, shuffle } from "./chance.ts";
import type { World } from "./oracle.ts";
import { numberIn, rowsOf } from "./table_file.ts";

/** A replication project: what forecasters believed of its findings, and what came of them. */
export interface ReplicationProject {
  /** Its name. */
  readonly name: string;
  /** Its number in the file. */
  readonly number: number;
  /** Whether each finding was replicated. */
  readonly replicated: readonly boolean[];
  /** Each forecaster's beliefs by finding; NaN where there is none. */
  readonly beliefs: readonly Float64Array[];
}

/** Seed of the replays. */
const SEED = 20250103;

const TAGS = { half: 21, forecaster: 22, policy: 23 } as const;

/** The projects of a folder with `replication_findings.csv` and `replication_beliefs.csv`. */
export function readReplicationProjects(folder: string): ReplicationProject[] {
  const read = (file: string, columns: readonly string[]) =>
    rowsOf(readFileSync(join(folder, file), "utf8"), columns);
  interface Collected {
    readonly ids: string[];
    readonly replicated: boolean[];
    readonly by: Map<string, Float64Array>;
  }
  const projects = new Map<string, Collected>();
  for (const row of read("replication_findings.csv", ["project", "finding_id", "replicated"])) {
    const name = row["project"] ?? "";
    const project: Collected = projects.get(name) ?? { ids: [], replicated: [], by: new Map() };
    project.ids.push(row["finding_id"] ?? "");
    project.replicated.push(numberIn(row, "replicated") === 1);
    projects.set(name, project);
  }
  for (const row of read("replication_beliefs.csv", ["project", "finding_id", "forecaster", "belief"])) {
    const project = projects.get(row["project"] ?? "");
    const finding = project?.ids.indexOf(row["finding_id"] ?? "") ?? -1;
    if (project === undefined || finding < 0) throw new Error("A belief about a finding that isn't listed");
    const forecaster = row["forecaster"] ?? "";
    const beliefs = project.by.get(forecaster) ?? new Float64Array(project.ids.length).fill(NaN);
    beliefs[finding] = numberIn(row, "belief");
    project.by.set(forecaster, beliefs);
  }
  return Array.from(projects, ([name, { replicated, by }], number) => ({
    name,
    number,
    replicated,
    beliefs: [...by.values()],
  }));
}

/**
 * A replay of a project: half of the forecasters, drawn by lot, judge. A call asks one of them, by lot, which of the two
 * findings it believes in more; equal beliefs are a tie, and so is a pair of which no judge has seen both. The truth is the
 * mean belief of the other half.
 */
export function replicationWorld(project: ReplicationProject, replay: number): World {
  const { number, beliefs } = project, size = project.replicated.length;
  const order = shuffle([...beliefs], mulberry32(hashOf(TAGS.half, SEED, number, replay)));
  const judges = order.slice(0, Math.floor(order.length / 2)), others = order.slice(judges.length);
  const truth = Float64Array.from({ length: size }, (_, finding) => {
    const known = others.map((each) => each[finding] ?? NaN).filter((belief) => !Number.isNaN(belief));
    return known.reduce((sum, belief) => sum + belief, 0) / known.length;
  });
  return {
    policySeed: hashOf(TAGS.policy, SEED, number, replay),
    truth,
    unit: 1,
    arrivals: [{ atCall: 0, count: size }],
    verdict: (first, second, repeat) => {
      const able = judges.filter((each) => !Number.isNaN((each[first] ?? NaN) + (each[second] ?? NaN)));
      const low = Math.min(first, second), high = Math.max(first, second);
      const judge = able[hashOf(TAGS.forecaster, SEED, number, replay, low, high, repeat) % able.length];
      const lead = (judge?.[first] ?? 0) - (judge?.[second] ?? 0);
      return lead > 0 ? 1 : lead < 0 ? 0 : 0.5;
    },
  };
}
