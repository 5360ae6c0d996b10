import { EngineError, mustBe, quote } from '../errors.js';
import { isSettingName, resolveConfig, settingNames, unreadBeside } from '../execution/index.js';
import { nearestName } from '../nearest.js';
import { readSettingAxis, type SettingValue } from './axis.js';
import type { Problems } from './problems.js';
import { type Settings, type VariantAxis, Variants, withValue } from './variants.js';

/** `execution_config` of a plan as written: `{base, sweep_axes}`, or the fields of `base` alone. */
export function writtenConfig(json: unknown): { readonly base: Settings; readonly axes: readonly Settings[] } {
  const { base, sweep_axes: axes } = parts((json ?? {}) as Settings);
  return { base: (base ?? {}) as Settings, axes: (axes ?? []) as readonly Settings[] };
}

const isFlat = (json: Settings): boolean => !('base' in json) && !('sweep_axes' in json);
const parts = (json: Settings): Settings => (isFlat(json) ? { base: json } : json);

/**
 * Reads `{base, sweep_axes: [{param, values} | {param, min, max, step}]}`, or the fields of `base`
 * alone. What is checked, for every interval, is configurations, since an axis may give every run
 * what the base lacks.
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
  const { base, sweep_axes: sent } = parts(json as Settings);
  if (!isFlat(json as Settings)) problems.unknown(place, json, ['base', 'sweep_axes']);
  if (sent !== undefined && sent !== null && !Array.isArray(sent)) {
    problems.error(mustBe(`${place}.sweep_axes`, 'a list', sent));
  }
  const axes: VariantAxis[] = [];
  for (const [i, axis] of (Array.isArray(sent) ? sent : []).entries()) {
    const read = problems.attempt(`${place}.sweep_axes[${i}]`, () => readVariantAxis(axis));
    if (read === undefined) continue;
    const name = read.path.join('.');
    if (axes.some(({ path }) => path.join('.') === name)) problems.error(`${place}: ${name} is swept twice`);
    const isGiven = read.path.length === 1 && Object.hasOwn(Object(base), name);
    if (isGiven) problems.warn(`${place}: ${name} is both in base and swept, the sweep wins`);
    axes.push(read);
  }
  // An axis that could not be read may be the one that makes the others valid together.
  if (problems.errors.length > errorCount) return none;
  const variants = new Variants((base ?? {}) as Settings, axes);
  checkConfigurations(variants, intervals, problems);
  return variants;
}

function readVariantAxis(json: unknown): VariantAxis {
  const { param } = (json ?? {}) as Settings;
  if (typeof param !== 'string') {
    throw new EngineError('MISSING_FIELD', 'param is required: the name of an execution field', { field: 'param' });
  }
  const path = param.split('.');
  if (!isSettingName(path[0])) {
    const hint = nearestName(path[0], settingNames);
    const suggestion = hint === null ? '' : `, did you mean ${hint}?`;
    throw new EngineError('INVALID_FIELD', `unknown execution field ${quote(path[0])}${suggestion}`, { field: param });
  }
  if (path[0] === 'allow_generated_bars') {
    throw new EngineError('INVALID_FIELD', `${param} must be in base, was swept: all runs read the same bars`, {
      field: param,
    });
  }
  return { path, values: readSettingAxis(param, json) };
}

/** Picks the worst values of an axis: one of them breaks a rule if any value of the axis does. */
type Worst = (values: readonly SettingValue[]) => readonly SettingValue[];

/** A number to compare; a setting that is off counts as 0. */
const size = (value: SettingValue): number => Number(value ?? 0);
const lowest: Worst = (values) => [values.reduce((low, value) => (size(value) < size(low) ? value : low))];
const highest: Worst = (values) => [values.reduce((high, value) => (size(value) > size(high) ? value : high))];
const unlessOff: Worst = (values) => [values.find((value) => value !== 'off') ?? 'off'];
const any: Worst = ([value]) => [value];
/** One of the choices that the rule is about, where there is one. */
const oneOf =
  (...choices: readonly SettingValue[]): Worst =>
  (values) => [values.find((value) => choices.includes(value)) ?? values[0]];
/** Null, and something else, where there are both: a rule may ask for either. */
const nullAndOther: Worst = (values) => [
  ...values.filter((value) => value === null).slice(0, 1),
  ...values.filter((value) => value !== null).slice(0, 1),
];

/**
 * The execution rules that read several settings, with the worst value of each. Which value is
 * worst does not depend on the other settings, so a rule that holds for the worst values of all its
 * axes holds for their whole product.
 */
