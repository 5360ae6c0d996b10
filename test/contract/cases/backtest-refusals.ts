import assert from 'node:assert/strict';
import { dipStrategy, riskFields } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';

contract('a bulk run must give its settings, those of saved strategies do not count', async ({ api }) => {
  const { body: saved } = await api.call('Strategies.Create', {
    ...dipStrategy,
    entry: [
      { ...dipStrategy.entry[0], timeframe: '1D' },
      { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1D', params: { window: 5 } },
    ],
    exit: [],
  });
  const dates = { start_date: '2024-01-01', end_date: '2024-02-01' };
  const settings = Object.keys(riskFields).filter((name) => !/cooldown_bars|momentum_limit/.test(name));
  for (const list of [{ strategy_ids: [saved.strategy.id] }, { strategy_configs: [dipStrategy] }]) {
    const { code, message } = await api.call('Backtests.RunBulk', { ...list, ...dates });
    const missing = [...settings, 'cooldown_config'].join(', ');
    assert.deepEqual([code, message], ['MISSING_FIELD', `Missing required fields: ${missing}`]);
    const { body } = await api.call('Backtests.RunBulk', { ...list, ...dates, ...riskFields, interval: '1d' });
    assert.deepEqual([body.results[0].success, body.results[0].error], [true, null]);
    assert.equal((await api.call('Batch.RunBulk', { ...list, ...dates, interval: '1d' })).code, 'OK', 'batch fills in');
  }
});
