import { messageOf, nearest } from "../domain/errors.ts";
import { hashOf } from "../domain/ids.ts";
import type { PromptFolder } from "../llm/prompt_folder.ts";
import type { PromptLibrary } from "../llm/prompts.ts";
import type { Store } from "../store/store.ts";
import type { View } from "../store/view.ts";
import { revisionEntries } from "./revision_entry.ts";
import { tellQuietly } from "./tell_quietly.ts";

/** Who a change of a prompt is by that was made in its file. */
export const FILE_AUTHOR = "file";

/** A change of a prompt's text: `null` stands for the shipped one. */
export interface PromptChange {
  /** The prompt. */
  readonly name: string;
  /** The text so far. */
  readonly before: string | null;
  /** The text from now on. */
  readonly after: string | null;
}

/** A file whose text can't be used. */
export interface BadPromptFile {
  /** Its name without the ending. */
  readonly name: string;
  /** Its text. */
  readonly text: string;
  /** What is wrong with it. */
  readonly problem: string;
}

/** What the files of a folder change of a session's prompts. */
export interface FileChanges {
  /** The changes, by name. */
  readonly changes: readonly PromptChange[];
  /** Files that change nothing, because their text can't be used. */
  readonly bad: readonly BadPromptFile[];
}

/**
 * What the files change. A pure function. The records are the truth: a file counts where it says something else than it
 * said when it was last adopted, so that what a person set after that stays until the file is edited again; and where it
 * was looked at before, only if it was edited since, so that two folders over one session don't take turns. A file that
 * was deleted gives the shipped text back, if the text in force is the file's.
 *
 * @param now the texts of the files by name
 * @param before the same at the last look of this process; `null` for the first
 */
export function fileChanges(
  view: Pick<View, "prompts" | "revisions">,
  shipped: PromptLibrary,
  now: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string> | null,
): FileChanges {
  const changes: PromptChange[] = [], bad: BadPromptFile[] = [];
  const change = (name: string, after: string | null) => {
    const inForce = view.prompts.get(name) ?? null;
    if (after !== inForce && after !== lastOfFile(view, name)) changes.push({ name, before: inForce, after });
  };
  for (const [name, text] of now) {
    if (before !== null && before.get(name) === text) continue;
    const problem = problemOf(shipped, name, text);
    if (problem === null) change(name, text === shipped.source(name) ? null : text);
    else bad.push({ name, text, problem });
  }
  for (const name of before?.keys() ?? []) {
    if (now.has(name) || !shipped.names.includes(name)) continue;
    const inForce = view.prompts.get(name) ?? null;
    if (inForce !== null && inForce === lastOfFile(view, name)) change(name, null);
  }
  return { changes, bad };
}

/** What the prompt's file said when it was last adopted; `null` for the shipped text. */
function lastOfFile({ revisions }: Pick<View, "revisions">, name: string): string | null {
  const last = revisions.findLast((revision) =>
    revision.kind === "prompt" && revision.target === name && revision.author === FILE_AUTHOR
  );
  return typeof last?.after === "string" ? last.after : null;
}

function problemOf(shipped: PromptLibrary, name: string, text: string): string | null {
  if (!shipped.names.includes(name)) {
    const near = nearest(name, shipped.names);
    return `there is no prompt "${name}".${near === undefined ? "" : ` Did you mean "${near}"?`}`;
  }
  try {
    shipped.with({ [name]: text });
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * Takes over what a person writes into the files of a folder of prompts: each change is a revision, committed before the
 * claim that follows.
 */
export class PromptFiles {
  readonly #store: Store;
  readonly #session: string;
  readonly #shipped: PromptLibrary;
  readonly #folder: PromptFolder;
  #before: ReadonlyMap<string, string> | null = null;
  readonly #told = new Set<string>();

  /** @param session its id @param shipped the shipped prompts @param folder where the files are */
  constructor(store: Store, session: string, shipped: PromptLibrary, folder: PromptFolder) {
    this.#store = store;
    this.#session = session;
    this.#shipped = shipped;
    this.#folder = folder;
  }

  /** Changes that the next claim will find, without making them. */
  pending(view: View): readonly PromptChange[] {
    const look = this.#folder.look();
    return look.kind === "unreadable"
      ? []
      : fileChanges(view, this.#shipped, look.texts, this.#before).changes;
  }

  /**
   * Makes the changes that the files ask for, in one commit. A file that can't be used changes nothing and is told once for
   * each of its texts. Returns what there is to tell, in words.
   */
  adopt(): string[] {
    const look = this.#folder.look();
    if (look.kind === "unreadable") {
      return this.#fault(
        "",
        look.problem,
        `The folder of prompts ${this.#folder.path} can't be read: ${look.problem}`,
      );
    }
    const { texts } = look;
    if (texts === this.#before) return [];
    let found: FileChanges = { changes: [], bad: [] };
    const committed = this.#store.commit(this.#session, (view) => {
      found = fileChanges(view, this.#shipped, texts, this.#before);
      const { changes } = found;
      if (changes.length === 0) return null;
      const author = FILE_AUTHOR;
      return {
        kind: "prompts.file",
        author,
        // It may be what a stalled session lacked: the next tasks get their own tries.
        progress: 1,
        entries: revisionEntries(
          view,
          changes.map(({ name, before, after }) => ({ kind: "prompt", target: name, before, after, author })),
        ),
        events: changes.map(({ name, after }) => ({
          type: "prompt_changed",
          payload: { prompt: name, to: after === null ? "shipped" : "changed", author },
        })),
      };
    });
    this.#before = texts;
    const adopted = (committed?.saved ?? []).flatMap((item) => item.kind === "revision" ? [item.record] : [])
      .map(({ target, label, after }) =>
        after !== null
          ? `prompt ${target} changed in its file (${label})`
          : texts.has(target)
          ? `prompt ${target}: its file says what is shipped again (${label})`
          : `prompt ${target}: its file was deleted, and what is shipped holds again (${label})`
      );
    return [
      ...adopted,
      ...found.bad.flatMap(({ name, text, problem }) =>
        this.#fault(name, text, `The file of prompt ${name} can't be used: ${problem} The text so far holds.`)
      ),
    ];
  }

  #fault(name: string, content: string, error: string): string[] {
    const key = hashOf(name, content);
    if (this.#told.has(key)) return [];
    this.#told.add(key);
    tellQuietly(this.#store, this.#session, [{ type: "fault", payload: { prompt: name, error } }]);
    return [error];
  }
}
