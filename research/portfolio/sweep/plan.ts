import { normaliseAsset } from '../../../data/bars/index.js';
import { EngineError, isRecord, quote, wrongField } from '../../../engine/errors.js';
import {
  HELD_OUT_DAYS_MAX,
  Problems,
  readSettingAxis,
  readWalkForward,
  type SettingValue,
  sampleIndices,
  type WalkForwardSettings,
} from '../../../engine/sweep/index.js';
import { refuseUnknownKeys, unknownKeys } from '../../../engine/unknown-keys.js';
import { asRecord, invalid, required } from '../../simulate-inputs.js';
import { readWindow } from '../../sweep/dataset-window.js';
import { parseTime, resolveWindow } from '../../window.js';
import { type PortfolioDefinition, parsePortfolio } from '../definition.js';

/** One thing that a sweep varies: the values of a place in the portfolio, or of several alike. */
export interface PortfolioAxis {
  /** Such as `allocation.top`, `members[0].weight` or `members[*].strategy.entry[0].params.window`. */
  readonly param: string;
  /** Its column in the rows. */
  readonly column: string;
  readonly values: readonly SettingValue[];
  /** The places that it sets. */
  readonly paths: readonly Path[];
}

type Path = readonly (string | number)[];

export interface PortfolioPlan {
  readonly name: string;
  /** Parsed JSON, with the first value of each axis. */
  readonly base: Readonly<Record<string, unknown>>;
  readonly interval: string | null;
  readonly start: string | undefined;
  readonly end: string | undefined;
  /** In place of a start: months before the end, or before the last bar of any asset. */
  readonly lookbackMonths: number | undefined;
  /** Days at the end of the data that no run may touch until they are opened; null without. */
  readonly holdout: number | null;
  readonly axes: readonly PortfolioAxis[];
  /** Of all members of any portfolio, each once, sorted. */
  readonly assets: readonly string[];
  /** Runs in one window. */
  readonly combinations: number;
  readonly walkForward: WalkForwardSettings | null;
  readonly seed: number;
  /** Places of the axes of a combination. */
  axisPlaces(combination: number): number[];
  /** The portfolio of a combination; what no axis changes is shared. */
  portfolioAt(combination: number): unknown;
}

/** Objects that a portfolio may leave out. */
const OPTIONAL = ['guards', 'execution_config'];

const KEYS = [
  'name',
  'description',
  'portfolio',
  'interval',
  'start',
  'end',
  'window',
  'sweep_axes',
  'n_random',
  'seed',
  'walk_forward',
  'holdout',
];
const COMBINATIONS_MAX = 1_000_000;
const SEED = 42;

/** Whether parsed JSON is a sweep of portfolios. */
export const isPortfolioSweep = (json: unknown): boolean => isRecord(json) && Object.hasOwn(json, 'portfolio');

/**
 * Reads a sweep of portfolios: a portfolio, and axes that vary places in it.
 * @throws EngineError with field, bound and value, also for a value with which the portfolio is none
 */
export function readPortfolioPlan(json: unknown): PortfolioPlan {
  const record = asRecord(json, 'plan');
  refuseUnknownKeys(unknownKeys('plan', record, KEYS));
  const base = asRecord(required(record, 'portfolio'), 'portfolio');
  const parsed = parsePortfolio(base);
  const axes = readAxes(record.sweep_axes, base);
  const assets = new Set(assetsIn(parsed));
  for (const { param, values, paths } of axes) {
    for (const value of values) {
      try {
        const varied = parsePortfolio(paths.reduce((json, path) => withValue(json, path, value), base as unknown));
        for (const asset of assetsIn(varied)) assets.add(asset);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        throw new EngineError(error.code, `sweep_axes, ${param} ${quote(value)}: ${error.message}`, error.details);
      }
    }
  }
  const all = axes.reduce((product, { values }) => product * values.length, 1);
  const seed = wholeNumber(record, 'seed', 0, Number.MAX_SAFE_INTEGER) ?? SEED;
  const drawn = wholeNumber(record, 'n_random', 1, COMBINATIONS_MAX);
  const combinations = Math.min(all, drawn ?? all);
  if (combinations > COMBINATIONS_MAX) {
    throw wrongField('sweep_axes', `at most ${COMBINATIONS_MAX} combinations, or n_random of them`, all);
  }
  const chosen = combinations < all ? sampleIndices(all, combinations, seed) : null;
  const axisPlaces = (combination: number): number[] => {
    let rest = chosen === null ? combination : (chosen[combination] ?? 0);
    const places: number[] = [];
    for (const { values } of [...axes].reverse()) {
      places.unshift(rest % values.length);
      rest = Math.floor(rest / values.length);
    }
    return places;
  };
  return {
    name: readText(record, 'name') ?? parsed.name,
    base,
    interval: readText(record, 'interval') ?? parsed.interval,
    ...planWindow(record),
    holdout: wholeNumber(record, 'holdout', 1, HELD_OUT_DAYS_MAX) ?? null,
    ...{ axes, assets: [...assets].sort() },
    ...{ combinations, walkForward: planWalkForward(record.walk_forward), seed, axisPlaces },
    portfolioAt(combination) {
      let portfolio: unknown = base;
      for (const [a, place] of axisPlaces(combination).entries()) {
        const axis = axes[a] as PortfolioAxis; // there is a place for each axis
        for (const path of axis.paths) portfolio = withValue(portfolio, path, axis.values[place]);
      }
      return portfolio;
    },
  };
}

