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
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../engine/series/index.js';
import { REFERENCE_DEFAULTS } from '../../../reference/execution.js';
import { configOf } from '../../../support/execution.js';

const resolve = (sources: Partial<ConfigSources>) => resolveConfig({ interval: HOUR_MS, ...sources });

const refuses = (run: () => unknown, message: string, code = 'INVALID_FIELD') =>
  assert.throws(run, (error) => {
    assert.ok(error instanceof EngineError);
    assert.equal(error.message, message);
    assert.equal(error.code, code);
    return true;
  });

test('a value outside its bounds is refused from every source', () => {
  for (const source of ['request', 'riskFields', 'saved'] as const) {
    refuses(() => resolve({ [source]: { fee_pct: 0.51 } }), 'fee_pct must be a number >= 0 and <= 0.5, was 0.51');
  }
});

test('every default is that of its setting and lies within its bounds', () => {
  for (const name of executionFieldNames) {
    assert.deepEqual(publishedDefaults[name], fieldOf(name).default);
    resolve({ request: { [name]: publishedDefaults[name] } });
  }
  checkConfig(configOf({}));
});

test('a target volatility of 0 is refused only where the adjustment is on', () => {
  configOf({ target_volatility: 0 });
  configOf({ target_volatility: 0, enable_volatility_adjustment: true, volatility_mode: 'off' });
  refuses(
    () => configOf({ target_volatility: 0, enable_volatility_adjustment: true }),
    'target_volatility must be a number > 0 when the adjustment is on, was 0',
  );
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

test('sources may be missing, but must otherwise be objects', () => {
  assert.deepEqual(resolve({ request: null, saved: undefined }).config, resolve({}).config);
  refuses(() => resolve({ request: [] }), 'execution_config must be an object, was []');
  refuses(() => resolve({ saved: 'v2' }), 'the saved execution_config must be an object, was "v2"');
});

test('a word of another tool is refused with how it is said here, and a strange one without advice', () => {
  const paid = 'leverage of execution_config buys on margin';
  refuses(() => configOf({ leverage: 2 }), `"leverage" is not a field of execution_config: ${paid}`);
  refuses(() => configOf({ zzzzzzzzzzzzzzzz: 2 }), '"zzzzzzzzzzzzzzzz" is not a field of execution_config');
});

test('unknown names are refused with the nearest known one', () => {
  refuses(
    () => configOf({ atr_perid: 14 }),
    '"atr_perid" is not a field of execution_config, did you mean atr_period?',
  );
  refuses(
    () => resolve({ riskFields: { slippage: 0 } }),
    '"slippage" is not a field of the risk fields, did you mean slippage_pct?',
  );
  refuses(
    () => configOf({ cooldown_config: { '1h': { short_los_limit: 4 } } }),
    '"short_los_limit" is not a field of cooldown_config.1h, did you mean short_loss_limit?',
  );
  refuses(
    () => configOf({ cooldown_config: { '1fortnight': {} } }),
    'cooldown_config: "1fortnight" is not an interval such as 1h or 1d',
  );
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

test('an interval without cooldown entry falls back to the legacy keys, of which only a written one is worth a word', () => {
  for (const [interval, name, long] of [
    [30 * MINUTE_MS, '30m', 336],
    [4 * HOUR_MS, '4h', 42],
  ] as const) {
    const { config, warnings } = resolve({ interval });
    assert.deepEqual(tiersOf(config), [3, 24, 3, long]);
    assert.deepEqual(warnings, []);
    const written = resolve({ interval, request: { cooldown_bars: 25 } }).warnings;
    assert.match(written.join(), new RegExp(`^cooldown_bars is deprecated.*no ${name} entry$`));
  }
  assert.deepEqual(resolve({}).warnings, []);
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

test('the warning names the legacy keys that were written, not those filled in', () => {
  const warning = (sources: Partial<ConfigSources>) => resolve(sources).warnings.join();
  const reason = 'cooldown_config has no 1h entry';
  const savedAs = (changes: object) => ({ ...publishedDefaults, cooldown_config: null, ...changes });
  assert.equal(warning({ request: { cooldown_bars: 25 } }), `cooldown_bars is deprecated but applies: ${reason}`);
  assert.equal(
    warning({ riskFields: { cooldown_bars: 9, weekly_momentum_limit: 2 }, saved: savedAs({ cooldown_bars: 7 }) }),
    `cooldown_bars and weekly_momentum_limit are deprecated but apply: ${reason}`,
  );
  assert.equal(
    warning({ saved: savedAs({ daily_momentum_limit: 1 }) }),
    `daily_momentum_limit is deprecated but applies: ${reason}`,
  );
  assert.equal(warning({ interval: 4 * HOUR_MS }), '');
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

test('the hold limit is max_hold_bars, or else the hours in whole bars', () => {
  const limit = (settings: Record<string, unknown>, interval = HOUR_MS) => configOf(settings, interval).hold_limit_bars;
  assert.equal(limit({}), 1000);
  assert.equal(limit({ max_hold_bars: 7, max_hold_time_hours: 2 }), 7);
  assert.equal(limit({ max_hold_bars: null, max_hold_time_hours: 2.1 }), 3);
  assert.equal(limit({ max_hold_bars: 0, max_hold_time_hours: 1 }, 5 * MINUTE_MS), 12);
  assert.equal(limit({ max_hold_bars: 0, max_hold_time_hours: 30 }, DAY_MS), 2);
  assert.equal(limit({ max_hold_bars: -1 }), null);
  assert.equal(limit({ max_hold_bars: null, max_hold_time_hours: -3 }), null);
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

test('sources are read and never changed', () => {
  const request = Object.freeze({ cooldown_config: Object.freeze({ '1D': Object.freeze(entry(1, 2)) }) });
  assert.ok(Object.isFrozen(resolve({ request }).config));
});

test('the published defaults are those of the reference', () => {
  assert.deepEqual({ ...publishedDefaults, ...REFERENCE_DEFAULTS }, publishedDefaults);
  assert.ok(Object.isFrozen(publishedDefaults));
});

test('a refused cooldown names its field', () => {
  const field = (cooldown_config: unknown, expected: string) =>
    assert.throws(
      () => configOf({ cooldown_config }),
      (error) => error instanceof EngineError && error.details.field === expected,
    );
  field({ '1fortnight': {} }, 'cooldown_config');
  field({ '1d': entry(1, 2), '1D': entry(1, 2) }, 'cooldown_config');
  field({ '4h': { short_loss_limit: 1 } }, 'cooldown_config.4h.long_loss_limit');
});

test('values resolved for the interval are checked at the door too', () => {
  const config = configOf({});
  for (const name of [
    'cooldown_short_loss_limit',
    'cooldown_short_window_bars',
    'cooldown_long_loss_limit',
    'cooldown_long_window_bars',
  ]) {
    refuses(() => checkConfig({ ...config, [name]: 1.5 }), `${name} must be an integer, was 1.5`);
    checkConfig({ ...config, [name]: -1 });
  }
  refuses(
    () => checkConfig({ ...config, cooldown_config: { '1h': { short_loss_limit: 1.5 } } as never }),
    'cooldown_config.1h.short_loss_limit must be an integer, was 1.5',
  );
  const { cooldown_config: _, ...incomplete } = config;
  refuses(
    () => checkConfig(incomplete as ExecutionConfig),
    'cooldown_config is required: an object or null',
    'MISSING_FIELD',
  );
});

test('a frozen config is checked once, any other every time', () => {
  let reads = 0;
  const counting = Object.freeze(
    Object.defineProperty({ ...configOf({}) }, 'atr_period', { enumerable: true, get: () => ++reads }),
  );
  checkConfig(counting);
  const once = reads;
  checkConfig(counting);
  assert.equal(reads, once);
  const changing = { ...configOf({}) };
  checkConfig(changing);
  refuses(() => checkConfig(Object.assign(changing, { atr_period: 0 })), 'atr_period must be an integer >= 1, was 0');
});

test('every legacy key of the caller counts alone, and hides the saved values of the others', () => {
  const saved = { cooldown_bars: 700, daily_momentum_limit: 7, weekly_momentum_limit: 8 };
  const tiers = (request: Record<string, number>) => tiersOf(resolve({ request, saved }).config);
  assert.deepEqual(tiers({ cooldown_bars: 9 }), [3, 9, 3, 168]);
  assert.deepEqual(tiers({ daily_momentum_limit: 5 }), [5, 24, 3, 168]);
  assert.deepEqual(tiers({ weekly_momentum_limit: 5 }), [3, 24, 5, 168]);
});

test('a limit of one bar is a limit, and started bars count whole', () => {
  const limit = (settings: Record<string, unknown>) => configOf(settings).hold_limit_bars;
  assert.equal(limit({ max_hold_bars: 1, max_hold_time_hours: 5 }), 1);
  assert.equal(limit({ max_hold_bars: null, max_hold_time_hours: 0.5 }), 1);
  assert.equal(limit({ max_hold_bars: null, max_hold_time_hours: 5_000 }), 5_000);
  const { config } = resolve({ request: { cooldown_bars: 1 }, interval: 2 * DAY_MS });
  assert.equal(config.cooldown_long_window_bars, 4);
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
