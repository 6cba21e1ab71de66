/** What is stale is a question to the records: random histories of edits are answered by two formulations alike. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { recordId, taskId } from "../../lib/domain/ids.ts";
import type { HypothesisRecord, ReviewKind } from "../../lib/domain/records.ts";
import type { View } from "../../lib/store/view.ts";
import { epochOfTexts, versionEntries } from "../../lib/engine/new_version.ts";
import { staleCounts, type StaleItem, staleItems } from "../../lib/engine/staleness.ts";
import { replay } from "../../lib/tournament/elo.ts";
import { hypothesis, hypothesisId } from "../store/fixture.ts";
import { LONG } from "./support/session.ts";
import { Table } from "./support/table.ts";

/** A few texts, so that edits return to earlier ones. */
const TEXTS = ["Light comes from salt", "Light comes from sugar", "Light comes from iron"];

type Step =
  | { readonly kind: "born"; readonly parents: readonly number[]; readonly text: number }
  | { readonly kind: "edit"; readonly of: number; readonly text: number }
  | { readonly kind: "remake"; readonly of: number; readonly text: number }
  | { readonly kind: "review"; readonly of: number; readonly review: ReviewKind; readonly author: string }
  | { readonly kind: "match"; readonly a: number; readonly b: number; readonly weight: number }
  | { readonly kind: "void"; readonly n: number }
  | { readonly kind: "merge"; readonly a: number; readonly b: number }
  | { readonly kind: "state"; readonly of: number; readonly state: "rejected" | "in_tournament" }
  | { readonly kind: "overview"; readonly of: readonly number[] };

const n = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("born"), parents: fc.array(n, { maxLength: 2 }), text: n }),
  fc.record({ kind: fc.constant("edit"), of: n, text: n }),
  fc.record({ kind: fc.constant("edit"), of: n, text: n }),
  fc.record({ kind: fc.constant("remake"), of: n, text: n }),
  fc.record({
    kind: fc.constant("review"),
    of: n,
    review: fc.constantFrom("full", "verification"),
    author: fc.constantFrom("model", "Ada"),
  }),
  fc.record({ kind: fc.constant("match"), a: n, b: n, weight: fc.constantFrom(1, 1, 0.5) }),
  fc.record({ kind: fc.constant("match"), a: n, b: n, weight: fc.constant(1) }),
  fc.record({ kind: fc.constant("void"), n }),
  fc.record({ kind: fc.constant("merge"), a: n, b: n }),
  fc.record({ kind: fc.constant("state"), of: n, state: fc.constantFrom("rejected", "in_tournament") }),
  fc.record({ kind: fc.constant("overview"), of: fc.array(n, { maxLength: 3 }) }),
);

/** What a history means, kept as plain lists beside the records, with the text that each thing was about. */
class Chronicle {
  /** The present text of each hypothesis. */
  readonly texts = new Map<string, string>();
  /** Who stands for whom, and since which text of theirs. */
  readonly merged = new Map<string, { readonly into: string; readonly saying: string }>();
  readonly out = new Set<string>();
  readonly voided = new Set<string>();
  readonly reviews: { id: string; of: string; kind: string; author: string; text: string }[] = [];
  readonly matches: { id: string; a: string; b: string; said: Map<string, string> }[] = [];
  readonly made = new Map<
    string,
    { readonly parents: readonly string[]; readonly said: ReadonlyMap<string, string> }
  >();
  overview: { id: string; named: readonly string[]; said: ReadonlyMap<string, string> } | null = null;

  /** What hypotheses say as things stand; under `>id`, what the one says into which that one was merged. */
  says(ids: readonly string[]): Map<string, string> {
    const said = new Map<string, string>();
    for (const id of ids) {
      said.set(id, this.texts.get(id) ?? "");
      let at = id;
      for (let into = this.merged.get(at)?.into; into !== undefined && !said.has(`>${at}`);) {
        said.set(`>${at}`, this.texts.get(into) ?? "");
        at = into;
        into = this.merged.get(at)?.into;
      }
    }
    return said;
  }

  /** Whether one of these, or what stands for it since it was merged, says something else than it did then. */
  changed(ids: readonly string[], said: ReadonlyMap<string, string>): boolean {
    const one = (id: string, then: string, passed: readonly string[]): boolean => {
      if (this.texts.get(id) !== then) return true;
      const into = this.merged.get(id);
      if (into === undefined || passed.includes(into.into)) return false;
      return one(into.into, said.get(`>${id}`) ?? into.saying, [...passed, id]);
    };
    return ids.some((id) => one(id, said.get(id) ?? "", []));
  }

