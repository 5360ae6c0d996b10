import assert from 'node:assert/strict';
import test from 'node:test';
import { runSynchronousBacktest } from '../../../../service/backtests/index.js';
import { backtestDeps, strategySource } from '../../../support/backtest-deps.js';
import { callerOf, dipStrategy, riskFields, runBody } from '../../../support/backtests.js';

const caller = callerOf('ann');
const strategyId = '3b0f1c1e-58a4-4a5c-9d0a-000000000001';
const strategies = strategySource({
  [strategyId]: {
    userId: caller.userId,
    name: 'Saved',
    asset: 'BTC-USD',
    rules: { entry: dipStrategy.entry, exit: [], reward_factor: 3 },
    executionConfig: { ...riskFields, cooldown_bars: 5, timeframe: '1d' },
  },
});

const run = async (changes: object, body: object = runBody, filling: 'required' | 'filled' = 'required') =>
  runSynchronousBacktest(caller, { ...body, ...changes }, await backtestDeps({ strategies }), { filling });

const without = (names: readonly string[], body: object = runBody) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

const windowOf = async (dates: object, body = without(['start_date', 'end_date'])) => {
  const { start_date, end_date } = await run(dates, body);
  return [start_date, end_date];
};

const lastHeld = '2025-09-19T00:00:00Z';

