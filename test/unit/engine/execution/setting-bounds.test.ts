import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import { resolveConfig } from '../../../../engine/execution/index.js';
import { DAY_MS, HOUR_MS } from '../../../../engine/series/index.js';

/**
 * Every bound and every contradiction of the settings, as they are published. They are copied here,
 * so that a wrong bound in the table of settings shows up.
 */

type Settings = Readonly<Record<string, unknown>>;

interface Bounds {
  /** Settings without which a value would contradict another. */
  readonly beside?: Settings;
  readonly accepted: readonly unknown[];
  /** In the words of the error. */
  readonly bound: string;
  readonly refused: readonly unknown[];
}

const share: Bounds = {
  accepted: [null, 1e-9, 1],
  bound: 'a number > 0 and <= 1 or null',
  refused: [0, 1.000001, -0.1, '0.1', true],
};

const legacy = { accepted: [0, 2.5], bound: 'a number', refused: [null, '3'] };
const limit = { accepted: [null, 0, -5, 3], bound: 'an integer or null', refused: [2.5, '3'] };
const cost = { accepted: [0, 0.5], bound: 'a number >= 0 and <= 0.5', refused: [-0.001, 0.51] };
const weight = { accepted: [0, 2], bound: 'a number >= 0', refused: [-0.1] };

