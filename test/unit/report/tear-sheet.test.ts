import assert from 'node:assert/strict';
import test from 'node:test';
import { histogram } from '../../../report/distribution.js';
import { linePath } from '../../../report/downsample.js';
import { escapeHtml, scriptJson } from '../../../report/html.js';
import { renderComparison, renderTearSheet, type TearSheet } from '../../../report/index.js';
import { benchmarkCurve, drawdownCurve } from '../../../report/overview.js';
import { randomSheet } from '../../support/report.js';

const sheet = randomSheet();
const html = renderTearSheet(sheet);

const EVIL = `</script><script>alert("x")</script>'&<img src=x onerror=alert(1)>\u0000\ud800`;

test('no text of the input becomes markup, in any place', () => {
  const evil: TearSheet = {
    ...sheet,
    title: EVIL,
    asset: EVIL,
    interval: EVIL,
    trades: sheet.trades.map((trade) => ({ ...trade, exit_reason: EVIL })),
    metrics: { [EVIL]: { value: 1, unit: EVIL, description: EVIL } },
    extendedMetrics: { [EVIL]: { value: 1, unit: EVIL } },
    diagnostics: { ...sheet.diagnostics, denied: { [EVIL]: 3 }, verdict: EVIL },
    rules: {
      entry: [
        { name: EVIL, role: 'TRIGGER', params: { [EVIL]: EVIL }, timeframe: EVIL, description: EVIL, refusal: EVIL },
      ],
      exit: [],
    },
    execution: { [EVIL]: EVIL, nested: { [EVIL]: [EVIL] } },
    manifest: { [EVIL]: EVIL },
    warnings: [EVIL],
    deniedSignals: [{ side: EVIL, name: EVIL, reason: EVIL, message: EVIL }],
  };
  for (const page of [
    renderTearSheet(evil),
    renderTearSheet({ ...evil, trades: [] }),
    renderComparison([evil, sheet]),
  ]) {
    assert.equal(page.match(/<script/g)?.length, 2, 'the data and the script of the page, nothing else');
    assert.equal(page.match(/<\/script/g)?.length, 2);
    assert.doesNotMatch(page, /<img/);
    assert.ok(!page.includes('\u0000') && !/\p{Surrogate}/u.test(page));
  }
  assert.equal(escapeHtml(`<a b='c' d="e">&`), '&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;');
  assert.deepEqual(JSON.parse(scriptJson({ a: '</script><!--' })), { a: '</script><!--' });
});

test('the page requests nothing: it contains no address, and its policy refuses all', () => {
  for (const page of [html, renderComparison([sheet, sheet])]) {
    assert.deepEqual(page.replace('http://www.w3.org/2000/svg', '').match(/https?:\/\/[^ "'<]*/g), null);
    assert.doesNotMatch(page, /\b(src|href|srcset|action)="(?!data:,)/);
    assert.doesNotMatch(page, /@import|url\((?!#)/);
    assert.match(page, /default-src 'none'/);
  }
});

test('buy and hold starts at the first open, drawdown at the initial balance', () => {
  const { bars, initialBalance } = sheet;
  assert.ok(Math.abs(benchmarkCurve(sheet).at(-1)! - (initialBalance * bars.close.at(-1)!) / bars.open[0]!) < 1e-6);
  assert.deepEqual(
    [...drawdownCurve({ ...sheet, equity: Float64Array.of(7_500, 10_000, 20_000, 15_000) })],
    [-0.25, 0, 0, -0.25],
  );
});

test('a line keeps every extreme, for any number of bars per pixel', () => {
  const time = Float64Array.from({ length: 500_000 }, (_, i) => i);
  const values = new Float64Array(500_000).fill(0.5);
  values[123_456] = 1;
  values[234_567] = 0;
  const path = linePath({ time, values, startMs: 0, endMs: 499_999, at: (value) => value });
  assert.match(path, / 0(?=L)/);
  assert.match(path, / 1000(?=L)/);
  assert.ok(path.length < 40_000);
});

test('bins of the histogram never mix wins and losses, and hold every trade', () => {
  const { width, losses, wins } = histogram([-0.02, -0.01, 0, 0.01, 0.02, 5]);
  const sum = (bins: readonly number[]) => bins.reduce((total, n) => total + n, 0);
  assert.deepEqual([sum(losses), sum(wins)], [3, 3]);
  assert.ok(width > 0);
  assert.deepEqual(histogram([]), { width: 1, losses: [], wins: [] });
});

test('one bar is enough; no bars, and columns that do not fit, are refused', () => {
  assert.match(renderTearSheet(randomSheet({ barCount: 1, tradeCount: 0 })), /1 bar</);
  assert.throws(() => renderTearSheet({ ...sheet, equity: new Float64Array(3) }), RangeError);
  assert.throws(() => renderTearSheet(randomSheet({ barCount: 0, tradeCount: 0 })), RangeError);
});

test('a comparison marks the best of a row and shows only settings that differ', () => {
  const other: TearSheet = {
    ...randomSheet({ seed: 8, title: 'Other' }),
    execution: { ...sheet.execution, fee_pct: 0.002 },
    metrics: {
      ...sheet.metrics,
      sharpe_ratio: { value: 2, unit: 'ratio' },
      total_trades: { value: 1, unit: 'trades' },
    },
  };
  const page = renderComparison([sheet, other]);
  const row = (name: string) => page.match(new RegExp(`<tr><th scope="row">${name}</th>.*`))?.[0] ?? '';
  assert.match(row('Sharpe ratio'), /<td>0\.950<\/td><td class="best">★/);
  assert.doesNotMatch(row('Total trades'), /best/);
  assert.match(row('fee_pct'), /0\.001.*0\.002/);
  assert.equal(row('position_size_calc'), '');
  assert.throws(() => renderComparison([]), RangeError);
  assert.throws(() => renderComparison(Array.from({ length: 7 }, () => sheet)), RangeError);
});
