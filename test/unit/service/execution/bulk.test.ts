import assert from 'node:assert/strict';
import test from 'node:test';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { evaluateBulk, evaluateInline } from '../../../../service/execution/evaluate-strategy.js';
import { ann, code, flats, inline, save, settings, state, up, world } from '../../../support/execution-world.js';
import { uuid } from '../../../support/uuid.js';

test('a batch refuses fields that exclude each other', async () => {
  const w = await world([...flats, up]);
  const bulk = (request: object) => evaluateBulk(ann, request, w.services);
  await assert.rejects(bulk({}), code('MISSING_FIELD', /strategy_ids/));
  await assert.rejects(
    bulk({ strategy_ids: Array(60).fill(uuid(1)), strategy_configs: Array(41).fill(inline) }),
    code('VALIDATION_ERROR', /101/),
  );
  await assert.rejects(
    bulk({ strategy_configs: [{ ...inline, id: uuid(5), open_positions: [] }] }),
    code('VALIDATION_ERROR', /both/),
  );
  await assert.rejects(
    bulk({ strategy_configs: [{ ...inline, open_positions: [] }], persist: true }),
    code('VALIDATION_ERROR', /persist/),
  );
  await assert.rejects(
    evaluateInline(ann, { strategy: inline, open_positions: [], persist: true }, w.services),
    code('VALIDATION_ERROR', /persist/),
  );
});

test('two definitions on the same bars share one fetch, as long as the longer one needs', async () => {
  const w = await world([...flats, up]);
  const long = { ...inline, execution_config: { ...settings, atr_period: 60 } };
  await evaluateInline(ann, { strategy: long }, w.services);
  const wanted = w.market.fromMs;
  w.market.fetched.length = 0;
  await evaluateBulk(ann, { strategy_configs: [inline, long, inline] }, w.services);
  assert.deepEqual([w.market.fetched, w.market.fromMs], [['BTC 3600000'], wanted]);
});

test('the balances of an account are the sum of what its strategies hold', async () => {
  const w = await world([...flats, up]);
  const ids = [
    await save(w, uuid(10)),
    await save(w, uuid(11), { execution_state: { ...state, cash_balance: 5_000 } }),
  ];
  await evaluateBulk(ann, { strategy_ids: ids, persist: true }, w.services);
  w.market.now += HOUR_MS / 2;
  w.market.price = 105;
  const { results } = await evaluateBulk(ann, { strategy_ids: ids, persist: true }, w.services);
  const states = results.map((result) => (result.success ? result.execution_state : state));
  const [account, ...others] = await w.store.listAccounts(ann.userId, null);
  assert.equal(others.length, 0);
  const sum = (key: 'cash_balance' | 'account_value') => states[0][key] + states[1][key];
  assert.ok(Math.abs(account.cash_balance - sum('cash_balance')) < 1e-9);
  assert.ok(Math.abs(account.account_value - sum('account_value')) < 1e-9 && account.account_value > 15_000);
});

test('other work gets its turn between the strategies of a batch', async () => {
  const w = await world([...flats, up]);
  let isDone = false;
  let turns = 0;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await evaluateBulk(ann, { strategy_configs: Array(20).fill(inline) }, w.services);
  isDone = true;
  assert.ok(turns >= 20, `${turns} turns`);
});