const bounds: Readonly<Record<string, Bounds>> = {
  initial_balance: { accepted: [0.01, 1e9], bound: 'a number > 0', refused: [0, -1] },
  min_balance_threshold: { accepted: [0, 1, 100], bound: 'a number >= 0', refused: [-0.1] },
  min_trade_amount: { accepted: [0, 25], bound: 'a number >= 0', refused: [-1] },
  max_risk_per_trade: { accepted: [1e-6, 1], bound: 'a number > 0 and <= 1', refused: [0, 1.01] },
  max_units_per_trade: { accepted: [1e-6], bound: 'a number > 0', refused: [0] },
  max_trade_amount: { accepted: [1e-6], bound: 'a number > 0', refused: [0] },
  position_size_calc: { accepted: ['v1', 'v2'], bound: 'v1 or v2', refused: ['v3', null] },
  max_open_positions: { accepted: [0, 10], bound: 'an integer >= 0', refused: [-1, 1.5] },
  max_trades_per_day: { accepted: [0, 50], bound: 'an integer >= 0', refused: [-1] },
  stop_loss_calculation: { accepted: ['fixed', 'dynamic_atr'], bound: 'dynamic_atr or fixed', refused: ['atr'] },
  fixed_stop_pct: { accepted: [0.01, 0.99], bound: 'a number > 0 and < 1', refused: [0, 1] },
  atr_period: { accepted: [1, 14.0], bound: 'an integer >= 1', refused: [0, 14.5] },
  atr_volatility_factor: { accepted: [0.1], bound: 'a number > 0', refused: [0] },
  atr_short_weight: weight,
  atr_long_weight: weight,
  atr_cap_multiplier: { accepted: [null, 0, -1, 2], bound: 'a number or null', refused: ['2'] },
  reward_factor: { accepted: [0.1], bound: 'a number > 0', refused: [0] },
  slippage_pct: cost,
  fee_pct: cost,
  enable_volatility_adjustment: { accepted: [true, false], bound: 'true or false', refused: [1, null] },
  volatility_mode: { accepted: ['stddev', 'atr', 'off'], bound: 'stddev or atr or off', refused: ['range'] },
  volatility_window: { accepted: [2, 24], bound: 'an integer >= 2', refused: [1] },
  target_volatility: { accepted: [0.1, 0, -1], bound: 'a number', refused: ['1'] },
  max_hold_bars: limit,
  exit_on_loss_after_bars: limit,
  exit_on_profit_after_bars: limit,
  profit_threshold_pct: { accepted: [-1, 0, 1], bound: 'a number', refused: [null] },
  max_hold_time_hours: { accepted: [null, 0.5, 24], bound: 'a number or null', refused: ['1'] },
  cooldown_config: { accepted: [null, {}], bound: 'an object', refused: [[], '1h'] },
  cooldown_bars: { accepted: [-1, 0, 24], bound: 'an integer', refused: [1.5] },
  daily_momentum_limit: legacy,
  weekly_momentum_limit: legacy,
  opposite_entry: {
    accepted: ['deny', 'close', 'reverse', 'hedge'],
    bound: 'deny or close or reverse or hedge',
    refused: ['flip', '', null, 1],
  },
  leverage: {
    beside: { maintenance_margin: 0 },
    accepted: [1, 1.5, 125],
    bound: 'a number >= 1 and <= 125',
    refused: [0.999999, 125.000001, 0, -2, null, '3'],
  },
  maintenance_margin: { accepted: [0, 0.5], bound: 'a number >= 0 and <= 0.5', refused: [-0.000001, 0.500001, null] },
  borrow_rate: { accepted: [0, 10], bound: 'a number >= 0 and <= 10', refused: [-0.000001, 10.000001, null] },
  max_gross_exposure: {
    accepted: [null, 1e-9, 125],
    bound: 'a number > 0 and <= 125 or null',
    refused: [0, 125.000001, -1, false],
  },
  stop_order: { accepted: [true, false], bound: 'true or false', refused: ['true', 0, null] },
  trailing_distance: {
    accepted: [null, 1e-9, 100],
    bound: 'a number > 0 and <= 100 or null',
    refused: [0, 100.000001, -1],
  },
  trailing_start: { accepted: [0, 100], bound: 'a number >= 0 and <= 100', refused: [-0.000001, 100.000001, null] },
  break_even_at: {
    accepted: [null, 0, 100],
    bound: 'a number >= 0 and <= 100 or null',
    refused: [-0.000001, 100.000001],
  },
  break_even_offset_pct: {
    accepted: [-0.5, 0.5],
    bound: 'a number >= -0.5 and <= 0.5',
    refused: [-0.500001, 0.500001, null],
  },
  target_calculation: {
    beside: { target_schedule: [[0, 0.1]] },
    accepted: ['reward', 'fixed', 'schedule', 'none'],
    bound: 'reward or fixed or schedule or none',
    refused: ['roi', null],
  },
  fixed_target_pct: { accepted: [1e-9, 10], bound: 'a number > 0 and <= 10', refused: [0, 10.000001, null] },
  target_order: { accepted: ['market', 'limit'], bound: 'market or limit', refused: ['stop', null] },
  maker_fee_pct: {
    accepted: [null, -0.1, 0.5],
    bound: 'a number >= -0.1 and <= 0.5 or null',
    refused: [-0.100001, 0.500001],
  },
  entry_order: {
    beside: { entry_offset_pct: 0.01 },
    accepted: ['market', 'limit', 'stop'],
    bound: 'market or limit or stop',
    refused: ['touch', null],
  },
  entry_offset_pct: {
    beside: { entry_order: 'limit' },
    accepted: [0, 0.999999],
    bound: 'a number >= 0 and < 1 or null',
    refused: [-0.000001, 1],
  },
  entry_offset_atr: {
    beside: { entry_order: 'stop' },
    accepted: [0, 100],
    bound: 'a number >= 0 and <= 100 or null',
    refused: [-0.000001, 100.000001],
  },
  entry_valid_bars: { accepted: [1, 1000], bound: 'an integer >= 1 and <= 1000', refused: [0, 1001, 1.5, null] },
  position_sizing: {
    accepted: ['risk', 'fixed_amount', 'equity_share', 'volatility_target'],
    bound: 'risk or fixed_amount or equity_share or volatility_target',
    refused: ['kelly', null],
  },
  trade_amount: { accepted: [1e-9, 1e12], bound: 'a number > 0', refused: [0, -1, null] },
  trade_share: { accepted: [1e-9, 125], bound: 'a number > 0 and <= 125', refused: [0, 125.000001, null] },
  impact_coefficient: { accepted: [0, 100], bound: 'a number >= 0', refused: [-0.000001, null] },
  guard_max_drawdown: share,
  guard_daily_loss: share,
  guard_group_stop: share,
  guard_pause_bars: { accepted: [0, 100_000], bound: 'an integer >= 0', refused: [-1, 0.5, null] },
};

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

