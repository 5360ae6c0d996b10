import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import {
  type ConfigSources,
  checkConfig,
  type ExecutionConfig,
  executionFieldNames,
  fieldOf,
  fullConfig,
  publishedDefaults,
  resolveConfig,
} from '../../../../engine/execution/index.js';
import { DAY_MS, HOUR_MS } from '../../../../engine/series/index.js';
import { configOf } from '../../../support/execution.js';

const resolve = (sources: Partial<ConfigSources>) => resolveConfig({ interval: HOUR_MS, ...sources });

const refuses = (run: () => unknown, message: string, code = 'INVALID_FIELD') =>
  assert.throws(run, (error) => {
    assert.ok(error instanceof EngineError);
    assert.equal(error.message, message);
    assert.equal(error.code, code);
    return true;
  });

test('every default is that of its setting and lies within its bounds', () => {
  for (const name of executionFieldNames) {
    assert.deepEqual(publishedDefaults[name], fieldOf(name).default);
    resolve({ request: { [name]: publishedDefaults[name] } });
  }
  checkConfig(configOf({}));
});

test('the highest source that gives a field wins', () => {
  const saved = { atr_period: 4, fee_pct: 0.04, slippage_pct: 0.04, max_hold_bars: 40, reward_factor: 40 };
  const riskFields = { atr_period: 3, fee_pct: 0.03, slippage_pct: undefined };
  const request = { atr_period: 2, max_hold_bars: null };
  const { config } = resolve({ request, riskFields, saved });
  assert.equal(config.atr_period, 2);
  assert.equal(config.fee_pct, 0.03);
  assert.equal(config.slippage_pct, 0.04);
  assert.equal(config.max_hold_bars, null);
  assert.equal(config.initial_balance, 10_000);
});

test('the reward factor of the strategy ranks between the request and the saved settings', () => {
  const saved = { reward_factor: 5 };
  const strategyRewardFactor = 4;
  const reward = (sources: Partial<ConfigSources>) => resolve(sources).config.reward_factor;
  const all = { request: { reward_factor: 2.5 }, riskFields: { reward_factor: 3 }, strategyRewardFactor, saved };
  assert.equal(reward(all), 2.5);
  assert.equal(reward({ ...all, request: {} }), 3);
  assert.equal(reward({ strategyRewardFactor, saved }), 4);
  assert.equal(reward({ saved }), 5);
  assert.equal(reward({}), 2);
  refuses(() => resolve({ strategyRewardFactor: 0 }), 'reward_factor must be a number > 0, was 0');
});

test('names from the prototype are unknown like any other', () => {
  for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const at = (json: string) => () => configOf(JSON.parse(json));
    assert.throws(at(`{"${key}": {"atr_period": 1}}`), { code: 'INVALID_FIELD' });
    assert.throws(at(`{"cooldown_config": {"${key}": {}}}`), { code: 'INVALID_FIELD' });
    assert.throws(at(`{"cooldown_config": {"1h": {"${key}": 1}}}`), { code: 'INVALID_FIELD' });
  }
});

const entry = (short: number, long: number) => ({
  short_loss_limit: short,
  long_loss_limit: long,
  short_window_bars: 10 * short,
  long_window_bars: 10 * long,
});
const tiersOf = (config: ExecutionConfig) => [
  config.cooldown_short_loss_limit,
  config.cooldown_short_window_bars,
  config.cooldown_long_loss_limit,
  config.cooldown_long_window_bars,
];

test('the cooldown of the caller, in any form, ranks before saved settings and defaults', () => {
  const tiers = (sources: Partial<ConfigSources>) => tiersOf(resolve(sources).config);
  const configured = { cooldown_config: { '1h': entry(1, 2) } };
  const saved = { cooldown_config: { '1h': entry(3, 5) }, daily_momentum_limit: 7 };
  const legacy = { cooldown_bars: 9 };
  assert.deepEqual(tiers({}), [4, 48, 6, 144]);
  assert.deepEqual(tiers({ saved }), [3, 30, 5, 50]);
  assert.deepEqual(tiers({ request: configured, riskFields: legacy, saved }), [1, 10, 2, 20]);
  assert.deepEqual(tiers({ request: legacy, riskFields: configured, saved }), [1, 10, 2, 20]);
  assert.deepEqual(tiers({ riskFields: { ...legacy, cooldown_config: null }, saved }), [3, 9, 3, 168]);
  assert.deepEqual(tiers({ request: { weekly_momentum_limit: 2.5 }, riskFields: legacy }), [3, 9, 3, 168]);
  assert.deepEqual(tiers({ request: { cooldown_bars: 500 } }), [3, 500, 3, 500]);
  assert.deepEqual(tiers({ saved: { daily_momentum_limit: 6.5 } }), [7, 24, 3, 168]);
});

