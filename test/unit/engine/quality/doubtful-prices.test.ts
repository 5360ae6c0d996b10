import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from '../../../../engine/execution/index.js';
import { priceDoubts } from '../../../../engine/quality/doubtful-prices.js';
import { type BarSeries, formatInterval } from '../../../../engine/series/index.js';
import { bouncing } from '../../../support/bounce.js';
import { inputOf, plainSettings } from '../../../support/execution.js';

/** Trades every ten bars, each held for five, and what is doubted of their prices. */
function doubts(bars: BarSeries, slippage_pct = 0) {
  const every = Array.from({ length: Math.floor(bars.barCount / 10) - 1 }, (_, k) => 10 * k);
  const exits = every.map((bar) => bar + 5);
  const wide = {
    stop_loss_calculation: 'fixed',
    fixed_stop_pct: 0.9,
    reward_factor: 1_000,
    max_risk_per_trade: 0.01,
    max_trades_per_day: 1_000,
  };
  const limits = { short_loss_limit: 0, long_loss_limit: 0, short_window_bars: 0, long_window_bars: 0 };
  const cooldown_config = { [formatInterval(bars.intervalMs)]: limits };
  const input = inputOf(bars, every, exits, { ...plainSettings, ...wide, cooldown_config, slippage_pct });
  const { trades } = simulate(input);
  assert.ok(trades.length > 20);
  return priceDoubts(bars, trades, input.config);
}

const kinds = (bars: BarSeries, slippage = 0) => doubts(bars, slippage).map(({ kind }) => kind);
const walk = (seed: number) => bouncing({ seed, barCount: 6_000, half: 0 });

/** The bars with every price passed through a function of its bar. */
function altered(bars: BarSeries, change: (price: number, bar: number) => number): BarSeries {
  const of = (column: Float64Array) => column.map((price, bar) => change(price, bar));
  return { ...bars, open: of(bars.open), high: of(bars.high), low: of(bars.low), close: of(bars.close) };
}

test('a bounce is found with half of its spread, above the slippage only', () => {
  for (const half of [0.0005, 0.001, 0.002]) {
    const bars = bouncing({ seed: 5, barCount: 6_000, half });
    const [one, ...more] = doubts(bars, 0.0001);
    assert.deepEqual(more, []);
    assert.equal(one?.kind, 'bounce');
    assert.ok(Math.abs((one?.slippage ?? 0) / half - 1) < 0.1, `${half}: ${one?.slippage}`);
    assert.deepEqual(kinds(bars, 1.1 * half), []);
  }
});

test('prices in steps that are large for the moves of a bar are doubted, small ones are not', () => {
  const inSteps = (step: number) => altered(walk(1), (price) => Math.round(price / step) * step);
  assert.deepEqual(kinds(inSteps(0.01)), []);
  const coarse = doubts(inSteps(0.5)).find(({ kind }) => kind === 'rounded-prices');
  assert.match(coarse?.fact ?? '', /^all prices are multiples of 0\.5: half of such a step is 0\.2\d\d %$/);
  assert.ok(kinds(inSteps(1)).includes('rounded-prices'));
  assert.ok(!kinds(inSteps(1), 0.02).includes('rounded-prices'));
});

test('fills at repeated prices are doubted by what the price then moves', () => {
  const bars = walk(2);
  // Three of four bars repeat the close of the first.
  const held = (bar: number) => bars.close[bar - (bar % 4)] ?? Number.NaN;
  const fresh = (column: Float64Array) => column.map((price, bar) => (bar % 4 === 0 ? price : held(bar)));
  const stale = {
    ...bars,
    ...{ open: fresh(bars.open), high: fresh(bars.high), low: fresh(bars.low) },
    close: fresh(bars.close),
  };
  const [one, ...more] = doubts(stale);
  assert.deepEqual(more, []);
  assert.equal(one?.kind, 'stale-prices');
  // Half or more of the fills lie in repeated bars, and four moves of 0.1 % come at once: 0.16 %.
  assert.ok((one?.slippage ?? 0) > 0.0005 && (one?.slippage ?? 1) < 0.002, `${one?.slippage}`);
  assert.match(one?.fact ?? '', /fills lie in bars that repeat the price before them/);
  assert.deepEqual(kinds(stale, 0.003), []);
});
