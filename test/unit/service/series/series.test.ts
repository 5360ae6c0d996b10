import assert from 'node:assert/strict';
import test from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { openHoldouts, openSameBars } from '../../../../data/tries/index.js';
import { openSeries } from '../../../../service/series/capability.js';
import { bundledMarket, bundledStore, callerOf } from '../../../support/backtests.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const call = {
  caller: callerOf('ann'),
  signal: new AbortController().signal,
  requestId: 'one',
  credentials: { address: '127.0.0.1' },
  onRate() {},
};
const request = { asset: 'BTC', interval: '1d', columns: [] };

async function seriesIn(home: string) {
  const heldOut = () => {
    const { of } = openHoldouts(home);
    return { of, meet: openSameBars(home).meet };
  };
  const { methods } = openSeries({ bars: bundledStore, market: bundledMarket, heldOut });
  const pieces: Uint8Array[] = [];
  for await (const { arrow } of methods['Series.ReadBars'](request, call)) pieces.push(arrow);
  const times = Array.from(tableFromIPC(Buffer.concat(pieces)).getChild('timestamp') ?? [], Number);
  return { held: (await methods['Series.Get'](request, call)).held_out, times };
}

const days = { from: '2023-03-01', to: '2023-03-30', days: 30, declared_at: '2026-01-01T00:00:00Z', opening: null };

test('bars end before the held-out days of their market, also those held out under another name', async () => {
  const all = (await seriesIn(temporaryFolder('series'))).times;
  const before = all.filter((time) => time < Date.parse(days.from));
  assert.ok(before.length > 0 && before.length < all.length);
  for (const asset of ['BTC', 'COPY']) {
    const home = temporaryFolder('series');
    const { bars } = await bundledMarket.load({ asset: 'BTC', intervalMs: 3_600_000 });
    await openSameBars(home).meet(asset, bars);
    await openHoldouts(home).declare({ asset, ...days });
    const { held, times } = await seriesIn(home);
    assert.deepEqual(held, [{ from: days.from, to: days.to }]);
    assert.deepEqual(times, before);
  }
});
