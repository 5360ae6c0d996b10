import assert from 'node:assert/strict';
import test from 'node:test';
import { simulate } from '../../../engine/execution/index.js';
import { simulateRequests } from '../../../research/index.js';
import { readRequests } from '../../../research/simulate-requests.js';
import { readGolden, readSidesCases } from '../../support/execution.js';
import { assertSame, assertTrades } from '../../support/golden-runs.js';

/**
 * Both sides, margin, orders, moving levels, guards and finer bars, in requests as `barline
 * simulate` takes them. The expected answers were computed by an independent implementation.
 */

type Values = Readonly<Record<string, unknown>>;

interface WorkedExample {
  readonly id: string;
  readonly title: string;
  readonly config: Values;
  readonly bars: readonly (readonly number[])[];
  readonly masks: Values;
  readonly funding?: readonly number[];
  readonly trades: readonly Values[];
  readonly denied_entries: readonly (readonly [number, string])[];
  readonly equity?: readonly number[];
  readonly cash?: readonly number[];
}

function run(request: object) {
  const answer = [...simulateRequests([request]).values()][0];
  assert.ok(answer !== undefined && !('portfolio' in answer));
  return answer;
}

const { trade_keys, cases } = readSidesCases();
for (const { title, expected, ...request } of cases) {
  test(`the reference agrees on ${title ?? `the random world ${request.id}`}`, () => {
    const answer = run(request);
    assertTrades(answer.trades, expected.trades, trade_keys);
    assert.deepEqual(answer.denied_entries, expected.denied_entries);
    assertSame(answer.equity, expected.equity, 'equity');
    assertSame(answer.metrics, expected.metrics, 'metrics');
    if (expected.order_expired !== undefined) assert.equal(answer.order_expired, expected.order_expired);
    if (expected.detail !== undefined) assert.deepEqual(answer.detail, expected.detail);
  });
}

const exampleConfig = {
  atr_period: 3,
  atr_volatility_factor: 2,
  reward_factor: 2,
  atr_short_weight: 1,
  atr_long_weight: 0,
  atr_cap_multiplier: null,
  max_risk_per_trade: 0.01,
  min_balance_threshold: 0.1,
  slippage_pct: 0,
  fee_pct: 0,
};

const examples = (readGolden('w13-w26-sides') as { cases: readonly WorkedExample[] }).cases;
for (const { id, title, config, bars, masks, funding, trades, denied_entries, equity, cash } of examples) {
  test(`the worked example ${id} comes out as printed: ${title}`, () => {
    const start = Date.UTC(2024, 0, 1) / 1000;
    const example = {
      id,
      interval: '1h',
      bars: bars.map((row, i) => [start + i * 3600, ...row, 1]),
      masks,
      ...(funding !== undefined && { columns: { FundingSettled: funding } }),
      config: { ...exampleConfig, ...config },
    };
    const answer = run(example);
    assertSame(answer.trades, trades, 'trades');
    assert.deepEqual(answer.denied_entries, denied_entries);
    if (equity !== undefined) assertSame(answer.equity, equity, 'equity');
    if (cash !== undefined) assertSame(cashOf(example), cash, 'cash');
  });
}

/** Cash at the close of each bar, which the answers do not show. */
function cashOf(example: object): number[] {
  const read = readRequests([example]).get((example as WorkedExample).id);
  assert.ok(read?.shortEntry && read.shortExit);
  const { bars, first, entry, exit, shortEntry, shortExit, config } = read;
  const { sided } = simulate({ bars, first, entry, exit, shortEntry, shortExit, config });
  return Array.from(sided?.cash ?? []);
}

const hours = (rows: readonly (readonly number[])[]) =>
  rows.map((row, i) => [Date.UTC(2024, 0, 1) / 1000 + i * 3600, ...row, 1]);
const flat = Array.from({ length: 8 }, () => [100, 101, 99, 100]);
const fixed = { stop_loss_calculation: 'fixed', fixed_stop_pct: 0.1, slippage_pct: 0, fee_pct: 0 };
const request = (changes: object) => ({ id: 'r', interval: '1h', bars: hours(flat), ...changes });

test('shorts that pay nothing for what they borrow, stops behind a liquidation and expired orders are named', () => {
  const masks = { short_entry: [1] };
  const free = run(request({ masks, config: fixed }));
  assert.deepEqual(free.warnings, [
    'short-without-borrow-cost: shorts paid neither funding nor borrowing; set borrow_rate',
  ]);
  assert.deepEqual(run(request({ masks, config: { ...fixed, borrow_rate: 0.1 } })).warnings, []);
  const settled = run(request({ masks, columns: { FundingSettled: flat.map(() => 0) }, config: fixed }));
  assert.deepEqual(settled.warnings, []);

  const geared = run(request({ masks: { entry: [1] }, config: { ...fixed, leverage: 20 } }));
  assert.deepEqual(geared.warnings, [
    'stop-behind-liquidation: the first stop of 1 trades lay at or beyond their liquidation price',
  ]);
  const order = { entry_order: 'limit', entry_offset_pct: 0.5 };
  const expired = run(request({ masks: { entry: [0, 3] }, config: { ...fixed, ...order } }));
  assert.deepEqual(expired.warnings, ['orders-expired: 100.0 % of the 2 placed entry orders expired without a fill']);
});

test('a request says what is wrong with its funding, its finer bars or its masks', () => {
  const masks = { entry: [1] };
  const refused: [object, RegExp][] = [
    [{ masks, bars: [['no bar']], config: { leverage: 0 } }, /: leverage must be a number >= 1 and <= 125, was 0$/],
    [{ masks: {} }, /masks\.entry is required/],
    [{ masks: { short_entry: [8] } }, /masks\.short_entry must hold bar numbers 0\.\.7, holds 8/],
    [{ masks, columns: { FundingSettled: [0] } }, /columns\.FundingSettled must be an array of 8 rates, one a bar/],
    [{ masks, columns: { FundingSettled: flat.map(() => null) } }, /columns\.FundingSettled\[0\] must be a number/],
    [{ masks, columns: { Funding: [] } }, /columns: "Funding" is not a key here/],
    [{ masks, config: { detail_interval: '15m' } }, /detail is required with detail_interval 15m/],
    [
      { masks, detail: { interval: '15m', bars: [] } },
      /detail\.interval must be detail_interval, which is null, was "15m"/,
    ],
    [
      { masks, config: { detail_interval: '15m' }, detail: { interval: '15m', bars: [[1, 2]] } },
      /detail\.bars\[0\] must be \[epoch seconds, /,
    ],
  ];
  for (const [changes, message] of refused) assert.throws(() => run(request(changes)), message);
});
