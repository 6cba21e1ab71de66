import { Liquid, type Template } from "liquidjs";
import { CosciError, messageOf, nearest } from "../domain/errors.ts";
import { canonicalJson, hashOf } from "../domain/ids.ts";
import { readPromptFolder } from "./prompt_folder.ts";
import type { OfferedTool, PromptVersion } from "../store/calls.ts";

/** A template, parsed and checked. */
interface Prompt {
  /** The whole file, front matter included. */
  readonly source: string;
  /** What the text itself uses. */
  readonly inputs: readonly string[];
  /** What a call must give: the shipped template's inputs, of which a replacement may use fewer. */
  readonly contract: readonly string[];
  readonly template: Template[];
}

/** The text of a template that is parsed when it is first used. */
interface Unread {
  /** The whole file, front matter included. */
  readonly unread: string;
}

/** Tags that read other files, or that would let a template hold text it doesn't declare. */
const FILE_TAGS = ["include", "render", "layout", "block"];

/** Replacements that are kept read. */
const MOST_READ = 200;

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n?---\r?\n/;

const liquid = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  // A template never reaches the file system, whatever its text says.
  templates: {},
});
for (const tag of FILE_TAGS) delete liquid.tags[tag];

/**
 * The prompts of a session: Markdown templates by name, each with a front matter that declares its inputs
 * (`inputs: goal, hypothesis_1`). Immutable; every template is parsed and checked when it enters.
 */
export class PromptLibrary {
  readonly #prompts: Map<string, Prompt | Unread>;
  /** Replacements that were read and found right, by name and text: each task asks for the same ones again. */
  readonly #read: Map<string, Prompt>;
  /** Versions of prompts without tools. */
  readonly #bare = new Map<string, PromptVersion>();

  private constructor(prompts: Map<string, Prompt | Unread>, read: Map<string, Prompt> = new Map()) {
    this.#prompts = prompts;
    this.#read = read;
  }

  /**
   * Reads every `*.md` file of a folder; the name of a prompt is its file's without the ending.
   *
   * @throws CosciError `prompt` where a template is wrong; `input` where the folder can't be read or holds none
   */
  static async load(dir: string | URL): Promise<PromptLibrary> {
    return PromptLibrary.of(Object.fromEntries(await readAll(dir)));
  }

  /**
   * The project's own prompts: each is parsed when it is first used. That saves those who only look at a session the time;
   * that all of them are right is what the project's tests see to.
   *
   * @throws CosciError `input` where the folder can't be read or holds none
   */
  static async shipped(dir: string | URL): Promise<PromptLibrary> {
    return new PromptLibrary(new Map((await readAll(dir)).map(([name, unread]) => [name, { unread }])));
  }

  /** A library from texts by name, each with its front matter. @throws CosciError `prompt` where one is wrong */
  static of(texts: Readonly<Record<string, string>>): PromptLibrary {
    return new PromptLibrary(
      new Map(Object.entries(texts).map(([name, text]) => [name, readPrompt(name, text, null)])),
    );
  }

