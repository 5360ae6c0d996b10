import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { fromMessage, toMessage } from '../../../rpc/codec.js';
import { encodePaced, readRequest } from '../../../rpc/paced-codec.js';
import { contract, contractMethod, deserializer, serializer } from '../../../rpc/protos.js';
import { decodeJson, encodeJson } from '../../../rpc/struct-codec.js';
import { JSON_LISTS_MAX, JSON_VALUES_MAX } from '../../../service/access/index.js';

const { request: create } = contractMethod('Strategies.Create');
const sent = (plain: object) =>
  fromMessage(create, deserializer(create)(serializer(create)(toMessage(create, plain))), 'absent');

test('a request comes out as it went in: nulls, unknown keys, wrong types, empty lists, and what fits', () => {
  for (const plain of [
    { entry: [], exit: null, name: 'x' },
    { entry: [{ name: 'a', signal_type: 'TRIGGER', params: { window: 14, odd: null, list: [1, 2] } }] },
    { entry: [{ name: 7, also: true }, { timeframe: null }] },
    { entry: 'none', execution_config: 5 },
    {
      execution_config: { fee_pct: 0.001, max_hold_bars: null, atr_period: 14.5, atr_period_: 1, cooldown_config: {} },
    },
    { execution_config: { cooldown_config: { '1h': { short_loss_limit: 3 }, odd: 4 } } },
    { execution_state: { cash_balance: -0.5, total_trades: 2 ** 40 } },
    { execution_config: { scale_out: [[1, 0.5]], target_schedule: [] } },
    { execution_config: { scale_out: [[1, 0.5, 2]], target_schedule: [[0, null]] } },
  ]) {
    const { entry: _, exit: __, ...expected } = { entry: undefined, exit: undefined, ...plain };
    const { entry, exit, ...read } = sent(plain);
    assert.deepEqual(read, expected);
    assert.deepEqual([entry, exit], [(plain as { entry?: unknown }).entry, (plain as { exit?: unknown }).exit]);
  }
});

test('pairs of a setting stand in their field, and `given` tells an empty list and a null from what is left out', () => {
  const { execution_config: settings } = toMessage(create, { execution_config: { scale_out: [[1, 0.5]] } });
  assert.deepEqual(settings, { scale_out: [{ at: 1, value: 0.5 }] });
  const { reply: state } = contractMethod('Backtests.GetStatus');
  const answer = (plain: object) =>
    fromMessage(state, deserializer(state)(serializer(state)(toMessage(state, plain))), 'null');
  const { denied_signals, trade_history, metrics } = answer({
    denied_signals: [],
    trade_history: null,
    metrics: { sharpe_ratio: 1, benchmark_btc_return: null },
  });
  assert.deepEqual([denied_signals, trade_history], [[], null]);
  assert.deepEqual(metrics, { sharpe_ratio: 1, benchmark_btc_return: null });
});

test('a list of numbers and nulls is the same after a Struct, in the bytes of other writers', () => {
  const root = protobuf.Root.fromJSON(protobuf.common.get('google/protobuf/struct.proto') as protobuf.INamespace);
  const theirs = root.lookupType('google.protobuf.Value');
  const item = fc.oneof(fc.double(), fc.integer(), fc.constant(null), fc.constantFrom(-0, Number.NaN, Infinity));
  const list = fc.array(item, { maxLength: 60 });
  fc.assert(
    fc.property(list, fc.option(fc.string()), (numbers, last) => {
      const all = last === null ? numbers : [...numbers, last];
      const plain = all.map((each) => (typeof each === 'number' && !Number.isFinite(each) ? null : each));
      const bytes = encodeJson('Value', { all });
      assert.deepEqual(decodeJson('Value', bytes, null), { all: plain });
      assert.deepEqual(Buffer.from(theirs.encode(theirs.decode(bytes)).finish()), Buffer.from(bytes));
      assert.deepEqual(decodeJson('ListValue', encodeJson('ListValue', all), null), plain);
    }),
    { numRuns: 300 },
  );
});

test('the JSON of a request may have so many values and lists, and nest so deep', () => {
  const count = () => ({ values: 0, lists: 0 });
  decodeJson('ListValue', encodeJson('ListValue', Array(JSON_VALUES_MAX).fill(0)), count());
  const values = encodeJson('ListValue', Array(JSON_VALUES_MAX + 1).fill(0));
  assert.throws(() => decodeJson('ListValue', values, count()), /at most 500000 values, had 500001/);
  assert.equal(
    (decodeJson('ListValue', values, null) as unknown[]).length,
    JSON_VALUES_MAX + 1,
    'a reply may have more',
  );
  const lists = encodeJson('ListValue', Array(JSON_LISTS_MAX).fill({}));
  assert.throws(() => decodeJson('ListValue', lists, count()), { code: 'PAYLOAD_TOO_LARGE' });
  let deep: unknown = 0;
  for (let i = 0; i < 150; i++) deep = [deep];
  assert.throws(() => decodeJson('Value', encodeJson('Value', deep), count()), /nest at most 100 levels/);
});

