import { z } from "zod";
import { CosciError, inputError } from "../domain/errors.ts";
import { KNOWN_LABEL, knownByWords, knownSentences } from "../domain/known_ideas.ts";
import { hashOf, recordId } from "../domain/ids.ts";
import type { Citation, HypothesisText } from "../domain/records.ts";
import { clip, embeddingText, oneLine } from "../domain/text.ts";
import { embedForPerson } from "../engine/embed_for_person.ts";
import { reviewToCome } from "../engine/in_play.ts";
import { taskEntry } from "../engine/new_task.ts";
import type { Services } from "../engine/work_context.ts";
import type { AdditionData } from "../notebook/displays/addition.ts";
import type { CallLedger } from "../store/calls.ts";
import type { Standing, View } from "../store/view.ts";
import { cosine } from "../vectors/cosine.ts";
import { originOf } from "./look.ts";
import { readAuthor, requireSteerable, steer, type Steered } from "./steer.ts";
import { readOptions, readText } from "./wrong_option.ts";

/** A person's hypothesis in parts: the claim is all that it takes. */
export interface OwnHypothesis {
  /** The claim, in a sentence that could be false. */
  readonly statement: string;
  /** A headline. @default made from the claim */
  readonly title?: string | undefined;
  /** Why it would be so. */
  readonly mechanism?: string | undefined;
  /** What it is about. */
  readonly entities?: readonly string[] | undefined;
  /** What one would measure if it held, and if it did not. */
  readonly anticipatedOutcomes?: string | undefined;
  /** What is new. */
  readonly noveltyArgument?: string | undefined;
  /** Sources that it leans on. */
  readonly citations?: readonly Citation[] | undefined;
}

/** What `addHypothesis` takes besides the hypothesis. */
export interface AddOptions {
  /** Whose it is. @default "person" */
  readonly author?: string | undefined;
  /** Whether it is entered although it repeats one that is there. @default false */
  readonly force?: boolean | undefined;
}

/** What measuring and paying for a text takes. */
export interface Measuring {
  /** Who makes vectors, and the clock. */
  readonly services: Pick<Services, "embedder" | "clock">;
  /** Who pays. */
  readonly ledger: CallLedger;
  /** Cuts the call. */
  readonly signal: AbortSignal;
}

const MOST = 20_000;
const part = z.string().trim().max(MOST);
const PARTS = {
  shape: z.strictObject({
    statement: part.min(3),
    title: z.string().trim().min(1).max(300).optional(),
    mechanism: part.default(""),
    entities: z.array(z.string().trim().min(1).max(300)).max(100).default([]),
    anticipatedOutcomes: part.default(""),
    noveltyArgument: part.default(""),
    citations: z.array(z.strictObject({
      url: z.string().trim().min(1).max(2000),
      title: z.string().trim().min(1).max(1000),
      excerpt: part.optional(),
      doi: z.string().trim().max(300).optional(),
      year: z.number().int().min(0).max(3000).optional(),
    })).max(100).default([]),
  }),
  example: '{ statement: "…", mechanism: "…" }',
  remedies: {
    statement: `Give the claim, in 3 to ${MOST} characters.`,
    title: "Give a headline of 1 to 300 characters, or none: it is made from the claim.",
    entities: 'Give a list of names, such as ["venetoclax"].',
    citations: 'Give a list such as [{ url: "https://…", title: "…" }].',
  },
};
const RULE = {
  shape: z.strictObject({ author: z.unknown().optional(), force: z.boolean().optional() }),
  example: '{ author: "Ada" }',
  remedies: { force: "Give true to have it entered although it repeats another one." },
};

/**
 * Enters a person's hypothesis, unless it repeats one that is there and isn't forced: then the answer says which one.
 * Spends nothing but the embedding, where a server makes it. @throws CosciError
 */
