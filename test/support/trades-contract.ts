import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Trade, TradesPort } from '../../data/upstreams/trades/index.js';

export interface TradesUnderTest {
  readonly port: TradesPort;
  /** All trades of BTC/USDT that the implementation can give, oldest first. */
  readonly spotTrades: readonly Trade[];
}

const spot = { base: 'BTC', quote: 'USDT' };
const perpetual = { base: 'BTC-PERP', quote: 'USDT' };
const everything = { fromMs: 0, toMs: 8e15, isAscending: true, limit: 1_000 };

/** What every implementation of the port promises. */
export function testTradesContract(name: string, open: (t: TestContext) => Promise<TradesUnderTest>): void {
  const rowsOf = async <Row>(answer: Promise<{ value: { rows: readonly Row[] } | null }>) => (await answer).value?.rows;

  test(`${name}: a window holds its first moment and not its last, in either order`, async (t) => {
    const { port, spotTrades } = await open(t);
    const [fromMs, toMs] = [spotTrades[200].timeMs, spotTrades[600].timeMs];
    const expected = spotTrades.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs);
    assert.ok(expected.length > 100);
    const window = { fromMs, toMs, limit: 1_000 };
    assert.deepEqual(await rowsOf(port.trades(spot, { ...window, isAscending: true })), expected);
    assert.deepEqual(await rowsOf(port.trades(spot, { ...window, isAscending: false })), expected.toReversed());
  });

  test(`${name}: a limit keeps the oldest when ascending and the newest otherwise`, async (t) => {
    const { port, spotTrades } = await open(t);
    const [fromMs, toMs] = [spotTrades[0].timeMs, spotTrades.at(-1)!.timeMs + 1];
    for (const limit of [1, 7, 1_000]) {
      const window = { fromMs, toMs, limit };
      assert.deepEqual(await rowsOf(port.trades(spot, { ...window, isAscending: true })), spotTrades.slice(0, limit));
      const newest = spotTrades.slice(-limit).toReversed();
      assert.deepEqual(await rowsOf(port.trades(spot, { ...window, isAscending: false })), newest);
    }
  });

  test(`${name}: a window without trades is empty`, async (t) => {
    const { port, spotTrades } = await open(t);
    const day = { fromMs: spotTrades[0].timeMs - 86_400_000, toMs: spotTrades[0].timeMs };
    for (const isAscending of [true, false]) {
      const { value } = await port.trades(spot, { ...everything, ...day, isAscending });
      assert.deepEqual([value?.instrument, value?.rows], ['BTC/USDT', []]);
      const held = name === 'held' ? { firstMs: spotTrades[0].timeMs, lastMs: spotTrades.at(-1)?.timeMs } : null;
      assert.deepEqual(value?.held, held, 'says where there are trades, if they are recorded');
    }
  });

  test(`${name}: the latest trade and quote are the newest ones`, async (t) => {
    const { port, spotTrades } = await open(t);
    const { value } = await port.latestTrade(spot);
    assert.deepEqual([value?.instrument, value?.rows], ['BTC/USDT', [spotTrades.at(-1)]]);
    const [quote] = (await rowsOf(port.latestQuote(spot))) ?? [];
    assert.ok(quote !== undefined && quote.askPrice > quote.bidPrice && quote.askSize > 0 && quote.bidSize > 0);
    assert.ok(Math.abs(quote.askPrice / spotTrades[0].price - 1) < 0.05, 'the book is near the trades');
  });

  test(`${name}: USD names the market in USDT, -PERP the perpetual`, async (t) => {
    const { port } = await open(t);
    const inDollars = (await port.latestTrade({ base: 'BTC', quote: 'USD' })).value;
    assert.deepEqual(inDollars, (await port.latestTrade(spot)).value);
    const [future, ready] = [(await port.latestTrade(perpetual)).value, inDollars];
    assert.equal(future?.instrument, 'BTC-PERP/USDT');
    assert.notDeepEqual(future?.rows, ready?.rows);
    assert.equal((await port.latestQuote(perpetual)).value?.instrument, 'BTC-PERP/USDT');
  });

  test(`${name}: an unknown pair is null`, async (t) => {
    const { port } = await open(t);
    for (const pair of [
      { base: 'NOPE', quote: 'USDT' },
      { base: 'BTC', quote: 'NOPE' },
      { base: 'NOPE-PERP', quote: 'USDT' },
      { base: '__proto__', quote: 'USDT' },
    ]) {
      assert.equal((await port.latestTrade(pair)).value, null);
      assert.equal((await port.latestQuote(pair)).value, null);
      assert.equal((await port.trades(pair, everything)).value, null);
      assert.equal((await port.quotes(pair, everything)).value, null);
    }
  });

  test(`${name}: past quotes are those that were recorded`, async (t) => {
    const { port } = await open(t);
    const midnight = Date.UTC(2024, 7, 9);
    const window = { fromMs: midnight, toMs: midnight + 1_000, limit: 1_000 };
    const answer = await port.quotes(spot, { ...window, isAscending: true });
    const rows = answer.value?.rows ?? [];
    assert.equal(answer.source, 'recorded');
    assert.ok(rows.length > 10 && rows.every(({ timeMs }) => timeMs >= midnight && timeMs < midnight + 1_000));
    assert.ok(rows.every(({ askPrice, bidPrice }) => askPrice > bidPrice));
    assert.deepEqual(await rowsOf(port.quotes(spot, { ...window, isAscending: false })), rows.toReversed());
  });
}
