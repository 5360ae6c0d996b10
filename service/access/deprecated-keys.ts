import { executionFieldNames, executionFields } from '../../engine/index.js';

/** Execution settings that are to go, as their descriptions say. */
const deprecatedKeys: readonly string[] = executionFieldNames.filter((name) =>
  executionFields[name].description.startsWith('deprecated'),
);

/** Settings stand this deep at most: in the base of the settings of an experiment. */
const LEVELS_MAX = 4;
/** Longer lists are of bars and the like, not of strategies or runs. */
const ITEMS_MAX = 99;

/**
 * Deprecated keys to which a request gives a value, wherever its settings stand; null is no value.
 */
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
