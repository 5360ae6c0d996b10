import assert from 'node:assert/strict';
import test from 'node:test';
import type { BarStore } from '../../../../data/bars/index.js';
import { openStoredMarketData } from '../../../../data/providers/index.js';
import { type BarSeries, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../engine/series/index.js';
import { aggregateBars } from '../../../../engine/timeframes/index.js';
import { bundledStore } from '../../../support/backtests.js';

const closes = (bars: BarSeries) => [...bars.time].map((time, i) => [time, bars.close[i]]);

/** The bundled bars, and how often they were read. */
function counted(cacheBytesMax?: number) {
  const reads: string[] = [];
  const store: BarStore = {
    ...bundledStore,
    load: (query) => {
      reads.push(`${query.asset} ${query.intervalMs / MINUTE_MS}`);
      return bundledStore.load(query);
    },
  };
  return { reads, market: openStoredMarketData(store, cacheBytesMax === undefined ? {} : { cacheBytesMax }) };
}

test('now is the last close in scope: of an interval, of an asset, of everything', async () => {
  const { market } = counted();
  const at = async (...question: Parameters<typeof market.nowMs>) =>
    new Date(await market.nowMs(...question)).toISOString();
  assert.equal(await at('BTC', 5 * MINUTE_MS), '2023-12-31T00:00:00.000Z');
  assert.equal(await at('BTC', 15 * MINUTE_MS), '2023-12-31T00:00:00.000Z');
  assert.equal(await at('btc-usdt', 4 * HOUR_MS), '2025-09-19T23:00:00.000Z');
  assert.equal(await at('BTC'), '2025-09-19T23:00:00.000Z');
  assert.equal(await at(), '2025-09-19T23:00:00.000Z');
});

test('bars from a time on are those of the store, with coarser ones aggregated from them', async () => {
  const { market } = counted();
  const fromMs = Date.UTC(2025, 7, 1, 2);
  const { bars: hours } = await bundledStore.load({ asset: 'BTC', intervalMs: HOUR_MS });
  const expected = closes(hours).filter(([time]) => time! >= fromMs);
  assert.deepEqual(closes(await market.bars('BTC', HOUR_MS, fromMs)), expected);
  const coarse = closes(aggregateBars(hours, 4 * HOUR_MS).bars).filter(([time]) => time! >= fromMs);
  assert.ok(coarse.length > 100);
  assert.deepEqual(closes(await market.bars('BTC', 4 * HOUR_MS, fromMs)), coarse);
  assert.equal((await market.bars('BTC', HOUR_MS, Date.UTC(2030, 0))).barCount, 0);
});

test('concurrent calls read a series once, into shared memory', async () => {
  const { market, reads } = counted();
  const asked = Array.from({ length: 5 }, () => market.bars('BTC', DAY_MS, 0));
  const series = await Promise.all([
    ...asked,
    market.bars('BTC', DAY_MS, Date.UTC(2024, 0)),
    market.load({ asset: 'BTC', intervalMs: DAY_MS }).then(({ bars }) => bars),
  ]);
  assert.deepEqual(reads, ['BTC 1440']);
  for (const { close } of series) {
    assert.ok(close.buffer instanceof SharedArrayBuffer);
    assert.equal(close.buffer, series[0]!.close.buffer);
  }
});

test('the least recently used series make room, and a series that does not fit is read window by window', async () => {
  const dailyBytes = 8 * 6 * 1_900;
  const { market, reads } = counted(dailyBytes);
  for (const asset of ['BTC', 'BTC', 'ETH', 'ETH', 'BTC']) await market.bars(asset, DAY_MS, 0);
  assert.deepEqual(reads, ['BTC 1440', 'ETH 1440', 'BTC 1440']);
  const fromMs = Date.UTC(2025, 7, 1);
  const [small, large] = [
    await market.bars('BTC', HOUR_MS, fromMs),
    await counted().market.bars('BTC', HOUR_MS, fromMs),
  ];
  assert.deepEqual(closes(small), closes(large));
  const [fewer, more] = [
    await market.bars('BTC', 4 * HOUR_MS, fromMs + HOUR_MS),
    await counted().market.bars('BTC', 4 * HOUR_MS, fromMs + HOUR_MS),
  ];
  assert.deepEqual(closes(fewer), closes(more));
  assert.equal((await market.bars('BTC', HOUR_MS, Date.UTC(2030, 0))).barCount, 0);
  assert.equal((await market.bars('BTC', HOUR_MS, -1e300)).barCount, 70_811);
});
