import assert from 'node:assert/strict';
import test from 'node:test';
import {
  allocateBars,
  type BarSeries,
  HOUR_MS,
  isColumnName,
  onchainColumns,
  shareBars,
  sliceBars,
  viewBars,
} from '../../../../engine/series/index.js';
import { BarsWithinReach } from '../../../../engine/simd/index.js';

/** Hourly bars from midnight; the first column counts the hours from 1. */
function hourly(barCount: number, names: readonly string[], carried: readonly string[] = []): BarSeries {
  const bars = allocateBars(barCount, HOUR_MS, names, undefined, carried);
  for (let i = 0; i < barCount; i++) {
    bars.time[i] = Date.UTC(2024, 0, 1) + i * HOUR_MS;
    for (const price of ['open', 'high', 'low', 'close'] as const) bars[price][i] = 10;
    for (const [k, column] of Object.values(bars.columns).entries()) column[i] = (i + 1) * 10 ** k;
  }
  return bars;
}

test('a column name is a letter, then letters, digits and underscores, at most 64, and no name of a bar', () => {
  for (const name of ['a', 'A_1', 'constructor', 'x'.repeat(64), 'opens', onchainColumns[0]])
    assert.ok(isColumnName(name), name);
  for (const name of ['', '_a', '__proto__', 'a.b', 'é', 'open', 'Time', 'timestamp', 'a\n']) {
    assert.ok(!isColumnName(name), name);
  }
});

test('slices, threads and the reach of kernels keep every column and which of them are carried', () => {
  const bars = hourly(40, ['Score', 'EtfNetFlow', 'constructor'], ['Score']);
  const part = sliceBars(bars, 5, 9);
  assert.deepEqual([...part.columns.EtfNetFlow!], [6, 7, 8, 9]);
  assert.deepEqual([Object.keys(part.columns), part.carried], [Object.keys(bars.columns), ['Score']]);
  assert.deepEqual(viewBars(structuredClone(shareBars(bars))), bars);
  assert.deepEqual(new BarsWithinReach().hold(bars), bars);
});
