import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { metricNames } from '../../../../engine/metrics/index.js';
import { loadBars, runBacktest, runPortfolio, runSweep, type Strategy, startLive } from '../../../../library/index.js';
import { type Api, restApi } from '../../../support/api.js';
import { runCliBatch } from '../../../support/cli.js';
import { fileOf } from '../../../support/data-fixtures.js';
import { startTestService, type TestService } from '../../../support/service.js';
import { newHome } from '../../../support/state.js';
import { crossSweep, filter, trigger } from '../../../support/sweeps.js';

/** Costs, an axis that is switched off, one inside a setting, a short side and a preset's setting. */
const plan = crossSweep({
  name: 'both sides',
  holdout: 200,
  datasets: [{ asset: 'ETH', timeframe: '1d' }],
  entry_signals: {
    triggers: [trigger('sma_cross_up', { window_fast: { values: [3, 5] }, window_slow: { values: [20] } })],
    filters: [filter('is_above_sma', { window: { values: [4] } }, { asset: 'BTC' })],
  },
  short_entry_signals: {
    triggers: [trigger('sma_cross_down', {}, { params: { window_fast: 3, window_slow: 20 } })],
    filters: [filter('is_above_sma', {}, { params: { window: 50 }, negate: true })],
  },
  execution_config: {
    base: { fee_pct: 0.0007, leverage: 2, min_trade_amount: 10, cooldown_bars: 3 },
    sweep_axes: [
      { param: 'trailing_distance', values: [null, 0.5] },
      { param: 'target_calculation', values: ['schedule'] },
      {
        param: 'target_schedule',
        values: [
          [
            [0, 0.1],
            [10, 0.05],
          ],
        ],
      },
    ],
  },
});

let service: TestService;
let api: Api;
before(async () => {
  service = await startTestService();
  api = restApi(service.origin, (await service.login()).token);
});
after(() => service.stop());

test('a run of a sweep is a strategy that every door takes, equal to its row in every bit', async () => {
  const home = await newHome();
  const sweep = await runSweep({ sweep: plan, home, minTrades: 1, threads: 1 });
  assert.ok(sweep.best.length > 1);
  for (const row of sweep.best) {
    const { strategy, interval, start, end, config_hash } = await sweep.definition(row);
    assert.equal(config_hash, row.config_hash);
    const { metrics } = await runBacktest({ strategy: strategy as Strategy, interval, start, end, home });
    for (const name of metricNames.filter((one) => one in row))
      assert.equal(metrics[name as keyof typeof metrics], row[name], name);
  }
  const { strategy, interval, start, end } = await sweep.definition(sweep.best[0]!);
  const own = strategy as Strategy;
  const together = await runPortfolio({ portfolio: { interval, members: [{ strategy: own }] }, start, end, home });
  assert.ok(together.trades.length > 0);
  const [history, btc] = [
    await loadBars({ asset: 'ETH', interval, end, home }),
    await loadBars({ asset: 'BTC', interval, end, home }),
  ];
  assert.ok(startLive({ strategy: own, history, otherBars: { BTC: btc } }).value > 0);
  const stored = await api.call('Strategies.Create', own);
  assert.equal(stored.code, 'OK', String(stored.message));
  const { id: strategy_id } = stored.body.strategy;
  const ran = await api.call('Backtests.Run', { strategy_id, interval, start_date: start, end_date: end });
  assert.equal(ran.code, 'OK', String(ran.message));
  // The command line saves the same, and opens the held-out days with it.
  const file = join(home, 'leader.json');
  const portfolio = await fileOf(
    home,
    'portfolio.json',
    JSON.stringify({ interval, members: [{ strategy: 'leader.json' }] }),
  );
  const runs = await runCliBatch(
    [
      ['sweep', '--resume', '--out', sweep.folder, '--min-trades', '1', '--save-leader', file],
      ['results', '--sweep', sweep.folder, '--definition', String(sweep.best[0]!.config_hash)],
      ['portfolio', portfolio, '--start', start, '--end', end, '--no-record'],
      ['holdout', 'open', '--strategy', file, '--interval', interval],
    ],
    { home },
  );
  for (const { code, stderr } of runs) assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), own);
  assert.deepEqual(JSON.parse(runs[1]!.stdout), own);
});
