import { resolve } from "node:path";
import { z } from "zod";
import { CosciError, inputError } from "../domain/errors.ts";
import type { PromptChange } from "../engine/prompt_files.ts";
import { rehearse, requireCall, untilFirst } from "../engine/rehearsal.ts";
import type { Services } from "../engine/work_context.ts";
import { agentOf } from "../llm/afford.ts";
import type { PromptLibrary } from "../llm/prompts.ts";
import { displaysOutcome } from "../notebook/forgotten_await.ts";
import { PromptChanges } from "../notebook/values/prompt_changes.ts";
import { PromptDiff } from "../notebook/values/prompt_diff.ts";
import { PromptList } from "../notebook/values/prompt_list.ts";
import { PromptPreview } from "../notebook/values/prompt_preview.ts";
import { PromptText } from "../notebook/values/prompt_text.ts";
import type { SqlCallLedger } from "../store/budget.ts";
import type { Committed } from "../store/store.ts";
import type { View } from "../store/view.ts";
import { countLines } from "./line_diff.ts";
import { hypothesisOf } from "./labels.ts";
import { originOf } from "./look.ts";
import { previewWork } from "./preview_tasks.ts";
import { promptDiff } from "./prompt_diff.ts";
import { previewData } from "./prompt_preview.ts";
import { promptRows, promptText } from "./prompt_standing.ts";
import { readPrompts } from "./read_prompts.ts";
import { readAuthor, requireSteerable, steer, type Steered } from "./steer.ts";
import { type OptionsRule, requireOptions } from "./wrong_option.ts";

/** What verbs that change prompts take. */
export interface PromptOptions {
  /** Who changes it. @default {"person"} */
  readonly author?: string | undefined;
}

/** What is previewed. */
export interface PreviewOptions {
  /** Labels of the hypotheses that it is about, in the order in which they are to be shown. */
  readonly on?: string | readonly string[] | undefined;
  /** A text to be tried instead of the one in force; it is not set. */
  readonly text?: string | undefined;
}

/** What is compared: `shipped`, `in force`, a revision (`R4`), or the first digits of a version. */
export interface DiffOptions {
  /** The earlier state. @default {"shipped"} */
  readonly from?: string | undefined;
  /** The later one. @default {"in force"} */
  readonly to?: string | undefined;
}

const CHANGE: OptionsRule = {
  // Who is named as the author is checked where all steering does.
  shape: z.strictObject({ author: z.unknown().optional() }),
  example: '{ author: "Ada" }',
  remedies: {},
};
const PREVIEW: OptionsRule = {
  shape: z.strictObject({
    on: z.union([z.string(), z.array(z.string())]).optional(),
    text: z.string().optional(),
  }),
  example: '{ on: ["H3", "H7"] }',
  remedies: { on: 'Give labels, such as ["H3", "H7"].', text: "Give a template as a text." },
};
const DIFF: OptionsRule = {
  shape: z.strictObject({ from: z.string().optional(), to: z.string().optional() }),
  example: '{ from: "R2", to: "R4" }',
  remedies: {
    from: 'Give "shipped", a revision such as "R4", or a version.',
    to: 'Give "in force", a revision such as "R4", or a version.',
  },
};

/** The prompts of a session: the shipped ones, and what a person made of them. */
export class PromptVerbs {
  readonly #on: Steered;
  readonly #services: Services;
  readonly #ledger: SqlCallLedger;
  readonly #pending: () => readonly PromptChange[];

  /**
   * Made by the handle.
   *
   * @param on the session
   * @param services who does the work that is previewed, and the shipped prompts
   * @param ledger what is left of the budget
   * @param pending what the files of prompts say that is not in force yet
   */
  constructor(
    on: Steered,
    services: Services,
    ledger: SqlCallLedger,
    pending: () => readonly PromptChange[],
  ) {
    this.#on = on;
    this.#services = services;
    this.#ledger = ledger;
    this.#pending = pending;
  }

