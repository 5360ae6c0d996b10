import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { backtestAssets, runBacktest, runSweep, type Strategy } from '../../../../library/index.js';
import { jsonOf, runCliBatch } from '../../../support/cli.js';
import { fileOf } from '../../../support/data-fixtures.js';
import { newHome } from '../../../support/state.js';
import { crossSweep } from '../../../support/sweeps.js';

const rule = (name: string) => ({ name, signal_type: 'TRIGGER' as const, params: { window_fast: 5, window_slow: 20 } });
const complete = (name: string) => ({ ...rule(name), timeframe: null });
const strategy: Strategy = { name: 'cross', entry: [rule('sma_cross_up')], exit: [rule('sma_cross_down')] };
const window = { interval: '1d', start: '2023-01-01', end: '2024-12-31' };

test('a strategy over assets is ranked and judged as on the command line', async () => {
  const home = await newHome();
  const assets = ['BTC', 'ETH', 'SOL'];
  const across = await backtestAssets({ strategy, assets, ...window, home });
  const written = { ...strategy, entry: [complete('sma_cross_up')], exit: [complete('sma_cross_down')] };
  const file = await fileOf(home, 'cross.json', JSON.stringify(written));
  const days = ['--interval', '1d', '--start', window.start, '--end', window.end];
  const [told] = await runCliBatch(
    [['backtest', '--strategy', file, '--asset', assets.join(), ...days, '--json', '--no-record']],
    { home },
  );
  const { ranked, earned, together } = jsonOf(told!) as {
    ranked: { asset: string; luck_p: number | null }[];
    earned: number;
    together: { sharpe: number };
  };
  assert.deepEqual(
    across.ranked.map(({ facts, luckP }) => [facts.asset, luckP]),
    ranked.map(({ asset, luck_p }) => [asset, luck_p]),
  );
  assert.deepEqual([across.earned, across.together?.sharpe], [earned, together.sharpe]);
  for (const { facts } of across.ranked) {
    const alone = await runBacktest({ strategy, asset: facts.asset, ...window, home });
    assert.equal(facts.metrics.total_return, alone.metrics.total_return);
    assert.equal(facts.run_id, alone.result.manifest.run_id);
  }
});

test('of all assets those that cannot run are left out; one of a list ends it', async () => {
  const home = await newHome();
  const early = { strategy, interval: '1d', start: '2018-01-01', end: '2019-12-31', home };
  const across = await backtestAssets({ ...early, assets: 'all', by: 'total_return' });
  const names = across.ranked.map(({ facts }) => facts.asset);
  assert.ok(names.includes('BTC') && !names.includes('SOL'));
  assert.match(across.leftOut.find(({ asset }) => asset === 'SOL')?.reason ?? '', /no complete 1d bar of SOL/);
  const returns = across.ranked.map(({ facts }) => facts.metrics.total_return);
  assert.deepEqual(
    returns,
    returns.toSorted((a, b) => b - a),
  );
  await assert.rejects(backtestAssets({ ...early, assets: ['BTC', 'SOL'] }), /asset SOL: no complete 1d bar/);
});

test('a sweep takes other assets at its timeframes', async () => {
  const home = await newHome();
  const sweep = crossSweep({ datasets: [{ asset: 'BTC', timeframe: '1d' }] });
  const options = { sweep, home, threads: 1, minTrades: 1 };
  const { query, verdicts } = await runSweep({ ...options, assets: ['ETH', 'SOL'], folder: join(home, 'rows') });
  assert.deepEqual(await query('SELECT DISTINCT asset, timeframe FROM results ORDER BY asset'), [
    { asset: 'ETH', timeframe: '1d' },
    { asset: 'SOL', timeframe: '1d' },
  ]);
  assert.deepEqual(verdicts.map(({ asset }) => asset).toSorted(), ['ETH', 'SOL']);
  await assert.rejects(
    runSweep({ resume: true, folder: join(home, 'rows'), assets: 'all', home }),
    /assets must be left out to resume a sweep/,
  );
});
