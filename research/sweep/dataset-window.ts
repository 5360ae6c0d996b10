import { EngineError, isRecord, wrongField } from '../../engine/errors.js';
import type { SweepDataset } from '../../engine/sweep/index.js';
import { refuseUnknownKeys, unknownKeys } from '../../engine/unknown-keys.js';
import { parseTime, resolveWindow, type WindowRequest } from '../window.js';

type Json = Readonly<Record<string, unknown>>;

const KEYS = ['start', 'end', 'lookback_months'];

/**
 * A window as a plan or one of its datasets holds it: `{start, end}`, or `lookback_months` in place of
 * the start, as a backtest takes them.
 * @throws EngineError INVALID_FIELD naming a field that is no date
 */
export function readWindow(json: unknown, place: string): WindowRequest {
  if (json === undefined || json === null) return {};
  if (!isRecord(json)) throw wrongField(place, 'an object {start, end}', json);
  refuseUnknownKeys(unknownKeys(place, json, KEYS));
  const { start, end, lookback_months: months } = json;
  if (months !== undefined && months !== null && typeof months !== 'number') {
    throw wrongField(`${place}.lookback_months`, 'a whole number', months);
  }
  return {
    start: readTime(start, `${place}.start`, false),
    end: readTime(end, `${place}.end`, true),
    lookbackMonths: months ?? undefined,
  };
}

function readTime(value: unknown, field: string, isEnd: boolean): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw wrongField(field, 'a date such as 2024-01-31 or an ISO 8601 time', value);
  parseTime(value, field, isEnd);
  return value;
}

/**
 * The window of a dataset: its `window`, its dates where they differ from the dates of the series,
 * and the window of the plan for a bound that the dataset does not give.
 * @param series null before it is known; all dates of the entry then count
 */
export function readDatasetWindow(entry: Json, sweep: unknown, series: SweepDataset | null): WindowRequest {
  const own = readWindow(entry.window, 'window');
  const ofPlan = readWindow((sweep as Json | null)?.window, 'window');
  const dated = (field: 'start_date' | 'end_date', isEnd: boolean, bound: string | undefined) => {
    const said = readTime(entry[field], field, isEnd);
    if (said === undefined || said === series?.[field]) return bound;
    if (bound === undefined || bound === said) return said;
    const message = `${field} must be left out beside window, or be the same: was ${said} against ${bound}`;
    throw new EngineError('CONFLICT', message, { field });
  };
  const start = dated('start_date', false, own.start);
  const end = dated('end_date', true, own.end) ?? ofPlan.end;
  if (start !== undefined || own.lookbackMonths !== undefined)
    return { start, end, lookbackMonths: own.lookbackMonths };
  return { start: ofPlan.start, end, lookbackMonths: ofPlan.lookbackMonths };
}

/**
 * A plan of strategies or portfolios over another window: a given bound replaces the bounds of the
 * plan and of its datasets.
 * @throws EngineError as `resolveWindow` does
 */
export function overWindow(plan: unknown, asked: WindowRequest): unknown {
  const isAsked = Object.values(asked).some((bound) => bound !== undefined);
  if (!isAsked || !isRecord(plan)) return plan;
  resolveWindow(asked, 0);
  const { start, end, lookbackMonths } = asked;
  const replaced = [
    ...(start === undefined && lookbackMonths === undefined ? [] : ['start', 'lookback_months', 'start_date']),
    ...(end === undefined ? [] : ['end', 'end_date']),
  ];
  const without = (json: unknown): unknown =>
    !isRecord(json)
      ? json
      : Object.fromEntries(
          Object.entries(json)
            .filter(([key]) => !replaced.includes(key))
            .map(([key, value]) => [key, key === 'window' ? without(value) : value]),
        );
  const { window, datasets, ...rest } = without(plan) as Json;
  const given = { start, end, lookback_months: lookbackMonths };
  return {
    ...rest,
    ...(datasets === undefined ? {} : { datasets: Array.isArray(datasets) ? datasets.map(without) : datasets }),
    window: {
      ...(window as Json | undefined),
      ...Object.fromEntries(Object.entries(given).filter(([, bound]) => bound !== undefined)),
    },
  };
}
