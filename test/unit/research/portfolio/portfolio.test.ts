import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byMemberText } from '../../../../engine/portfolio/index.js';
import { parsePortfolio } from '../../../../research/portfolio/definition.js';
import { accountCourse, runPortfolio } from '../../../../research/portfolio/index.js';
import { definedSettings } from '../../../../research/portfolio/outline.js';
import { bundledStore } from '../../../support/backtests.js';

const rule = { name: 'formula', signal_type: 'TRIGGER', timeframe: '1d', params: { when: 'close > 0' } };
const memberWith = (asset: string, own: object, over: object = {}) => ({
  asset,
  strategy: { name: 's', entry: [rule], execution_config: own },
  execution_config: over,
});
const settings = (...members: object[]) => definedSettings(parsePortfolio({ interval: '1d', members }), { window: {} });
const costs = (...members: object[]): string[] => {
  const { fee_pct, slippage_pct } = settings(...members);
  return [fee_pct, slippage_pct].map((value) => byMemberText<number>(value, (cost) => `${cost * 100} %`));
};

test('the costs that are shown are those that members pay, by member where they differ', () => {
  const cheap = { fee_pct: 0.0005, slippage_pct: 0 };
  assert.deepEqual(costs(memberWith('BTC', cheap), memberWith('ETH', cheap)), ['0.05 %', '0 %']);
  const dear = memberWith('SOL', cheap, { fee_pct: 0.01 });
  assert.deepEqual(costs(memberWith('BTC', cheap), memberWith('ETH', cheap), dear), [
    '0.05 % (BTC, ETH), 1 % (SOL)',
    '0 %',
  ]);
});

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
