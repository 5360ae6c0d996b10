import { EngineError, quote } from '../errors.js';
import { type IndicatorName, indicatorCatalogue } from '../indicators/catalogue.js';
import { nearestName } from '../nearest.js';
import { columns } from './conditions/columns.js';
import { momentum } from './conditions/momentum.js';
import { onchain } from './conditions/onchain.js';
import { patterns } from './conditions/patterns.js';
import { trend } from './conditions/trend.js';
import { volatility } from './conditions/volatility.js';
import { volume } from './conditions/volume.js';
import { formulaSignal } from './formula-signal.js';
import { published } from './generated/published.js';
import { publishedSignal, type Rules, type Signal } from './signal.js';

const rules: Rules = { ...momentum, ...trend, ...volume, ...volatility, ...patterns, ...onchain, ...columns };
const names = Object.keys(rules) as (keyof Rules)[];

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Every signal, by category and then by name. Aliases are not listed. */
export const signals: readonly Signal[] = [
  ...names.map((name) => publishedSignal(published[name], rules[name])),
  formulaSignal,
].sort((a, b) => compare(a.category, b.category) || compare(a.name, b.name));

/** Every indicator, in the order in which the published signals name it. */
export const indicatorNames: readonly IndicatorName[] = [
  ...new Set([
    ...Object.values(published).flatMap(({ indicators }): readonly IndicatorName[] => indicators),
    ...(Object.keys(indicatorCatalogue) as IndicatorName[]),
  ]),
];

const byName = new Map<string, Signal>();
for (const signal of signals) for (const name of [signal.name, ...signal.aliases]) byName.set(name, signal);

/**
 * The signal of that name or alias, or undefined.
 * @param own signals of the caller's own, beside the library
 */
export const findSignal = (name: string, own: readonly Signal[] = []): Signal | undefined =>
  byName.get(name) ?? own.find((signal) => signal.name === name);

/**
 * The signal of that name or alias.
 * @throws MISSING_FIELD without a name; NOT_FOUND, with the nearest name, for an unknown one
 */
export function requireSignal(name: unknown, own: readonly Signal[] = []): Signal {
  const signal = typeof name === 'string' ? findSignal(name, own) : undefined;
  if (signal !== undefined) return signal;
  const known = [...byName.keys(), ...own.map((one) => one.name)];
  const hint = typeof name === 'string' ? nearestName(name, known) : null;
  const suggestion = hint === null ? '' : `, did you mean ${hint}?`;
  if (name === undefined) throw new EngineError('MISSING_FIELD', 'a signal name is required', { field: 'name' });
  throw new EngineError('NOT_FOUND', `unknown signal ${quote(name)}${suggestion}`, { name });
}
