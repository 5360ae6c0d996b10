import { isUuid } from '../../data/state/index.js';
import { quote } from '../../engine/errors.js';
import { apiTimeframes, tryParseInterval } from '../../engine/series/index.js';
import { apiTimeframeMs, unknownStrategyKeys } from '../../engine/strategy/index.js';
import type { BacktestRequest } from '../../research/backtest/index.js';
import { mustBeBefore, parseTime, type WindowRequest } from '../../research/index.js';
import { ApiError, notFound, refuseMissing, wrongValue } from '../api-error.js';
import { nameUnknownKeys, passUnknownKeys } from '../read-fields.js';
import { unknownSettingWarnings } from '../setting-warnings.js';
import {
  asObject,
  checkSizing,
  isPresent,
  missingSettings,
  quickSettingsFor,
  readPreset,
  readSettings,
  settingsOfPreset,
} from './settings.js';
import type { Owner, StrategySource } from './stored.js';
import { parseStrategyJson, readAsset, readDefinition, readText } from './strategy-json.js';

/**
 * A backtest request with keys as on the wire; nothing is checked, and unknown keys are ignored.
 */
export type RunRequest = Readonly<Record<string, unknown>>;

/**
 * What a surface does about settings that a request leaves out: refuse it, or fill in the published
 * defaults.
 */
type Filling = 'required' | 'filled';

/** How a surface reads its requests. */
export interface Surface {
  readonly filling: Filling;
  /**
   * Interval of a single run when neither the request nor its strategy gives one; without this
   * default, the request must.
   */
  readonly interval?: string;
  /** Whether a single run must name its asset even if its strategy does. */
  readonly requiresAsset?: boolean;
  /** Whether null for position_size_calc is refused rather than treated as absent. */
  readonly refusesNullSizing?: boolean;
  /**
   * Whether everyone in the organization may poll a submitted run, not only the user who submitted
   * it.
   */
  readonly isShared?: boolean;
}

/** A request that was read and checked; its window is not yet matched with the data. */
export interface Order {
  readonly strategyId: string | null;
  readonly strategyName: string;
  readonly sessionId: string | null;
  /** As spelled by the caller or the strategy. */
  readonly asset: string;
  readonly interval: string;
  readonly request: BacktestRequest;
  readonly warnings: readonly string[];
  /** Whether the run opens the held-out days of its asset, and trades exactly them. */
  readonly opensHoldout: boolean;
}

const MONTHS_MAX = 1_200;
const SESSION_ID_LENGTH_MAX = 200;

/**
 * Reads a single run.
 * @throws MISSING_FIELD naming all missing fields; VALIDATION_ERROR; RESOURCE_NOT_FOUND for the
 *   strategy
 */
export async function readOrder(
  owner: Owner,
  request: RunRequest,
  surface: Surface,
  strategies: StrategySource,
): Promise<Order> {
  if (surface.refusesNullSizing === true) checkSizing(request);
  const hasJson = isPresent(request, 'strategy_json');
  const hasId = isPresent(request, 'strategy_id');
  if (hasJson && hasId) throw bothGiven('strategy_json', 'strategy_id');
  const opensHoldout = readOpening(request);
  const missing = opensHoldout ? [] : missingDates(request);
  if (!isPresent(request, 'interval') && surface.interval === undefined) missing.unshift('interval');
  if (!(hasJson || hasId)) missing.unshift('strategy_json or strategy_id');
  const strategyId = hasId ? readText(request, 'strategy_id') : null;
  const saved = strategyId === null ? null : await findStrategy(owner, strategyId, strategies);
  const unread: string[] = [...(saved?.unread ?? [])];
  const parsed =
    saved?.definition ?? (hasJson ? parseStrategyJson(request.strategy_json, 'strategy_json', unread) : {});
  const { interval: own, ...definition } = parsed;
  const asset = isPresent(request, 'asset') || surface.requiresAsset === true ? request.asset : definition.asset;
  if (asset === undefined || asset === null) missing.unshift('asset');
  const settings = readSettings(request);
  if (surface.filling === 'required') {
    missing.push(
      ...missingSettings(settings.riskFields, settings.config, saved?.executionConfig ?? {}, settingsOfPreset(request)),
    );
  }
  refuseMissing(missing);
  const interval = request.interval ?? own ?? surface.interval;
  const order = makeOrder({ ...request, asset, interval }, definition, strategyId, readWindow(request), 'strategy');
  return { ...order, warnings: [...unread, ...order.warnings], opensHoldout };
}

