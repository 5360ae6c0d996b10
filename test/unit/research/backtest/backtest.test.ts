import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openBars, readBarsFile } from '../../../../data/bars/index.js';
import { sliceBars } from '../../../../engine/series/index.js';
import { renderTearSheet } from '../../../../report/index.js';
import { buildTearSheet, runBacktest } from '../../../../research/backtest/index.js';
import { backtestResult } from '../../../support/backtest.js';
import { csvOf, fileOf, tempFolder } from '../../../support/data-fixtures.js';
import { randomBars } from '../../../support/random.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

const { bars: daily } = await readBarsFile(join(root, 'sample/BTC-1d-62d7a5238fa9.parquet'));
const cross = { name: 'ema_cross_up', signal_type: 'TRIGGER', timeframe: '1d', params: { window_fast: 5 } };
const strategy = { name: 'crosses', asset: 'BTC', entry: [cross] };

/** A run over the recorded days from a file, the high of one day multiplied. */
async function runWith(t: Parameters<typeof tempFolder>[0], bar: number, factor: number, heldAt?: Date) {
  const folder = tempFolder(t);
  const high = daily.high.slice();
  high[bar]! *= factor;
  const barsFile = await fileOf(folder, 'days.csv', csvOf({ ...sliceBars(daily, 0, daily.barCount), high }));
  if (heldAt !== undefined) utimesSync(barsFile, heldAt, heldAt);
  const config = { fee_pct: 0, slippage_pct: 0, atr_long_weight: 0, max_risk_per_trade: 0.05, reward_factor: 20 };
  const store = openBars({ home: folder });
  return runBacktest({ strategy, barsFile, config, window: {} }, { store, engineVersion: '0.0.0-test' });
}

const store = openBars({ home: temporaryFolder('tear-sheet-run'), sampleDir: join(root, 'sample') });

test('a false high that takes a run up is among the warnings of result and page', async (t) => {
  const plain = await runWith(t, 0, 1);
  assert.deepEqual(plain.result.data.quality, []);
  const held = plain.simulation.trades.find(({ exitBar, entryBar }) => exitBar > entryBar + 3);
  const bar = (held?.entryBar ?? 0) + 2;
  const planted = await runWith(t, bar, 6);
  const { metrics, data, warnings } = planted.result;
  assert.ok(metrics.total_return! > plain.result.metrics.total_return! + 0.5, 'the planted high pays');
  const [finding] = data.quality;
  assert.deepEqual([finding?.kind, finding?.count], ['outliers', 1]);
  assert.ok(warnings.includes(finding!.message));
  assert.ok(renderTearSheet(buildTearSheet(planted)).includes('1 bar may hold a false price'));
});

const above = { name: 'is_above_sma', signal_type: 'FILTER', timeframe: null, params: { window: 40 } };

const below = { name: 'ema_cross_down', signal_type: 'TRIGGER', timeframe: '4h', params: { window_slow: 30 } };

async function sheetOf(strategy: object, config: object = { fee_pct: 0.001, max_hold_bars: null }) {
  const request = { strategy: { name: 'crosses', asset: 'BTC', entry: [cross, above], ...strategy }, config };
  return buildTearSheet(
    await runBacktest({ ...request, interval: '4h', window: { start: '2023-01-01' } }, { store, engineVersion: '0' }),
  );
}

const sheet = await sheetOf({ exit: [below], reward_factor: 3 });

const html = renderTearSheet(sheet);

const textOf = (page: string): string =>
  page
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\u00a0/g, ' ')
    .replace(/\s+/g, ' ');

const section = (page: string, id: string): string =>
  textOf(new RegExp(`<section id="${id}"[\\s\\S]*?</section>`).exec(page)?.[0] ?? '');

test('the tear sheet states what the strategy does, with parameters and timeframes', () => {
  const text = section(html, 'strategy');
  const [enters, leaves] = [text.indexOf('Enters when'), text.indexOf('Leaves when')];
  const places = [
    enters,
    text.indexOf('ema_cross_up on 1d: window_fast 5, window_slow 21 Trigger.'),
    text.indexOf('is_above_sma on 4h: window 40 Filter. True while the close is above its simple average.'),
    leaves,
    text.indexOf('ema_cross_down on 4h: window_fast 9, window_slow 30 Trigger.'),
  ];
  assert.ok(places[0]! >= 0, text);
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    `${places} in: ${text}`,
  );
  assert.doesNotMatch(text, /refused/);
});

