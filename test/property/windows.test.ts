import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../engine/errors.js';
import {
  type BarSeries,
  closeOfLast,
  firstBarFrom,
  HOUR_MS,
  isoTime,
  MINUTE_MS,
  sliceBars,
} from '../../engine/series/index.js';
import { signals } from '../../engine/signals/index.js';
import { runBacktest } from '../../research/backtest/index.js';
import type { RunBars } from '../../research/window-bars.js';
import { pick, type Random } from '../support/mixed-worlds.js';
import { randomParams } from '../support/params.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** Runs over windows of a store, against a store that holds what they read and nothing else. */

const BASE_MS = 15 * MINUTE_MS;

/** A store of 15-minute bars, from which every run at 1h is aggregated. */
function storeOf(held: Readonly<Record<string, BarSeries>>): RunBars {
  const find = (asset: string): BarSeries => {
    const bars = held[asset];
    if (bars === undefined) throw new EngineError('NOT_FOUND', asset);
    return bars;
  };
  return {
    resolveSource: async (asset, intervalMs) => {
      const bars = find(asset);
      const about = { asset, interval: '15m', intervalMs: BASE_MS, contentHash: '', isSample: false };
      const entry = { ...about, firstMs: bars.time[0] ?? NaN, lastMs: closeOfLast(bars) - BASE_MS };
      return { entry, aggregateToMs: intervalMs === BASE_MS ? null : intervalMs };
    },
    load: async ({ asset, fromMs = -Infinity, toMs = Infinity }) => {
      const bars = find(asset);
      return { bars: sliceBars(bars, firstBarFrom(bars, fromMs), firstBarFrom(bars, toMs - BASE_MS + 1)) };
    },
  };
}

const overPrices = signals.filter(({ observes, name }) => observes === undefined && name !== 'formula');

function ruleOf(random: Random, role: 'TRIGGER' | 'FILTER') {
  const signal = pick(random, overPrices);
  return {
    ...{ name: signal.name, signal_type: role, params: randomParams(signal, random) },
    ...{ timeframe: pick(random, [null, null, '4h', '1d']), negate: random() < 0.3 },
    ...(random() < 0.3 && { asset: 'OTHER' }),
  };
}

function requestOf(random: Random) {
  const side = () => [ruleOf(random, 'TRIGGER'), ...(random() < 0.5 ? [ruleOf(random, 'FILTER')] : [])];
  const strategy = { entry: side(), exit: side(), short_entry: side(), short_exit: side() };
  const config = {
    ...{ fee_pct: 0.001, slippage_pct: 0, min_balance_threshold: 0, position_sizing: 'equity_share' },
    ...{ stop_loss_calculation: pick(random, ['fixed', 'dynamic_atr']), atr_period: 3, fixed_stop_pct: 0.01 },
    ...pick<object>(random, [{}, { trailing_distance: 1 }, { entry_order: 'limit', entry_offset_pct: 0.002 }]),
    ...(random() < 0.5 && { detail_interval: '15m' }),
  };
  return { strategy, asset: 'OWN', interval: '1h', config };
}

test('the run over a window is the run over bars that hold its history and it, and reads no bar after it', async () => {
  let trades = 0;
  for (let seed = 1; seed <= runs(10, 2_000); seed++) {
    const random = seededRandom(seed);
    const series = (offset: number) =>
      randomBars({ seed: 2 * seed + offset, barCount: 8_000, intervalMs: BASE_MS, gapChance: 0.01, volatility: 0.004 });
    const held = { OWN: series(0), OTHER: series(1) };
    const request = requestOf(random);
    const from = held.OWN.time[5_000 + Math.floor(500 * random())] ?? NaN;
    const endMs = from + (50 + Math.floor(400 * random())) * HOUR_MS;
    const window = { start: isoTime(from), end: isoTime(endMs) };
    const whole = await runBacktest({ ...request, window }, { store: storeOf(held), engineVersion: '' });
    const { bars, first } = whole;
    // What comes later is cut off in one store, and nonsense in the other.
    const known = (of: BarSeries, fromMs = 0) => sliceBars(of, firstBarFrom(of, fromMs), firstBarFrom(of, endMs));
    const nonsense = (of: BarSeries): BarSeries => {
      const scaled = (column: Float64Array) =>
        column.map((value, i) => ((of.time[i] ?? 0) < endMs ? value : 1000 * value));
      return { ...of, open: scaled(of.open), high: scaled(of.high), low: scaled(of.low), close: scaled(of.close) };
    };
    const stores = [
      { OWN: known(held.OWN, bars.time[0]), OTHER: known(held.OTHER) },
      { OWN: nonsense(held.OWN), OTHER: nonsense(held.OTHER) },
    ];
    for (const store of stores) {
      const other = await runBacktest({ ...request, window }, { store: storeOf(store), engineVersion: '' });
      assert.equal(other.first, first, `seed ${seed}`);
      assert.deepStrictEqual(other.simulation, whole.simulation, `seed ${seed}`);
    }
    const last = bars.barCount - 1;
    for (const { entryBar, exitBar } of whole.simulation.trades) {
      assert.ok(first < entryBar && entryBar <= exitBar && exitBar <= last, `seed ${seed}`);
    }
    trades += whole.simulation.trades.length;
  }
  assert.ok(trades > 100, `${trades} trades`);
});
