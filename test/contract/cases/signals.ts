import assert from 'node:assert/strict';
import { contract } from '../../support/contract.js';

contract("a signal counts the caller's strategies that use it, once each, under any name", async ({ api, other }) => {
  const rule = (name: string, signal_type: string) => ({ name, signal_type, timeframe: '1h', params: {} });
  const filter = { ...rule('is_above_sma', 'FILTER'), params: { window: 20 } };
  const hammer = {
    name: 'hammers',
    asset: 'BTC',
    entry: [rule('hammer', 'TRIGGER'), filter],
    exit: [rule('hammer_trigger', 'TRIGGER')],
  };
  await api.call('Strategies.Create', hammer);
  await api.call('Strategies.Create', {
    ...hammer,
    name: 'crosses',
    entry: [rule('rsi_cross_up', 'TRIGGER'), filter],
    exit: [],
  });
  const usage = async (caller: typeof api, signal_name: string) =>
    (await caller.call('Signals.Get', { signal_name })).body.usage_count;
  assert.equal(await usage(api, 'hammer_trigger'), 1);
  assert.equal(await usage(api, 'is_above_sma'), 2);
  assert.equal(await usage(api, 'rsi_oversold'), 0);
  assert.equal(await usage(other, 'is_above_sma'), 0);
  const { body } = await api.call('Signals.Search', { query: 'is_above_sma' });
  assert.equal(body.signals[0].usage_count, 2);
  assert.equal((await api.call('Signals.List', { category: 'trend', limit: 1 })).body.signals.length, 1);
});

contract('a wrong formula is refused with the position of its error', async ({ api }) => {
  const cross = { when: 'crosses_above(sma(close, fast), sma(close, 20))', fast: 5 };
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
});
