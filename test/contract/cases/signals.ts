import assert from 'node:assert/strict';
import { MARKET_DATA_BARS_MAX } from '../../../service/signals/index.js';
import { contract } from '../../support/contract.js';

const rising = (count: number) => Array.from({ length: count }, (_, i) => ({ Close: 100 + i }));

contract(
  'the documented categories add up to the list without one, and ours are listed by their name',
  async ({ api }) => {
    const documented = ['momentum', 'trend', 'volume', 'volatility', 'patterns', 'onchain'];
    for (const method of ['Signals.List', 'Knowledge.ListSignals'] as const) {
      const totalOf = async (request: object) => (await api.call(method, request)).body.total;
      const totals = await Promise.all(documented.map((category) => totalOf({ category })));
      assert.deepEqual([await totalOf({}), totals.reduce((sum, total) => sum + total, 0)], [249, 249]);
      assert.ok((await totalOf({ category: 'user' })) > 0);
    }
  },
);

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
});

contract('a description finds signals, best first, with the reason', async ({ api }) => {
  const user_description = 'buy when RSI is oversold and momentum turns up';
  const { body } = await api.call('Signals.Match', { user_description, num_results: 3, match_type: 'entry' });
  assert.deepEqual([body.query, body.top_k, body.matches.length], [user_description, 3, 3]);
  const scores = body.matches.map(({ score }: { score: number }) => score);
  assert.deepEqual(
    scores,
    [...scores].sort((a, b) => b - a),
  );
  const [best] = body.matches;
  assert.match(best.signal_name, /rsi/);
  assert.deepEqual([best.similarity_score, best.match_reasoning], [best.score, best.reasoning]);
  const same = await api.call('Signals.Match', { description: user_description, top_k: 3, match_type: 'entry' });
  assert.deepEqual(same.body, body);
  assert.deepEqual(body.warnings, []);
  const misspelled = await api.call('Signals.Match', { user_description, num_results: 3, match_type: 'enter' });
  assert.deepEqual(misspelled.body.warnings, ['match_type "enter" has no effect; it may be entry or exit']);
  const none = await api.call('Signals.Match', { user_description, similarity_threshold: 1 });
  assert.deepEqual([none.body.matches, none.body.similarity_threshold], [[], 1]);
  const meant = { user_description: 'momentum', user_intent: { goal: 'oversold', notes: [1] } };
  assert.ok((await api.call('Signals.Match', meant)).body.matches.length > 0);
  assert.equal((await api.call('Signals.Match')).code, 'MISSING_FIELD');
  const tooLong = await api.call('Signals.Match', { user_description: 'x'.repeat(2_001) });
  assert.equal(tooLong.code, 'VALIDATION_ERROR');
  const threshold = await api.call('Signals.Match', { user_description, similarity_threshold: 2 });
  assert.equal(threshold.code, 'VALIDATION_ERROR');
});

for (const method of ['Signals.Evaluate', 'Signals.EvaluateScoped'] as const) {
  contract(`${method} answers with the value at the last bar`, async ({ api }) => {
    const request = { signal_name: 'is_above_sma', market_data: rising(30), parameters: { window: 20 } };
    const { body } = await api.call(method, request);
    assert.deepEqual([body.success, body.signal_name, body.result], [true, 'is_above_sma', true]);
    assert.equal(body.error ?? null, null);
    const falling = await api.call(method, { ...request, market_data: rising(30).reverse() });
    assert.equal(falling.body.result, false);
    const lower = rising(30).map(({ Close }) => ({ close: Close, timestamp: null }));
    assert.equal((await api.call(method, { ...request, market_data: lower })).body.result, true);
  });
}

contract('the largest allowed number of bars fits a request, with every field that a bar may have', async ({ api }) => {
  const exact = 60_000 + 1 / 3;
  const bar = {
    timestamp: '2024-01-01T00:00:00.000Z',
    Open: exact,
    High: exact,
    Low: exact,
    Close: exact,
    Volume: exact,
  };
  const request = {
    signal_name: 'is_above_sma',
    market_data: Array(MARKET_DATA_BARS_MAX).fill(bar),
    params: { window: 200 },
  };
  assert.ok(JSON.stringify(bar).length < 200);
  const answer = await api.call('Signals.Evaluate', request);
  assert.deepEqual([answer.code, answer.body.result], ['OK', false]);
});

const window = { symbol: 'BTC-USD', start_date: '2024-03-01', end_date: '2024-03-10' };

contract('signals are shown on stored bars, each on its own timeframe', async ({ api }) => {
  const signals = [
    { name: 'rsi_oversold', params: { window: 7 } },
    { name: 'is_above_sma', timeframe: '1D', params: { window: 5 } },
    { name: 'rsi_dances', timeframe: '1h', params: {} },
  ];
  const { body } = await api.call('Signals.EvaluateMultipleSeries', { ...window, signals });
  assert.deepEqual([body.symbol, body.chart_timeframe, body.chart_data.length], ['BTC-USD', '1h', 240]);
  const [hourly, daily, unknown] = body.signal_results;
  assert.deepEqual([hourly.bars_fetched, daily.bars_fetched, unknown.bars_fetched], [240, 10, 0]);
  assert.deepEqual(hourly.market_data, body.chart_data);
  assert.ok(daily.trigger_indices.length > 0);
  for (const { trigger_indices, trigger_timestamps, market_data, error } of [hourly, daily]) {
    const times = trigger_indices.map((i: number) => market_data[i].timestamp);
    assert.deepEqual(trigger_timestamps, times);
    assert.equal(error ?? null, null);
  }
  assert.match(unknown.error, /rsi_dances/);
  const chart = await api.call('Signals.EvaluateMultipleSeries', { ...window, chart_timeframe: '4H' });
  assert.deepEqual([chart.body.chart_data.length, chart.body.signal_results], [60, []]);
});

contract('parameters are judged without an error', async ({ api }) => {
  const judge = (parameters?: unknown, signal_name = 'rsi_oversold') =>
    api.call('Signals.ValidateParams', { signal_name, parameters });
  assert.deepEqual((await judge({ window: 20 })).body, { valid: true, errors: [], warnings: [] });
  const { body } = await judge({ window: 1, treshold: 3 });
  assert.equal(body.valid, false);
  assert.equal(body.errors.length, 2);
  assert.match(body.errors[1], /did you mean threshold/);
  assert.equal((await judge([])).body.valid, false);
  assert.equal((await judge()).code, 'MISSING_FIELD');
  assert.equal((await judge({}, 'rsi_dances')).code, 'RESOURCE_NOT_FOUND');
});

contract('code is compiled and its metadata read, and none of it runs', async ({ api }) => {
  const code = 'globalThis.planted = true; function own_cross(bars) { return bars.length > 3; }';
  const request = {
    code,
    params: { window: { type: 'int', min: 2, max: 50 } },
    description: 'mine',
    rule_name: 'own_cross',
  };
  const { body } = await api.call('Signals.Validate', request);
  assert.deepEqual([body.valid, body.syntax_valid, body.metadata_valid, body.errors], [true, true, true, []]);
  assert.deepEqual([body.execution_valid ?? null, body.trades_valid ?? null], [null, null]);
  assert.ok(!('planted' in globalThis));
  const broken = await api.call('Signals.Validate', { ...request, code: 'function (', params: { window: 3 } });
  assert.deepEqual([broken.body.valid, broken.body.syntax_valid, broken.body.metadata_valid], [false, false, false]);
  assert.equal((await api.call('Signals.Validate', {})).message, 'Missing required fields: code, params, description');
});
