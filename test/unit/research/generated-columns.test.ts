import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { openBars } from '../../../data/bars/index.js';
import { openColumns } from '../../../data/columns/index.js';
import { openStoredMarketData } from '../../../data/providers/index.js';
import { sharedColumns } from '../../../engine/series/index.js';
import { runBacktest } from '../../../research/backtest/index.js';
import { fillColumns } from '../../../research/index.js';
import { loadDatasets, prepareSweep } from '../../../research/sweep/index.js';
import { serviceColumnSources } from '../../../service/columns/capability.js';
import { readServiceConfig } from '../../../service/settings/config.js';
import { planConfiguration } from '../../../workers/plan-configuration.js';
import { crossSweep, filter, trigger } from '../../support/sweeps.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { root } from '../../support/tree.js';

const home = temporaryFolder('generated-columns');
const sampleDir = join(root, 'sample');
const store = openBars({ home, sampleDir, allocate: sharedColumns });
const market = openStoredMarketData(store);
const netPositive = { name: 'smart_money_net_positive', signal_type: 'FILTER', timeframe: '1h', params: {} };
const entry = [
  { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 3, threshold: 50 } },
  netPositive,
];
const strategy = { name: 'Smart', asset: 'ETH', entry, exit: [], reward_factor: 2 };
const warning = 'SmartMoneyNetflow of ETH is generated data: what comes of it says nothing about the market';
const window = { start: '2025-08-01', end: '2025-09-01' };

test.before(async () => {
  const wanted = { asset: 'ETH', columns: ['SmartMoneyNetflow', 'WhaleNetInflow'], source: 'generated' };
  const sources = await serviceColumnSources(readServiceConfig({ BARLINE_HOME: home }), sampleDir);
  await fillColumns(wanted, { columns: openColumns({ home, sampleDir }), sources });
});

test('a backtest warns of a generated column that a rule reads, and of no other', async () => {
  const run = (asked: object) =>
    runBacktest({ strategy: asked, interval: '1h', window }, { store: market, engineVersion: 'test' });
  const { result } = await run(strategy);
  assert.deepEqual(result.warnings, [warning]);
  assert.deepEqual(result.manifest.warnings, [warning]);
  const without = await run({ ...strategy, entry: entry.slice(0, 1) });
  assert.deepEqual(without.result.warnings, []);
  const recorded = { name: 'funding_flip_positive', signal_type: 'TRIGGER', timeframe: '1h', params: {} };
  assert.deepEqual((await run({ ...strategy, entry: [recorded] })).result.warnings, [], 'recorded data is no reason');
});

test('a sweep warns once, on the command line and where the service plans experiments', async () => {
  const sweep = crossSweep({
    datasets: [{ asset: 'ETH', timeframe: '1h' }],
    entry_signals: { triggers: [trigger('rsi_cross_up')], filters: [filter('smart_money_net_positive')] },
  }) as { readonly datasets: readonly unknown[] };
  const { warnings } = await prepareSweep(sweep, { store });
  assert.deepEqual(warnings, [warning]);
  const [loaded] = await loadDatasets(sweep, store);
  assert.ok(loaded !== undefined && 'shared' in loaded);
  const planned = planConfiguration({ sweep, toPlan: [loaded], runsMax: 1_000 });
  assert.deepEqual(planned.warnings, [warning]);
});
