import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sha256 } from '../../../../data/hashes/index.js';
import { barFindings } from '../../../../engine/quality/index.js';
import { isoTime } from '../../../../engine/series/index.js';
import { RunIdentity, ruleOf } from '../../../../engine/sweep/index.js';
import { runBacktest } from '../../../../research/backtest/index.js';
import { assessSweep, runSweep, sweepReport } from '../../../../research/sweep/index.js';
import { csvOf, fileOf } from '../../../support/data-fixtures.js';
import { randomBars } from '../../../support/random.js';
import { crossSweep, filter, trigger } from '../../../support/sweeps.js';
import { sweepsIn } from './swept-rows.js';

const { home, services } = sweepsIn('sweep-warnings');
const { store } = services;

const sweepOver = (datasets: readonly object[]) =>
  crossSweep({
    datasets,
    entry_signals: {
      triggers: [trigger('sma_cross_up', { window_fast: { values: [2, 3] }, window_slow: { values: [8] } })],
      filters: [filter('is_above_sma', { window: { values: [4] } })],
    },
    execution_config: { base: { fee_pct: 0.0005, reward_factor: 3 } },
  });

test('a sweep warns of the bars of each dataset and of the fills of its leader, on its page too', async () => {
  const bars = randomBars({ seed: 3, barCount: 600, flatChance: 0 });
  bars.volume.fill(0, 100, 160);
  await store.import(await fileOf(home, 'IDLE.csv', csvOf(bars)), { asset: 'IDLE' });
  const folder = join(home, 'sweep');
  const outcome = await runSweep(
    {
      ...{ sweep: sweepOver([{ asset: 'IDLE', timeframe: '1h' }]), folder, experimentId: 'exp_warn', threads: 1 },
      ...{ isResumed: false, stop: new Int32Array(new SharedArrayBuffer(4)), onProgress: () => {} },
    },
    services,
  );
  const idle = barFindings(bars, null).find(({ kind }) => kind === 'no-volume')!;
  assert.ok(outcome.warnings.includes(`IDLE 1h: ${idle.message}`), outcome.warnings.join('\n'));
  const [judged] = await assessSweep(outcome.prepared, folder, 'sharpe_ratio');
  const { run } = judged!.leader;
  const choice = outcome.prepared.plan.run(run);
  const { dataset, entry, variant } = choice;
  const strategy = { name: 'alone', asset: 'IDLE', entry: entry.map((one) => ruleOf(one, dataset)), exit: [] };
  const config = outcome.prepared.definition.variants.settings(variant);
  const alone = await runBacktest({ strategy, interval: '1h', window: {}, config }, services);
  const { quality } = alone.result.data;
  const fills = quality.filter(({ kind }) => ['fills-without-volume', 'large-fills', 'ambiguous-exits'].includes(kind));
  assert.ok(fills.length > 0, 'the leader fills more than there is');
  assert.deepEqual(
    judged!.warnings,
    fills.map(({ message }) => `IDLE 1h, run ${run}: ${message}`),
  );
  const sheet = await sweepReport(outcome, 'sharpe_ratio', [judged!]);
  assert.deepEqual(sheet.warnings, [...outcome.warnings, ...judged!.warnings]);

  // The same run alone is the same try as in the sweep; another rule is another.
  const { definition } = outcome.prepared;
  assert.deepEqual(alone.tried, { asset: 'IDLE', identity: new RunIdentity(definition, sha256).configHash(choice) });
  const others = [
    { strategy, config: { ...config, reward_factor: 4 } },
    { strategy, config, window: { start: isoTime(bars.time[50]!) } },
  ];
  for (const other of others) {
    const { tried } = await runBacktest({ interval: '1h', window: {}, ...other }, services);
    assert.notEqual(tried!.identity, alone.tried!.identity);
  }
});
