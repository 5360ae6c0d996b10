import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { openStoredMarketData } from '../../../../data/providers/index.js';
import type { Sourced } from '../../../../data/upstreams/index.js';
import { openHeldTrades, type TradesPort } from '../../../../data/upstreams/trades/index.js';
import { allocateBars } from '../../../../engine/series/index.js';
import { MarketReads } from '../../../../service/market-data/capability.js';
import { PeriodBars } from '../../../../service/market-data/period-bars.js';
import { csvOf, fileOf, tempFolder } from '../../../support/data-fixtures.js';
import { root } from '../../../support/tree.js';

const recorded = openHeldTrades(join(root, 'sample/recordings'));
const noBars = new PeriodBars({ markets: [], minuteBars: async () => null });
const spot = { base: 'BTC', quote: 'USDT' };

/** Reads whose trades are one trade of a size, told by a provider. */
function withTrade(size: number, told: Partial<Sourced<null>> = {}) {
  const row = { timeMs: 0, price: 1, size, takerSide: 'buy' as const };
  const sourced = { source: 'kraken', asOfMs: null, ageMs: 1_999, maxAgeMs: 60_000, isStale: false, ...told };
  const latestTrade = async () => ({ ...sourced, value: { instrument: 'BTC/USDT', rows: [row], held: null } });
  const trades: TradesPort = { ...recorded, latestTrade };
  return new MarketReads({ trades, bars: noBars, recorded: [] });
}

test('decimals have no exponent and no dust', async () => {
  const written = {
    '0': 0,
    '0.00009': 9e-5,
    '0.00000001': 1e-8,
    '0.000000123456': 1.23456e-7,
    '0.3': 0.1 + 0.2,
    '61837.63': 61_837.63,
    '1234567.12345678': 1_234_567.12345678,
    '1000000000000000000000': 1e21,
    '1230000000000000000000000': 1.23e24,
  };
  for (const [text, size] of Object.entries(written)) {
    assert.equal((await withTrade(size).latestTrade(spot)).size, text);
  }
});

/** Hourly bars of an asset ABC, imported; `opens` are hours since 2024-01-01. */
async function importedReads(t: test.TestContext, opens: readonly number[]) {
  const home = tempFolder(t);
  const store = openBars({ home });
  const bars = allocateBars(opens.length, 3_600_000);
  opens.forEach((hour, i) => {
    bars.time[i] = Date.UTC(2024, 0, 1, hour);
    bars.open[i] = bars.low[i] = 10 + hour;
    bars.close[i] = bars.high[i] = 11 + hour;
    bars.volume[i] = 1.1;
  });
  const file = await fileOf(home, 'abc.csv', csvOf(bars));
  await store.import(file, { asset: 'ABC', intervalMs: 3_600_000 });
  const found = new PeriodBars({ markets: [openStoredMarketData(store)], minuteBars: async () => null });
  return new MarketReads({ trades: recorded, bars: found, recorded: [] });
}

const abc = { base: 'ABC', quote: 'USDT' };
const startsOf = (gaps: readonly { start: string; bars: number }[]) => gaps.map(({ start, bars }) => [start, bars]);

test('the newest bar skips periods that are a hole, and one that is not complete', async (t) => {
  const reads = await importedReads(t, [0, 1, 2, 3, 12, 13]);
  const bar = await reads.latestBar({ ...abc, period: 'FOUR_HOURS' });
  assert.deepEqual(
    [bar.start, bar.price_open, bar.price_close, bar.volume],
    ['2024-01-01T00:00:00Z', '10', '14', '4.4'],
  );
  assert.deepEqual(bar.gaps, []);
  await assert.rejects(reads.latestBar({ ...abc, period: 'ONE_DAY' }), /ONE_DAY bars of ABC\/USDT not found/);
  assert.equal((await reads.latestBar({ ...abc, period: 'FIVE_MINUTES' })).source, 'generated');
});

test('a bar with missing parts names them, at its edges too', async (t) => {
  const reads = await importedReads(t, [0, 5, 6, 12]);
  const bar = await reads.periodBar({ ...abc, period: 'FOUR_HOURS', end_time: '2024-01-01T08:00:00Z' });
  assert.deepEqual([bar.price_open, bar.price_close, bar.price_high, bar.price_low], ['15', '17', '17', '15']);
  assert.deepEqual(startsOf(bar.gaps), [
    ['2024-01-01T04:00:00Z', 1],
    ['2024-01-01T07:00:00Z', 1],
  ]);
  const none = reads.periodBar({ ...abc, period: 'FOUR_HOURS', end_time: '2024-01-01T12:00:00Z' });
  await assert.rejects(none, /FOUR_HOURS bar of ABC\/USDT ending 2024-01-01T12:00:00Z not found/);
});

test('bars that begin within a period make no bar of it', async (t) => {
  const reads = await importedReads(t, [1, 2, 3, 4, 5, 6, 7]);
  const partial = reads.periodBar({ ...abc, period: 'FOUR_HOURS', end_time: '2024-01-01T04:00:00Z' });
  await assert.rejects(partial, /not found/);
  const whole = await reads.periodBar({ ...abc, period: 'FOUR_HOURS', end_time: '2024-01-01T08:00:00Z' });
  assert.equal(whole.start, '2024-01-01T04:00:00Z');
});
