import { isRecord, quote } from '../../engine/errors.js';
import { type ExecutionConfig, executionFieldNames, resolveConfig } from '../../engine/execution/index.js';
import { HOUR_MS, tryParseInterval } from '../../engine/series/index.js';
import {
  apiTimeframeMs,
  parseStrategy,
  placedRules,
  type Rule,
  type StrategyDefinition,
} from '../../engine/strategy/index.js';
import { checkPlain } from '../access/request-check.js';
import { ApiError, asApiError, wrongValue } from '../api-error.js';
import { asObject, readSettings } from '../backtests/settings.js';
import { readAsset, readDefinition } from '../backtests/strategy-json.js';
import { passUnknownKeys } from '../read-fields.js';
import { unknownSettingWarnings } from '../setting-warnings.js';
import { wholeNumberWithin } from '../signals/records.js';

type Json = Readonly<Record<string, unknown>>;

const ITEMS_MAX = 99;
/** The windows that the model was trained on. */
const WINDOW_BARS_MIN = 100;
const WINDOW_BARS_MAX = 20_000;
const WINDOW_BARS = 2_000;

/** One strategy to score. */
export interface SieveItem {
  readonly asset: string;
  readonly strategy: StrategyDefinition;
  readonly intervalMs: number;
  readonly config: ExecutionConfig;
  /** About its settings. */
  readonly warnings: readonly string[];
}

export const readWindowBars = (value: unknown): number =>
  wholeNumberWithin('window_bars', value, WINDOW_BARS, WINDOW_BARS_MIN, WINDOW_BARS_MAX);

/**
 * The strategies of a request, under either name.
 * @throws VALIDATION_ERROR, MISSING_FIELD naming the item; PAYLOAD_TOO_LARGE above 99 items
 */
export function readItems({ strategies, runs }: Json): SieveItem[] {
  const configs: Configs = new Map();
  if ((strategies ?? null) !== null && (runs ?? null) !== null) {
    throw new ApiError('VALIDATION_ERROR', 'strategies and runs exclude each other: send one of them');
  }
  if ((runs ?? null) !== null)
    return readList('runs', runs).map((run, i) => within(`runs[${i}]`, () => ofRun(run, configs)));
  if ((strategies ?? null) === null) {
    throw new ApiError('MISSING_FIELD', 'Missing required field: strategies or runs', {
      fields: ['strategies or runs'],
    });
  }
  return readList('strategies', strategies).map((item, i) =>
    within(`strategies[${i}]`, () => ofStrategy(item, item.execution_config, configs)),
  );
}

function readList(field: string, list: unknown): Json[] {
  if (!Array.isArray(list) || list.length === 0) throw wrongValue(field, `a list of 1..${ITEMS_MAX}`, list);
  if (list.length > ITEMS_MAX) {
    const message = `${field} must have at most ${ITEMS_MAX} items, has ${list.length}`;
    throw new ApiError('PAYLOAD_TOO_LARGE', message, { field, limit: ITEMS_MAX, used: list.length });
  }
  return list.map((item: unknown, i) => {
    if (isRecord(item)) return item;
    throw wrongValue(`${field}[${i}]`, 'an object', item);
  });
}

/** Names the item in each refusal. */
function within<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const known = asApiError(error);
    if (known === null) throw error;
    throw new ApiError(known.code, `${place}: ${known.message}`, known.details);
  }
}

function ofRun({ entry_json, exit_json, asset, exec_config }: Json, configs: Configs): SieveItem {
  const exit = exit_json === undefined || exit_json === null ? [] : parseRules('exit_json', exit_json);
  return ofStrategy({ asset, entry: parseRules('entry_json', entry_json), exit }, exec_config, configs);
}

function parseRules(field: string, text: unknown): readonly unknown[] {
  if (typeof text !== 'string') throw wrongValue(field, 'a text of JSON', text);
  try {
    const rules: unknown = JSON.parse(text);
    if (Array.isArray(rules)) {
      checkPlain(rules); // the check of the request did not look inside this text
      return rules;
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
  }
  throw new ApiError('VALIDATION_ERROR', `${field} must be JSON of a list of rules, was ${quote(text)}`, { field });
}

/** Resolved settings by their text: most items of a request share theirs. */
type Configs = Map<string, Pick<SieveItem, 'config' | 'warnings'>>;

function ofStrategy(item: Json, settings: unknown, configs: Configs): SieveItem {
  const asset = readAsset(item.asset);
  const unread: string[] = [];
  const strategy = parseStrategy(readDefinition(item, unread), 'relaxed', {
    onUnknownKeys: passUnknownKeys(unread),
    takesSides: true,
  });
  refuseUntrained(strategy);
  const intervalMs = finestInterval(strategy);
  const text = JSON.stringify([settings, strategy.rewardFactor, intervalMs]);
  let resolved = configs.get(text);
  if (resolved === undefined) {
    const { config: given } = readSettings({ execution_config: asObject('execution_config', settings) });
    const request = Object.fromEntries(
      executionFieldNames.flatMap((name) => (name in given ? [[name, given[name]]] : [])),
    );
    const unread = Object.keys(given).filter((name) => !(name in request));
    const sources = { request, strategyRewardFactor: strategy.rewardFactor, interval: intervalMs };
    const { config, warnings } = resolveConfig(sources);
    const ofSieve = unread.map((name) => `execution_config: the sieve does not read ${name}, and scores as without it`);
    resolved = { config, warnings: [...unknownSettingWarnings(settings), ...ofSieve, ...warnings] };
    configs.set(text, resolved);
  }
  return { asset, strategy, intervalMs, ...resolved, warnings: [...unread, ...resolved.warnings] };
}

/** Refuses what no strategy had on which the model was trained. */
function refuseUntrained(strategy: StrategyDefinition): void {
  const isPlain = ({ negate, withinBars, asset, group }: Rule) =>
    negate === undefined && withinBars === undefined && asset === undefined && group === undefined;
  const odd = placedRules(strategy).find(({ rule, place }) => place.startsWith('short_') || !isPlain(rule));
  if (odd === undefined) return;
  const message = `${odd.place}: the sieve scores long strategies of plain rules, without short_entry, any, negate, within_bars and asset`;
  throw new ApiError('VALIDATION_ERROR', message, { field: odd.place });
}

/** The finest timeframe of the rules, on which the strategy must run. */
function finestInterval({ entry, exit }: StrategyDefinition): number {
  const named = [...entry, ...exit].flatMap(({ timeframe }) => {
    const ms = timeframe === null ? null : tryParseInterval(timeframe);
    return ms !== null && apiTimeframeMs.has(ms) ? [ms] : [];
  });
  return named.length === 0 ? HOUR_MS : Math.min(...named);
}
