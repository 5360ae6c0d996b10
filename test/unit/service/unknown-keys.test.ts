import assert from 'node:assert/strict';
import test from 'node:test';
import { runBacktest, runSweep } from '../../../library/index.js';
import { orderOf } from '../../../service/backtests/request.js';
import { parseStrategyJson } from '../../../service/backtests/strategy-json.js';
import { readRules } from '../../../service/strategies/definition.js';

const trigger = { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} };
const filter = { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: { window: 50 } };
const definition = { name: 'x', asset: 'BTC', entry: [trigger, { ...filter, commnet: 'mine' }] };
const named = /^entry\[1\]: "commnet" is not a key here \(ignored\)$/;

test('an extra key of a rule is named in the warnings of a stored strategy and of a run', () => {
  const warnings: string[] = [];
  readRules(definition, 'strict', warnings);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, named);
  const around = { asset: 'BTC', interval: '1h' };
  assert.match(orderOf(around, definition, null, { start: '2024-01-01' }, 'strategy').warnings.join(), named);
});

test('a word that changes the meaning is refused, wherever a definition has it', () => {
  const refusal = (message: RegExp) => ({ code: 'INVALID_FIELD', message });
  const other = { ...definition, entry: [{ ...trigger, asset: 'ETH' }, filter] };
  assert.throws(() => readRules(other, 'strict'), refusal(/^entry\[0\]: "asset" is not a key here/));
  for (const word of ['direction', 'side', 'leverage', 'stop_loss', 'trailing_stop', 'minimal_roi']) {
    const text = JSON.stringify({ ...definition, [word]: 2 });
    assert.throws(
      () => parseStrategyJson(text, 'strategy_json', []),
      refusal(new RegExp(`^strategy: "${word}" is not`)),
    );
  }
});

test('an extra key beside the rules is named, at the top and under rules; a null key is absent', () => {
  const { entry, ...rest } = definition;
  const warnings: string[] = [];
  const model = { ...rest, id: 'x', direction: null, rules: { entry, max_trades_per_day: 1, entyr: [] } };
  const read = parseStrategyJson(JSON.stringify(model), 'strategy_json', warnings);
  assert.deepEqual(read.entry, entry);
  assert.equal(warnings.length, 3);
  assert.match(warnings[0]!, /^strategy: "id" is not a key here/);
  assert.match(warnings[1]!, /^strategy: "max_trades_per_day" is not a key here/);
  assert.equal(warnings[2], 'strategy: "entyr" is not a key here, did you mean entry? (ignored)');
});

test('the library refuses options that it does not have', async () => {
  const wrong = { strategy: { entry: [trigger] }, comission: 0.1 } as never;
  await assert.rejects(runBacktest(wrong), {
    code: 'INVALID_FIELD',
    message: /^runBacktest: "comission" is not a key here/,
  });
  await assert.rejects(runSweep({ thread: 2 } as never), {
    message: 'runSweep: "thread" is not a key here, did you mean threads?',
  });
});
