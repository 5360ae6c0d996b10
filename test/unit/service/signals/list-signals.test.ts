import assert from 'node:assert/strict';
import test from 'node:test';
import { indicatorCatalogue, resolveParams } from '../../../../engine/indicators/index.js';
import { signals } from '../../../../engine/signals/index.js';
import { getSignal, listSignals, searchSignals } from '../../../../service/signals/index.js';
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

test('a search by name finds a part of it in any case, and older names', () => {
  const found = ['rsi_overbought', 'rsi_oversold', 'stochrsi_overbought', 'stochrsi_oversold'];
  assert.deepEqual(namesOf(searchSignals({ query: 'RSI_OVER' })), found);
  assert.deepEqual(namesOf(searchSignals({ query: 'macd_line_positive' })), ['apo_bullish']);
  assert.equal(searchSignals({ query: 'rsi' }).search_type, 'name');
});

test('a search by keywords finds each signal by its name and by the titles of its indicators', () => {
  const search = (query: string) => namesOf(searchSignals({ query, search_type: 'keywords', limit: 1_000 }));
  for (const { name, indicators } of signals) {
    for (const text of [name, ...indicators.map((each) => indicatorCatalogue[each].title)]) {
      assert.ok(search(text).includes(name), `${text} finds ${name}`);
    }
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
