import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountCourse, runPortfolio } from '../../../../research/portfolio/index.js';
import { bundledStore } from '../../../support/backtests.js';

const services = { store: bundledStore, engineVersion: '0.0.0-test' };
const run = (portfolio: object) =>
  runPortfolio({ portfolio, interval: '1d', window: { start: '2021-06-01', end: '2024-05-31' }, config: {} }, services);
const free = { fee_pct: 0, slippage_pct: 0 };

/** Mean of the trades from the open of the entry to the close of the last bar held, by their shares. */
function meanOfTrades({ simulation, parts }: Awaited<ReturnType<typeof run>>): number {
  let [sum, whole] = [0, 0];
  for (const { member, entryBar, barsHeld, size, entryPrice, beginningBalance } of simulation.trades) {
    const { open, close } = parts[member]!.bars;
    const share = (size * entryPrice) / beginningBalance;
    sum += share * Math.log(close[entryBar + barsHeld - 1]! / open[entryBar]!);
    whole += share;
  }
  return sum / whole;
}

test('the timing of a rotation is that of what it held, of members that of their trades', async () => {
  const assets = ['BTC', 'ETH', 'SOL'];
  const rotation = await run({
    allocation: { assets, every: '1w', rank_by: 'roc(close, 30)', top: 1 },
    execution_config: free,
  });
  const held = accountCourse(rotation).facts.timed!;
  assert.ok(rotation.simulation.trades.length > 20);
  assert.ok(Math.abs(held.meanReturn - meanOfTrades(rotation)) < 2e-3, `${held.meanReturn} ${meanOfTrades(rotation)}`);

  const rule = (name: string) => ({
    ...{ name, signal_type: 'TRIGGER', timeframe: '1d' },
    params: { window_fast: 5, window_slow: 20 },
  });
  const strategy = { name: 'x', entry: [rule('sma_cross_up')], exit: [rule('sma_cross_down')] };
  const members = await run({ members: assets.map((asset) => ({ asset, strategy })), execution_config: free });
  const traded = accountCourse(members).facts.timed!;
  assert.ok(Math.abs(traded.meanReturn - meanOfTrades(members)) < 1e-12);
});
