import { EngineError, mustBe, quote } from '../errors.js';
import { executionFieldNames, resolveConfig } from '../execution/index.js';
import { nearestName } from '../nearest.js';
import { type AxisValue, readAxis } from './axis.js';
import type { Problems } from './problems.js';
import { type Settings, type VariantAxis, Variants, withValue } from './variants.js';

/**
 * Reads `{base, sweep_axes: [{param, values} | {param, min, max, step}]}`, or the fields of `base`
 * alone; each value is tried on the base, for every interval, and so is what values of several axes
 * may forbid together.
 */
export function readVariants(json: unknown, intervals: readonly number[], problems: Problems): Variants {
  const place = 'execution_config';
  const none = new Variants({}, []);
  if (json === undefined || json === null) return none;
  if (typeof json !== 'object' || Array.isArray(json)) {
    problems.error(mustBe(place, 'an object {base, sweep_axes}', json));
    return none;
  }
  const errorCount = problems.errors.length;
  const isFlat = !('base' in json) && !('sweep_axes' in json);
  const { base, sweep_axes: sent } = isFlat ? { base: json } : (json as Settings);
  if (!isFlat) problems.warnUnknown(place, json, ['base', 'sweep_axes']);
  const settings = problems.attempt(`${place}.base`, () => checkSettings(base ?? {}, intervals)) ?? {};
  if (sent !== undefined && sent !== null && !Array.isArray(sent)) {
    problems.error(mustBe(`${place}.sweep_axes`, 'a list', sent));
  }
  const axes: VariantAxis[] = [];
  for (const [i, axis] of (Array.isArray(sent) ? sent : []).entries()) {
    const read = problems.attempt(`${place}.sweep_axes[${i}]`, () => readVariantAxis(axis, settings, intervals));
    if (read === undefined) continue;
    const name = read.path.join('.');
    if (axes.some(({ path }) => path.join('.') === name)) problems.error(`${place}: ${name} is swept twice`);
    axes.push(read);
  }
  // Where something could not be read, that may be what makes the rest go together.
  if (problems.errors.length === errorCount) checkTogether(settings, axes, intervals, problems);
  return new Variants(settings, axes);
}

function checkSettings(base: unknown, intervals: readonly number[]): Settings {
  for (const interval of intervals) resolveConfig({ request: base, interval });
  return base as Settings;
}

function readVariantAxis(json: unknown, base: Settings, intervals: readonly number[]): VariantAxis {
  const { param } = (json ?? {}) as Settings;
  if (typeof param !== 'string') {
    throw new EngineError('MISSING_FIELD', 'param is required: the name of an execution field', { field: 'param' });
  }
  const path = param.split('.');
  if (!(executionFieldNames as readonly string[]).includes(path[0])) {
    const hint = nearestName(path[0], executionFieldNames);
    const suggestion = hint === null ? '' : `, did you mean ${hint}?`;
    throw new EngineError('INVALID_FIELD', `unknown execution field ${quote(path[0])}${suggestion}`, { field: param });
  }
  const values = readAxis(param, json);
  for (const value of values) checkSettings(withValue(base, path, value), intervals);
  return { path, values };
}

/** Of the values of an axis, the one that breaks a rule if any of them does. */
type Worst = (values: readonly AxisValue[]) => AxisValue;

const lowest: Worst = (values) => values.reduce((low, value) => (value < low ? value : low));
const highest: Worst = (values) => values.reduce((high, value) => (value > high ? value : high));
const unlessOff: Worst = (values) => values.find((value) => value !== 'off') ?? 'off';
const any: Worst = ([value]) => value;

/**
 * The rules of execution that look at several settings, with the worst value of each. What is worst
 * for one setting does not depend on the others, so a rule that holds for the worst values of all
 * its axes holds for their whole product.
 */
const jointRules: readonly Readonly<Record<string, Worst>>[] = [
  // The adjustment needs a target above 0.
  { enable_volatility_adjustment: highest, volatility_mode: unlessOff, target_volatility: lowest },
  // Where bars give no limit, hours do, and that must be a finite number of bars.
  { max_hold_bars: lowest, max_hold_time_hours: highest },
  // An interval must not be written in two ways (1h, 60m), whatever the values.
  { cooldown_config: any },
];

function checkTogether(
  base: Settings,
  axes: readonly VariantAxis[],
  intervals: readonly number[],
  problems: Problems,
): void {
  for (const rule of jointRules) {
    const involved = axes.flatMap(({ path, values }) => {
      const worst = rule[path[0]];
      return worst === undefined ? [] : [{ path, value: worst(values) }];
    });
    if (involved.length < 2) continue; // tried on the base already
    const settings = involved.reduce((all, { path, value }) => withValue(all, path, value), base);
    const said = involved.map(({ path, value }) => `${path.join('.')} ${quote(value)}`).join(' and ');
    problems.attempt(`execution_config.sweep_axes with ${said}`, () => checkSettings(settings, intervals));
  }
}
