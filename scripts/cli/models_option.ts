import { CosciError, messageOf } from "../../lib/domain/errors.ts";
import { type CustomModels, type ModelsChoice, readModels } from "../../lib/supervisor/models.ts";

/**
 * What `--models` says: a preset by name, the address of a server that speaks the Messages API, or JSON with its
 * `baseUrl`, `model`, `price`.
 *
 * @throws CosciError `input`
 */
export function modelsFrom(text: string): ModelsChoice {
  const choice = choiceFrom(text.trim());
  readModels(choice, undefined);
  return choice;
}

function choiceFrom(text: string): ModelsChoice {
  if (/^https?:\/\//.test(text)) return { baseUrl: text };
  if (!text.startsWith("{")) return text as ModelsChoice;
  try {
    return JSON.parse(text) as CustomModels;
  } catch (error) {
    throw new CosciError(
      "input",
      `--models: this JSON can't be read (${
        messageOf(error)
      }). Give one such as {"baseUrl": "http://127.0.0.1:8787"}.`,
      { cause: error },
    );
  }
}
