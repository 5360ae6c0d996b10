import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBars, readBarsFile } from '../../../../data/bars/index.js';
import { sliceBars } from '../../../../engine/series/index.js';
import { renderTearSheet } from '../../../../report/index.js';
import { buildTearSheet, runBacktest } from '../../../../research/backtest/index.js';
import { csvOf, fileOf, tempFolder } from '../../../support/data-fixtures.js';
import { root } from '../../../support/tree.js';

const { bars: daily } = await readBarsFile(join(root, 'sample/BTC-1d-62d7a5238fa9.parquet'));
const cross = { name: 'ema_cross_up', signal_type: 'TRIGGER', timeframe: '1d', params: { window_fast: 5 } };
const strategy = { name: 'crosses', asset: 'BTC', entry: [cross] };

/** A run over the recorded days from a file, the high of one day multiplied. */
async function runWith(t: Parameters<typeof tempFolder>[0], bar: number, factor: number, heldAt?: Date) {
  const folder = tempFolder(t);
  const high = daily.high.slice();
  high[bar]! *= factor;
  const barsFile = await fileOf(folder, 'days.csv', csvOf({ ...sliceBars(daily, 0, daily.barCount), high }));
  if (heldAt !== undefined) utimesSync(barsFile, heldAt, heldAt);
  const config = { fee_pct: 0, slippage_pct: 0, atr_long_weight: 0, max_risk_per_trade: 0.05, reward_factor: 20 };
  const store = openBars({ home: folder });
  return runBacktest({ strategy, barsFile, config, window: {} }, { store, engineVersion: '0.0.0-test' });
}

test('a false high that takes a run up is among the warnings of result and page', async (t) => {
  const plain = await runWith(t, 0, 1);
  assert.deepEqual(plain.result.data.quality, []);
  const held = plain.simulation.trades.find(({ exitBar, entryBar }) => exitBar > entryBar + 3);
  const bar = (held?.entryBar ?? 0) + 2;
  const planted = await runWith(t, bar, 6);
  const { metrics, data, warnings } = planted.result;
  assert.ok(metrics.total_return! > plain.result.metrics.total_return! + 0.5, 'the planted high pays');
  const [finding] = data.quality;
  assert.deepEqual([finding?.kind, finding?.count], ['outliers', 1]);
  assert.ok(warnings.includes(finding!.message));
  assert.ok(renderTearSheet(buildTearSheet(planted)).includes('1 bar may hold a false price'));
});