export async function addHypothesis(
  on: Steered,
  { services, ledger, signal }: Measuring,
  hypothesis: unknown,
  options: unknown,
): Promise<AdditionData> {
  const verb = "addHypothesis";
  const { force = false, author: given } = readOptions(verb, options, RULE);
  const author = readAuthor(verb, given);
  const { text, citations } = readHypothesis(hypothesis);
  const before = on.view();
  requireSteerable(before, verb);
  const sentences = knownSentences(before.settings.scope.known);
  const compared = sentences.length === 0 ? [] : [text.statement, ...sentences];
  const key = `${verb}/${hashOf(services.embedder(before).embedder.name, embeddingText(text))}`;
  // What a server's embedding cost belongs to the commit that follows, whatever comes of it.
  const { model, vector, others: [claim, ...saying], task } = await embedForPerson(
    before,
    [embeddingText(text), ...compared],
    key,
    { services, ledger, signal },
  );
  // A look at all of them takes too long for a transaction; there, only at those that came meanwhile.
  const known = on.view(), seen = known.seq;
  const nearest = nearestTo(known, vector, known.hypotheses);
  const answer: { data: AdditionData | null } = { data: null };
  const tell = (
    view: View,
    near: Near | null,
    idea: { readonly idea: string; readonly cosine: number } | null,
    label: string | null,
  ): AdditionData => {
    const threshold = view.settings.vectors.dedupCosineThreshold;
    const repeats = idea !== null
      ? KNOWN_LABEL + idea.idea
      : near !== null && near.cosine >= threshold
      ? near.standing.record.label
      : null;
    return {
      ...originOf(view),
      accepted: label !== null,
      label,
      title: text.title,
      statement: text.statement,
      duplicateOf: repeats,
      nearest: near === null
        ? null
        : { label: near.standing.record.label, title: near.standing.record.title },
      cosine: idea?.cosine ?? near?.cosine ?? null,
      threshold,
      force,
      next: label === null
        ? idea !== null
          ? "It is an idea that you named as known (scope.known). addHypothesis(…, { force: true }) enters it all the same."
          : `addHypothesis(…, { force: true }) enters it all the same; addReview("${repeats}", …) says what ` +
            "is different, and edit changes that one."
        : view.plan === null
        ? "It is reviewed as soon as there is a research plan."
        : "Its review comes next; by that it enters the tournament.",
    };
  };
  // How near it is to a known sentence: by its claim alone, or by all that is compared of it.
  const said = saying.flatMap((sentence, i) => {
    const idea = sentences[i];
    return idea === undefined ? [] : [{
      idea,
      cosine: Math.max(cosine(vector, sentence), claim === undefined ? -1 : cosine(claim, sentence)),
    }];
  });
  const knownIdea = (view: View): { readonly idea: string; readonly cosine: number } | null => {
    const { scope, vectors } = view.settings;
    const words = knownByWords(scope.known, text);
    if (words !== null) return { idea: words, cosine: 1 };
    return said.find((each) =>
      scope.known.includes(each.idea) && each.cosine >= vectors.dedupCosineThreshold
    ) ?? null;
  };
  const decide = (view: View) => {
    const newer = view.hypotheses.filter(({ record }) => record.seq > seen);
    const near = nearer(nearest, nearestTo(view, vector, newer));
    const idea = knownIdea(view);
    const repeats = idea !== null ||
      (near !== null && near.cosine >= view.settings.vectors.dedupCosineThreshold);
    const label = repeats && !force ? null : `H${view.hypotheses.length + 1}`;
    answer.data = tell(view, near, idea, label);
    if (label === null) return null;
    const id = recordId("hyp", `${verb}/${view.seq + 1}`);
    return {
      entries: [
        {
          kind: "hypothesis",
          record: {
            id,
            version: 1,
            ...text,
            strategy: "human",
            parents: [],
            citations,
            droppedCitations: 0,
            model: null,
            author,
            generation: 0,
            taskId: null,
          },
        },
        {
          kind: "hypothesisState",
          record: { hypothesisId: id, state: "draft", reason: `added by ${author}` },
        },
        { kind: "embedding", record: { hypothesisId: id, version: 1, model, vector } },
        ...reviewToCome(view, { id, version: 1 }).map((review) =>
          taskEntry(review, view.settings.lease.maxAttempts)
        ),
      ],
      changes: [{ kind: "hypothesis", target: label, before: null, after: { version: 1 } }],
      events: [{
        type: "hypothesis_created",
        payload: { id, title: text.title, strategy: "human", state: "draft", author },
      }],
      task,
    } as const;
  };
  const committed = steer(on, verb, author, decide);
  if (committed === null && task !== undefined) {
    on.store.commit(on.session, () => ({ kind: "late_calls", author, progress: 0, entries: [], task }));
  }
  if (answer.data === null) throw new CosciError("internal", "addHypothesis decided nothing");
  return answer.data;
}

interface Near {
  readonly standing: Standing;
  readonly cosine: number;
}

function nearestTo(view: View, vector: Float32Array, among: readonly Standing[]): Near | null {
  let best: Near | null = null;
  for (const standing of among) {
    const other = view.vector(standing.record.id);
    if (other === undefined || other.length !== vector.length) continue;
    best = nearer(best, { standing, cosine: cosine(vector, other) });
  }
  return best;
}

function nearer(a: Near | null, b: Near | null): Near | null {
  return a === null || (b !== null && b.cosine > a.cosine) ? b : a;
}

function readHypothesis(hypothesis: unknown): {
  readonly text: HypothesisText;
  readonly citations: readonly Citation[];
} {
  if (typeof hypothesis === "string") {
    const whole = readText("addHypothesis", hypothesis, MOST);
    if (whole.length < 3) {
      throw inputError("addHypothesis", hypothesis, `Give the claim, in 3 to ${MOST} characters.`);
    }
    return { text: partsOf(whole), citations: [] };
  }
  const { title, citations, ...text } = readOptions("addHypothesis", hypothesis, PARTS);
  return { text: { title: title ?? titleOf(text.statement), ...text }, citations };
}

/** Characters of a first line that can be a headline, and of a title made from a claim. */
const HEADLINE = 160;

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * The parts of a hypothesis that was written as one text. A short first line without a full stop is the title; of the
 * rest, the first sentence is the claim and what follows the mechanism. Without such a line the claim is the title, too.
 */
export function partsOf(text: string): HypothesisText {
  const [first = "", ...others] = text.trim().split(/\r?\n/);
  const headline = oneLine(first.replace(/^#+\s*/, ""));
  const rest = others.join("\n").trim();
  const titled = rest !== "" && headline !== "" && headline.length <= HEADLINE && !/[.!?]$/.test(headline);
  const body = titled ? rest : text.trim().replace(/^#+\s*/, "");
  const statement = [...sentences.segment(body)][0]?.segment ?? body;
  return {
    title: titled ? headline : titleOf(statement),
    statement: statement.trim(),
    mechanism: body.slice(statement.length).trim(),
    entities: [],
    anticipatedOutcomes: "",
    noveltyArgument: "",
  };
}

function titleOf(statement: string): string {
  return clip(oneLine(statement).replace(/\.$/, ""), HEADLINE);
}
