import assert from 'node:assert/strict';
import { contract } from '../../support/contract.js';

const rising = (count: number) => Array.from({ length: count }, (_, i) => ({ Close: 100 + i }));

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
});

for (const method of ['Signals.Evaluate', 'Signals.EvaluateScoped'] as const) {
  contract(`${method} answers with the value at the last bar`, async ({ api }) => {
    const request = { signal_name: 'is_above_sma', market_data: rising(30), parameters: { window: 20 } };
    const { body } = await api.call(method, request);
    assert.deepEqual([body.success, body.signal_name, body.result], [true, 'is_above_sma', true]);
    assert.equal(body.error ?? null, null);
    const falling = await api.call(method, { ...request, market_data: rising(30).reverse() });
    assert.equal(falling.body.result, false);
  });
}

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
