import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromMessage, toMessage } from '../../../rpc/codec.js';
import { checkMessageSize, decodePaced, encodePaced, FIELDS_MAX } from '../../../rpc/paced-codec.js';
import { contractMethod, deserializer, serializer } from '../../../rpc/protos.js';
import { JsonText } from '../../../service/json-text.js';

const { reply } = contractMethod('Signals.EvaluateMultipleSeries');
const bars = Array.from({ length: 5_000 }, (_, i) => ({ timestamp: `t${i}`, open: i / 7 }));
const answer = {
  symbol: 'BTC',
  chart_timeframe: '1h',
  start_date: 'a',
  end_date: 'b',
  chart_data: bars,
  signal_results: ['x', 'y'].map((signal_name) => ({
    signal_name,
    timeframe: '1h',
    bars_fetched: 5_000,
    trigger_indices: bars.map((_, i) => i),
    trigger_timestamps: bars.map(({ timestamp }) => timestamp),
    market_data: bars,
  })),
};

test('a large message in pieces has the fields of the whole', async () => {
  const whole = serializer(reply)(toMessage(reply, answer));
  const expected = fromMessage(reply, deserializer(reply)(whole), 'null');
  const bytes = await encodePaced(reply, answer);
  assert.deepEqual(fromMessage(reply, deserializer(reply)(bytes), 'null'), expected);
  assert.deepEqual(await decodePaced(reply, whole, false), expected);
  const asText = await decodePaced(reply, whole, true);
  assert.ok(asText.chart_data instanceof JsonText);
  assert.deepEqual(JSON.parse(JSON.stringify(asText)), expected);
});

test('a list may be longer than a call may have arguments', async () => {
  const { reply: trades } = contractMethod('Backtests.ListTrades');
  const list = Array.from({ length: 200_000 }, (_, i) => ({ trade_id: `t${i}` }));
  const bytes = await encodePaced(trades, { backtest_id: 'b', trade_count: list.length, trades: list });
  const read = (await decodePaced(trades, bytes, false)).trades as { readonly trade_id: string }[];
  assert.deepEqual([read.length, read.at(-1)?.trade_id], [200_000, 't199999']);
});

test('a request of too many fields is refused by its bytes', () => {
  const { request } = contractMethod('Backtests.RunBulk');
  const tag = Buffer.from([0x0a, 0x00]);
  const of = (fields: number): Buffer => Buffer.concat(Array.from({ length: fields }, () => tag));
  checkMessageSize(request, of(FIELDS_MAX));
  assert.throws(() => checkMessageSize(request, of(FIELDS_MAX + 1)), { code: 'PAYLOAD_TOO_LARGE' });
});
