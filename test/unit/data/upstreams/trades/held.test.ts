import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { readRecordedTrades } from '../../../../../data/recordings/index.js';
import { openHeldTrades } from '../../../../../data/upstreams/trades/index.js';
import { EngineError } from '../../../../../engine/errors.js';
import { tempFolder } from '../../../../support/data-fixtures.js';
import { testTradesContract } from '../../../../support/trades-contract.js';
import { root } from '../../../../support/tree.js';

const folder = join(root, 'sample/recordings');

async function spotTrades() {
  const { time, values } = await readRecordedTrades(folder, 'BTC');
  return Array.from(time, (timeMs, i) => ({
    timeMs,
    price: values.price[i],
    size: values.quantity[i],
    takerSide: values.buyer_is_maker[i] === 1 ? ('sell' as const) : ('buy' as const),
  }));
}

testTradesContract('held', async () => ({ port: openHeldTrades(folder), spotTrades: await spotTrades() }));

test('held trades begin and end as published', async () => {
  const trades = await spotTrades();
  assert.equal(trades.length, 19_904);
  assert.deepEqual(trades[0], { timeMs: 1_723_161_255_342, price: 61_837.63, size: 0.02, takerSide: 'sell' });
  assert.equal(new Date(trades.at(-1)!.timeMs).toISOString(), '2024-08-09T00:05:05.800Z');
});

test('bars of one minute are made of the minutes that are recorded whole, trade by trade', async () => {
  const trades = await spotTrades();
  const { bars, tradeCounts } = (await openHeldTrades(folder).minuteBars('BTC/USDT'))!;
  assert.equal(bars.barCount, 10);
  assert.equal(new Date(bars.time[0]).toISOString(), '2024-08-08T23:55:00.000Z');
  for (let i = 0; i < bars.barCount; i++) {
    const own = trades.filter(({ timeMs }) => timeMs >= bars.time[i] && timeMs < bars.time[i] + 60_000);
    const prices = own.map(({ price }) => price);
    const made = [bars.open[i], bars.high[i], bars.low[i], bars.close[i], tradeCounts[i]];
    assert.deepEqual(made, [prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1), own.length]);
    const volume = own.reduce((sum, { size }) => sum + size, 0);
    assert.ok(Math.abs(bars.volume[i] - volume) < 1e-9);
  }
  assert.equal(await openHeldTrades(folder).minuteBars('ETH/USDT'), null);
});

test('a missing recording is one error, and is read when it appears', async (t) => {
  const port = openHeldTrades(tempFolder(t));
  for (const ask of [port.latestTrade, port.latestQuote]) {
    await assert.rejects(
      ask({ base: 'BTC', quote: 'USDT' }),
      (error: unknown) => error instanceof EngineError && error.code === 'INVALID_DATA',
    );
  }
});
