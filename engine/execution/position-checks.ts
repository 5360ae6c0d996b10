import { EngineError, quote, wrongField } from '../errors.js';
import { isWhole } from '../formulas/touches.js';
import { tryParseInterval } from '../series/intervals.js';
import { checkBounds } from './bounds.js';
import type { ExecutionConfig } from './config.js';
import type { ExecutionField, NumberPairs } from './field.js';
import { type FullConfig, fullConfig } from './full-config.js';
import { type PositionFieldName, positionFields, usedPositionFields } from './position-fields.js';

export const SCHEDULE_PAIRS_MAX = 20;
export const SCALE_OUT_PAIRS_MAX = 5;

/** Refuses a value out of the bounds of its setting: INVALID_FIELD with name, bound and value. */
export function checkPositionField(name: PositionFieldName, value: unknown): void {
  const field: ExecutionField = positionFields[name];
  if (value === null && field.nullable) return;
  if (field.kind === 'pairs') {
    if (name === 'scale_out') checkScaleOut(value);
    else checkSchedule(value);
  } else if (field.kind === 'interval') {
    if (typeof value !== 'string' || tryParseInterval(value) === null) {
      throw wrongField(name, 'an interval such as 5m, or null', value);
    }
  } else checkBounds(name, field, value);
}

function checkSchedule(value: unknown): void {
  const pairs = pairsOf('target_schedule', '[bars, pct]', value, SCHEDULE_PAIRS_MAX);
  for (const [i, [bars, pct]] of pairs.entries()) {
    const before = pairs[i - 1];
    const place = `target_schedule[${i}]`;
    if (before === undefined && bars !== 0) throw wrongField(`${place}[0]`, '0 in the first pair', bars);
    if (!Number.isInteger(bars) || (before !== undefined && bars <= before[0])) {
      throw wrongField(`${place}[0]`, 'an integer above the one before', bars);
    }
    if (!(pct >= 0 && pct <= 10)) throw wrongField(`${place}[1]`, 'a number >= 0 and <= 10', pct);
  }
}

function checkScaleOut(value: unknown): void {
  const pairs = pairsOf('scale_out', '[at, part]', value, SCALE_OUT_PAIRS_MAX);
  for (const [i, [at, part]] of pairs.entries()) {
    const before = pairs[i - 1]?.[0] ?? 0;
    if (!(at > before)) throw wrongField(`scale_out[${i}][0]`, `a number > ${before}`, at);
    if (!(part > 0)) throw wrongField(`scale_out[${i}][1]`, 'a number > 0', part);
  }
  const sum = sumOfParts(pairs);
  if (sum > 1 && !isWhole(sum)) throw wrongField('scale_out', 'parts that sum to at most 1', sum);
}

export const sumOfParts = (pairs: NumberPairs): number => pairs.reduce((sum, [, part]) => sum + part, 0);

function pairsOf(field: string, pair: string, value: unknown, pairsMax: number): NumberPairs {
  if (!Array.isArray(value) || value.length === 0 || value.length > pairsMax) {
    throw wrongField(field, `1 to ${pairsMax} pairs ${pair}, or null`, value);
  }
  for (const [i, entry] of value.entries()) {
    const isPair = Array.isArray(entry) && entry.length === 2 && entry.every((number) => Number.isFinite(number));
    if (!isPair) throw wrongField(`${field}[${i}]`, `a pair of numbers ${pair}`, entry);
  }
  return value as NumberPairs;
}

/**
 * Refuses values out of bounds and settings that contradict each other, with field, bound and
 * value.
 */
export function checkPositionSettings(config: ExecutionConfig): void {
  for (const name of usedPositionFields(config)) checkPositionField(name, config[name]);
  const full = fullConfig(config);
  for (const [field, contradiction] of contradictions) {
    const problem = contradiction(full);
    if (problem !== null) {
      throw new EngineError('INVALID_FIELD', `${field} must be ${problem}, was ${quote(full[field])}`, { field });
    }
  }
}

type Contradiction = (config: FullConfig) => string | null;

/** What a field must be beside the other settings; null where it is. The first problem is told. */
const contradictions: readonly (readonly [keyof FullConfig, Contradiction])[] = [
  [
    'maintenance_margin',
    ({ maintenance_margin, leverage }) =>
      // A margin that starts below the maintenance would be liquidated at once.
      maintenance_margin < 1 / leverage ? null : `below 1 / leverage = ${1 / leverage}`,
  ],
  [
    'target_schedule',
    ({ target_calculation, target_schedule }) =>
      target_calculation === 'schedule' && target_schedule === null
        ? 'a list of pairs [bars, pct] with target_calculation schedule'
        : null,
  ],
  [
    'entry_offset_pct',
    ({ entry_order, entry_offset_pct, entry_offset_atr }) =>
      entry_order !== 'market' && entry_offset_pct === null && entry_offset_atr === null
        ? `a number >= 0 and < 1 with entry_order ${entry_order}, unless entry_offset_atr is given`
        : null,
  ],
  [
    'entry_offset_atr',
    ({ entry_offset_pct, entry_offset_atr }) =>
      entry_offset_pct !== null && entry_offset_atr !== null ? 'null where entry_offset_pct is given' : null,
  ],
  [
    'opposite_entry',
    ({ entry_order, opposite_entry }) =>
      entry_order !== 'market' && (opposite_entry === 'close' || opposite_entry === 'reverse')
        ? `deny or hedge with entry_order ${entry_order}`
        : null,
  ],
  [
    'volatility_mode',
    ({ position_sizing, volatility_mode }) =>
      position_sizing === 'volatility_target' && volatility_mode === 'off'
        ? 'stddev or atr with position_sizing volatility_target'
        : null,
  ],
  [
    'target_volatility',
    ({ position_sizing, target_volatility }) =>
      position_sizing === 'volatility_target' && !(target_volatility > 0)
        ? 'a number > 0 with position_sizing volatility_target'
        : null,
  ],
];

/** Refuses a `detail_interval` that does not divide the run interval. */
export function checkDetailInterval(detail: string | null, intervalMs: number, interval: string): void {
  if (detail === null) return;
  const detailMs = tryParseInterval(detail);
  if (detailMs === null || detailMs >= intervalMs || intervalMs % detailMs !== 0) {
    throw wrongField('detail_interval', `finer than the run interval ${interval} and divide it`, detail);
  }
}