test('settings that differ from the defaults stand beside the rules, all others below, each once', () => {
  const own = section(html, 'strategy');
  assert.match(own, /fee_pct fee on every entry and every exit; default 0\.0085 0\.001 /);
  assert.match(own, /max_hold_bars .*; default 1000 null /);
  assert.match(own, /reward_factor .*; default 2 3 /);
  const rest = section(html, 'configuration');
  for (const name of Object.keys(sheet.execution)) {
    const [here, there] = [own, rest].map((text) => new RegExp(` ${name} `).test(text));
    assert.ok(here !== there, `${name} is listed ${here ? 'twice' : 'nowhere'}`);
  }
});

const rule = (name: string, signal_type: string, params: object) => ({ name, signal_type, timeframe: null, params });
const often = rule('rsi_oversold', 'TRIGGER', { window: 2, threshold: 50 });
const free = { fee_pct: 0, slippage_pct: 0, atr_long_weight: 0, min_balance_threshold: 0 };

async function diagnosing(t: TestContext) {
  const folder = tempFolder(t);
  const barsFile = await fileOf(folder, 'bars.csv', csvOf(randomBars({ seed: 12, barCount: 400 })));
  const store = openBars({ home: join(folder, 'home') });
  return async (entry: object[], config: object = {}) => {
    const request = { strategy: { entry }, config: { ...free, ...config }, barsFile, window: {} };
    return backtestResult(request, store);
  };
}

test('every stage of the entries is counted and the counts add up', async (t) => {
  const run = await diagnosing(t);
  const { diagnostics, trades, denied_entries, equity } = await run(
    [often, rule('is_above_sma', 'FILTER', { window: 5 })],
    {
      max_open_positions: 1,
    },
  );
  const { bars, trigger_true, filter_true, both_true, denied, filled, verdict } = diagnostics;
  const deniedCount = Object.values(denied).reduce((sum, n) => sum + n, 0);
  assert.equal(bars, equity.length);
  assert.ok(both_true > 0 && both_true <= Math.min(trigger_true, filter_true));
  assert.equal(deniedCount, denied_entries.length);
  assert.equal(filled, trades.length);
  assert.ok(both_true - (deniedCount + filled) <= 1, "only the last bar's signal may be in vain");
  assert.equal(verdict, null);
});

const cases: [what: string, entry: object[], config: object, verdict: RegExp][] = [
  ['a refused rule', [rule('no_such', 'TRIGGER', {})], {}, /entry rule no_such was refused \(unknown signal "no_such"/],
  [
    'a filter that never holds',
    [often, rule('rsi_overbought', 'FILTER', { window: 100, threshold: 100 })],
    {},
    /the filter rsi_overbought was never true on 400 bars \(the trigger was true on \d+\)/,
  ],
  [
    'a closed gate',
    [often],
    { max_open_positions: 0 },
    /all \d+ wanted entries were denied, \d+ of them by max_positions; raise max_open_positions\.$/,
  ],
];

for (const [what, entry, config, verdict] of cases) {
  test(`a run without trades gives its reason: ${what}`, async (t) => {
    const { diagnostics } = await (await diagnosing(t))(entry, config);
    assert.match(diagnostics.verdict!, verdict);
    assert.match(diagnostics.verdict!, /^No trades: [^\n]+\.$/);
  });
}

test('a rule that is undefined on more than a tenth of its bars is named with its share', async (t) => {
  const folder = tempFolder(t);
  const bars = randomBars({ seed: 12, barCount: 400 });
  const withX = (from: number, to: number) => {
    const lines = csvOf(bars).trim().split('\n');
    return lines.map((line, i) => `${line},${i === 0 ? 'X' : i > from && i <= to ? '' : i}`).join('\n');
  };
  const run = async (from: number, to: number, when = 'column(X) > 0') => {
    const barsFile = await fileOf(folder, `hole-${from}-${to}.csv`, withX(from, to));
    const strategy = { entry: [often, rule('formula', 'FILTER', { when })] };
    return backtestResult({ strategy, config: free, barsFile, window: {} }, openBars({ home: folder }));
  };
  const { diagnostics, warnings, trades } = await run(100, 220);
  assert.ok(trades.length > 0);
  assert.deepEqual(diagnostics.undefined_rules, [
    { side: 'entry', name: 'formula', timeframe: '1h', params: { when: 'column(X) > 0' }, share: 0.3 },
  ]);
  assert.match(
    warnings.join('\n'),
    /the entry rule formula \(1h, .*X.*\) is undefined, and so false, on 30\.0 % of the bars/,
  );
  assert.deepEqual((await run(100, 140)).diagnostics.undefined_rules, [], 'a tenth is not more than a tenth');
  const { verdict } = (await run(100, 220, 'column(X) < 0')).diagnostics;
  assert.match(String(verdict), /the filter formula \(undefined on 30\.0 % of the bars\) was never true on 400 bars/);
});
