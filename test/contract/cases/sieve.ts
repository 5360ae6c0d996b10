import assert from 'node:assert/strict';
import type { ApiCode } from '../../../rpc/index.js';
import { dipStrategy } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';

const { entry, exit } = dipStrategy;
const strategy = { asset: 'BTC', entry, exit };
const run = { asset: 'BTC', entry_json: JSON.stringify(entry), exit_json: JSON.stringify(exit), exec_config: {} };
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

contract('a run as rows hold it scores like its strategy, and window and costs matter', async ({ api }) => {
  const of = async (body: object) => (await api.call('Sieve.Score', body)).body.predictions[0];
  const first = await of({ strategies: [strategy] });
  assert.deepEqual(await of({ runs: [run] }), first);
  assert.deepEqual(await of({ strategies: [strategy], window_bars: 2_000 }), first, 'the default window');
  const longer = await of({ strategies: [strategy], window_bars: 20_000 });
  assert.ok(longer.binary.p_trades > first.binary.p_trades, 'a longer window has more chances to trade');
  const cheap = await of({ strategies: [{ ...strategy, execution_config: { fee_pct: 0, slippage_pct: 0 } }] });
  assert.ok(cheap.four_class.winning > first.four_class.winning, 'costs lose');
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

const many = Array.from({ length: 100 }, () => strategy);
const refusals: readonly [body: object, code: ApiCode, message: RegExp][] = [
  [{}, 'MISSING_FIELD', /strategies or runs$/],
  [{ strategies: [strategy], runs: [run] }, 'INVALID_FIELD', /exclude each other/],
  [{ strategies: many }, 'PAYLOAD_TOO_LARGE', /at most 99 items, has 100/],
  [{ strategies: [strategy, 7] }, 'INVALID_FIELD', /^strategies\[1\] must be an object/],
  [{ strategies: [{ entry, exit }] }, 'MISSING_FIELD', /^strategies\[0\]: .*asset/],
  [{ runs: [{ ...run, entry_json: '[' }] }, 'INVALID_FIELD', /^runs\[0\]: entry_json must be JSON/],
];

contract('what cannot be scored is refused with its place', async ({ api }) => {
  for (const [body, code, message] of refusals) assertRefused(await api.call('Sieve.Score', body), code, message);
});
