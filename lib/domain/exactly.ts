import { CosciError } from "./errors.ts";

/** The end of an exhaustive switch: the compiler proves that it isn't reached; if data lied, it throws. */
export function exactly(value: never): never {
  throw new CosciError("internal", `No case for ${JSON.stringify(value)}`);
}
