import { usd } from "../../domain/money.ts";
import { iso } from "../displays/wording.ts";

/**
 * Plain data as JSON for people: money in `usd` instead of `microUsd`, moments (`at`, `…At`) by ISO 8601 instead of
 * milliseconds. Both follow from the names that fields have throughout cosci.
 */
export function asJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, content]) => field(name, content)));
}

function field(name: string, value: unknown): [string, unknown] {
  if (typeof value === "number") {
    if (name === "microUsd") return ["usd", usd(value)];
    if (name.endsWith("MicroUsd")) return [`${name.slice(0, -"MicroUsd".length)}Usd`, usd(value)];
    if (name === "at" || name.endsWith("At")) return [name, iso(value)];
  }
  return [name, asJson(value)];
}
