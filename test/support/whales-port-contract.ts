import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { WHALE_HISTORY_MS, WHALE_USD_MIN, type WhalesPort } from '../../data/upstreams/whales/index.js';
import { HOUR_MS } from '../../engine/series/index.js';
import { tokenOf } from './onchain-world.js';

/** What every implementation of the port of large transfers does. */
export function testWhalesPort(
  implementation: string,
  source: string,
  open: (t: TestContext) => Promise<WhalesPort> | WhalesPort,
): void {
  const check = (name: string, act: (port: WhalesPort) => Promise<void>) =>
    test(`${implementation}: ${name}`, async (t) => act(await open(t)));

  check('transfers lie in the window, are worth the minimum, and come the newest first', async (port) => {
    const token = tokenOf('UNI');
    const now = await port.nowMs(token);
    const backMs = 24 * HOUR_MS;
    const found = await port.transfers({ token, usdMin: WHALE_USD_MIN, backMs });
    assert.equal(found.source, source);
    const { transfers, isComplete } = found.value;
    assert.ok(isComplete && transfers.length > 0);
    for (const [i, row] of transfers.entries()) {
      assert.equal(row.symbol, 'UNI');
      assert.ok(row.amountUsd >= WHALE_USD_MIN && row.amount > 0);
      assert.ok(row.timeMs >= now - backMs && row.timeMs < now);
      assert.ok(i === 0 || row.timeMs <= transfers[i - 1]!.timeMs);
      assert.ok(row.hash !== '' && row.from.address !== '' && row.to.address !== '');
      for (const { isExchange, owner } of [row.from, row.to]) assert.ok(!isExchange || owner !== null);
    }
    assert.ok(transfers.some(({ to }) => to.isExchange) && transfers.some(({ from }) => from.isExchange));
  });

  check('a higher minimum leaves out the smaller ones', async (port) => {
    const query = { token: tokenOf('ETH'), backMs: 6 * HOUR_MS };
    const all = (await port.transfers({ ...query, usdMin: WHALE_USD_MIN })).value.transfers;
    const large = (await port.transfers({ ...query, usdMin: 5_000_000 })).value.transfers;
    assert.deepEqual(
      large.map(({ hash }) => hash),
      all.filter(({ amountUsd }) => amountUsd >= 5_000_000).map(({ hash }) => hash),
    );
    assert.ok(large.length > 0);
  });

  check('without a token, all are listed', async (port) => {
    const { transfers } = (await port.transfers({ token: null, usdMin: 5_000_000, backMs: 3 * HOUR_MS })).value;
    assert.ok(new Set(transfers.map(({ symbol }) => symbol)).size > 2);
  });

  check('a month of transfers is known', async (port) => {
    const token = tokenOf('PEPE');
    const now = await port.nowMs(token);
    const { transfers, isComplete } = (await port.transfers({ token, usdMin: WHALE_USD_MIN, backMs: WHALE_HISTORY_MS }))
      .value;
    assert.ok(isComplete && transfers.length > 100);
    assert.ok(transfers.at(-1)!.timeMs < now - 29 * 24 * HOUR_MS);
  });
}
