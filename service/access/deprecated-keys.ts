import { executionFieldNames, executionFields } from '../../engine/index.js';

/** Execution settings whose description marks them as deprecated. */
const deprecatedKeys: readonly string[] = executionFieldNames.filter((name) =>
  executionFields[name].description.startsWith('deprecated'),
);

/** The deepest that settings are nested: in the base settings of an experiment. */
const LEVELS_MAX = 4;
/** Longer lists hold bars and the like, not strategies or runs. */
const ITEMS_MAX = 99;

/** Deprecated keys to which a request gives a value at any depth; null is not a value. */
export function deprecatedKeysOf(request: object): string[] {
  const found = new Set<string>();
  collect(request, LEVELS_MAX, found);
  return [...found];
}

function collect(value: object, levels: number, found: Set<string>): void {
  if (Array.isArray(value) && value.length > ITEMS_MAX) return;
  for (const [key, inner] of Object.entries(value)) {
    if (inner === null || inner === undefined) continue;
    if (deprecatedKeys.includes(key)) found.add(key);
    if (typeof inner === 'object' && levels > 0) collect(inner, levels - 1, found);
  }
}
