import type { ModelOverride, ProviderRecord } from "../store/view.ts";
import { DEAREST_PRICE, type ModelRow, modelRow, type Price } from "./models.ts";

/** The row of a model as a session's provider has it: the table's, with what the person said of prices and limits. */
export function rowFor(model: string, provider: Pick<ProviderRecord, "models">): ModelRow {
  const said = Object.hasOwn(provider.models, model) ? provider.models[model] : undefined;
  if (said === undefined) return modelRow(model);
  return modelRow(model, {
    [model]: {
      price: priceOf(modelRow(model).price, said),
      contextTokens: said.contextTokens,
      maxOutputTokens: said.maxOutputTokens,
    },
  });
}

/**
 * The price with what was said of it. Where only one side was said, the other keeps the table's, or the dearest known
 * one: nothing is free unless 0 was said. Cache rates keep their ratio to the input's.
 */
function priceOf(known: Price | null, { inputUsd, outputUsd }: ModelOverride): Price | undefined {
  if (inputUsd === undefined && outputUsd === undefined) return undefined;
  const base = known ?? { ...DEAREST_PRICE, cacheWrite: DEAREST_PRICE.input, cacheRead: DEAREST_PRICE.input };
  const input = inputUsd ?? base.input;
  const ratio = (rate: number) => base.input === 0 ? input : input * (rate / base.input);
  const price = {
    input,
    output: outputUsd ?? base.output,
    cacheWrite: ratio(base.cacheWrite),
    cacheRead: ratio(base.cacheRead),
  };
  // What was said replaces the rates for long prompts as well; of a side that was not said, the dearer rate holds.
  return base.long === undefined ? price : {
    ...price,
    long: {
      aboveInputTokens: base.long.aboveInputTokens,
      input: inputUsd ?? base.long.input,
      output: outputUsd ?? base.long.output,
    },
  };
}