  /** All prompts: version, whether changed, by whom and since when, and how many calls were made from each. */
  list(): PromptList {
    const view = this.#on.view();
    return new PromptList({ ...originOf(view), rows: promptRows(view, this.#sql, this.#shipped) });
  }

  /** A prompt with its text in force (`.text`), its inputs and its versions. @throws CosciError `prompt` for an unknown name */
  get(name: string): PromptText {
    return new PromptText(promptText(this.#on.view(), this.#sql, this.#shipped, nameOf("prompts.get", name)));
  }

  /**
   * Changes a prompt from the next claimed task on. A text without front matter must use all inputs; with one it may
   * declare fewer.
   *
   * @throws CosciError `prompt` for an unknown name or a wrong template, `state` for a finished session; nothing changes then
   */
  set(name: string, text: string, options: PromptOptions = {}): PromptChanges {
    const texts = new Map([[nameOf("prompts.set", name), textOf("prompts.set: text", text)]]);
    return this.#change("prompts.set", options, () => texts);
  }

  /** Changes a prompt by a function from the text in force to the new one. @throws as `set` does */
  edit(name: string, change: (text: string) => string, options: PromptOptions = {}): PromptChanges {
    nameOf("prompts.edit", name);
    if (typeof change !== "function") {
      throw inputError(
        "prompts.edit: change",
        change,
        "Give a function from the text in force to the new one.",
      );
    }
    const before = this.#inForce(this.#on.view(), name);
    const text = textOf("prompts.edit: what the function returned", change(before));
    return this.#change("prompts.edit", options, (view) => {
      if (this.#inForce(view, name) === before) return new Map([[name, text]]);
      throw new CosciError("state", `prompts.edit: "${name}" was changed meanwhile. Edit it again.`);
    });
  }

  /**
   * Sets every prompt for which a folder has a file (`ranking.pairwise.md`); all are checked before any is set. Files that
   * say what is in force make no revision.
   *
   * @throws CosciError `input` for a folder that can't be read or is empty, or a file that is no prompt's; else as `set` does
   */
  @displaysOutcome
  async load(folder: string, options: PromptOptions = {}): Promise<PromptChanges> {
    requireOptions("prompts.load", options, CHANGE);
    requireSteerable(this.#on.view(), "prompts.load");
    if (typeof folder !== "string" || folder === "") {
      throw inputError("prompts.load", folder, "Give the path of a folder of prompts (*.md).");
    }
    const texts = new Map(Object.entries(await readPrompts(this.#shipped, resolve(folder), "prompts.load")));
    if (texts.size === 0) {
      throw new CosciError("input", `prompts.load: there are no prompts (*.md) in ${folder}.`);
    }
    return this.#change("prompts.load", options, () => texts);
  }

  /** Gives the shipped text back: of one prompt, or of all that were changed. @throws as `set` does */
  reset(name?: string, options: PromptOptions = {}): PromptChanges {
    if (name !== undefined) this.#shipped.source(nameOf("prompts.reset", name));
    return this.#change(
      "prompts.reset",
      options,
      (view) =>
        new Map((name === undefined ? [...view.prompts.keys()].sort() : [name]).map((each) => [each, null])),
    );
  }

  /**
   * What a model reads otherwise under one state of a prompt than under another: the text, and the tools that were offered
   * with it. From what is shipped to what is in force unless said otherwise.
   *
   * @throws CosciError `prompt` for an unknown name, `input` for a state that there is not
   */
  diff(name: string, options: DiffOptions = {}): PromptDiff {
    const view = this.#on.view();
    requireOptions("prompts.diff", options, DIFF);
    const { from, to } = options;
    return new PromptDiff(promptDiff(view, this.#sql, this.#shipped, nameOf("prompts.diff", name), from, to));
  }

  /**
   * The request that a task would send with a prompt, its tokens and its cost, before it is paid for: no model is called
   * and nothing written. Prompts about hypotheses take their labels (`on`), matches in the order shown. What is asked after
   * other answers (a verdict after a debate) can't be seen before.
   *
   * @throws CosciError `prompt` for an unknown name or a wrong text, `input` for labels that don't fit, `state` for what
   * can't be previewed
   */
  @displaysOutcome
  async preview(name: string, options: PreviewOptions = {}): Promise<PromptPreview> {
    const view = this.#on.view();
    requireOptions("prompts.preview", options, PREVIEW);
    const { on = [], text } = options;
    this.#shipped.source(nameOf("prompts.preview", name));
    const pending = this.#pending();
    const inForce = new Map<string, string>(view.prompts);
    for (const { name, after } of pending) {
      if (after === null) inForce.delete(name);
      else inForce.set(name, after);
    }
    if (text !== undefined) inForce.set(name, text);
    const prompts = this.#shipped.with(inForce);
    const labels = typeof on === "string" ? [on] : on;
    const { task, screens, run } = previewWork(view, this.#services.agents, name, labels);
    const call = requireCall(
      await rehearse(
        { task, view, revision: view.revision, claim: undefined, callsBase: 0, prompts },
        this.#services,
        this.#ledger,
        untilFirst(screens),
        run,
      ),
      "prompts.preview",
    );
    if (call.scope.prompt !== name) {
      throw new CosciError(
        "state",
        `prompts.preview: as the settings are, the first call of this work is "${call.scope.prompt}", and what "${name}" ` +
          "reads depends on its answer.",
      );
    }
    const { route } = call.intended;
    return new PromptPreview(previewData(
      view,
      this.#sql,
      call,
      labels.map((label) => hypothesisOf(view, label, "prompts.preview").record.label),
      this.#ledger.headroom(agentOf(route), route === "metareview.final"),
      pending.map((change) => change.name),
    ));
  }

  get #sql() {
    return this.#on.store.sql;
  }

  get #shipped(): PromptLibrary {
    return this.#services.prompts;
  }

  #inForce(view: View, name: string): string {
    return view.prompts.get(name) ?? this.#shipped.source(name);
  }

  /** Makes the texts those in force; `null` stands for the shipped one. */
  #change(
    verb: string,
    options: PromptOptions,
    texts: (view: View) => ReadonlyMap<string, string | null>,
  ): PromptChanges {
    requireOptions(verb, options, CHANGE);
    const author = readAuthor(verb, options.author);
    const committed = steer(this.#on, verb, author, (view) => {
      const changes = changesTo(view, this.#shipped, texts(view));
      if (changes.length === 0) return null;
      return {
        entries: [],
        changes: changes.map(({ name, before, after }) => ({ kind: "prompt", target: name, before, after })),
        events: changes.map(({ name, after }) => ({
          type: "prompt_changed",
          payload: { prompt: name, to: after === null ? "shipped" : "changed", author },
        })),
      };
    });
    return this.#told(committed);
  }

  #told(committed: Committed | null): PromptChanges {
    const view = this.#on.view();
    const textOf = (name: string, text: unknown) =>
      typeof text === "string" ? text : this.#shipped.source(name);
    const rows = (committed?.saved ?? []).flatMap((item) => item.kind === "revision" ? [item.record] : [])
      .map(({ label, target, before, after, author, seq }) => ({
        revision: label,
        prompt: target,
        to: typeof after === "string" ? "changed" as const : "shipped" as const,
        ...countLines(textOf(target, before), textOf(target, after)),
        by: author,
        seq,
      }));
    return new PromptChanges({ ...originOf(view), rows });
  }
}

/**
 * What changes if these texts are to be in force: `null`, and a text that is the shipped one, stand for what is shipped.
 * What is in force already is left out.
 *
 * @throws CosciError `prompt` for an unknown name or a template that is wrong, before any is changed
 */
export function changesTo(
  view: Pick<View, "prompts">,
  shipped: PromptLibrary,
  texts: ReadonlyMap<string, string | null>,
): PromptChange[] {
  shipped.with(new Map([...texts].flatMap(([name, text]) => text === null ? [] : [[name, text] as const])));
  return [...texts].flatMap(([name, text]) => {
    const before = view.prompts.get(name) ?? null;
    const after = text === shipped.source(name) ? null : text;
    return before === after ? [] : [{ name, before, after }];
  });
}

function nameOf(verb: string, name: unknown): string {
  if (typeof name === "string" && name !== "") return name;
  throw inputError(verb, name, "Give the name of a prompt; prompts.list() shows all.");
}

function textOf(key: string, text: unknown): string {
  if (typeof text === "string") return text;
  throw inputError(key, text, "Give the template as a text.");
}