test('a key __proto__ stays a key, and bytes that are no JSON are refused', () => {
  const read = decodeJson('Struct', encodeJson('Struct', JSON.parse('{"__proto__": {"a": 1}}')), null) as object;
  assert.deepEqual(Object.keys(read), ['__proto__']);
  assert.equal((read as { a?: unknown }).a, undefined);
  assert.throws(() => decodeJson('Struct', Buffer.from([0x50, 1]), null), RangeError);
});

test('what no use case would read is refused at the root of a request: an unknown key, and a misplaced one', () => {
  const read = (plain: object) =>
    readRequest(contractMethod('Strategies.Create'), serializer(create)(toMessage(create, plain)));
  assert.equal(read({ name: 'x', execution_config: { unknown: 1 } }).name, 'x', 'below the root the use case names it');
  assert.throws(() => read({ nmae: 'x' }), {
    code: 'VALIDATION_ERROR',
    message: /"nmae" is not a key here, did you mean name/,
  });
  assert.throws(() => read({ atr_period: 14 }), { message: 'atr_period: belongs to execution_config' });
});

test('a list where a message is due stays a list, however long it is', async () => {
  const entry = [Array.from({ length: 2_000 }, (_, i) => i)];
  const bytes = await encodePaced(create, { entry });
  assert.deepEqual(fromMessage(create, deserializer(create)(bytes), 'absent').entry, entry);
});

test('what the items of a long list have beyond their fields lies over them', async () => {
  const rules = Array.from({ length: 2_000 }, (_, i) => (i === 7 ? { name: 7, also: null } : { name: `rule ${i}` }));
  const { request: run } = contractMethod('Experiments.Create');
  const plan = { config: { entry_signals: { triggers: rules, filters: [] } } };
  const bytes = await encodePaced(run, plan, true);
  const { config } = deserializer(run)(bytes) as { config: { entry_signals: { triggers: { name: string }[] } } };
  assert.equal(config.entry_signals.triggers[8]?.name, 'rule 8', 'a client finds the rule in its field');
  assert.deepEqual(readRequest(contractMethod('Experiments.Create'), bytes), plan);
});

test('a number that is not finite reaches the service as it is, which refuses it by name; a reply has null', async () => {
  const bars = Array.from({ length: 2_000 }, (_, i) => i);
  const parts: [object, string][] = [
    [{ execution_config: JSON.parse('{"initial_balance": 1e999}') }, 'initial_balance'],
    [{ execution_config: { atr_period: Infinity } }, 'atr_period'],
    [{ entry: [{ name: 'a', within_bars: Infinity }] }, 'within_bars'],
    [{ execution_state: { total_trades: -Infinity } }, 'total_trades'],
    [{ execution_config: { unknown: { deep: -Infinity } } }, 'deep'],
    [{ entry: [{ name: 'a', params: { window: Infinity } }] }, 'window'],
    [{ entry: [{ name: 'a', params: { bars, window: Infinity } }] }, 'window'],
    [{ entry: [{ name: 'a', params: { list: [1, Infinity] } }] }, '1'],
  ];
  for (const [plain, field] of parts) {
    const bytes = await encodePaced(create, plain, true);
    const refusal = { code: 'VALIDATION_ERROR', message: new RegExp(`^${field} must be finite, was -?Infinity$`) };
    assert.throws(() => readRequest(contractMethod('Strategies.Create'), bytes), refusal);
  }
  const params = { window: null };
  assert.deepEqual(sent({ entry: [{ name: 'a', params: { window: Infinity } }] }).entry, [{ name: 'a', params }]);
});

test('each whole number of a request stands below a message that keeps what it cannot hold, to be refused', () => {
  const seen = new Set<string>();
  const visit = (type: protobuf.Type, isKeptAbove: boolean): void => {
    const isKept = isKeptAbove || 'rest' in type.fields;
    if (seen.has(`${type.name} ${isKept}`)) return;
    seen.add(`${type.name} ${isKept}`);
    for (const field of type.fieldsArray) {
      if (/int/.test(field.type)) assert.ok(isKept, `${type.name}.${field.name}`);
      if (field.resolvedType instanceof protobuf.Type) visit(field.resolvedType, isKept);
    }
  };
  for (const { request } of contract().methods.values()) visit(request, false);
  assert.ok(seen.size > 100);
});