/** The window of the plan, which may also stand in it as `start` and `end`. */
function planWindow(record: Readonly<Record<string, unknown>>) {
  const window = readWindow(record.window, 'window');
  const bound = (key: 'start' | 'end') => {
    const beside = readText(record, key);
    if (beside === undefined) return window[key];
    parseTime(beside, key, key === 'end');
    if (window[key] !== undefined) throw invalid(key, `must be left out beside window.${key}, was ${quote(beside)}`);
    return beside;
  };
  const found = { start: bound('start'), end: bound('end'), lookbackMonths: window.lookbackMonths };
  resolveWindow(found, 0);
  return found;
}

function planWalkForward(json: unknown): WalkForwardSettings | null {
  const problems = new Problems('refused');
  const settings = readWalkForward(json, problems);
  if (problems.errors.length > 0) throw invalidPlan(problems.errors);
  return settings;
}

export const invalidPlan = (errors: readonly string[]): EngineError =>
  new EngineError('INVALID_FIELD', errors.join('; '));

function readAxes(json: unknown, base: Readonly<Record<string, unknown>>): PortfolioAxis[] {
  if (json === undefined || json === null) return [];
  if (!Array.isArray(json)) throw wrongField('sweep_axes', 'an array', json);
  const taken = new Map<string, string>();
  return json.map((entry, a) => {
    const field = `sweep_axes[${a}]`;
    const { param, ...values } = asRecord(entry, field);
    if (typeof param !== 'string') throw wrongField(`${field}.param`, 'a place in the portfolio', param);
    if (param === 'interval') throw invalid(`${field}.param`, 'must not be interval: all runs of a sweep have one');
    const words = param.replaceAll('[*]', '').split(/[^A-Za-z0-9]+/);
    const column = words
      .filter((word) => word !== '')
      .join('_')
      .toLowerCase();
    const other = taken.get(column);
    if (other !== undefined) throw invalid(field, `must vary another place than ${other}, was ${param}`);
    taken.set(column, param);
    return {
      param,
      column,
      values: readSettingAxis(`${field} (${param})`, values),
      paths: findPaths(param, base, field),
    };
  });
}

/** The places that `param` names: keys, numbers of entries, or `[*]` for all of a list. */
function findPaths(param: string, base: unknown, field: string): Path[] {
  const refuse = (why: string): never => {
    throw invalid(`${field}.param`, `${why}, was ${quote(param)}`);
  };
  const steps = [...param.matchAll(/([A-Za-z_]\w*)|\[(\d+|\*)\]/g)];
  const written = steps
    .map(([text]) => text)
    .reduce((all, text) => all + (text.startsWith('[') || all === '' ? text : `.${text}`), '');
  if (written !== param || steps.length === 0) refuse('must be keys and numbers such as members[0].weight');
  let found: { readonly path: Path; readonly at: unknown }[] = [{ path: [], at: base }];
  for (const [s, [, key, index]] of steps.entries()) {
    const isLast = s === steps.length - 1;
    found = found.flatMap(({ path, at }) => {
      if (index === undefined) {
        if (!isRecord(at)) return refuse(`${text(path)} must be an object`);
        const name = key as string;
        const next = at[name] ?? (OPTIONAL.includes(name) ? {} : undefined);
        if (!isLast && next === undefined) refuse(`the portfolio has no ${text([...path, name])}`);
        return [{ path: [...path, name], at: next }];
      }
      if (!Array.isArray(at)) refuse(`${text(path)} must be a list`);
      const list = at as unknown[];
      if (index === '*') return list.map((next, i) => ({ path: [...path, i], at: next }));
      const i = Number(index);
      if (i >= list.length) refuse(`${text(path)} has ${list.length} entries`);
      return [{ path: [...path, i], at: list[i] }];
    });
  }
  return found.map(({ path }) => path);
}

const text = (path: Path): string =>
  path.reduce(
    (all: string, step) => all + (typeof step === 'number' ? `[${step}]` : `${all === '' ? '' : '.'}${step}`),
    '',
  ) || 'the portfolio';

/** A copy with another value at a path; everything beside the path is shared. */
function withValue(json: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = [...(json as unknown[])];
    list[step] = withValue(list[step], rest, value);
    return list;
  }
  const record = (json ?? {}) as Readonly<Record<string, unknown>>;
  return { ...record, [step]: withValue(record[step], rest, value) };
}

function readText(record: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = record[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw wrongField(key, 'a text', value);
}

function wholeNumber(record: Readonly<Record<string, unknown>>, key: string, min: number, max: number) {
  const value = record[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw wrongField(key, `a whole number ${min}..${max}`, value);
}

/**
 * The assets of a portfolio; a member without one trades its strategy's asset, or is refused later.
 */
function assetsIn(definition: PortfolioDefinition): string[] {
  if (definition.kind === 'allocation') return definition.assets.map(normaliseAsset);
  const named = definition.members.map(({ asset, strategy }) => asset ?? (strategy as { asset?: unknown }).asset);
  return named.filter((asset) => typeof asset === 'string' && asset !== '').map(normaliseAsset);
}
