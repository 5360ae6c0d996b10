import assert from 'node:assert/strict';
import { dipStrategy } from '../../support/backtests.js';
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

const { entry, exit } = dipStrategy;
const strategy = { asset: 'BTC', entry, exit };
const sums = ({ binary, four_class }: Record<string, Record<string, number>>): number[] =>
  [binary, four_class].map((head) => Object.values(head!).reduce((sum, p) => sum + p, 0));

contract('99 strategies are scored in their order, each head sums to 1, and the heads agree', async ({ api }) => {
  const strategies = Array.from({ length: 99 }, (_, i) => ({
    ...strategy,
    asset: ['BTC', 'ETH', 'DOGE'][i % 3],
    execution_config: { fee_pct: (i % 5) / 1_000, slippage_pct: 0, reward_factor: 1 + (i % 4) },
  }));
  const { body, code } = await api.call('Sieve.Score', { strategies });
  assert.equal(code, 'OK');
  assert.deepEqual([body.count, body.predictions.length, body.code_version], [99, 99, 'test']);
  assert.match(body.model_version, /^barline-sieve-1:[0-9a-f]{12}$/);
  for (const prediction of body.predictions) {
    for (const sum of sums(prediction)) assert.ok(Math.abs(sum - 1) < 1e-12);
    assert.equal(prediction.binary.p_no_trades, prediction.four_class.no_trades);
  }
  const alone = await api.call('Sieve.Score', { strategies: [strategies[50]] });
  assert.deepEqual(alone.body.predictions[0], body.predictions[50], 'a score does not depend on its neighbours');
});

contract('a strategy that provably cannot trade has no chance of it, and lists refused rules', async ({ api }) => {
  const denied = { ...strategy, entry: [{ ...entry[0], name: 'luck' }] };
  const closed = { ...strategy, execution_config: { max_open_positions: 0 } };
  const { body } = await api.call('Sieve.Score', { strategies: [denied, closed] });
  for (const { binary, four_class } of body.predictions) {
    assert.deepEqual([binary.p_no_trades, binary.p_trades], [1, 0]);
    assert.deepEqual(four_class, { losing: 0, no_trades: 1, wash: 0, winning: 0 });
  }
  const [refused, allowed] = body.predictions;
  const [{ side, name, reason }] = refused.denied_signals;
  assert.deepEqual([side, name, reason], ['entry', 'luck', 'unknown_signal']);
  assert.deepEqual(allowed.denied_signals, []);
});
