import assert from 'node:assert/strict';
import type { ApiCode } from '../../../rpc/index.js';
import { dipStrategy, riskFields, runBody, without } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';

const ID = '00000000-0000-4000-8000-000000000000';
const undated = without(['start_date', 'end_date']);

const refusals: readonly [what: string, body: object, code: ApiCode, message: RegExp][] = [
  ['no date at all', undated, 'MISSING_FIELD', /: start_date, end_date or lookback_months$/],
  ['an end alone', { ...undated, end_date: '2024-01-01' }, 'MISSING_FIELD', /start_date or lookback_months$/],
  ['a start after the end', { ...runBody, start_date: '2024-02-01' }, 'VALIDATION_ERROR', /start_date must be before/],
  ['a date that is none', { ...runBody, start_date: '2024-02-30' }, 'VALIDATION_ERROR', /start_date.*2024-02-30/],
  ['months that are not whole', { ...undated, lookback_months: 1.5 }, 'VALIDATION_ERROR', /lookback_months.*1\.5/],
  ['no months', { ...undated, lookback_months: 0 }, 'VALIDATION_ERROR', /lookback_months.*was 0/],
  [
    'a window without bars',
    { ...runBody, start_date: '2030-01-01', end_date: '2030-02-01' },
    'VALIDATION_ERROR',
    /1d bar of BTC.*2030-01-01T00:00:00Z/,
  ],
  ['both sources', { ...runBody, strategy_id: ID }, 'VALIDATION_ERROR', /strategy_json or strategy_id, not both/],
  ['no source', without(['strategy_json']), 'MISSING_FIELD', /: strategy_json or strategy_id$/],
  [
    'a strategy that is not JSON',
    { ...runBody, strategy_json: '{' },
    'VALIDATION_ERROR',
    /^strategy_json must be JSON/,
  ],
  ['a strategy that is a list', { ...runBody, strategy_json: '[]' }, 'VALIDATION_ERROR', /must hold an object/],
  ['a strategy without entry', { ...runBody, strategy_json: '{"asset":"BTC"}' }, 'VALIDATION_ERROR', /entry/],
  [
    'text inside the strategy that no store can hold',
    { ...runBody, strategy_json: JSON.stringify({ ...dipStrategy, name: 'a\0b' }) },
    'VALIDATION_ERROR',
    /^name has characters/,
  ],
  ['an unknown interval', { ...runBody, interval: '7m' }, 'VALIDATION_ERROR', /^interval must be one of 5m.*"7m"/],
  ['an unknown asset', { ...runBody, asset: 'NOPE' }, 'VALIDATION_ERROR', /NOPE/],
  ['an unknown mode', { ...runBody, mode: 'slow' }, 'VALIDATION_ERROR', /^mode must be full or quick/],
  ['a setting out of bounds', { ...runBody, max_risk_per_trade: -1 }, 'VALIDATION_ERROR', /max_risk_per_trade/],
  [
    'settings that are no object',
    { ...runBody, execution_config: [] },
    'VALIDATION_ERROR',
    /^execution_config must be/,
  ],
  ['an unknown strategy', { ...without(['strategy_json']), strategy_id: ID }, 'RESOURCE_NOT_FOUND', /^strategy /],
  ['an id that is none', { ...without(['strategy_json']), strategy_id: 'x' }, 'RESOURCE_NOT_FOUND', /^strategy x/],
];

for (const method of ['Backtests.Run', 'Backtests.Submit'] as const) {
  for (const [what, body, code, message] of refusals) {
    contract(`${method} refuses ${what} with the reason, and stores nothing`, async ({ api }) => {
      assertRefused(await api.call(method, body), code, message);
      assert.equal((await api.call('Backtests.History')).body.total, 0);
    });
  }
}

contract('one refusal names all missing fields', async ({ api }) => {
  const settings = Object.keys(riskFields).filter((name) => !/cooldown_bars|momentum_limit/.test(name));
  const answer = await api.call('Backtests.Run');
  const names = ['asset', 'strategy_json or strategy_id', 'interval', 'start_date, end_date or lookback_months'];
  assert.equal(answer.code, 'MISSING_FIELD');
  assert.deepEqual(answer.message?.replace('Missing required fields: ', '').split(/, (?!end_date)/), [
    ...names,
    ...settings,
    'cooldown_config',
  ]);
  const partial = await api.call('Backtests.Run', without(['cooldown_bars']));
  assert.equal(partial.message, 'Missing required field: cooldown_bars');
});

const bulkRefusals: readonly [what: string, body: object, code: ApiCode, message: RegExp][] = [
  ['both lists', { strategy_ids: [ID], strategy_configs: [dipStrategy] }, 'VALIDATION_ERROR', /not both/],
  ['no list', {}, 'MISSING_FIELD', /: strategy_ids or strategy_configs$/],
  ['an empty list', { strategy_configs: [] }, 'VALIDATION_ERROR', /1\.\.99 items, has 0/],
  ['100 items', { strategy_ids: Array(100).fill(ID) }, 'VALIDATION_ERROR', /1\.\.99 items, has 100/],
  ['a list that is none', { strategy_ids: 'all' }, 'VALIDATION_ERROR', /strategy_ids must be an array/],
  ['ids that are no text', { strategy_ids: [1] }, 'VALIDATION_ERROR', /hold ids, holds 1/],
  [
    'no window',
    { ...undated, start_date: undefined, strategy_ids: [ID] },
    'MISSING_FIELD',
    /^Missing required fields: start_date, end_date$/,
  ],
  [
    'no asset in any item',
    { strategy_configs: [without(['asset'], dipStrategy), { strategy_json: '{"entry":[]}' }] },
    'MISSING_FIELD',
    /^Missing required field: asset$/,
  ],
];

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

contract('an item without an asset fails by itself beside one with an asset', async ({ api }) => {
  const { body } = await api.call('Backtests.RunBulk', {
    ...without(['asset', 'strategy_json']),
    strategy_configs: [dipStrategy, without(['asset'], dipStrategy)],
  });
  assert.deepEqual(
    body.results.map(({ error }: { error: string | null }) => error),
    [null, 'Missing required field: asset'],
  );
});

for (const [what, body, code, message] of bulkRefusals) {
  contract(`a bulk run with ${what} is refused as a whole`, async ({ api }) => {
    const around = 'lookback_months' in body || 'start_date' in body ? undated : runBody;
    assertRefused(
      await api.call('Backtests.RunBulk', {
        ...without(['asset', 'strategy_json'], around),
        ...without(['asset', 'strategy_json'], body),
      }),
      code,
      message,
    );
  });
}
