import assert from 'node:assert/strict';
import test from 'node:test';
import {
  decideQuietExits,
  fullConfig,
  isUntouched,
  openAccount,
  simulate,
  simulateByStep,
  step,
  stepBar,
} from '../../../../engine/execution/index.js';
import { type BarSeries, MINUTE_MS, maskWithBars } from '../../../../engine/series/index.js';
import { barsOf, configOf, type PriceRow, plainSettings } from '../../../support/execution.js';

const flat: PriceRow = [100, 101, 99, 100];

const sides = (
  rows: readonly PriceRow[],
  entries: readonly number[],
  settings: Record<string, unknown>,
  detail?: BarSeries,
) => {
  const bars = barsOf(rows);
  const none = maskWithBars(bars.barCount, []);
  const config = configOf({ ...plainSettings, ...settings }, bars.intervalMs, { takesPositionFields: true });
  const entry = maskWithBars(bars.barCount, entries);
  const input = { bars, first: 0, entry, exit: none, config, ...(detail && { detail }) };
  const result = simulateByStep(input);
  assert.deepEqual(simulate(input).trades, result.trades, 'bar by bar and from event to event');
  return result;
};

/** Quarters of an hour, flat but for those of one hour, from `startMs` on. */
function quarters(hour: number, rows: readonly PriceRow[], hours: number, startMs = Date.UTC(2024, 0, 1)): BarSeries {
  const all = Array.from({ length: 4 * hours }, (_, k) => (Math.floor(k / 4) === hour ? rows[k % 4] : flat) ?? flat);
  return barsOf(all, 15 * MINUTE_MS, startMs);
}

test('finer bars off the grid of the bars, which would show the next bar, decide nothing', () => {
  const rows: PriceRow[] = [flat, flat, [100, 125, 85, 100], flat];
  const path: PriceRow[] = [flat, [100, 125, 100, 120], [120, 120, 85, 90], [90, 101, 90, 100]];
  const sold = (startMs?: number) => {
    const { trades, sided } = sides(rows, [0], { detail_interval: '15m' }, quarters(2, path, 4, startMs));
    return [trades[0]?.exitReason, sided?.detail];
  };
  assert.deepEqual(sold(), ['TP', { resolved: 1, changed: 1, unresolved: 0 }]);
  const late = Date.UTC(2024, 0, 1, 0, 5);
  assert.deepEqual(sold(late), ['SL', { resolved: 0, changed: 0, unresolved: 1 }]);
});

test('a bar is quiet for positions of both sides until it touches a stop, a liquidation or a target', () => {
  const rows: PriceRow[] = [flat, flat, [100, 108, 92, 100], [100, 125, 99, 100], [100, 101, 75, 100]];
  const bars = barsOf(rows);
  const none = maskWithBars(5, []);
  for (const [side, settings] of [
    ['long', { stop_order: false, leverage: 5 }],
    ['short', { stop_order: false, leverage: 5 }],
    ['long', {}],
    ['short', {}],
  ] as const) {
    const config = configOf({ ...plainSettings, ...settings }, bars.intervalMs, { takesPositionFields: true });
    const first = maskWithBars(5, [0]);
    const masks = side === 'long' ? { entry: first, shortEntry: none } : { entry: none, shortEntry: first };
    const input = { bars, first: 0, ...masks, exit: none, shortExit: none, config };
    const [account, full] = [openAccount(config), fullConfig(config)];
    for (const i of [0, 1]) step(account, stepBar(input, i, full), full);
    const isQuiet = [2, 3, 4].map((bar) => isUntouched(account, bars, bar, full));
    assert.deepEqual(isQuiet, [true, false, false], `${side}, ${JSON.stringify(settings)}`);
    const left = maskWithBars(5, [2]);
    decideQuietExits(account, side === 'long' ? { exit: none, shortExit: left } : { exit: left }, 2, 100, full);
    assert.equal(account.positions[0]?.scheduledReason, null, 'the rule of the other side');
    decideQuietExits(account, { exit: left, shortExit: left }, 2, 100, full);
    assert.equal(account.positions[0]?.scheduledReason, 'SIGNAL');
  }
});