const jointRules: readonly Readonly<Record<string, Worst>>[] = [
  // The adjustment needs a target above 0.
  { enable_volatility_adjustment: highest, volatility_mode: unlessOff, target_volatility: lowest },
  // Without a limit in bars the limit in hours applies, and it must be a finite number of bars.
  { max_hold_bars: lowest, max_hold_time_hours: highest },
  // An interval must not have two spellings (1h, 60m), with any values.
  { cooldown_config: any },
  // A margin must not start below its maintenance.
  { leverage: highest, maintenance_margin: highest },
  // An order needs one offset, and takes no second one.
  { entry_order: oneOf('limit', 'stop'), entry_offset_pct: nullAndOther, entry_offset_atr: nullAndOther },
  { target_calculation: oneOf('schedule'), target_schedule: nullAndOther },
  // Orders cannot close the other side.
  { entry_order: oneOf('limit', 'stop'), opposite_entry: oneOf('close', 'reverse') },
  // A target of volatility needs a volatility and a target above 0.
  { position_sizing: oneOf('volatility_target'), volatility_mode: oneOf('off'), target_volatility: lowest },
];

/** A value of each axis: what makes a configuration of the base. */
type Configuration = readonly { readonly path: readonly string[]; readonly value: SettingValue }[];

/**
 * Checks the configuration with the first value of each axis, each other value in its place, and the
 * worst values of axes that a rule reads together. Of each problem the first configuration is named.
 */
function checkConfigurations({ base, axes }: Variants, intervals: readonly number[], problems: Problems): void {
  const alone = failureIn(base, intervals);
  if (typeof base !== 'object' || Array.isArray(base) || axes.length === 0) {
    if (alone !== null) problems.error(`execution_config.base: ${alone}`);
    return;
  }
  const found = new Map<string, { readonly example: Configuration; readonly count: number }>();
  let checked = 0;
  const check = (configuration: Configuration) => {
    const failure = failureIn(settingsOf(base, configuration), intervals);
    checked++;
    if (failure === null) return;
    const { example, count } = found.get(failure) ?? { example: configuration, count: 0 };
    found.set(failure, { example, count: count + 1 });
  };
  const first: Configuration = axes.map(({ path, values }) => ({ path, value: values[0] }));
  check(first);
  for (const [a, { path, values }] of axes.entries()) {
    for (const value of values.slice(1)) check(first.with(a, { path, value }));
  }
  for (const rule of jointRules) {
    const involved = axes.map(({ path, values }, a) => {
      const worst = rule[path[0]];
      return worst === undefined ? [first[a]] : worst(values).map((value) => ({ path, value }));
    });
    if (axes.filter(({ path }) => path[0] in rule).length < 2) continue; // already checked
    for (const configuration of product(involved)) check(configuration);
  }
  for (const [failure, { example, count }] of found) {
    const isOfBase = failure === alone && count === checked;
    const said = example.map(({ path, value }) => `${path.join('.')} ${quote(value)}`).join(' and ');
    problems.error(`execution_config.${isOfBase ? 'base' : `sweep_axes with ${said}`}: ${failure}`);
  }
}

/** Most configurations that are looked through for axes that do nothing. */
const IDLE_LOOKS_MAX = 1_000;

/**
 * Names the axes whose setting no configuration reads: their values give equal runs.
 * @param variants without errors
 */
export function warnOfIdleAxes(
  { base, axes }: Variants,
  interval: number,
  hasShorts: boolean,
  problems: Problems,
): void {
  const lists = axes.map(({ path, values }) => kinds(values).map((value) => ({ path, value })));
  if (lists.reduce((count, list) => count * list.length, 1) > IDLE_LOOKS_MAX) return;
  const configs = product(lists).map(
    (configuration) =>
      resolveConfig({ request: settingsOf(base, configuration), interval, takesPositionFields: true }).config,
  );
  for (const { path } of axes) {
    const name = path.join('.');
    if (!isSettingName(name)) continue;
    const words = configs.map((config) => unreadBeside(name, config, hasShorts));
    if (words.includes(null)) continue;
    problems.warn(`execution_config: ${name} is swept and acts only with ${words[0]}, so its values give equal runs`);
  }
}

/** A value of each kind that decides whether another setting is read. */
function kinds(values: readonly SettingValue[]): SettingValue[] {
  const kindOf = (value: SettingValue) =>
    typeof value === 'number' ? Number(value > 0) + Number(value > 1) : JSON.stringify(value);
  return [...new Map(values.map((value) => [kindOf(value), value])).values()];
}

/** Why settings are refused for one of the intervals; null where they are not. */
function failureIn(settings: unknown, intervals: readonly number[]): string | null {
  try {
    for (const interval of intervals) resolveConfig({ request: settings, interval, takesPositionFields: true });
    return null;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.message;
  }
}

const settingsOf = (base: Settings, configuration: Configuration): Settings =>
  configuration.reduce((all, { path, value }) => withValue(all, path, value), base);

/** Every choice of one item of each list. */
const product = <Item>(lists: readonly (readonly Item[])[]): Item[][] =>
  lists.reduce<Item[][]>((all, list) => all.flatMap((chosen) => list.map((item) => [...chosen, item])), [[]]);
