import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type HeldBars,
  type HeldShare,
  SplitMix64,
  sharedTimingTest,
  timingTest,
} from '../../../../engine/statistics/index.js';
import { normal } from '../../../support/noise.js';
import { runs } from '../../../support/scale.js';

const BARS = 2_000;

/** Prices of a random walk with drift; the open of a bar is the close before it. */
function walk(seed: number, drift: number): { open: Float64Array; close: Float64Array } {
  const random = new SplitMix64(seed);
  const open = new Float64Array(BARS);
  const close = new Float64Array(BARS);
  let price = 100;
  for (let t = 0; t < BARS; t++) {
    open[t] = price;
    price *= Math.exp(drift + 0.01 * normal(random));
    close[t] = price;
  }
  return { open, close };
}

const judge = (trades: readonly HeldBars[], { open, close }: ReturnType<typeof walk>, seed = 1) =>
  timingTest(trades, open, close, { random: new SplitMix64(seed), resampleCount: 300 });

/** Trades at random times, one after the other. */
function randomTrades(seed: number): HeldBars[] {
  const random = new SplitMix64(seed);
  const trades: HeldBars[] = [];
  for (let bar = random.below(20); bar < BARS - 30; bar += 5 + random.below(40)) {
    const barsHeld = 1 + random.below(20);
    trades.push({ entryBar: bar, barsHeld });
    bar += barsHeld;
  }
  return trades;
}

test('the p-values of random entries are spread over all values, with and without drift', () => {
  for (const drift of [0, 0.002]) {
    const sweeps = runs(150, 2_000);
    let below = 0;
    let sum = 0;
    for (let seed = 0; seed < sweeps; seed++) {
      const { pValue } = judge(randomTrades(seed + 1), walk(seed + 10_000, drift), seed)!;
      if (pValue <= 0.05) below++;
      sum += pValue;
    }
    assert.ok(below / sweeps < 0.05 + 3 * Math.sqrt(0.0475 / sweeps) + 0.01, `${below} of ${sweeps}`);
    assert.ok(Math.abs(sum / sweeps - 0.5) < 0.1, `mean ${sum / sweeps}`);
  }
});

test('a short is judged by the fall: mirrored prices and sides give the same answer', () => {
  const { open, close } = walk(9, 0.0005);
  const mirrored = { open: open.map((price) => 1 / price), close: close.map((price) => 1 / price) };
  const trades = randomTrades(4).map((trade, k) => ({
    ...trade,
    side: k % 3 === 0 ? ('short' as const) : ('long' as const),
  }));
  const exchanged = trades.map((trade) => ({
    ...trade,
    side: trade.side === 'short' ? ('long' as const) : ('short' as const),
  }));
  const [one, other] = [judge(trades, { open, close }), judge(exchanged, mirrored)];
  assert.ok(one && other);
  assert.ok(Math.abs(one.zScore - other.zScore) < 1e-9);
  assert.equal(one.pValue, other.pValue);
});

const MARKETS = 4;
const markets = (seed: number, drift: number) =>
  Array.from({ length: MARKETS }, (_, market) => walk(seed * MARKETS + market, drift));
const share = (held: readonly HeldShare[], prices: ReturnType<typeof markets>, seed = 1, resampleCount = 300) =>
  sharedTimingTest(held, prices, { random: new SplitMix64(seed), resampleCount });

/** One of the markets at a time, a day after the other. */
function rotation(pick: (market: number, bar: number) => number, every = 10): HeldShare[] {
  return Array.from({ length: BARS / every }, (_, k) => {
    const values = Array.from({ length: MARKETS }, (__, market) => pick(market, k * every));
    const market = values.indexOf(Math.max(...values));
    return { market, entryBar: k * every, barsHeld: every, share: 1 };
  });
}

test('a rotation without skill passes at the nominal rate, with drift too, and one with foresight always does', () => {
  const sweeps = runs(200, 20);
  for (const drift of [0, 0.002]) {
    let passed = 0;
    for (let seed = 1; seed <= sweeps; seed++) {
      const prices = markets(seed, drift);
      const random = new SplitMix64(seed);
      const timing = share(
        rotation(() => random.uniform()),
        prices,
        seed,
        100,
      );
      if ((timing?.pValue ?? 1) <= 0.05) passed++;
    }
    assert.ok(passed <= 0.05 * sweeps + 3 * Math.sqrt(0.05 * 0.95 * sweeps), `${passed} of ${sweeps}`);
    const prices = markets(7, drift);
    const knowing = rotation((market, bar) => prices[market]!.close[bar + 9]! / prices[market]!.open[bar]!);
    assert.ok(share(knowing, prices)!.pValue < 0.01);
    assert.ok(
      share(
        knowing.map((one) => ({ ...one, share: -1 })),
        prices,
      )!.pValue > 0.99,
      'shorts of the best',
    );
  }
});