  root(id: string): string {
    const passed = new Set([id]);
    let at = id;
    for (let into = this.merged.get(at)?.into; into !== undefined && !passed.has(into);) {
      passed.add(into);
      at = into;
      into = this.merged.get(at)?.into;
    }
    return at;
  }

  /** Ids of all that is stale, by the words of the documentation. */
  stale(): Set<string> {
    const stale = new Set<string>();
    const isOut = (id: string) => this.out.has(id) || this.merged.has(id);
    const reviews = this.reviews.filter(({ id }) => !this.voided.has(id));
    for (const review of reviews) {
      if (isOut(review.of) || this.texts.get(review.of) === review.text) continue;
      const replaced = reviews.some((other) =>
        other.of === review.of && other.kind === review.kind && other.author === review.author &&
        other.text === this.texts.get(review.of)
      );
      if (!replaced) stale.add(review.id);
    }
    for (const { id, a, b, said } of this.matches) {
      if (this.voided.has(id) || this.root(a) === this.root(b)) continue;
      if (isOut(this.root(a)) || isOut(this.root(b))) continue;
      if (this.changed([a, b], said)) stale.add(id);
    }
    for (const [id, { parents, said }] of this.made) {
      if (!isOut(id) && this.changed(parents, said)) stale.add(id);
    }
    if (this.overview !== null && this.changed(this.overview.named, this.overview.said)) {
      stale.add(this.overview.id);
    }
    return stale;
  }
}

/** Does a step, in the records and in the chronicle. */
function act(table: Table, chronicle: Chronicle, step: Step, i: number): void {
  const ids = [...chronicle.texts.keys()];
  const pick = (n: number) => ids[n % Math.max(1, ids.length)];
  const text = (n: number) => TEXTS[n % TEXTS.length] ?? "";
  const next = (id: string, statement: string, more: Partial<HypothesisRecord>) => {
    const { seq: _, label: __, ...record } = table.view.hypothesis(id)?.record ?? never();
    table.add(...versionEntries(table.view, {
      record: { ...record, version: record.version + 1, statement, ...more },
      embedding: { model: "hash", vector: Float32Array.of(1, 0) },
    }));
    chronicle.texts.set(id, statement);
  };
  switch (step.kind) {
    case "born": {
      const name = `h${i}`, id = hypothesisId(name);
      const parents = [...new Set(step.parents.flatMap((parent) => pick(parent) ?? []))];
      table.add(
        hypothesis(name, { statement: text(step.text), parents, taskId: taskId(name), strategy: "simplify" }),
        { kind: "hypothesisState", record: { hypothesisId: id, state: "in_tournament", reason: "" } },
      );
      chronicle.made.set(id, { parents, said: chronicle.says(parents) });
      chronicle.texts.set(id, text(step.text));
      return;
    }
    case "edit": {
      const id = pick(step.of);
      if (id !== undefined && !chronicle.merged.has(id)) next(id, text(step.text), {});
      return;
    }
    case "remake": {
      const id = pick(step.of);
      if (id === undefined || chronicle.merged.has(id)) return;
      next(id, text(step.text), { taskId: taskId(`again ${i}`) });
      const { parents = [] } = chronicle.made.get(id) ?? {};
      chronicle.made.set(id, { parents, said: chronicle.says(parents) });
      return;
    }
    case "review": {
      const of = pick(step.of);
      if (of === undefined) return;
      const id = recordId("rev", `${i}`);
      table.add({
        kind: "review",
        record: {
          id,
          hypothesisId: of,
          hypothesisVersion: table.view.hypothesis(of)?.record.version ?? 1,
          kind: step.review,
          verdict: "neutral",
          scores: {},
          assumptions: [],
          evidence: [],
          droppedEvidence: 0,
          notes: "",
          author: step.author,
          weight: 1,
          amends: null,
          taskId: null,
        },
      });
      const { review: kind, author } = step;
      chronicle.reviews.push({ id, of, kind, author, text: chronicle.texts.get(of) ?? "" });
      return;
    }
    case "match": {
      const a = pick(step.a), b = pick(step.b);
      if (
        a === undefined || b === undefined || a === b || chronicle.merged.has(a) || chronicle.merged.has(b)
      ) return;
      table.play(nameOf(table.view, a), nameOf(table.view, b));
      const id = table.view.matches.at(-1)?.id ?? "";
      chronicle.matches.push({ id, a, b, said: chronicle.says([a, b]) });
      return;
    }
    case "void": {
      const all = [...chronicle.reviews, ...chronicle.matches];
      const target = all[step.n % Math.max(1, all.length)];
      if (target === undefined) return;
      table.add({ kind: "mark", record: { targetId: target.id, mark: "void", value: true } });
      chronicle.voided.add(target.id);
      return;
    }
    case "merge": {
      const a = pick(step.a), b = pick(step.b);
      if (
        a === undefined || b === undefined || a === b || chronicle.merged.has(a) || chronicle.merged.has(b)
      ) return;
      table.add(
        { kind: "mark", record: { targetId: a, mark: "merged", value: b } },
        { kind: "hypothesisState", record: { hypothesisId: a, state: "merged", reason: "" } },
      );
      chronicle.merged.set(a, { into: b, saying: chronicle.texts.get(b) ?? "" });
      return;
    }
    case "state": {
      const id = pick(step.of);
      if (id === undefined || chronicle.merged.has(id)) return;
      table.add({ kind: "hypothesisState", record: { hypothesisId: id, state: step.state, reason: "" } });
      if (step.state === "rejected") chronicle.out.add(id);
      else chronicle.out.delete(id);
      return;
    }
    case "overview": {
      const named = [...new Set(step.of.flatMap((of) => pick(of) ?? []))];
      const id = recordId("ovw", `${i}`);
      table.add({
        kind: "overview",
        record: {
          id,
          version: table.view.overviews.length + 1,
          source: "model",
          markdown: named.map((of) => `The best is [${table.view.hypothesis(of)?.record.label}].`).join("\n"),
          final: false,
          notes: [],
          model: null,
          readSeq: table.view.seq,
        },
      });
      chronicle.overview = { id, named, said: chronicle.says(named) };
      return;
    }
  }
}

