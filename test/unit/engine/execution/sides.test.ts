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
  tradeEvents,
} from '../../../../engine/execution/index.js';
import { type BarSeries, HOUR_MS, MINUTE_MS, maskWithBars } from '../../../../engine/series/index.js';
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

/** Kind, bar and price of what happened to the trade of an entry at the first close. */
function storyOf(rows: readonly PriceRow[], settings: Record<string, unknown>) {
  const config = configOf({ ...plainSettings, ...settings }, HOUR_MS, { takesPositionFields: true });
  const none = maskWithBars(rows.length, []);
  const [story = []] = tradeEvents({
    bars: barsOf(rows),
    first: 0,
    entry: maskWithBars(rows.length, [0]),
    exit: none,
    config,
  });
  return story.map(({ kind, bar, price }) => [kind, bar, price]);
}

test('the story of a trade without a target tells its stops alone, and one without a stop its targets', () => {
  const rows: PriceRow[] = [flat, flat, [100, 111, 99, 110], [110, 121, 109, 120], [120, 121, 100, 101]];
  assert.deepEqual(storyOf(rows, { target_calculation: 'none', trailing_distance: 1 }), [
    ['entry', 1, 100],
    ['stop', 1, 90],
    ['stop', 1, 91],
    ['stop', 2, 101],
    ['stop', 3, 111],
    ['exit', 4, 111],
  ]);
  const target_schedule = [
    [0, 0.5],
    [2, 0.125],
  ];
  const scheduled = { stop_order: false, target_calculation: 'schedule', target_schedule };
  assert.deepEqual(storyOf(rows, scheduled), [
    ['entry', 1, 100],
    ['target', 1, 150],
    ['target', 2, 112.5],
    ['exit', 3, 112.5],
  ]);
});

test('where there are no finer bars at all, bars are judged whole and their exits are counted', () => {
  const rows: PriceRow[] = [flat, flat, [100, 125, 85, 100], flat, [100, 101, 94, 99], [99, 125, 85, 99]];
  const market = sides(rows, [0], { detail_interval: '15m' });
  assert.deepEqual(
    market.trades.map(({ exitReason, exitBar, exitPrice }) => [exitReason, exitBar, exitPrice]),
    [['SL', 2, 90]],
  );
  assert.deepEqual(market.sided?.detail, { resolved: 0, changed: 0, unresolved: 1 });

  const order = { entry_order: 'limit', entry_offset_pct: 0.05, entry_valid_bars: 3, detail_interval: '15m' };
  const filled = sides(rows, [3], order);
  assert.deepEqual(
    filled.trades.map(({ entryBar, entryPrice, exitReason, exitBar }) => [entryBar, entryPrice, exitReason, exitBar]),
    [[4, 95, 'SL', 5]],
  );
  assert.deepEqual(filled.sided?.detail, { resolved: 0, changed: 0, unresolved: 1 });
});
