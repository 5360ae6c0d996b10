import assert from 'node:assert/strict';
import test from 'node:test';
import { indicatorCatalogue, resolveParams } from '../../../../engine/indicators/index.js';
import { signals } from '../../../../engine/signals/index.js';
import {
  getSignal,
  LIST_LIMIT_MAX,
  listSignals,
  SEARCH_LIMIT_MAX,
  SEARCH_QUERY_CHARACTERS_MAX,
  searchSignals,
} from '../../../../service/signals/index.js';
import { refusesWith } from '../../../support/refusals.js';

const namesOf = ({ signals }: { readonly signals: readonly { readonly name: string }[] }) =>
  signals.map(({ name }) => name);

test('a record has the form that clients parse', () => {
  assert.deepEqual(getSignal({ signal_name: 'rsi_oversold' }), {
    name: 'rsi_oversold',
    category: 'momentum',
    type: 'FILTER',
    signal_type: 'FILTER',
    metadata: {
      rule_name: 'rsi_oversold',
      description: 'True while RSI is below the oversold level.',
      requires: ['Close'],
      type: 'FILTER',
      params: {
        window: { type: 'int', min: 2, max: 100, default: 14, optional: true },
        threshold: { type: 'float', min: 0, max: 50, default: 30, optional: true },
      },
    },
    code: null,
    usage_count: 0,
  });
});

test('parameters have one of four types, and their defaults come back as valid parameters', () => {
  const seen = new Set<string>();
  for (const signal of signals) {
    const { params } = getSignal({ signal_name: signal.name }).metadata;
    const values: Record<string, unknown> = {};
    for (const [name, { type, optional, min, max, ...param }] of Object.entries(params)) {
      seen.add(type);
      const text = name === 'when' ? 'close > open' : 'ModelScore';
      const required = name === 'window_fast' ? min : type === 'str' ? text : max;
      values[name] = optional ? param.default : required;
    }
    assert.doesNotThrow(() => resolveParams(signal, JSON.parse(JSON.stringify(values))), signal.name);
  }
  assert.deepEqual([...seen].sort(), ['bool', 'float', 'int', 'str']);
});

test('allowed texts and relations between parameters are described in words', () => {
  const { params } = getSignal({ signal_name: 'sma_crossover' }).metadata;
  assert.equal(params.direction?.description, 'one of bullish, bearish');
  assert.equal(params.window_fast?.description, 'must be < window_slow');
  const { windows } = getSignal({ signal_name: 'ma_ribbon_bullish' }).metadata.params;
  assert.equal(windows?.type, 'str');
  assert.match(windows?.description ?? '', /list of whole numbers \d+\.\.\d+; strictly increasing/);
});

test('an alias answers with the record that it stands for, an unknown name is not found', () => {
  assert.equal(getSignal({ signal_name: 'hammer' }).name, 'hammer_trigger');
  for (const signal_name of ['nope', '', '__proto__', 'constructor', 'x'.repeat(5_000)]) {
    refusesWith(() => getSignal({ signal_name }), 'RESOURCE_NOT_FOUND', /^signal .{0,80} not found$/);
  }
});

test('usage counts come from the function that the caller passes', () => {
  const usageOf = (name: string) => (name === 'bop_bullish' ? 7 : 0);
  const { signals } = listSignals({ limit: 100, category: 'momentum' }, usageOf);
  assert.deepEqual(
    signals.filter(({ usage_count }) => usage_count > 0).map(({ name }) => name),
    ['bop_bullish'],
  );
});

test('pages of a list hold every documented signal once, by name, and echo the request', () => {
  const documented = signals.filter(({ category }) => category !== 'user');
  const first = listSignals({});
  assert.deepEqual([first.total, first.limit, first.offset, first.signals.length], [documented.length, 50, 0, 50]);
  const paged: string[] = [];
  for (let offset = 0; offset < documented.length; offset += 37) {
    const page = listSignals({ limit: 37, offset });
    assert.deepEqual([page.limit, page.offset, page.total], [37, offset, documented.length]);
    paged.push(...namesOf(page));
  }
  assert.deepEqual(paged, documented.map(({ name }) => name).sort());
  assert.deepEqual(listSignals({ offset: 10_000 }).signals, []);
});

test('a category restricts the list and its total', () => {
  const { total, signals: listed } = listSignals({ category: 'onchain', limit: 5, offset: 3 });
  assert.equal(total, signals.filter(({ category }) => category === 'onchain').length);
  assert.equal(listed.length, 5);
  assert.ok(listed.every(({ category }) => category === 'onchain'));
  refusesWith(
    () => listSignals({ category: 'candles' }),
    'VALIDATION_ERROR',
    /category must be one of momentum, onchain/,
  );
});

test('a limit or offset out of its bounds is refused', () => {
  assert.equal(listSignals({ limit: LIST_LIMIT_MAX }).signals.length, LIST_LIMIT_MAX);
  for (const limit of [0, -1, LIST_LIMIT_MAX + 1]) {
    refusesWith(() => listSignals({ limit }), 'VALIDATION_ERROR', /limit must be 1\.\.100, was -?\d+/);
  }
  refusesWith(() => listSignals({ limit: 1.5 }), 'VALIDATION_ERROR', /limit must be a whole number, was 1\.5/);
  refusesWith(() => listSignals({ offset: -1 }), 'VALIDATION_ERROR', /offset must be 0/);
  refusesWith(() => listSignals({ limit: '5' as never }), 'VALIDATION_ERROR', /limit must be a whole number/);
});

