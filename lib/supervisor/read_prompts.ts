import { inputError } from "../domain/errors.ts";
import { readPromptFolder } from "../llm/prompt_folder.ts";
import type { PromptLibrary } from "../llm/prompts.ts";

/**
 * The texts of a folder of prompts by name.
 *
 * @param key what stands before messages
 * @throws CosciError `input` where the folder can't be read, or holds a file that is no prompt's
 */
export async function readPrompts(
  library: PromptLibrary,
  folder: string,
  key: string,
): Promise<Record<string, string>> {
  const texts = await readPromptFolder(folder, key);
  for (const [name] of texts) {
    if (library.names.includes(name)) continue;
    throw inputError(`${key}: ${name}.md`, name, "A file must bear the name of a prompt.", library.names);
  }
  return Object.fromEntries(texts);
}
