import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentHash } from '../../data/bars/index.js';
import { allocateBars, type BarSeries, type OnchainColumn, onchainColumns } from '../../engine/series/bars.js';
import { HOUR_MS } from '../../engine/series/intervals.js';

// Expected values from Python 3.11 with numpy 2.4: sha256 over the columns as
// astype("<f8").tobytes(), chain columns preceded by their ASCII names, NaN written as
// 0x7ff8000000000000.

function fourBars(names: readonly OnchainColumn[] = []): BarSeries {
  const bars = allocateBars(4, HOUR_MS, names);
  for (let i = 0; i < 4; i++) {
    bars.time[i] = 1_704_067_200_000 + i * HOUR_MS;
    bars.open[i] = 100 + 0.1 * i;
    bars.high[i] = 101.5 + i;
    bars.low[i] = 99.25 - i;
    bars.close[i] = 100.7;
    bars.volume[i] = i * 1e-8;
  }
  return bars;
}

test('the hash of prices is that of their little-endian bytes', () => {
  assert.equal(contentHash(fourBars()), '943887073da5d7369e3732975d397e5a5a67ed4765fe8d966693dd4d36a65c24');
});

test('the hash covers chain columns by name, in one order', () => {
  const names: OnchainColumn[] = ['EtfNetFlow', 'SmartMoneyNetflow'];
  for (const order of [names, [...names].reverse()]) {
    const bars = fourBars(order);
    bars.columns.EtfNetFlow!.set([1, NaN, -2.5, 0]);
    bars.columns.SmartMoneyNetflow!.set([NaN, NaN, 3, 4]);
    assert.equal(contentHash(bars), '5cb19c306bfdf66a41d483ed0de69d16effcfc6ffb26c04d09ba91f429e8e52a');
  }
  const columns = onchainColumns.map((name) => contentHash(fourBars([name])));
  assert.equal(new Set(columns).size, onchainColumns.length);
});

test('the hash treats all zeros alike and all NaNs alike', () => {
  const hashWith = (zero: number, nan: bigint) => {
    const bars = fourBars(['EtfNetFlow']);
    bars.volume[0] = zero;
    new BigUint64Array(bars.columns.EtfNetFlow!.buffer, bars.columns.EtfNetFlow!.byteOffset, 4)[1] = nan;
    return contentHash(bars);
  };
  assert.equal(hashWith(-0, 0xfff8_0000_0000_0001n), hashWith(0, 0x7ff8_0000_0000_0000n));
});

test('a series of 20,000 bars has the hash that numpy gives', () => {
  const long = allocateBars(20_000, HOUR_MS);
  for (const column of [long.time, long.open, long.close]) for (let i = 0; i < 20_000; i++) column[i] = i / 7;
  assert.equal(contentHash(long), '58cd6516a3544c51b9ff272a12cf4c626c26d762ed842b783dfad455a12a43ad');
});
