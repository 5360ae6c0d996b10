import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { EngineError } from '../../../engine/errors.js';
import { ApiError } from '../../../service/api-error.js';
import { findStrategy, makeOrder, readOrder } from '../../../service/backtests/request.js';
import { savedEvaluable } from '../../../service/execution/definition.js';
import * as foreign from '../../support/foreign-words.js';

const trigger = { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} };
const filter = { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: { window: 50 } };
const named = /^entry\[1\]: "commnet" is not a key here \(ignored\)$/;

test('a strategy that was stored keeps running and names its dead keys', async () => {
  const rules = {
    entry: [
      { ...trigger, informative_pair: 'ETH' },
      { ...filter, commnet: 'mine' },
    ],
    direction: 'short',
  };
  const saved = { name: 'old', asset: 'BTC', rules, executionConfig: {} };
  const owner = { orgId: randomUUID(), userId: randomUUID() };
  const { definition: stored, unread } = await findStrategy(owner, randomUUID(), { find: async () => saved });
  assert.equal(unread.length, 1);
  assert.match(unread[0]!, /^strategy: "direction" is not a key here.*\(ignored\)$/);
  const { warnings } = makeOrder({ asset: 'BTC', interval: '1h' }, stored, 'id', { start: '2024-01-01' }, 'strategy');
  assert.equal(warnings.length, 2);
  assert.match(warnings[0]!, /^entry\[0\]: "informative_pair" is not a key here/);
  assert.match(warnings[1]!, named);
  const lane = { execution_state: { cash_balance: 1_000 } };
  const evaluable = savedEvaluable({ ...saved, id: 'x', status: 'inactive', execution_config: {}, lane } as never);
  for (const key of ['direction', 'informative_pair', 'commnet'])
    assert.match(evaluable.warnings.join('\n'), new RegExp(`"${key}"`));
});

test('the service names or refuses each of 500 words of other tools, or acts by it', async () => {
  const owner = { orgId: randomUUID(), userId: randomUUID() };
  const request = { interval: '1h', start_date: '2024-01-01', end_date: '2024-02-01' };
  const counts = { warned: 0, refused: 0 };
  for (const { word, place, value, definition: written } of foreign.definitions(500)) {
    if (value === null) continue; // a null key counts as absent
    const what = `${word} in ${place}`;
    try {
      const sent = { ...request, strategy_json: JSON.stringify(written) };
      const { warnings, request: read } = await readOrder(
        owner,
        sent,
        { filling: 'filled' },
        { find: async () => null },
      );
      const { execution_config: config } = read.strategy as { readonly execution_config: object };
      assert.ok(
        warnings.some((warning) => warning.includes(word)) || Object.hasOwn(config, word),
        `${what} runs in silence`,
      );
      counts.warned++;
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof EngineError)) throw error;
      assert.match(error.message, new RegExp(`\\b${word}\\b`), what);
      counts.refused++;
    }
  }
  assert.ok(counts.warned > 100 && counts.refused > 50, JSON.stringify(counts));
});