function never(): never {
  throw new Error("There is no such hypothesis");
}

function nameOf(view: View, id: string): string {
  const entity = view.hypothesis(id)?.record.entities[0];
  return entity ?? never();
}

const labelsOf = (items: readonly StaleItem[]) => items.map(({ label }) => label).sort();

Deno.test("staleness is what a recomputation from scratch says, after any history", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
      using table = new Table();
      const chronicle = new Chronicle();
      act(table, chronicle, { kind: "born", parents: [], text: 0 }, -2);
      act(table, chronicle, { kind: "born", parents: [0], text: 1 }, -1);
      for (const [i, each] of steps.entries()) {
        act(table, chronicle, each, i);
        const items = staleItems(table.view);
        assert.deepEqual(
          items.map(({ id }) => id).sort(),
          [...chronicle.stale()].sort(),
          `after step ${i}: ${each.kind}`,
        );
        assert.ok(items.every(({ changed }) => changed.length > 0));
      }
      // A view that was built at once says what the one says that was led on commit by commit.
      const { view } = table;
      const stale = labelsOf(staleItems(view));
      const fresh = table.store.view(table.session, view.seq);
      assert.deepEqual(labelsOf(staleItems(fresh)), stale);
    }),
    { numRuns: LONG ? 1000 : 120 },
  );
});

Deno.test("left out is exactly what was judged on another text, whatever was edited and merged", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) => {
      using table = new Table();
      const chronicle = new Chronicle();
      act(table, chronicle, { kind: "born", parents: [], text: 0 }, -2);
      act(table, chronicle, { kind: "born", parents: [], text: 1 }, -1);
      for (const [i, each] of steps.entries()) act(table, chronicle, each, i);
      const { view } = table;
      const { matches } = chronicle;
      const stale = new Set(
        matches.filter(({ a, b, said }) => chronicle.changed([a, b], said)).map(({ id }) => id),
      );
      const all = view.countedIf({ staleMatches: "count" });
      const left = view.countedIf({ staleMatches: "leave_out" });
      assert.deepEqual(left.map(({ id }) => id), all.map(({ id }) => id).filter((id) => !stale.has(id)));
      for (const count of staleCounts(view).values()) assert.ok(count > 0);
    }),
    { numRuns: LONG ? 500 : 80 },
  );
});

Deno.test("an edit that changes nothing of what counts opens no epoch", () => {
  using table = new Table({ ranking: { staleMatches: "leave_out" } });
  table.hypotheses(["a", "b", "c"]);
  table.play("a", "b");
  const next = (name: string, statement: string) => {
    const { seq: _, label: __, ...record } = table.view.hypothesis(hypothesisId(name))?.record ?? never();
    return { ...record, version: record.version + 1, statement };
  };
  assert.deepEqual(epochOfTexts(table.view, [next("c", "Other")]), [], "it never played");
  const epoch = epochOfTexts(table.view, [next("a", "Other")]);
  assert.deepEqual(epoch.map(({ kind }) => kind), ["mark"]);
  table.add({ kind: "hypothesis", record: next("a", "Other") }, ...epoch);
  assert.deepEqual([table.view.epoch, table.view.hypothesis(hypothesisId("a"))?.matches], [1, 0]);
  assert.deepEqual(replay(table.view.eloJournal, 1200), new Map());
});
