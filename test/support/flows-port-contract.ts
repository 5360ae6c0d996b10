import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { FlowsPort } from '../../data/upstreams/flows/index.js';
import { HOUR_MS } from '../../engine/series/index.js';
import { tokenOf } from './onchain-world.js';

const DAY_MS = 24 * HOUR_MS;
const rows = { filters: {}, orderBy: [], page: 1, perPage: 100 };

/** What every implementation of the port of token flows does. */
export function testFlowsPort(
  implementation: string,
  source: string,
  open: (t: TestContext) => Promise<FlowsPort> | FlowsPort,
): void {
  const ETH = tokenOf('ETH');
  const UNI = tokenOf('uniswap');
  const check = (name: string, act: (port: FlowsPort) => Promise<void>) =>
    test(`${implementation}: ${name}`, async (t) => act(await open(t)));

  check('trading has each chain and token once, by net flow', async (port) => {
    const found = await port.trading({ chains: ['ethereum', 'solana'], timeframe: '24h' });
    assert.equal(found.source, source);
    assert.equal(found.isStale, false);
    const nets = found.value.map(({ inflowUsd, outflowUsd }) => inflowUsd - outflowUsd);
    assert.deepEqual(
      nets,
      [...nets].sort((a, b) => b - a),
    );
    assert.deepEqual(new Set(found.value.map(({ chain }) => chain)), new Set(['ethereum', 'solana']));
    assert.equal(new Set(found.value.map(({ chain, symbol }) => chain + symbol)).size, found.value.length);
    for (const row of found.value) assert.ok(row.inflowUsd >= 0 && row.outflowUsd >= 0 && row.walletCount >= 0);
  });

  check('trading of one token is its row, and labels narrow it', async (port) => {
    const all = await port.trading({ chains: ['ethereum'], timeframe: '7d' });
    const one = await port.trading({ chains: ['ethereum'], timeframe: '7d', token: ETH });
    assert.deepEqual(
      one.value,
      all.value.filter(({ symbol }) => symbol === 'ETH'),
    );
    const funds = await port.trading({ chains: ['ethereum'], timeframe: '7d', token: ETH, labels: ['Fund'] });
    assert.ok(funds.value[0]!.inflowUsd < one.value[0]!.inflowUsd);
  });

  check('more chains than one question takes', async (port) => {
    const chains = ['ethereum', 'arbitrum', 'avalanche', 'base', 'bnb', 'optimism', 'polygon', 'solana'] as const;
    const { value } = await port.trading({ chains, timeframe: '24h' });
    assert.deepEqual(new Set(value.map(({ chain }) => chain)), new Set(chains));
  });

  check('holdings are worth the minimum, the largest first, within the limit', async (port) => {
    const query = { chains: ['ethereum'], labels: ['Fund'], valueUsdMin: 5e6, limit: 4 } as const;
    const { value } = await port.holdings(query);
    assert.equal(value.length, 4);
    const values = value.map(({ valueUsd }) => valueUsd);
    assert.deepEqual(
      values,
      [...values].sort((a, b) => b - a),
    );
    assert.ok(values.every((each) => each >= 5e6));
    assert.ok(value.every(({ holdersCount, change24hPct }) => holdersCount > 0 && Number.isFinite(change24hPct)));
  });

  check('historical holdings have the days, the values and the page asked for', async (port) => {
    const now = await port.nowMs(null);
    const window = { fromMs: now - 3 * DAY_MS, toMs: now };
    const query = { ...rows, perPage: 7, orderBy: [{ field: 'value_usd', direction: 'DESC' as const }] };
    const first = await port.historicalHoldings({ chains: ['ethereum'], ...window, ...query });
    const second = await port.historicalHoldings({ chains: ['ethereum'], ...window, ...query, page: 2 });
    const values = [...first.value, ...second.value].map(({ value_usd }) => value_usd);
    assert.equal(values.length, 14);
    assert.deepEqual(
      values,
      [...values].sort((a, b) => b - a),
    );
    const ranged = await port.historicalHoldings({
      chains: ['ethereum'],
      ...window,
      ...rows,
      filters: { value_usd: { min: 1e6, max: 1e8 }, include_smart_money_labels: ['Fund'] },
    });
    assert.ok(ranged.value.length > 0);
    for (const row of ranged.value) {
      assert.ok(row.value_usd >= 1e6 && row.value_usd <= 1e8);
      assert.deepEqual(row.smart_money_labels, ['Fund']);
      assert.match(row.date, /^\d{4}-\d\d-\d\d$/);
    }
  });

  check('trades on decentralised exchanges filter by side and amount', async (port) => {
    const now = await port.nowMs(null);
    const { value } = await port.dexTrades({
      chains: ['ethereum'],
      ...rows,
      filters: { side: 'sell', min_amount_usd: 20_000 },
      orderBy: [{ field: 'value_usd', direction: 'ASC' }],
    });
    assert.ok(value.length > 0);
    const values = value.map(({ value_usd }) => value_usd);
    assert.deepEqual(
      values,
      [...values].sort((a, b) => a - b),
    );
    for (const row of value) {
      assert.equal(row.action, 'SELL');
      assert.ok(row.value_usd >= 20_000 && row.token_bought_amount > 0 && row.token_sold_amount > 0);
      assert.ok(['USDC', 'USDT'].includes(row.token_bought_symbol), row.token_bought_symbol);
      const timeMs = Date.parse(row.block_timestamp);
      // The day ends with the bars of the token, and those by the day end up to a day earlier.
      assert.ok(row.block_timestamp.endsWith('Z') && timeMs <= now && timeMs >= now - 2 * DAY_MS);
    }
  });

  check('trades in perpetuals filter by side, token, kind and new positions', async (port) => {
    const read = async (filters: object) =>
      (await port.perpTrades({ ...rows, perPage: 1_000, filters: { ...filters } })).value;
    const all = await read({});
    const cases: readonly [object, (row: (typeof all)[number]) => boolean][] = [
      [{ side: 'Short' }, ({ side }) => side === 'Short'],
      [{ token_symbol: 'ETH' }, ({ token_symbol }) => token_symbol === 'ETH'],
      [{ action: 'Buy - Add Long' }, ({ action }) => action === 'Buy - Add Long'],
      [{ type: 'Market' }, ({ type }) => type === 'Market'],
      [{ value_usd: { min: 50_000 } }, ({ value_usd }) => value_usd >= 50_000],
      [{ only_new_positions: true }, ({ action }) => action.includes('Add')],
    ];
    for (const [filters, holds] of cases) {
      const some = await read(filters);
      assert.ok(some.length > 0 && some.length < all.length, JSON.stringify(filters));
      assert.ok(some.every(holds), JSON.stringify(filters));
    }
  });

  check('the trades of a token name it on the side that was traded', async (port) => {
    const now = await port.nowMs(UNI);
    const query = { token: UNI, chain: 'ethereum', fromMs: now - 7 * DAY_MS, toMs: now } as const;
    const { value } = await port.tokenDexTrades({ ...query, ...rows, filters: { min_amount_usd: 1_000 } });
    assert.ok(value !== null && value.length > 0);
    for (const row of value) {
      const [symbol, address] =
        row.action === 'BUY'
          ? [row.token_bought_symbol, row.token_bought_address]
          : [row.token_sold_symbol, row.token_sold_address];
      assert.deepEqual([symbol, address], ['UNI', UNI.contracts.ethereum]);
      assert.ok(row.value_usd >= 1_000);
    }
  });

  check('flows of a token come by the hour, the newest first', async (port) => {
    const now = await port.nowMs(ETH);
    const query = { token: ETH, chain: 'ethereum', fromMs: now - 2 * DAY_MS, toMs: now } as const;
    const { value } = await port.tokenFlows({ ...query, ...rows, label: 'whale' });
    assert.equal(value?.length, 48);
    for (const [i, row] of value!.entries()) {
      assert.equal(Date.parse(row.date), now - (i + 1) * HOUR_MS);
      assert.ok(row.total_outflows_count >= 0 && row.price_usd > 0 && row.token_amount > 0);
    }
  });

  check('intelligence tells the groups of wallets apart', async (port) => {
    const { value } = await port.intelligence({ token: ETH, chain: 'ethereum', timeframe: '1d' });
    assert.ok(value !== null);
    const nets = Object.values(value).map(({ netFlowUsd }) => netFlowUsd);
    assert.equal(new Set(nets).size, 5);
  });

  check('holders are the largest first, at most 100', async (port) => {
    const { value } = await port.holders(ETH);
    assert.ok(value !== null && value.holderCount > value.holders.length);
    assert.equal(value.holders.length, 100);
    const shares = value.holders.map(({ pct }) => pct);
    assert.deepEqual(
      shares,
      [...shares].sort((a, b) => b - a),
    );
  });

  check('balances have every whole hour, and what flowed is the change at the price', async (port) => {
    const now = await port.nowMs(ETH);
    const query = { token: ETH, chain: 'ethereum', fromMs: now - 60 * DAY_MS, toMs: now, group: 'exchange' } as const;
    const { value } = await port.balances(query);
    const flows = await port.tokenFlows({
      ...query,
      ...rows,
      fromMs: now - 2 * HOUR_MS,
      label: 'exchange',
      orderBy: [{ field: 'date', direction: 'ASC' }],
    });
    assert.ok(value !== null && flows.value !== null);
    assert.deepEqual(
      value.map(({ timeMs }) => timeMs),
      Array.from({ length: 60 * 24 }, (_, i) => now - (60 * 24 - i) * HOUR_MS),
    );
    const [before, last] = flows.value;
    const expected = (last!.token_amount - before!.token_amount) * last!.price_usd;
    assert.ok(Math.abs(value.at(-1)!.netUsd - expected) <= 1e-6 * Math.abs(expected) + 1e-3);
  });

  check('concentration is a share of the supply at the end of the last hour', async (port) => {
    const now = await port.nowMs(UNI);
    const query = { token: UNI, chain: 'ethereum', fromMs: now - DAY_MS, toMs: now } as const;
    const few = await port.concentration({ ...query, topN: 5 });
    const many = await port.concentration({ ...query, topN: 50 });
    assert.equal(few.value?.at(-1)?.timeMs, now - HOUR_MS);
    const share = few.value!.at(-1)!.share;
    assert.ok(share > 0 && share < many.value!.at(-1)!.share && many.value!.at(-1)!.share < 1);
  });

  check('a token that is not on the chain has no answer', async (port) => {
    const elsewhere = { token: UNI, chain: 'solana', fromMs: 0, toMs: DAY_MS } as const;
    assert.equal((await port.tokenDexTrades({ ...elsewhere, ...rows })).value, null);
    assert.equal((await port.tokenFlows({ ...elsewhere, ...rows, label: null })).value, null);
    assert.equal((await port.intelligence({ ...elsewhere, timeframe: '1d' })).value, null);
    assert.equal((await port.balances({ ...elsewhere, group: 'whale' })).value, null);
    assert.equal((await port.concentration({ ...elsewhere, topN: 10 })).value, null);
    assert.deepEqual((await port.trading({ chains: ['solana'], timeframe: '24h', token: UNI })).value, []);
  });
}