test('every way to give a window trades the bars inside it', async () => {
  const cases: [dates: object, start: string, end: string][] = [
    [{ start_date: '2023-01-01', end_date: '2023-12-31' }, '2023-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
    [{ start_date: '2025-01-01' }, '2025-01-01T00:00:00Z', lastHeld],
    [{ end_date: '2024-03-30', lookback_months: 1 }, '2024-02-29T00:00:00Z', '2024-03-31T00:00:00Z'],
    [{ lookback_months: 3 }, '2025-06-19T00:00:00Z', lastHeld],
    [{ start_date: '2024-01-01', lookback_months: 1 }, '2024-01-01T00:00:00Z', lastHeld],
    [
      { start_date: '2024-01-01', end_date: '2024-02-01', lookback_months: 99 },
      '2024-01-01T00:00:00Z',
      '2024-02-02T00:00:00Z',
    ],
    [
      { start_date: '2024-01-01T15:59:59.123456+00:00', end_date: '2024-01-20T02:00:00.5+02:00' },
      '2024-01-02T00:00:00Z',
      '2024-01-20T00:00:00Z',
    ],
  ];
  for (const [dates, ...window] of cases) assert.deepEqual(await windowOf(dates), window, JSON.stringify(dates));
});

test('bad dates are refused with the field and the value', async () => {
  const cases: [dates: object, code: string, message: RegExp][] = [
    [{}, 'MISSING_FIELD', /^Missing required field: start_date, end_date or lookback_months$/],
    [
      { start_date: '2024-02-01', end_date: '2024-01-01' },
      'VALIDATION_ERROR',
      /start_date must be before end_date, was 2024-02-01 against 2024-01-01/,
    ],
    [{ start_date: '2024-02-30' }, 'INVALID_FIELD', /^start_date must be a date .*was "2024-02-30"$/],
    [{ lookback_months: 0 }, 'VALIDATION_ERROR', /^lookback_months must be a whole number 1\.\.1200, was 0$/],
    [
      { start_date: '2030-01-01', end_date: '2030-02-01' },
      'EMPTY_WINDOW',
      /^no complete 1d bar of BTC lies between 2030-01-01T00:00:00Z and 2030-02-02T00:00:00Z/,
    ],
  ];
  for (const [dates, code, message] of cases) {
    await assert.rejects(run(dates, without(['start_date', 'end_date'])), { code, message });
  }
});

test('every required field that is absent or null is named, all in one refusal', async () => {
  const required = Object.keys(riskFields).filter((name) => !/cooldown|momentum/.test(name));
  assert.equal(required.length, 12);
  for (const name of required) {
    const refusal = { code: 'MISSING_FIELD', message: `Missing required field: ${name}` };
    await assert.rejects(run({}, without([name])), refusal);
    await assert.rejects(run({ [name]: null }), refusal);
  }
  await assert.rejects(run({}, {}), {
    message: `Missing required fields: asset, strategy_json or strategy_id, interval, start_date, end_date or lookback_months, ${required.join(', ')}, cooldown_config`,
  });
});

test('the cooldown is given by its config or by all three of the older fields', async () => {
  const legacy = ['cooldown_bars', 'daily_momentum_limit', 'weekly_momentum_limit'];
  const bare = without(legacy);
  await assert.rejects(run({}, bare), { message: 'Missing required field: cooldown_config' });
  await assert.rejects(run({ cooldown_bars: 1 }, bare), {
    message: 'Missing required fields: daily_momentum_limit, weekly_momentum_limit',
  });
  const entry = { short_loss_limit: 1, long_loss_limit: 1, short_window_bars: 300, long_window_bars: 300 };
  const config = { '1d': entry, '1h': { ...entry, short_loss_limit: 99 } };
  const [above, within] = [
    await run({ cooldown_config: config }, bare),
    await run({ execution_config: { cooldown_config: config } }, bare),
  ];
  assert.deepEqual(above.metrics, within.metrics);
  assert.ok((above.diagnostics.denied.cooldown ?? 0) > 0, 'the entry of the interval applies');
  const fields = await run({ ...Object.fromEntries(legacy.map((name) => [name, 0])) }, bare);
  assert.equal(fields.diagnostics.denied.cooldown, undefined);
});

test('a saved strategy gives the asset and all settings that the request lacks', async () => {
  const bare = { interval: '1d', start_date: '2023-01-01', end_date: '2023-12-31', strategy_id: strategyId };
  const saved = await run({}, bare);
  assert.deepEqual([saved.asset, saved.strategy_names, saved.metrics.starting_balance], ['BTC-USD', ['Saved'], 10_000]);
  assert.equal((await run({ initial_balance: 777 }, bare)).metrics.starting_balance, 777);
  assert.equal((await run({ asset: 'ETH' }, bare)).asset, 'ETH');
});

test('exactly one source of the strategy is accepted', async () => {
  const refused = (changes: object, code: string, message: RegExp, body?: object) =>
    assert.rejects(run(changes, body), { code, message });
  await refused({ strategy_id: strategyId }, 'VALIDATION_ERROR', /either strategy_json or strategy_id, not both/);
  await refused({}, 'MISSING_FIELD', /field: strategy_json or strategy_id$/, without(['strategy_json']));
  await refused({ strategy_json: '{' }, 'VALIDATION_ERROR', /strategy_json must be JSON/);
  for (const id of ['3b0f1c1e-58a4-4a5c-9d0a-000000000002', 'no uuid', '']) {
    const code = id === '' ? 'VALIDATION_ERROR' : 'RESOURCE_NOT_FOUND';
    await refused({ strategy_id: id }, code, /strategy/, without(['strategy_json']));
  }
  const byBob = runSynchronousBacktest(
    callerOf('bob'),
    { ...without(['strategy_json']), strategy_id: strategyId },
    await backtestDeps({ strategies }),
    { filling: 'required' },
  );
  await assert.rejects(byBob, { code: 'RESOURCE_NOT_FOUND' });
});

test('a quick run exits neither by stop or target nor by time', async () => {
  const volatile = { stop_loss_calculation: 'fixed', fixed_stop_pct: 0.01, max_hold_bars: 2 };
  const full = await run({ execution_config: volatile, mode: 'full' });
  const quick = await run({ execution_config: volatile, mode: 'quick' });
  const reasons = (trades: readonly { exit_reason: string }[]) => new Set(trades.map((trade) => trade.exit_reason));
  assert.ok(reasons(full.trade_history).has('SL'));
  assert.ok(quick.trade_count > 0);
  assert.deepEqual(
    [...reasons(quick.trade_history)].filter((reason) => reason !== 'SIGNAL' && reason !== 'END'),
    [],
  );
  await assert.rejects(run({ mode: 'fast' }), { code: 'VALIDATION_ERROR', message: /mode must be full or quick/ });
});

test('a preset gives the settings that a run must have, and needs no other', async () => {
  const settings = { initial_balance: 5_000, max_risk_per_trade: 0.02, volatility_window: 20, target_volatility: 0.02 };
  const rest = { volatility_mode: 'stddev', enable_volatility_adjustment: false };
  const bare = { ...without(Object.keys(riskFields)), ...settings, ...rest };
  const config = { preset: 'signals-only', fee_pct: 0.0005, slippage_pct: 0 };
  const alone = await run({ execution_config: config }, bare);
  assert.ok(alone.trade_history.length > 3);
  const left = new Set(alone.trade_history.map(({ exit_reason }) => exit_reason));
  assert.deepEqual(left, new Set(['SIGNAL', 'END']));
  for (const { position_size, entry_price, stop_loss_price } of alone.trade_history) {
    assert.equal(stop_loss_price, null);
    assert.ok(position_size * entry_price > 0.9 * 5_000);
  }
});
