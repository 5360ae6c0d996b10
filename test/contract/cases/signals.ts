import assert from 'node:assert/strict';
import { MARKET_DATA_BARS_MAX } from '../../../service/signals/index.js';
import { contract } from '../../support/contract.js';

const rising = (count: number) => Array.from({ length: count }, (_, i) => ({ Close: 100 + i }));
const listAll = { limit: 100 };

contract('signals are listed by name in pages, of one category or of all', async ({ api }) => {
  const { body } = await api.call('Signals.List');
  assert.deepEqual([body.signals.length, body.limit, body.offset], [50, 50, 0]);
  const names = body.signals.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, [...names].sort());
  const next = await api.call('Signals.List', { limit: 2, offset: 49 });
  assert.equal(next.body.signals[0].name, names[49]);
  assert.deepEqual([next.body.limit, next.body.offset, next.body.total], [2, 49, body.total]);
  const volume = await api.call('Signals.List', { ...listAll, category: 'volume' });
  assert.equal(volume.body.total, volume.body.signals.length);
  assert.ok(volume.body.signals.every(({ category }: { category: string }) => category === 'volume'));
  const beyond = await api.call('Signals.List', { offset: 100_000 });
  assert.deepEqual([beyond.body.signals, beyond.body.total], [[], body.total]);
});

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

const badPages: readonly [request: object, message: RegExp][] = [
  [{ limit: 0 }, /^limit must be 1..100, was 0/],
  [{ limit: 101 }, /^limit must be 1..100, was 101/],
  [{ limit: 1.5 }, /^limit must be a whole number/],
  [{ offset: -1 }, /^offset must be/],
  [{ category: 'luck' }, /^category must be one of .*, was "luck"/],
];
for (const [request, message] of badPages) {
  contract(`a list with ${JSON.stringify(request)} is refused`, async ({ api }) => {
    const answer = await api.call('Signals.List', request);
    assert.equal(answer.code, 'VALIDATION_ERROR');
    assert.match(answer.message ?? '', message);
  });
}

contract('a signal is read by name or alias, with the fields of the list', async ({ api }) => {
  const { body } = await api.call('Signals.Get', { signal_name: 'rsi_oversold' });
  assert.deepEqual([body.name, body.type, body.signal_type, body.code], ['rsi_oversold', 'FILTER', 'FILTER', null]);
  assert.deepEqual(body.metadata.params.window, { type: 'int', min: 2, max: 100, default: 14, optional: true });
  assert.deepEqual(body.metadata.requires, ['Close']);
  const { body: found } = await api.call('Signals.Search', { query: 'rsi_oversold' });
  assert.deepEqual(found.signals[0], body);
  const alias = await api.call('Signals.Get', { signal_name: 'hammer' });
  assert.equal(alias.body.name, 'hammer_trigger');
  for (const signal_name of ['rsi_dances', '__proto__', 'a/../b']) {
    assert.equal((await api.call('Signals.Get', { signal_name })).code, 'RESOURCE_NOT_FOUND');
  }
});

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

