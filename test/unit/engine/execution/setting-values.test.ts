import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import {
  executionFieldNames,
  fieldOf,
  positionFieldNames,
  publishedDefaults,
  resolveConfig,
} from '../../../../engine/execution/index.js';
import { DAY_MS, HOUR_MS } from '../../../../engine/series/index.js';
import { configOf } from '../../../support/execution.js';

/**
 * Values of settings that no single bound says: lists, and settings that contradict each other. The
 * contract tests send a value beyond each declared bound.
 */

type Settings = Readonly<Record<string, unknown>>;

const accepts = (request: Settings, interval = HOUR_MS) =>
  resolveConfig({ request, interval, takesPositionFields: true });

function problemOf(config: Settings, interval?: number): EngineError {
  try {
    accepts(config, interval);
  } catch (error) {
    assert.ok(error instanceof EngineError);
    return error;
  }
  throw new Error(`${JSON.stringify(config)} is accepted`);
}

function refuses(config: Settings, field: string, problem: string): void {
  const error = problemOf(config);
  assert.equal(error.message, `${field} ${problem}`);
  assert.equal(error.code, 'INVALID_FIELD');
  assert.equal(error.details.field, field);
}

/** Field, settings, and what is wrong about them. */
const lists: readonly (readonly [string, Settings, string])[] = [
  ['target_schedule', { target_schedule: [] }, 'must be 1 to 20 pairs [bars, pct], or null, was []'],
  ['target_schedule[1]', { target_schedule: [[0, 0.1], [1]] }, 'must be a pair of numbers [bars, pct], was [1]'],
  ['target_schedule[0][0]', { target_schedule: [[1, 0.1]] }, 'must be 0 in the first pair, was 1'],
  [
    'target_schedule[2][0]',
    { target_schedule: [[0, 0.1], [4, 0.1], [4, 0]] },
    'must be an integer above the one before, was 4',
  ],
  ['target_schedule[0][1]', { target_schedule: [[0, -0.01]] }, 'must be a number >= 0 and <= 10, was -0.01'],
  ['scale_out[0]', { scale_out: [[1, null]] }, 'must be a pair of numbers [at, part], was [1,null]'],
  ['scale_out[0][0]', { scale_out: [[0, 0.5]] }, 'must be a number > 0, was 0'],
  ['scale_out[1][0]', { scale_out: [[1, 0.5], [1, 0.5]] }, 'must be a number > 1, was 1'],
  ['scale_out', { scale_out: [[1, 0.75], [2, 0.5]] }, 'must be parts that sum to at most 1, was 1.25'],
]; // biome-ignore format: pairs

test('lists of pairs have 1 to 20 or 5 entries in order, and the wrong number is named by its place', () => {
  const steps = (count: number, value: number) => Array.from({ length: count }, (_, i) => [i, value]);
  accepts({ target_schedule: steps(20, 10) });
  accepts({ target_schedule: null, scale_out: null });
  accepts({ scale_out: steps(5, 0.2).map(([at = 0, part]) => [at + 1, part]) });
  accepts({ scale_out: [[1, 1 + 1e-10]] });
  for (const [field, config, problem] of lists) refuses(config, field, problem);
  const many = problemOf({ target_schedule: steps(21, 0) }).message;
  assert.match(many, /target_schedule must be 1 to 20 pairs \[bars, pct\], or null, was \[\[0,0\]/);
  const six = problemOf({ scale_out: steps(6, 0.1).map(([at = 0, part]) => [at + 1, part]) }).message;
  assert.match(six, /scale_out must be 1 to 5 pairs \[at, part\], or null, was \[\[1,0.1\]/);
});

const order = { entry_order: 'limit', entry_offset_pct: 0.01 };
const contradictions: readonly (readonly [string, Settings, string])[] = [
  ['scale_out[0][1]', { scale_out: [[1, 0]] }, 'must be a number > 0, was 0'],
  ['maintenance_margin', { leverage: 125, maintenance_margin: 0.008 }, 'must be below 1 / leverage = 0.008, was 0.008'],
  [
    'target_schedule',
    { target_calculation: 'schedule' },
    'must be a list of pairs [bars, pct] with target_calculation schedule, was null',
  ],
  [
    'entry_offset_pct',
    { entry_order: 'limit' },
    'must be a number >= 0 and < 1 with entry_order limit, unless entry_offset_atr is given, was null',
  ],
  ['entry_offset_atr', { ...order, entry_offset_atr: 0 }, 'must be null where entry_offset_pct is given, was 0'],
  [
    'opposite_entry',
    { ...order, opposite_entry: 'close' },
    'must be deny or hedge with entry_order limit, was "close"',
  ],
  [
    'volatility_mode',
    { position_sizing: 'volatility_target', volatility_mode: 'off' },
    'must be stddev or atr with position_sizing volatility_target, was "off"',
  ],
  [
    'target_volatility',
    { position_sizing: 'volatility_target', target_volatility: 0 },
    'must be a number > 0 with position_sizing volatility_target, was 0',
  ],
];

for (const [field, config, problem] of contradictions) {
  test(`${field} ${problem}: ${JSON.stringify(config)} is refused`, () => refuses(config, field, problem));
}

test('a detail interval is finer than the run interval and divides it', () => {
  accepts({ detail_interval: null });
  for (const detail_interval of ['5m', '15m', '30m']) accepts({ detail_interval });
  accepts({ detail_interval: '4h' }, DAY_MS);
  const finer = 'must be finer than the run interval 1h and divide it, was ';
  for (const value of ['1h', '4h', '25m', '1d'])
    refuses({ detail_interval: value }, 'detail_interval', `${finer}"${value}"`);
  const interval = 'must be an interval such as 5m, or null, was ';
  for (const value of ['soon', 5, true]) {
    refuses({ detail_interval: value }, 'detail_interval', interval + JSON.stringify(value));
  }
});

test('settings of sides, margin and orders at their defaults leave the config as it is', () => {
  const defaults = Object.fromEntries(positionFieldNames.map((name) => [name, fieldOf(name).default]));
  assert.deepStrictEqual(accepts(defaults).config, configOf({}));
  assert.deepEqual(
    Object.keys(accepts({ leverage: 2 }).config),
    [...Object.keys(configOf({})).slice(0, -5), 'leverage'].concat(Object.keys(configOf({})).slice(-5)),
  );
  for (const name of positionFieldNames) {
    assert.equal(name in publishedDefaults, false, name);
    assert.equal((executionFieldNames as readonly string[]).includes(name), false, name);
    assert.equal(fieldOf(name).isLeftOut, true, name);
  }
});

test('where a run does not know sides, their settings are refused as unknown', () => {
  for (const name of positionFieldNames) {
    assert.throws(() => configOf({ [name]: fieldOf(name).default }), /is not a field of execution_config/);
  }
  assert.throws(() => accepts({ levrage: 2 }), /did you mean leverage/);
});