/** Combines a definition with the request around it; neither may lack a required field. */
export function makeOrder(
  request: RunRequest,
  definition: RunRequest,
  strategyId: string | null,
  window: WindowRequest,
  namelessAs: string,
): Order {
  const { config, riskFields } = readSettings(request);
  const saved = readSettings({ execution_config: definition.execution_config });
  const strategyName = isPresent(definition, 'name') ? readText(definition, 'name') : namelessAs;
  const asset = readAsset(request.asset);
  const interval = readInterval(request.interval);
  const mode = isPresent(request, 'mode') ? request.mode : 'full';
  if (mode !== 'full' && mode !== 'quick') {
    throw new ApiError('VALIDATION_ERROR', `mode must be full or quick, was ${quote(mode)}`, { field: 'mode' });
  }
  const preset = readPreset(request);
  const hasPreset = isPresent(preset, 'preset');
  if (mode === 'quick' && (hasPreset || isPresent(saved.config, 'preset'))) throw bothGiven('preset', 'mode quick');
  const unread: string[] = [];
  const pass = strategyId === null ? passUnknownKeys : nameUnknownKeys;
  pass(unread)(unknownStrategyKeys(definition, true));
  return {
    strategyId,
    strategyName,
    sessionId: isPresent(request, 'session_id') ? readText(request, 'session_id', SESSION_ID_LENGTH_MAX) : null,
    asset,
    interval,
    request: {
      strategy: { ...definition, name: strategyName, execution_config: saved.config },
      asset,
      interval,
      window,
      config: mode === 'quick' ? { ...config, ...quickSettingsFor(definition, config, saved.config) } : config,
      riskFields,
      isAccepted: true,
      takesSides: true,
      // All settings of the request win over its preset, wherever they stand.
      ...(hasPreset && { config: { ...preset, ...riskFields, ...config }, riskFields: {} }),
    },
    warnings: [...unread, ...unknownSettingWarnings(request.execution_config, definition.execution_config)],
    opensHoldout: false,
  };
}

/** Whether a run opens held-out days. @throws VALIDATION_ERROR for anything but true, false and null */
export function readOpening({ open_holdout: value }: RunRequest): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return value === true;
  throw wrongValue('open_holdout', 'true or false', value);
}

/** A saved strategy as a definition, and its keys that nothing reads. @throws RESOURCE_NOT_FOUND */
export async function findStrategy(owner: Owner, id: string, strategies: StrategySource) {
  const saved = isUuid(id) ? await strategies.find(owner, id) : null;
  if (saved === null) throw notFound('strategy', id);
  const { name, asset, rules, executionConfig } = saved;
  const unread: string[] = [];
  const json = { name, asset, rules, execution_config: executionConfig };
  return { executionConfig, definition: readDefinition(json, unread, [], nameUnknownKeys), unread };
}

export const bothGiven = (a: string, b: string): ApiError =>
  new ApiError('VALIDATION_ERROR', `give either ${a} or ${b}, not both`, { fields: [a, b] });

/** The missing fields of a request that does not define a window; empty if it does. */
export function missingDates(request: RunRequest): string[] {
  if (isPresent(request, 'start_date') || isPresent(request, 'lookback_months')) return [];
  return [isPresent(request, 'end_date') ? 'start_date or lookback_months' : 'start_date, end_date or lookback_months'];
}

/**
 * Reads the window in one of four forms: start and end, start alone, months back from an end,
 * months back from now. With a start date, months are ignored.
 */
export function readWindow(request: RunRequest): WindowRequest {
  const start = readDate(request, 'start_date');
  const end = readDate(request, 'end_date');
  if (start !== undefined && end !== undefined) {
    const [startMs, endMs] = [parseTime(start, 'start_date', false), parseTime(end, 'end_date', true)];
    if (startMs >= endMs) {
      const message = mustBeBefore('start_date', start, 'end_date', end);
      throw new ApiError('VALIDATION_ERROR', message, { field: 'start_date' });
    }
  }
  if (start !== undefined || !isPresent(request, 'lookback_months')) return { start, end };
  const months = request.lookback_months;
  if (!(Number.isInteger(months) && Number(months) >= 1 && Number(months) <= MONTHS_MAX)) {
    const message = `lookback_months must be a whole number 1..${MONTHS_MAX}, was ${quote(months)}`;
    throw new ApiError('VALIDATION_ERROR', message, { field: 'lookback_months' });
  }
  return { end, lookbackMonths: Number(months) };
}

function readDate(request: RunRequest, field: 'start_date' | 'end_date'): string | undefined {
  if (!isPresent(request, field)) return undefined;
  const text = readText(request, field);
  parseTime(text, field, field === 'end_date');
  return text;
}

function readInterval(value: unknown): string {
  const ms = typeof value === 'string' ? tryParseInterval(value) : null;
  if (ms !== null && apiTimeframeMs.has(ms)) return value as string;
  throw wrongValue('interval', `one of ${apiTimeframes.join(', ')}`, value);
}

/** Reads a whole number, within a range if one is given. */
export function readWhole(
  request: RunRequest,
  field: string,
  otherwise: number,
  range?: readonly [min: number, max: number],
): number {
  const value = request[field] ?? otherwise;
  const [min, max] = range ?? [-Infinity, Infinity];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value;
  const wanted = range === undefined ? 'a whole number' : `a whole number ${min}..${max}`;
  throw wrongValue(field, wanted, value);
}

/** The request of one bulk item: the item's own settings override the shared ones. */
export const overlay = (request: RunRequest, own: unknown): RunRequest => ({
  ...request,
  execution_config: {
    ...asObject('execution_config', request.execution_config),
    ...asObject('execution_config', own),
  },
});