for (const [name, { beside, accepted, bound, refused }] of Object.entries(bounds)) {
  test(`${name} is ${bound}, and any other value is refused`, () => {
    for (const value of accepted) accepts({ ...beside, [name]: value });
    for (const value of refused) {
      refuses({ ...beside, [name]: value }, name, `must be ${bound}, was ${JSON.stringify(value)}`);
    }
    for (const value of [NaN, Infinity, -Infinity]) {
      refuses({ ...beside, [name]: value }, name, `must be ${bound}, was ${value}`);
    }
  });
}

/** Field, settings, and what is wrong about them. */
const lists: readonly (readonly [string, Settings, string])[] = [
  ['target_schedule', { target_schedule: [] }, 'must be 1 to 20 pairs [bars, pct], or null, was []'],
  ['target_schedule', { target_schedule: 0.1 }, 'must be 1 to 20 pairs [bars, pct], or null, was 0.1'],
  ['target_schedule[0]', { target_schedule: [0, 0.1] }, 'must be a pair of numbers [bars, pct], was 0'],
  ['target_schedule[1]', { target_schedule: [[0, 0.1], [1]] }, 'must be a pair of numbers [bars, pct], was [1]'],
  ['target_schedule[0][0]', { target_schedule: [[1, 0.1]] }, 'must be 0 in the first pair, was 1'],
  [
    'target_schedule[2][0]',
    { target_schedule: [[0, 0.1], [4, 0.1], [4, 0]] },
    'must be an integer above the one before, was 4',
  ],
  [
    'target_schedule[1][0]',
    { target_schedule: [[0, 0.1], [1.5, 0]] },
    'must be an integer above the one before, was 1.5',
  ],
  ['target_schedule[0][1]', { target_schedule: [[0, -0.01]] }, 'must be a number >= 0 and <= 10, was -0.01'],
  ['target_schedule[0][1]', { target_schedule: [[0, 10.01]] }, 'must be a number >= 0 and <= 10, was 10.01'],
  ['scale_out', { scale_out: [] }, 'must be 1 to 5 pairs [at, part], or null, was []'],
  ['scale_out[0]', { scale_out: [[1, null]] }, 'must be a pair of numbers [at, part], was [1,null]'],
  ['scale_out[0][0]', { scale_out: [[0, 0.5]] }, 'must be a number > 0, was 0'],
  ['scale_out[1][0]', { scale_out: [[1, 0.5], [1, 0.5]] }, 'must be a number > 1, was 1'],
  ['scale_out[0][1]', { scale_out: [[1, 0]] }, 'must be a number > 0, was 0'],
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
  ['maintenance_margin', { leverage: 125, maintenance_margin: 0.008 }, 'must be below 1 / leverage = 0.008, was 0.008'],
  ['maintenance_margin', { leverage: 4, maintenance_margin: 0.3 }, 'must be below 1 / leverage = 0.25, was 0.3'],
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
    'opposite_entry',
    { entry_order: 'stop', entry_offset_atr: 1, opposite_entry: 'reverse' },
    'must be deny or hedge with entry_order stop, was "reverse"',
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

test('what does not contradict is taken: hedged orders, a schedule beside another target, a maintenance just below', () => {
  accepts({ ...order, opposite_entry: 'hedge' });
  accepts({ opposite_entry: 'reverse', entry_offset_pct: 0.1 });
  accepts({ target_schedule: [[0, 0.1]], target_calculation: 'none' });
  accepts({ leverage: 125, maintenance_margin: 0.00799 });
  accepts({ position_sizing: 'equity_share', volatility_mode: 'off' });
});
