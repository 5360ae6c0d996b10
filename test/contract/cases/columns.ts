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

contract('a rule over a column that the data lacks is refused with the import that brings it', async ({ api }) => {
  const flow = rule('exchange_net_outflow', 'FILTER', {});
  const score = rule('column_above', 'FILTER', { column: 'Score', threshold: 0 });
  for (const [filter, column] of [
    [flow, 'ExchangeNetflow'],
    [score, 'Score'],
  ] as const) {
    const { body } = await api.call('Backtests.Run', bodyOf([dip, filter]));
    const [denied] = body.denied_signals;
    assert.equal(denied.reason, 'unsupported_column');
    const add = `add it with: barline data columns add FILE --asset BTC --column ${column}`;
    assert.equal(denied.message, `${filter.name}: the data has no column ${column}; ${add}`);
    assert.equal(body.trade_count, 0);
  }
});

contract(
  "a caller's own column is evaluated over supplied bars, and stored strategies may name any",
  async ({ api }) => {
    const market_data = [1, 2, null, 3].map((Score) => ({ Close: 1, Score }));
    const evaluate = async (signal_name: string, parameters: object, bars: object[] = market_data) =>
      (await api.call('Signals.Evaluate', { signal_name, parameters, market_data: bars })).body;
    assert.equal((await evaluate('column_above', { column: 'Score', threshold: 2.5 })).result, true);
    assert.equal((await evaluate('column_crosses_above', { column: 'Score', threshold: 2 })).result, true);
    assert.equal((await evaluate('column_crosses_below', { column: 'Score', threshold: 2 })).result, false);
    assert.match(
      (await evaluate('column_zscore_above', { column: 'Score', window: 3 })).error,
      /4 observations of Score/,
    );
    const lacking = await api.call('Signals.Evaluate', {
      ...{ signal_name: 'column_above', market_data, parameters: { column: 'Other' } },
    });
    assert.deepEqual([lacking.code, /no column Other/.test(lacking.message ?? '')], ['VALIDATION_ERROR', true]);
    const entry = [rule('rsi_cross_up', 'TRIGGER', {}), rule('column_above', 'FILTER', { column: 'Later' })];
    const { code } = await api.call('Strategies.Create', { name: 'model', asset: 'BTC', entry });
    assert.equal(code, 'OK');
    const misnamed = [entry[0], rule('column_above', 'FILTER', { column: 'close' })];
    const refused = await api.call('Strategies.Create', { name: 'model', asset: 'BTC', entry: misnamed });
    assert.match(refused.message ?? '', /column must be a name of a column beside the bars/);
  },
);

contract('a series of signals reads the columns that it names', async ({ api }) => {
  const asked = (column: string) => ({ name: 'column_above', timeframe: '1d', params: { column, threshold: 50 } });
  const { body } = await api.call('Signals.EvaluateMultipleSeries', {
    ...{ symbol: 'BTC-USD', start_date: '2024-03-01', end_date: '2024-03-10', chart_timeframe: '1d' },
    signals: [asked('FearGreed'), asked('Score')],
  });
  const [fearful, missing] = body.signal_results;
  assert.equal(fearful.trigger_indices.length, fearful.bars_fetched, 'greed on every day');
  assert.match(missing.error, /no column Score, which column_above requires/);
});
