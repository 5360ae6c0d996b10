import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import {
  cashCurve,
  executionFieldNames,
  fieldOf,
  type PositionFieldName,
  positionFieldNames,
  publishedDefaults,
  resolveConfig,
  simulate,
  simulateByStep,
} from '../../../../engine/execution/index.js';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { barsOf, configOf, inputOf, plainSettings } from '../../../support/execution.js';

const sidesOf = (settings: Record<string, unknown>) =>
  resolveConfig({ request: settings, interval: HOUR_MS, takesPositionFields: true }).config;

function refuses(settings: Record<string, unknown>, field: string, message: string): void {
  assert.throws(
    () => sidesOf(settings),
    (error) => {
      assert.ok(error instanceof EngineError);
      assert.equal(error.code, 'INVALID_FIELD');
      assert.equal(error.message, message);
      assert.equal(error.details.field, field);
      return true;
    },
  );
}

test('settings of sides, margin and orders at their defaults leave the config as it is', () => {
  const defaults = Object.fromEntries(positionFieldNames.map((name) => [name, fieldOf(name).default]));
  assert.deepStrictEqual(sidesOf(defaults), configOf({}));
  assert.deepEqual(
    Object.keys(sidesOf({ leverage: 2 })),
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
});

/** Beside each value, settings without which it would contradict another. */
const beside: Partial<Record<PositionFieldName, Record<string, unknown>>> = {
  maintenance_margin: { leverage: 1 },
  entry_offset_pct: { entry_order: 'limit' },
  entry_offset_atr: { entry_order: 'stop' },
};

test('every bound is held, on both of its sides', () => {
  for (const name of positionFieldNames) {
    const { kind, min, above, max, below, values, nullable } = fieldOf(name);
    if (kind === 'pairs' || kind === 'interval') continue;
    const accepted = [min, max, nullable ? null : undefined].filter((value) => value !== undefined);
    for (const value of accepted) {
      if (value === null && name in beside) continue;
      sidesOf({ ...beside[name], [name]: value });
    }
    const step = kind === 'integer' ? 1 : 1e-6;
    const beyond = [
      min === undefined ? above : min - step,
      max === undefined ? below : max + step,
      ...(values === undefined ? [] : ['other']),
      ...(nullable ? [] : [null]),
      'text',
    ];
    for (const value of beyond) {
      if (value === undefined) continue;
      assert.throws(() => sidesOf({ [name]: value }), new RegExp(`EngineError: ${name} must be .*, was `), name);
    }
  }
});

test('lists of pairs are refused with the place of the wrong number', () => {
  const schedule = (target_schedule: unknown) => ({ target_calculation: 'schedule', target_schedule });
  const pairs = 'target_schedule must be 1 to 20 pairs [bars, pct], or null, was ';
  refuses(schedule([]), 'target_schedule', `${pairs}[]`);
  refuses(schedule('4'), 'target_schedule', `${pairs}"4"`);
  refuses(schedule([[0]]), 'target_schedule[0]', 'target_schedule[0] must be a pair of numbers [bars, pct], was [0]');
  const first = 'target_schedule[0][0] must be 0 in the first pair, was 1';
  refuses(schedule([[1, 0.1]]), 'target_schedule[0][0]', first);
  const rising = 'target_schedule[1][0] must be an integer above the one before, was 0';
  refuses(schedule([[0, 0.1], [0, 0]]), 'target_schedule[1][0]', rising); // biome-ignore format: pairs
  const pct = 'target_schedule[0][1] must be a number >= 0 and <= 10, was 11';
  refuses(schedule([[0, 11]]), 'target_schedule[0][1]', pct);
  refuses({ scale_out: [[0, 0.5]] }, 'scale_out[0][0]', 'scale_out[0][0] must be a number > 0, was 0');
  refuses({ scale_out: [[1, 0]] }, 'scale_out[0][1]', 'scale_out[0][1] must be a number > 0, was 0');
  const sum = 'scale_out must be parts that sum to at most 1, was 1.25';
  refuses({ scale_out: [[1, 0.75], [2, 0.5]] }, 'scale_out', sum); // biome-ignore format: pairs
  const six = Array.from({ length: 6 }, (_, i) => [i + 1, 0.1]);
  assert.throws(() => sidesOf({ scale_out: six }), /scale_out must be 1 to 5 pairs \[at, part\], or null, was /);
});

test('settings that contradict each other are refused before any bar is read', () => {
  const margin = 'maintenance_margin must be below 1 / leverage = 0.1, was 0.2';
  refuses({ leverage: 10, maintenance_margin: 0.2 }, 'maintenance_margin', margin);
  const schedule = 'target_schedule must be a list of pairs [bars, pct] with target_calculation schedule, was null';
  refuses({ target_calculation: 'schedule' }, 'target_schedule', schedule);
  const offset =
    'entry_offset_pct must be a number >= 0 and < 1 with entry_order stop, unless entry_offset_atr is given, was null';
  refuses({ entry_order: 'stop' }, 'entry_offset_pct', offset);
  const both = 'entry_offset_atr must be null where entry_offset_pct is given, was 1';
  refuses({ entry_order: 'limit', entry_offset_pct: 0.01, entry_offset_atr: 1 }, 'entry_offset_atr', both);
  const order = { entry_order: 'limit', entry_offset_pct: 0.01 };
  for (const opposite_entry of ['close', 'reverse']) {
    const message = `opposite_entry must be deny or hedge with entry_order limit, was "${opposite_entry}"`;
    refuses({ ...order, opposite_entry }, 'opposite_entry', message);
  }
  const mode = 'volatility_mode must be stddev or atr with position_sizing volatility_target, was "off"';
  refuses({ position_sizing: 'volatility_target', volatility_mode: 'off' }, 'volatility_mode', mode);
  const target = 'target_volatility must be a number > 0 with position_sizing volatility_target, was 0';
  refuses({ position_sizing: 'volatility_target', target_volatility: 0 }, 'target_volatility', target);
  for (const detail_interval of ['1h', '2h', '25m', 'soon', 5]) {
    assert.throws(() => sidesOf({ detail_interval }), /detail_interval must be /);
  }
  assert.equal(sidesOf({ detail_interval: '15m' }).detail_interval, '15m');
});

test('a trade of a run that uses none of the settings has no details', () => {
  const rows = Array.from({ length: 6 }, () => [100, 101, 99, 100] as const);
  const plain = simulate(inputOf(barsOf(rows), [0], [], plainSettings));
  assert.equal(plain.sided, undefined);
  assert.deepEqual(
    plain.trades.map((trade) => 'details' in trade),
    [false],
  );
});

test('a run with sides is one meaning in both simulations, with its cash at each close, and whole masks', () => {
  const bars = barsOf([50, 51, 49, 52, 53, 50, 48, 51].map((price) => [price, price + 1, price - 1, price]));
  const input = { ...inputOf(bars, [1], [3], {}), config: sidesOf({ ...plainSettings, leverage: 2 }) };
  const run = simulate(input);
  assert.deepStrictEqual(simulateByStep(input), run);
  assert.equal(cashCurve(input, run).length, run.equity.length);
  assert.throws(() => simulate({ ...input, shortEntry: new Uint32Array(9) }), /masks of 8 bars have 1 words, were 9/);
  assert.throws(() => sidesOf({ levrage: 2 }), /leverage/);
});
