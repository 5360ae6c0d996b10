import assert from 'node:assert/strict';
import { runBody } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';

/** Columns beside the bars: bundled ones in runs, and a caller's own in an evaluation. */

const rule = (name: string, signal_type: string, params: object) => ({ name, signal_type, timeframe: '1d', params });
const fear = rule('column_below', 'FILTER', { column: 'FearGreed', threshold: 40 });
const dip = rule('rsi_oversold', 'TRIGGER', { window: 7, threshold: 45 });
const bodyOf = (entry: object[], more: object = {}) => ({
  ...runBody,
  strategy_json: JSON.stringify({ name: 'Fear', asset: 'BTC', entry, exit: [] }),
  ...more,
});

contract('a run reads the columns of its rules, and its manifest, replay and audit cover them', async ({ api }) => {
  const dates = { start_date: '2022-01-01', end_date: '2022-12-31' };
  const { body } = await api.call('Backtests.Run', bodyOf([dip, fear], dates));
  assert.ok(body.trade_count > 0);
  assert.deepEqual(body.denied_signals, []);
  const { body: read } = await api.call('Backtests.GetManifest', { id: body.backtest_id });
  const { data } = read.manifest;
  assert.deepEqual(
    data.columns.map(({ column, revisions }: { column: string; revisions: number }) => [column, revisions]),
    [['FearGreed', 0]],
  );
  assert.match(data.columns[0].content_hash, /^[0-9a-f]{64}$/);
  const { body: plain } = await api.call('Backtests.Run', bodyOf([dip], dates));
  const { body: without } = await api.call('Backtests.GetManifest', { id: plain.backtest_id });
  assert.notEqual(without.manifest.data.content_hash, data.content_hash);
  assert.ok(!('columns' in without.manifest.data));
  const { body: replayed } = await api.call('Backtests.Replay', { id: body.backtest_id });
  assert.deepEqual([replayed.is_reproduced, replayed.changes], [true, []]);
  const { body: audit } = await api.call('Backtests.GetAudit', { id: body.backtest_id });
  assert.deepEqual([audit.is_clean, audit.findings], [true, []]);
  // What the result owes to the newest value of the column, counted from its trades.
  const profits = body.trade_history.map(({ profit_loss }: { profit_loss: number }) => profit_loss);
  const earned = profits.reduce((sum: number, profit: number) => sum + profit, 0);
  const [lag] = audit.lags;
  assert.deepEqual([audit.lags.length, lag.column, lag.trades], [1, 'FearGreed', body.trade_count]);
  assert.ok(Math.abs(lag.profit - earned) < 1e-6, `${lag.profit} is not ${earned}`);
  assert.ok(Number.isInteger(lag.bars_late) && lag.bars_late >= 1, `late by ${lag.bars_late} bars`);
  assert.ok(lag.lagged_trades > 0 && lag.lagged_profit !== lag.profit, JSON.stringify(lag));
  const { body: unlagged } = await api.call('Backtests.GetAudit', { id: plain.backtest_id, cuts: 1 });
  assert.deepEqual(unlagged.lags, []);
});
