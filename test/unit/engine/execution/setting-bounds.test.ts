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

/** `bound` as the error words it, and the settings without which a value would contradict another. */
type Bounds = readonly [accepted: readonly unknown[], bound: string, refused: readonly unknown[], beside?: Settings];

const share: Bounds = [[null, 1e-9, 1], 'a number > 0 and <= 1 or null', [0, 1.000001, -0.1, '0.1', true]];

const legacy: Bounds = [[0, 2.5], 'a number', [null, '3']];
const limit: Bounds = [[null, 0, -5, 3], 'an integer or null', [2.5, '3']];
const cost: Bounds = [[0, 0.5], 'a number >= 0 and <= 0.5', [-0.001, 0.51]];
const weight: Bounds = [[0, 2], 'a number >= 0', [-0.1]];

const bounds: Readonly<Record<string, Bounds>> = {
  initial_balance: [[0.01, 1e9], 'a number > 0', [0, -1]],
  min_balance_threshold: [[0, 1, 100], 'a number >= 0', [-0.1]],
  min_trade_amount: [[0, 25], 'a number >= 0', [-1]],
  max_risk_per_trade: [[1e-6, 1], 'a number > 0 and <= 1', [0, 1.01]],
  max_units_per_trade: [[1e-6], 'a number > 0', [0]],
  max_trade_amount: [[1e-6], 'a number > 0', [0]],
  position_size_calc: [['v1', 'v2'], 'v1 or v2', ['v3', null]],
  max_open_positions: [[0, 10], 'an integer >= 0', [-1, 1.5]],
  max_trades_per_day: [[0, 50], 'an integer >= 0', [-1]],
  stop_loss_calculation: [['fixed', 'dynamic_atr'], 'dynamic_atr or fixed', ['atr']],
  fixed_stop_pct: [[0.01, 0.99], 'a number > 0 and < 1', [0, 1]],
  atr_period: [[1, 14.0], 'an integer >= 1', [0, 14.5]],
  atr_volatility_factor: [[0.1], 'a number > 0', [0]],
  atr_short_weight: weight,
  atr_long_weight: weight,
  atr_cap_multiplier: [[null, 0, -1, 2], 'a number or null', ['2']],
  reward_factor: [[0.1], 'a number > 0', [0]],
  slippage_pct: cost,
  fee_pct: cost,
  enable_volatility_adjustment: [[true, false], 'true or false', [1, null]],
  volatility_mode: [['stddev', 'atr', 'off'], 'stddev or atr or off', ['range']],
  volatility_window: [[2, 24], 'an integer >= 2', [1]],
  target_volatility: [[0.1, 0, -1], 'a number', ['1']],
  max_hold_bars: limit,
  exit_on_loss_after_bars: limit,
  exit_on_profit_after_bars: limit,
  profit_threshold_pct: [[-1, 0, 1], 'a number', [null]],
  max_hold_time_hours: [[null, 0.5, 24], 'a number or null', ['1']],
  cooldown_config: [[null, {}], 'an object', [[], '1h']],
  cooldown_bars: [[-1, 0, 24], 'an integer', [1.5]],
  daily_momentum_limit: legacy,
  weekly_momentum_limit: legacy,
  opposite_entry: [['deny', 'close', 'reverse', 'hedge'], 'deny or close or reverse or hedge', ['flip', '', null, 1]],
  leverage: [
    [1, 1.5, 125],
    'a number >= 1 and <= 125',
    [0.999999, 125.000001, 0, -2, null, '3'],
    { maintenance_margin: 0 },
  ],
  maintenance_margin: [[0, 0.5], 'a number >= 0 and <= 0.5', [-0.000001, 0.500001, null]],
  borrow_rate: [[0, 10], 'a number >= 0 and <= 10', [-0.000001, 10.000001, null]],
  max_gross_exposure: [[null, 1e-9, 125], 'a number > 0 and <= 125 or null', [0, 125.000001, -1, false]],
  stop_order: [[true, false], 'true or false', ['true', 0, null]],
  trailing_distance: [[null, 1e-9, 100], 'a number > 0 and <= 100 or null', [0, 100.000001, -1]],
  trailing_start: [[0, 100], 'a number >= 0 and <= 100', [-0.000001, 100.000001, null]],
  break_even_at: [[null, 0, 100], 'a number >= 0 and <= 100 or null', [-0.000001, 100.000001]],
  break_even_offset_pct: [[-0.5, 0.5], 'a number >= -0.5 and <= 0.5', [-0.500001, 0.500001, null]],
  target_calculation: [
    ['reward', 'fixed', 'schedule', 'none'],
    'reward or fixed or schedule or none',
    ['roi', null],
    { target_schedule: [[0, 0.1]] },
  ],
  fixed_target_pct: [[1e-9, 10], 'a number > 0 and <= 10', [0, 10.000001, null]],
  target_order: [['market', 'limit'], 'market or limit', ['stop', null]],
  maker_fee_pct: [[null, -0.1, 0.5], 'a number >= -0.1 and <= 0.5 or null', [-0.100001, 0.500001]],
  entry_order: [['market', 'limit', 'stop'], 'market or limit or stop', ['touch', null], { entry_offset_pct: 0.01 }],
  entry_offset_pct: [[0, 0.999999], 'a number >= 0 and < 1 or null', [-0.000001, 1], { entry_order: 'limit' }],
  entry_offset_atr: [[0, 100], 'a number >= 0 and <= 100 or null', [-0.000001, 100.000001], { entry_order: 'stop' }],
  entry_valid_bars: [[1, 1000], 'an integer >= 1 and <= 1000', [0, 1001, 1.5, null]],
  position_sizing: [
    ['risk', 'fixed_amount', 'equity_share', 'volatility_target'],
    'risk or fixed_amount or equity_share or volatility_target',
    ['kelly', null],
  ],
  trade_amount: [[1e-9, 1e12], 'a number > 0', [0, -1, null]],
  trade_share: [[1e-9, 125], 'a number > 0 and <= 125', [0, 125.000001, null]],
  impact_coefficient: [[0, 100], 'a number >= 0', [-0.000001, null]],
  guard_max_drawdown: share,
  guard_daily_loss: share,
  guard_group_stop: share,
  guard_pause_bars: [[0, 100_000], 'an integer >= 0', [-1, 0.5, null]],
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

for (const [name, [accepted, bound, refused, beside]] of Object.entries(bounds)) {
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
