import assert from 'node:assert/strict';
import test from 'node:test';
import { openTries } from '../../../../data/tries/index.js';
import { backtestAssets, loadBars, runBacktest, runPortfolio, type Strategy } from '../../../../library/index.js';
import { newHome } from '../../../support/state.js';

const strategy: Strategy = {
  name: 'cross',
  entry: [{ name: 'sma_cross_up', signal_type: 'TRIGGER', params: { window_fast: 5, window_slow: 20 } }],
  exit: [{ name: 'sma_cross_down', signal_type: 'TRIGGER', params: { window_fast: 5, window_slow: 20 } }],
};
const window = { interval: '1d', start: '2023-01-01', end: '2024-12-31' };

test('an allocation holds what ranks first, from bars of its own too', async () => {
  const home = await newHome();
  const allocation = { assets: ['BTC', 'ETH'], every: '1w', rank_by: 'roc(close, 30)', top: 1 } as const;
  const held = await runPortfolio({ portfolio: { allocation }, ...window, home });
  assert.ok(held.trades.some(({ exit_reason }) => exit_reason === 'REBALANCE'));
  assert.ok(held.result.largest_gross_exposure > 0.9);
  const bars = {
    BTC: await loadBars({ asset: 'BTC', interval: '1d', home }),
    ETH: await loadBars({ asset: 'ETH', interval: '1d', home }),
  };
  const own = await runPortfolio({ portfolio: { allocation }, ...window, bars, home });
  assert.deepEqual(own.equity, held.equity);
});

const refusals: readonly [what: string, options: object, message: RegExp][] = [
  [
    'a rank that is no number',
    { portfolio: { members: [{ strategy, asset: 'BTC' }], rank_by: 'close > 3' }, interval: '1d' },
    /rank_by is wrong at character 1: a number is needed here/,
  ],
  ['an unknown option', { portfolio: {}, assets: [] }, /assets/],
];
test('what cannot be a portfolio is refused with its place', async () => {
  const home = await newHome();
  for (const [what, options, message] of refusals)
    await assert.rejects(runPortfolio({ ...options, home } as Parameters<typeof runPortfolio>[0]), message, what);
});

test('runs in a loop are tries: each counts for the process at once, known ones once', async () => {
  const home = await newHome();
  const cross = (fast: number): Strategy => ({
    ...strategy,
    entry: [{ name: 'sma_cross_up', signal_type: 'TRIGGER', params: { window_fast: fast, window_slow: 20 } }],
  });
  for (const fast of [3, 4, 5, 5]) await runBacktest({ strategy: cross(fast), asset: 'BTC', ...window, home });
  await runPortfolio({ portfolio: { allocation: { assets: ['BTC', 'ETH'], top: 1 } }, ...window, home });
  await backtestAssets({ strategy: cross(6), assets: ['ETH', 'SOL'], ...window, home });
  assert.deepEqual(await openTries(home).list(), [
    { asset: 'BTC', tries: 4 },
    { asset: 'ETH', tries: 2 },
    { asset: 'SOL', tries: 1 },
  ]);
});
