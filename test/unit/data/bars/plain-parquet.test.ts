import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { barsFromPlain, readPlainParquet } from '../../../../data/bars/chunks.js';
import { readBarsFile, writeBars } from '../../../../data/bars/index.js';
import { allocateBars, type BarSeries } from '../../../../engine/series/index.js';
import { randomBars } from '../../../support/random.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** Bars read without DuckDB have the bits of bars read by it. */

const folder = temporaryFolder('plain-parquet');
const names = ['timestamp', 'open', 'high', 'low', 'close', 'volume'];

const assertSame = (actual: BarSeries, expected: BarSeries) => {
  assert.deepEqual(actual.columns, expected.columns);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) {
    assert.deepEqual(actual[name], expected[name], name);
  }
};

test('a series of many row groups with a further column that has holes', async () => {
  const path = join(folder, 'bars.parquet');
  const plain = randomBars({ seed: 5, barCount: 130_000 });
  const bars = allocateBars(plain.barCount, plain.intervalMs, ['Score']);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) bars[name].set(plain[name]);
  bars.columns.Score!.set(plain.close.map((close, i) => (i % 3 === 0 ? NaN : close)));
  await writeBars(path, bars);
  const { bars: expected } = await readBarsFile(path);
  const read = await readPlainParquet(path, [...names, 'Score']);
  const window = { intervalMs: plain.intervalMs, further: ['Score'], fromMs: -Infinity, toMs: Infinity };
  assertSame(barsFromPlain(read, window), expected);
});
