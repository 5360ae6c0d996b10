import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { backtestResult } from '../../../support/backtest.js';
import { csvOf, fileOf, tempFolder } from '../../../support/data-fixtures.js';
import { randomBars } from '../../../support/random.js';

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
