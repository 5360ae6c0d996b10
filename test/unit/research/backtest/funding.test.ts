import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { readSeriesFile } from '../../../../data/columns/index.js';
import { MINUTE_MS } from '../../../../engine/series/index.js';
import { runBacktest } from '../../../../research/backtest/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

const home = temporaryFolder('funding');
const store = openBars({ home, sampleDir: join(root, 'sample') });
const perpetual = join(root, 'sample/recordings/BTC-PERP-1m-04bbcb20b847.parquet');
await store.import(perpetual, { asset: 'BTC-PERP' });
await store.import(perpetual, { asset: 'SOL-PERP' });
const rates = await readSeriesFile(join(root, 'sample/columns/BTC.PerpFundingRate-110abb04bb74.parquet'));

const rsi = { name: 'rsi_oversold', signal_type: 'TRIGGER', timeframe: '15m', params: { window: 5, threshold: 45 } };
const settings = {
  atr_long_weight: 0,
  stop_loss_calculation: 'fixed',
  fixed_stop_pct: 0.2,
  max_open_positions: 2,
  max_hold_bars: 60,
};

const run = (asset: string, config: object = {}, interval = '15m') =>
  runBacktest(
    {
      strategy: { name: 'held', asset, entry: [rsi] },
      interval,
      window: {},
      config: { ...settings, fee_pct: 0, slippage_pct: 0, ...config },
    },
    { store, engineVersion: '0.0.0-test' },
  );

test('positions on a perpetual pay the recorded rates at the closes at which they are held', async () => {
  const { result, bars, first, cashCurve } = await run('BTC-PERP');
  assert.ok(result.trades.some(({ funding_paid }) => funding_paid !== 0));
  for (const { entry_bar_index, exit_bar_index, exit_reason, position_size, funding_paid } of result.trades) {
    const end = exit_bar_index + (exit_reason === 'END' ? 1 : 0);
    let expected = 0;
    for (const [row, at] of rates.published.entries()) {
      const bar = bars.time.indexOf(Math.floor(at / MINUTE_MS) * MINUTE_MS - 15 * MINUTE_MS) - first;
      if (bar >= entry_bar_index && bar < end) {
        expected += position_size * bars.close[first + bar]! * rates.value[row]!;
      }
    }
    assert.ok(Math.abs(funding_paid - expected) < 1e-9, `${funding_paid} is not ${expected}`);
  }
  const paid = result.trades.reduce((sum, trade) => sum + trade.funding_paid, 0);
  assert.equal(result.funding_paid, paid);
  assert.equal(cashCurve().at(-1)!.toFixed(6), result.metrics.ending_balance!.toFixed(6));
  assert.ok(!result.warnings.some((warning) => warning.includes('funding')));
  assert.deepEqual(
    result.manifest.data.columns?.map(({ column }) => column),
    ['FundingSettled'],
  );
});

test('without rates a run on a perpetual says what may be missing, and on spot nothing', async () => {
  const { result } = await run('SOL-PERP');
  assert.equal(result.funding_paid, 0);
  assert.ok(result.warnings.some((warning) => /on a perpetual paid no funding.*some 9 % a year/.test(warning)));
  const off = await run('SOL-PERP', { funding: false });
  assert.ok(!off.result.warnings.some((warning) => warning.includes('funding')));
});