test('a legacy key with its published default changes nothing, whoever gives it', () => {
  const { cooldown_bars, daily_momentum_limit, weekly_momentum_limit } = publishedDefaults;
  const given = { cooldown_bars, daily_momentum_limit, weekly_momentum_limit };
  const saved = { cooldown_config: { '1h': entry(1, 2) } };
  for (const from of [undefined, saved]) {
    for (const request of [given, { cooldown_bars }, { daily_momentum_limit }, { weekly_momentum_limit }]) {
      assert.deepEqual(resolve({ request, saved: from }), resolve({ saved: from }));
      assert.deepEqual(resolve({ riskFields: request, saved: from }), resolve({ saved: from }));
    }
  }
  assert.notDeepEqual(resolve({ request: { ...given, cooldown_bars: 25 } }), resolve({}));
});

test('intervals of a cooldown config are compared without case', () => {
  const request = { cooldown_config: { '1D': entry(1, 2) } };
  assert.deepEqual(tiersOf(resolve({ request, interval: DAY_MS }).config), [1, 10, 2, 20]);
  refuses(
    () => configOf({ cooldown_config: { '1d': entry(1, 2), '1D': entry(1, 2) } }),
    'cooldown_config names the interval 1d twice',
  );
});

test('cooldown entries are completed from the published entry and hold whole numbers', () => {
  const at = (interval: string, value: unknown) => configOf({ cooldown_config: { [interval]: value } });
  assert.deepEqual(tiersOf(at('1h', { short_loss_limit: 2, max_hold_time_hours: 'ignored' })), [2, 48, 6, 144]);
  refuses(
    () => at('1h', { short_loss_limit: null }),
    'cooldown_config.1h.short_loss_limit must be an integer, was null',
  );
  refuses(() => at('1h', null), 'cooldown_config.1h must be an object, was null');
  refuses(
    () => at('4h', { ...entry(1, 2), long_window_bars: undefined }),
    'cooldown_config.4h.long_window_bars is required: an integer',
    'MISSING_FIELD',
  );
});

test('a tier whose limit is 0 needs no window, also where no entry is published', () => {
  const off = { short_loss_limit: 0, long_loss_limit: 0 };
  const { config, warnings } = resolveConfig({ request: { cooldown_config: { '4h': off } }, interval: 4 * HOUR_MS });
  assert.deepEqual([...tiersOf(config), ...warnings], [0, 0, 0, 0]);
  refuses(
    () => configOf({ cooldown_config: { '4h': { short_loss_limit: 1, long_loss_limit: 0 } } }),
    'cooldown_config.4h.short_window_bars is required: an integer',
    'MISSING_FIELD',
  );
});

test('a config that was not resolved is checked at the door like any other', () => {
  const config = configOf({});
  checkConfig({ ...config });
  const { position_size_calc: _, ...incomplete } = config;
  refuses(
    () => checkConfig(incomplete as ExecutionConfig),
    'position_size_calc is required: v1 or v2',
    'MISSING_FIELD',
  );
  refuses(() => checkConfig({ ...config, atr_period: 0 }), 'atr_period must be an integer >= 1, was 0');
  refuses(
    () => checkConfig({ ...config, hold_limit_bars: 0 }),
    'hold_limit_bars must be an integer >= 1 or null, was 0',
  );
  checkConfig({ ...config, cooldown_config: null });
});

test('the preset of signals only switches off all but the rules, and settings beside it win', () => {
  const preset = 'signals-only';
  const of = (more: object, from: 'request' | 'saved' = 'request') =>
    resolve({ [from]: { preset, ...more }, takesPositionFields: true }).config;
  const config = of({ max_hold_bars: 3 });
  const { stop_order, target_calculation, position_sizing, max_open_positions, max_hold_bars } = {
    ...fullConfig(config),
  };
  assert.deepEqual(
    [stop_order, target_calculation, position_sizing, max_open_positions, max_hold_bars, config.hold_limit_bars],
    [false, 'none', 'equity_share', 1, 3, 3],
  );
  assert.deepEqual([tiersOf(config), 'preset' in config], [[0, 0, 0, 0], false]);
  assert.deepEqual(of({}, 'saved'), of({}));
  assert.deepEqual(tiersOf(of({ cooldown_bars: 50 })), [3, 50, 3, 168], 'a legacy cooldown beside it acts');
  refuses(() => of({ preset: 'fast' }), 'preset must be signals-only, was "fast"');
  assert.throws(() => configOf({ preset }), /"preset" is not a field of execution_config/);
});

test('unknown names are refused with the nearest known one, or with how another tool says it', () => {
  refuses(
    () => resolve({ riskFields: { slippage: 0 } }),
    '"slippage" is not a field of the risk fields, did you mean slippage_pct?',
  );
  refuses(() => configOf({ atr_perid: 1 }), '"atr_perid" is not a field of execution_config, did you mean atr_period?');
  refuses(() => configOf({ zzzzzzzzzzzzzzzz: 2 }), '"zzzzzzzzzzzzzzzz" is not a field of execution_config');
});
