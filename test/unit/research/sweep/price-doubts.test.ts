import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleOf } from '../../../../engine/sweep/index.js';
import { withWords } from '../../../../report/index.js';
import { runBacktest } from '../../../../research/backtest/index.js';
import { assessSweep, runSweep } from '../../../../research/sweep/index.js';
import { bouncing } from '../../../support/bounce.js';
import { csvOf, fileOf } from '../../../support/data-fixtures.js';
import { sweepRequest } from '../../../support/sweep-setup.js';
import { trigger } from '../../../support/sweeps.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { sweepsIn } from './swept-rows.js';

const { home, services } = sweepsIn('price-doubts');
const { store } = services;

/** Buys what fell and sells what rose, as a bid-ask bounce rewards. */
const reversal = (asset: string, slippage_pct: number) => ({
  name: 'reversal',
  datasets: [{ asset, timeframe: '5m' }],
  entry_signals: {
    triggers: [trigger('rsi_cross_down', { threshold: { min: 5, max: 40, step: 5 }, window: { values: [2, 3, 4] } })],
    filters: [],
  },
  exit_signals: {
    triggers: [trigger('rsi_cross_up', { threshold: { values: [50, 60, 70] } }, { params: { window: 2 } })],
  },
  execution_config: {
    base: {
      ...{ fee_pct: 0, slippage_pct, max_risk_per_trade: 1, stop_loss_calculation: 'fixed', fixed_stop_pct: 0.5 },
      ...{ reward_factor: 1_000, max_open_positions: 1, max_trades_per_day: 1_000 },
      cooldown_config: { '5m': { short_loss_limit: 0, long_loss_limit: 0, short_window_bars: 0, long_window_bars: 0 } },
    },
    sweep_axes: [],
  },
});

async function judged(asset: string, slippage: number) {
  const folder = temporaryFolder('swept');
  const outcome = await runSweep(sweepRequest(reversal(asset, slippage), folder), services);
  const [one] = await assessSweep(outcome.prepared, folder, 'sharpe_ratio');
  assert.ok(one);
  return { one, outcome };
}

const bounced = bouncing({ seed: 1, barCount: 8_000, half: 0.001 });
await store.import(await fileOf(home, 'BOUNCE.csv', csvOf(bounced)), { asset: 'BOUNCE' });

test('bid-ask bounce is not called skill: the verdict fails and names it, with a warning', async () => {
  const { one, outcome } = await judged('BOUNCE', 0.0002);
  assert.ok((one.sharpe ?? 0) > 7);
  assert.ok(
    [one.luckP, one.marketP, one.timing?.pValue].every((p) => (p ?? 1) <= 0.05),
    'as if it had skill',
  );
  assert.equal(one.fails, 'fills');
  assert.ok(Math.abs((one.fills?.slippage ?? 0) - 0.001) < 0.0001);
  assert.ok((one.everTried?.fillsP ?? 0) > 0.9);
  const run = `BOUNCE 5m, run ${one.leader.run}: `;
  assert.deepEqual(
    one.warnings.map((warning) => warning.slice(0, run.length + 34)),
    [`${run}prices jump between bid and ask (R`],
  );
  const { verdict, findings } = withWords(one);
  assert.match(verdict, /owes its result to prices that could not be had: at a slippage of 0\.\d{3} %/);
  assert.match(findings.map(({ answer }) => answer).join(' '), /Its prices imply a slippage of 0\.\d{3} %/);

  // A backtest of the leader says the same.
  const { dataset, entry, exit, variant } = outcome.prepared.plan.run(one.leader.run);
  const rules = (side: typeof entry) => side.map((rule) => ruleOf(rule, dataset));
  const strategy = { name: 'alone', asset: 'BOUNCE', entry: rules(entry), exit: rules(exit) };
  const config = outcome.prepared.definition.variants.settings(variant);
  const { result } = await runBacktest({ strategy, interval: '5m', window: {}, config }, services);
  assert.ok(result.data.quality.some(({ kind }) => kind === 'bounce'));
  assert.ok(result.warnings.some((warning) => `${run}${warning}` === one.warnings[0]));
});
