import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { Quotas } from '../../../../service/access/index.js';
import { SqlUsageStore } from '../../../../service/access/usage-counts.js';
import { toolsFor } from '../../../../service/assistant/tools.js';
import { defaultTiers, Tiers } from '../../../../service/identity/index.js';
import { endlessTokens, portfoliosOver } from '../../../support/assistant.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { bundledMarket, bundledStore, callerOf } from '../../../support/backtests.js';
import { changed } from '../../../support/changed.js';
import { sharedState } from '../../../support/shared-state.js';

const rule = (name: string, signal_type: 'TRIGGER' | 'FILTER', params: object) => ({
  ...{ name, signal_type, timeframe: '1d', params: { ...params } },
});
const config = {
  ...{ name: 'BTC', asset: 'BTC', exit: [], reward_factor: 2, execution_config: {} },
  entry: [
    rule('ema_cross_up', 'TRIGGER', { window_fast: 12, window_slow: 50 }),
    rule('is_above_sma', 'FILTER', { window: 50 }),
  ],
};

test('a run that was counted and not stored before a crash counts once when its turn goes on', async () => {
  const quotas = new Quotas({
    store: new SqlUsageStore((await sharedState()).db),
    tiers: new Tiers(defaultTiers),
    clock: () => 0,
  });
  let isDying = true;
  const deps = await backtestDeps({
    admit: (caller, runs, key) =>
      quotas.consume(caller, 'backtests', runs, key === undefined ? key : { userId: caller.userId, key }),
  });
  const dying = {
    ...deps,
    store: changed(deps.store, {
      addEnded: async (...args) => {
        if (isDying) throw new Error('the process is killed');
        return deps.store.addEnded(...args);
      },
    }),
  };
  const caller = callerOf(randomUUID());
  const portfolios = await portfoliosOver(dying);
  const parts = { bars: bundledStore, market: bundledMarket, backtests: dying, portfolios, tokens: endlessTokens };
  const run = (turn: string) =>
    toolsFor(caller, parts, turn, new AbortController().signal).runBacktest(config, '1d', { lookback_months: 6 });
  const used = async () => (await quotas.month(caller.orgId)).used.backtests;
  await assert.rejects(run('turn 1'), /killed/);
  assert.equal(await used(), 1);
  isDying = false;
  const { figures } = await run('turn 1');
  assert.equal(await used(), 1);
  assert.equal((await run('turn 1')).figures.backtest_id, figures.backtest_id);
  assert.equal(await used(), 1);
  await run('turn 2');
  assert.equal(await used(), 2);
});
