/**
 * A text as a cell of a CSV file. A spreadsheet takes what begins with `=`, `+`, `-`, `@`, a tab or a line end for a formula
 * that it executes; an apostrophe before it makes it a text. Texts are models' and strangers' words.
 */
export function spreadsheetText(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}
