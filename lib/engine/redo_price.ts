import { EVOLUTION_STRATEGIES } from "../domain/records.ts";
import { exactly } from "../domain/exactly.ts";
import type { View } from "../store/view.ts";
import { matchPrice, type Past, type TaskPrice, taskPrice } from "./estimate.ts";
import type { StaleItem } from "./staleness.ts";

/** Matches after which their own mean says more than typical calls. */
const MEASURED_FROM = 3;

/** What it is expected to cost to do again what is stale: by the session's own tasks of that kind, or by typical ones. */
export function redoPrice(view: View, item: StaleItem, past: Past): TaskPrice {
  switch (item.kind) {
    case "review":
      return taskPrice(view, `reflection.${item.record.kind}`, past);
    case "match":
      return {
        microUsd: Math.ceil(matchPrice(view)),
        basis: view.matchCount >= MEASURED_FROM ? "measured" : "prices",
      };
    case "child": {
      const strategy = EVOLUTION_STRATEGIES.find((each) => each === item.record.strategy);
      return strategy === undefined
        ? { microUsd: 0, basis: "prices" }
        : taskPrice(view, `evolution.${strategy}`, past);
    }
    case "overview":
      return taskPrice(view, "metareview.final", past);
    default:
      return exactly(item);
  }
}
