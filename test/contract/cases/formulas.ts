import assert from 'node:assert/strict';
import { runBody } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';

/** Conditions that callers spell out themselves. */

const rule = (params: object, signal_type = 'TRIGGER', name = 'formula') => ({
  ...{ name, signal_type, timeframe: '1d', params },
});
const cross = { when: 'crosses_above(sma(close, fast), sma(close, 20))', fast: 5 };
const calm = { when: 'not natr(14) > 8 and last(column(FearGreed)) < 90' };

contract('a run of formulas equals the run of the signals that they spell out', async ({ api }) => {
  const run = async (entry: object[]) =>
    (
      await api.call('Backtests.Run', {
        ...{ ...runBody, start_date: '2022-01-01', end_date: '2023-12-31' },
        strategy_json: JSON.stringify({ name: 'Crosses', asset: 'BTC', entry, exit: [] }),
      })
    ).body;
  const calmRule = rule(calm, 'FILTER');
  const formulas = await run([rule(cross), calmRule]);
  const signals = await run([rule({ window_fast: 5, window_slow: 20 }, 'TRIGGER', 'sma_cross_up'), calmRule]);
  assert.ok(formulas.trade_count > 0);
  assert.deepEqual([formulas.denied_signals, formulas.warnings], [[], signals.warnings]);
  assert.deepEqual(formulas.metrics, signals.metrics);
  const { body: audit } = await api.call('Backtests.GetAudit', { id: formulas.backtest_id });
  assert.deepEqual([audit.is_clean, audit.findings], [true, []]);
  const { body: replayed } = await api.call('Backtests.Replay', { id: formulas.backtest_id });
  assert.deepEqual([replayed.is_reproduced, replayed.changes], [true, []]);
});

contract('a wrong formula is refused with the position of its error', async ({ api }) => {
  const future = { when: 'close > close[-1]' };
  const message = /when is wrong at character 15: a shift reads the past only/;
  const validate = async (parameters: object) =>
    (await api.call('Signals.ValidateParams', { signal_name: 'formula', parameters })).body;
  assert.match((await validate(future)).errors[0], message);
  assert.match((await validate({ when: cross.when })).errors[0], /parameter fast, named at character 26 of when/);
  assert.match((await validate({ ...cross, fats: 1 })).errors[0], /unknown parameter "fats", did you mean fast\?/);
  assert.equal((await validate(cross)).valid, true);
  const market_data = [{ close: 1 }];
  const evaluated = await api.call('Signals.Evaluate', { signal_name: 'formula', parameters: future, market_data });
  assert.deepEqual([evaluated.code, message.test(evaluated.message ?? '')], ['VALIDATION_ERROR', true]);
  const create = (params: object) =>
    api.call('Strategies.Create', { name: 'own', asset: 'BTC', entry: [rule(cross), rule(params, 'FILTER')] });
  assert.equal((await create(calm)).code, 'OK');
  assert.match((await create(future)).message ?? '', message);
});
