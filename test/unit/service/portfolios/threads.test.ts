import assert from 'node:assert/strict';
import test from 'node:test';
import { portfoliosOver } from '../../../support/assistant.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { callerOf, dipStrategy } from '../../../support/backtests.js';

test('a portfolio is read in a thread, and run in another, so that it answers while one runs', async (t) => {
  let threads = 0;
  const count = () => threads++;
  process.on('worker', count);
  t.after(() => process.off('worker', count));
  const portfolios = await portfoliosOver(await backtestDeps());
  t.after(() => portfolios.close());
  const ann = callerOf('ann');
  const portfolio = { interval: '1d', members: [{ strategy: dipStrategy }, { strategy: dipStrategy, asset: 'ETH' }] };
  const wrong = { ...portfolio, members: [{ strategy: { ...dipStrategy, entry: 'luck' } }] };
  await assert.rejects(portfolios.submit(ann, { portfolio: wrong }), {
    name: 'EngineError',
    message: /members\[0\].*entry/,
  });
  assert.equal(threads, 1, 'rules are not read on the serving thread');
  const { assets } = await portfolios.run(ann, { portfolio, start_date: '2023-01-01', end_date: '2023-06-30' });
  assert.deepEqual([assets, threads], [['BTC', 'ETH'], 2]);
});