contract('a search matches names, parameters or keywords', async ({ api }) => {
  const search = async (request: object) => (await api.call('Signals.Search', request)).body;
  const byName = await search({ query: 'OVERSOLD' });
  assert.equal(byName.search_type, 'name');
  assert.ok(byName.total > 1 && byName.signals.every(({ name }: { name: string }) => name.includes('oversold')));
  const byParam = await search({ query: 'window_fast', search_type: 'params', limit: 1 });
  assert.deepEqual([byParam.signals.length, byParam.limit], [1, 1]);
  assert.ok('window_fast' in byParam.signals[0].metadata.params);
  const byWords = await search({ query: 'volume obv', search_type: 'keywords' });
  assert.ok(byWords.total > 0);
  const byTitle = await search({ query: 'Moving average', search_type: 'keywords', limit: 1000 });
  assert.ok(byTitle.signals.some(({ name }: { name: string }) => name === 'is_above_sma'));
  assert.deepEqual((await search({ query: 'xyzzy plugh' })).signals, []);
  const large = await search({ query: 'rsi', limit: 1e9, offset: -3 });
  assert.deepEqual([large.limit, large.offset], [1000, 0]);
  assert.equal((await api.call('Signals.Search', {})).code, 'MISSING_FIELD');
  assert.equal((await api.call('Signals.Search', { query: 'a', search_type: 'luck' })).code, 'VALIDATION_ERROR');
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

  contract(`${method} reports too few bars`, async ({ api }) => {
    const request = { signal_name: 'is_above_sma', market_data: rising(19), params: { window: 20 } };
    const { body } = await api.call(method, request);
    assert.deepEqual([body.success, body.result], [false, null]);
    assert.match(body.error, /needs at least 20 bars .* has 19/);
  });
}

const badEvaluations: readonly [what: string, change: object, code: string, message: RegExp][] = [
  ['an unknown signal', { signal_name: 'rsi_dances' }, 'RESOURCE_NOT_FOUND', /rsi_dances/],
  ['no bars', { market_data: [] }, 'MISSING_FIELD', /market_data/],
  ['bars that are none', { market_data: 'BTC' }, 'VALIDATION_ERROR', /^market_data must be an array/],
  ['a bar that is none', { market_data: [1] }, 'VALIDATION_ERROR', /^market_data\[0\] must be an object/],
  [
    'a missing column',
    { market_data: rising(40).map(({ Close }) => ({ Open: Close })) },
    'VALIDATION_ERROR',
    /^market_data has no column Close, which rsi_oversold requires$/,
  ],
  [
    'a missing column in few bars',
    { market_data: [{ Open: 1 }] },
    'VALIDATION_ERROR',
    /^market_data has no column Close, which rsi_oversold requires$/,
  ],
  [
    'a cell that is no number',
    { market_data: [...rising(40), { Close: 'x' }] },
    'VALIDATION_ERROR',
    /^market_data\[40\]/,
  ],
  ['a parameter out of range', { parameters: { window: 1 } }, 'VALIDATION_ERROR', /window must be/],
  ['an unknown parameter', { parameters: { __proto: 1 } }, 'VALIDATION_ERROR', /__proto/],
  ['parameters that are none', { parameters: 7 }, 'VALIDATION_ERROR', /./],
  ['bars that nest deeply', { market_data: [nested(50)] }, 'VALIDATION_ERROR', /nest at most/],
  ['too many bars', { market_data: rising(MARKET_DATA_BARS_MAX + 1) }, 'VALIDATION_ERROR', /at most 20000 bars/],
];

function nested(depth: number): object {
  return depth === 0 ? {} : { Close: nested(depth - 1) };
}

for (const [what, change, code, message] of badEvaluations) {
  contract(`an evaluation of ${what} is refused with the reason`, async ({ api }) => {
    const request = { signal_name: 'rsi_oversold', market_data: rising(40), ...change };
    const answer = await api.call('Signals.Evaluate', request);
    assert.equal(answer.code, code);
    assert.match(answer.message ?? '', message);
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

const badSeries: readonly [what: string, change: object, code: string, message: RegExp][] = [
  [
    'without its fields',
    { symbol: null, start_date: null, end_date: null },
    'MISSING_FIELD',
    /symbol, start_date, end_date$/,
  ],
  ['of an unknown asset', { symbol: 'NOPE' }, 'VALIDATION_ERROR', /NOPE/],
  ['of an unsupported timeframe', { chart_timeframe: '1m' }, 'VALIDATION_ERROR', /^chart_timeframe must be one of/],
  ['of a window without bars', { start_date: '1999-01-01', end_date: '1999-02-01' }, 'VALIDATION_ERROR', /no .*bar/],
  [
    'of a window that ends before it starts',
    { end_date: '2024-01-01' },
    'VALIDATION_ERROR',
    /^start_date must be before/,
  ],
  ['of a time that is none', { end_date: 'soon' }, 'VALIDATION_ERROR', /end_date/],
  ['of signals that are no list', { signals: 'rsi' }, 'VALIDATION_ERROR', /^signals must be an array/],
];
for (const [what, change, code, message] of badSeries) {
  contract(`a series ${what} is refused with the reason`, async ({ api }) => {
    const answer = await api.call('Signals.EvaluateMultipleSeries', { ...window, ...change });
    assert.equal(answer.code, code);
    assert.match(answer.message ?? '', message);
  });
}

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

contract('signals need their scope, and evaluation needs a scope of its own', async ({ api, service }) => {
  const { token: session } = await service.login();
  const mint = async (...scopes: string[]) => {
    const authorization = `Bearer ${session}`;
    const { body } = await service.client.call('Auth.CreateApiKey', { name: 'signals', scopes }, { authorization });
    return body.key as string;
  };
  const [reader, evaluator] = [await mint('signal:read'), await mint('signal:evaluate')];
  const evaluation = { signal_name: 'is_above_sma', market_data: rising(60), params: { window: 20 } };
  const code = async (method: 'Signals.Evaluate' | 'Signals.EvaluateScoped', token: string | null) =>
    (await api.call(method, evaluation, { token })).code;
  assert.equal(await code('Signals.Evaluate', reader), 'OK');
  assert.equal(await code('Signals.EvaluateScoped', reader), 'INSUFFICIENT_PERMISSIONS');
  assert.equal(await code('Signals.Evaluate', evaluator), 'INSUFFICIENT_PERMISSIONS');
  assert.equal(await code('Signals.EvaluateScoped', evaluator), 'OK');
  assert.equal(await code('Signals.Evaluate', null), 'AUTH_REQUIRED');
});
