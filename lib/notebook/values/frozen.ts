/**
 * A frozen copy of plain data, all the way down: what is held to be looked at must not change when the records go on, and
 * the data of others must not be frozen by looking.
 */
export function frozenCopy<T>(data: T): T {
  const copy = structuredClone(data);
  freeze(copy);
  return copy;
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const content of Object.values(value)) freeze(content);
}
