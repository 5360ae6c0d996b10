/**
 * Writes `engine/signals/generated/published.ts` from the published records in `signals.json`: what they say
 * as data with literal types, by which the compiler knows the parameters of each condition, and
 * the formula of the bars that a signal needs as a function.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../engine/signals');

const paramTypes = { bool: 'boolean', str: 'string', 'list[int]': 'readonly number[]' };

/** `"window + max(pow1, pow2)"` as `({ window, pow1, pow2 }) => window + Math.max(pow1, pow2)`. */
function minBars(expression, params) {
  const named = Object.entries(params).filter(([name]) => new RegExp(`\\b${name}\\b`).test(expression));
  const types = named.map(([name, { type }]) => `readonly ${name}: ${paramTypes[type] ?? 'number'}`);
  const value = expression.replace('max(windows)', 'max(...windows)').replace('max(', 'Math.max(');
  if (named.length === 0) return `() => ${value}`;
  return `({ ${named.map(([name]) => name).join(', ')} }: { ${types.join('; ')} }) => ${value}`;
}

/** Observations of the one column that is required, or of the one that a parameter names. */
const observed = ([column]) => column ?? { param: 'column' };

function record({ min_bars, min_bars_counts, needs_timestamps = false, origin: _, params, ...published }) {
  const data = {
    aliases: [],
    constraints: [],
    ...published,
    params: Object.fromEntries(Object.entries(params).map(([name, { optional: _, ...spec }]) => [name, spec])),
    needsTimestamps: needs_timestamps,
    ...(min_bars_counts === 'observations' ? { observes: observed(published.requires) } : {}),
  };
  const text = JSON.stringify(data).slice(1, -1);
  return `  ${data.name}: {${text}${min_bars === null ? '' : `,minBars: ${minBars(min_bars, params)}`}},\n`;
}

const records = JSON.parse(readFileSync(resolve(folder, 'signals.json'), 'utf8'));
mkdirSync(resolve(folder, 'generated'), { recursive: true });
writeFileSync(
  resolve(folder, 'generated/published.ts'),
  `/** The published records by name, written by \`scripts/build-signals.mjs\`. */
export const published = {
${records.map(record).join('')}} as const;
`,
);
