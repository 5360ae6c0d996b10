import { executionFieldNames, executionFields } from '../../engine/execution/index.js';

/** Execution settings whose description marks them as deprecated. */
const deprecatedKeys: readonly string[] = executionFieldNames.filter((name) =>
  executionFields[name].description.startsWith('deprecated'),
);

/** The deepest that settings are nested: in the base settings of an experiment. */
const LEVELS_MAX = 4;
/** Longer lists hold bars and the like, not strategies or runs. */
const ITEMS_MAX = 99;

/** Deprecated keys to which a request gives a value at any depth; null is not a value. */
export function findDeprecatedKeys(request: object): string[] {
  const found = new Set<string>();
  collect(request, LEVELS_MAX, found);
  return [...found];
}

function collect(value: object, levels: number, found: Set<string>): void {
  if (Array.isArray(value) && value.length > ITEMS_MAX) return;
  for (const [key, written] of Object.entries(value)) {
    if (written === null || written === undefined) continue;
    if (deprecatedKeys.includes(key)) found.add(key);
    const inner = key === 'strategy_json' ? strategyIn(written) : written;
    if (typeof inner === 'object' && inner !== null && levels > 0) collect(inner, levels - 1, found);
  }
}

/** A strategy that is sent as text; null if it can have no deprecated key. */
function strategyIn(text: unknown): unknown {
  if (typeof text !== 'string' || !deprecatedKeys.some((key) => text.includes(`"${key}"`))) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null; // refused when it is read
  }
}
