/**
 * Renames the keys of JSON figures to snake case. Until version 0.3, each camel-case key is kept
 * beside the new one, with its old contents.
 */
export function withSnakeCase(value: unknown): unknown {
  return renamed(value, true);
}

function renamed(value: unknown, hasAliases: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, hasAliases));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, held]): [string, unknown][] => {
    const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (snake === key) return [[key, renamed(held, hasAliases)]];
    // Values under a new key have no old keys.
    return hasAliases
      ? [
          [snake, renamed(held, false)],
          [key, held],
        ]
      : [[snake, renamed(held, false)]];
  });
  return Object.fromEntries(entries);
}