  /**
   * A new library in which some texts are replaced. A text without front matter keeps the inputs of the one that it
   * replaces and must use them all; with a front matter of its own it may declare fewer, never others.
   *
   * @throws CosciError `prompt` for an unknown name or a template that is wrong
   */
  with(texts: ReadonlyMap<string, string> | Readonly<Record<string, string>>): PromptLibrary {
    const entries = texts instanceof Map ? [...texts] : Object.entries(texts);
    if (entries.length === 0) return this;
    const prompts = new Map(this.#prompts);
    for (const [name, text] of entries) {
      prompts.set(name, this.#replacement(name, text));
    }
    return new PromptLibrary(prompts, this.#read);
  }

  #replacement(name: string, text: string): Prompt {
    const key = `${name}\n${text}`;
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    const read = readPrompt(name, text, this.#get(name).contract);
    if (this.#read.size >= MOST_READ) this.#read.clear();
    this.#read.set(key, read);
    return read;
  }

  /** All names, sorted. */
  get names(): readonly string[] {
    return [...this.#prompts.keys()].sort();
  }

  /** The whole text of a prompt, front matter included. @throws CosciError `prompt` for an unknown name */
  source(name: string): string {
    return this.#get(name).source;
  }

  /** What the text in force uses: the inputs that it declares. @throws CosciError `prompt` for an unknown name */
  used(name: string): readonly string[] {
    return this.#get(name).inputs;
  }

  /** What a call of this prompt must give. @throws CosciError `prompt` for an unknown name */
  inputs(name: string): readonly string[] {
    return this.#get(name).contract;
  }

  /**
   * The version of a prompt: 16 hex digits of a hash over its text and over the names, descriptions and schemas of the
   * tools that are offered with it. @throws CosciError `prompt` for an unknown name
   */
  version(name: string, tools: readonly OfferedTool[] = []): string {
    return this.versionWith(name, tools).version;
  }

  /** The same with all that it is made of. @throws CosciError `prompt` for an unknown name */
  versionWith(name: string, offered: readonly OfferedTool[] = []): PromptVersion {
    if (offered.length > 0) return this.#versionOf(name, offered);
    const known = this.#bare.get(name) ?? this.#versionOf(name, offered);
    this.#bare.set(name, known);
    return known;
  }

  #versionOf(name: string, offered: readonly OfferedTool[]): PromptVersion {
    const { source } = this.#get(name);
    const tools = offered.map(({ name, description, input_schema }) => ({ name, description, input_schema }));
    return { name, version: hashOf("prompt", source, canonicalJson(tools)).slice(0, 16), source, tools };
  }

  /**
   * The prompt with its variables filled in, as they are: nothing is escaped.
   *
   * @throws CosciError `prompt`, naming prompt and variable, where one is missing, undeclared or undefined
   */
  render(name: string, variables: Readonly<Record<string, unknown>>): string {
    const prompt = this.#get(name);
    for (const input of prompt.contract) {
      if (variables[input] === undefined) {
        const near = nearest(input, Object.keys(variables).filter((key) => !prompt.contract.includes(key)));
        throw promptError(
          name,
          `the input "${input}" was not given.${
            near === undefined ? "" : ` "${near}" was given: is it meant?`
          }`,
        );
      }
    }
    for (const key of Object.keys(variables)) {
      if (!prompt.contract.includes(key)) {
        throw promptError(
          name,
          `the input "${key}" is not declared.${didYouMean(key, prompt.contract)} ${
            declared(prompt.contract)
          }`,
        );
      }
    }
    try {
      const text: unknown = liquid.renderSync(prompt.template, { ...variables });
      return String(text).trim();
    } catch (error) {
      throw promptError(name, messageOf(error), error);
    }
  }

  #get(name: string): Prompt {
    const found = this.#prompts.get(name);
    if (found !== undefined && "unread" in found) {
      const read = readPrompt(name, found.unread, null);
      this.#prompts.set(name, read);
      return read;
    }
    const prompt = found;
    if (prompt === undefined) {
      throw promptError(
        name,
        `there is no prompt of this name.${didYouMean(name, this.#prompts.keys())} prompts.list() shows all.`,
      );
    }
    return prompt;
  }
}

async function readAll(dir: string | URL): Promise<[string, string][]> {
  const texts = await readPromptFolder(dir);
  if (texts.length === 0) throw new CosciError("input", `There are no prompts (*.md) in ${String(dir)}.`);
  return texts;
}

/** Parses and checks a text. `contract`: the inputs of the prompt that it replaces, or `null` for a shipped one. */
function readPrompt(name: string, source: string, contract: readonly string[] | null): Prompt {
  const matter = FRONT_MATTER.exec(source);
  const own = matter === null ? null : declaredInputs(name, matter[1] ?? "");
  const inputs = own ?? contract;
  if (inputs === null) {
    throw promptError(
      name,
      'it has no front matter. Begin the file with "---", "inputs: a, b" and "---", each on a line of its own.',
    );
  }
  for (const input of inputs) {
    if (contract !== null && !contract.includes(input)) {
      throw promptError(
        name,
        `the input "${input}" is not among those that it is given.${didYouMean(input, contract)} ` +
          declared(contract),
      );
    }
  }
  const text = matter === null ? source : source.slice(matter[0].length);
  let template: Template[], used: string[];
  try {
    template = liquid.parse(text);
    used = liquid.globalVariablesSync(template);
  } catch (error) {
    throw promptError(name, messageOf(error), error);
  }
  for (const variable of used) {
    if (!inputs.includes(variable)) {
      throw promptError(
        name,
        `the variable "${variable}" is unknown.${didYouMean(variable, inputs)} ${declared(inputs)}`,
      );
    }
  }
  for (const input of inputs) {
    if (!used.includes(input)) {
      throw promptError(
        name,
        `the input "${input}" is declared and not used.` +
          didYouMean(input, used.filter((variable) => !inputs.includes(variable))) +
          (own === null
            ? ` Use {{ ${input} }}, or begin with a front matter that declares fewer inputs.`
            : ` Use {{ ${input} }}, or take it out of the front matter.`),
      );
    }
  }
  if (text.trim() === "") throw promptError(name, "it is empty.");
  return { source, inputs, contract: contract ?? inputs, template };
}

function declaredInputs(name: string, matter: string): string[] {
  let inputs: string[] | undefined;
  for (const line of matter.split(/\r?\n/)) {
    if (line.trim() === "") continue;
    const [, key, value] = /^(\w+):(.*)$/.exec(line) ?? [];
    if (key !== "inputs" || inputs !== undefined) {
      throw promptError(
        name,
        `the front matter's line "${line.trim()}" can't be read: it holds "inputs: a, b" and no more.`,
      );
    }
    inputs = (value ?? "").split(",").map((input) => input.trim()).filter((input) => input !== "");
  }
  if (inputs === undefined) throw promptError(name, 'its front matter has no line "inputs: …".');
  for (const [i, input] of inputs.entries()) {
    if (!/^[a-z_][a-z0-9_]*$/i.test(input)) throw promptError(name, `"${input}" is no name for an input.`);
    if (inputs.indexOf(input) !== i) throw promptError(name, `the input "${input}" is declared twice.`);
  }
  return inputs;
}

function promptError(name: string, problem: string, cause?: unknown): CosciError {
  return new CosciError("prompt", `Prompt "${name}": ${problem}`, cause === undefined ? {} : { cause });
}

function didYouMean(word: string, valid: Iterable<string>): string {
  const near = nearest(word, valid);
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

function declared(inputs: readonly string[]): string {
  return inputs.length === 0 ? "It declares no inputs." : `Its inputs are ${inputs.join(", ")}.`;
}