test('a search by name finds a part of it in any case, and older names', () => {
  const found = ['rsi_overbought', 'rsi_oversold', 'stochrsi_overbought', 'stochrsi_oversold'];
  assert.deepEqual(namesOf(searchSignals({ query: 'RSI_OVER' })), found);
  assert.deepEqual(namesOf(searchSignals({ query: 'macd_line_positive' })), ['apo_bullish']);
  assert.equal(searchSignals({ query: 'rsi' }).search_type, 'name');
});

test('a search by params looks at parameter names only', () => {
  const found = searchSignals({ query: 'penetration', search_type: 'params' });
  assert.deepEqual(namesOf(found), ['dark_cloud_cover_trigger', 'piercing_line_trigger']);
  assert.deepEqual(namesOf(searchSignals({ query: 'hammer', search_type: 'params' })), []);
});

test('a search by keywords requires every word, in any place', () => {
  const search = (query: string) => namesOf(searchSignals({ query, search_type: 'keywords' }));
  assert.deepEqual(search('Kaufman momentum pow1'), ['kama_cross_down', 'kama_cross_up']);
  assert.deepEqual(search('kaufman volume'), []);
});

test('a search by keywords knows indicators by every name, and words by their meaning', () => {
  const search = (query: string) => namesOf(searchSignals({ query, search_type: 'keywords', limit: 1_000 }));
  const averages = search('moving average');
  for (const name of ['is_above_sma', 'ema_cross_up', 'kama_cross_up', 'macd_bullish_cross']) {
    assert.ok(averages.includes(name), `${name} is of a moving average`);
  }
  assert.ok(averages.length < signals.length / 2, `${averages.length} signals`);
  assert.ok(!averages.includes('rsi_oversold'));
  assert.deepEqual(search('Moving Averages'), averages);
  const strength = search('relative strength index');
  assert.ok(strength.includes('rsi_oversold') && !strength.includes('is_above_sma'));
  assert.ok(search('bollinger bands').every((name) => name.includes('bb') || name.includes('ttm')));
  assert.ok(search('exponential moving average climbs above').includes('ema_cross_up'), 'synonyms');
  assert.deepEqual(search('average-true-range'), search('average true range'));
  const [kama, ao] = [averages.indexOf('kama_cross_up'), averages.indexOf('ao_bullish')];
  assert.ok(0 <= kama && kama < ao, 'moving averages come before signals that use one');
  const first = averages.slice(0, kama);
  assert.deepEqual(first, [...first].sort(), 'otherwise by name');
});

test('a search by keywords finds each signal by its name and by the titles of its indicators', () => {
  const search = (query: string) => namesOf(searchSignals({ query, search_type: 'keywords', limit: 1_000 }));
  for (const { name, indicators } of signals) {
    for (const text of [name, name.replaceAll('_', ' '), ...indicators.map((each) => indicatorCatalogue[each].title)]) {
      assert.ok(search(text).includes(name), `${text} finds ${name}`);
    }
  }
});

test('a search is paged within bounds, and may find nothing', () => {
  const page = searchSignals({ query: 'cross', limit: 3, offset: 2 });
  const all = searchSignals({ query: 'cross', limit: 5_000, offset: -4 });
  assert.deepEqual([all.limit, all.offset], [SEARCH_LIMIT_MAX, 0]);
  assert.deepEqual(namesOf(page), namesOf(all).slice(2, 5));
  assert.equal(page.total, all.signals.length);
  const none = searchSignals({ query: 'zzz', limit: 0 });
  assert.deepEqual([none.signals, none.total, none.limit], [[], 0, 1]);
});

test('a search without query, of an unknown type or of too long a query is refused', () => {
  refusesWith(() => searchSignals({}), 'MISSING_FIELD', /Missing required field: query/);
  refusesWith(() => searchSignals({ query: null }), 'MISSING_FIELD', /query/);
  refusesWith(() => searchSignals({ query: ' ' }), 'VALIDATION_ERROR', /query must be a text that is not blank/);
  const query = 'x'.repeat(SEARCH_QUERY_CHARACTERS_MAX);
  assert.equal(searchSignals({ query }).total, 0);
  refusesWith(
    () => searchSignals({ query: `${query}x` }),
    'VALIDATION_ERROR',
    /at most 200 characters, was "201 characters"/,
  );
  for (const search_type of ['code', 'constructor', '__proto__']) {
    refusesWith(
      () => searchSignals({ query: 'a', search_type }),
      'VALIDATION_ERROR',
      /search_type must be one of name, params/,
    );
  }
});

test('several words that no name contains are keywords, or else a description', () => {
  const first: [query: string, name: RegExp][] = [
    ['rsi cross', /^rsi_cross_/],
    ['ema crossover', /^ema_cross/],
    ['bollinger squeeze', /^bb_squeeze$/],
    ['rsi crosses above 50', /^rsi_cross_up$/], // no record has a 50
    ['golden cross', /_cross_up$/],
  ];
  for (const [query, name] of first) {
    const found = searchSignals({ query, limit: 1 });
    assert.match(namesOf(found)[0] ?? '', name, query);
    assert.equal(found.search_type, 'keywords');
  }
  assert.deepEqual(namesOf(searchSignals({ query: 'golden cross', search_type: 'keywords' })), []);
});
