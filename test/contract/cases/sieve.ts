import assert from 'node:assert/strict';
import { dipStrategy } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';

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
