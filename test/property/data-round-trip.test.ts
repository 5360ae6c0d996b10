import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { openBars, readBarsFile, writeBars } from '../../data/bars/index.js';
import { allocateBars, type BarSeries, onchainColumns, sliceBars } from '../../engine/series/bars.js';
import { MINUTE_MS } from '../../engine/series/intervals.js';
import { bytesOf, csvOf, fileOf, tempFolder } from '../support/data-fixtures.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

const series = fc
  .record({
    seed: fc.integer(),
    barCount: fc.integer({ min: 2, max: 3_000 }),
    minutes: fc.constantFrom(1, 5, 60, 240, 1_440),
    startMs: fc.integer({ min: Date.UTC(2009, 0), max: Date.UTC(2040, 0) }),
    gapChance: fc.constantFrom(0, 0.1, 0.4),
    tick: fc.constantFrom(1e-8, 0.01, 1 / 3, 5),
    names: fc.subarray([...onchainColumns, 'Score', 'x_9', 'constructor', 'Z'.repeat(64)]),
  })
  .map(({ names, minutes, ...options }) => {
    const bars = randomBars({ ...options, intervalMs: minutes * MINUTE_MS });
    return withColumns(bars, names, options.seed);
  });

/** Adds further columns with sparse cells of every size and sign. */
function withColumns(plain: BarSeries, names: readonly string[], seed: number): BarSeries {
  const random = seededRandom(seed);
  const bars = allocateBars(plain.barCount, plain.intervalMs, names);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) bars[name].set(plain[name]);
  for (const column of Object.values(bars.columns)) {
    for (let i = 0; i < column.length; i++)
      column[i] = random() < 0.3 ? NaN : (random() - 0.5) * 10 ** (random() * 40 - 20);
  }
  return bars;
}

test('bars come back from CSV and Parquet, through the catalogue, bit for bit, whole and by window', async (t) => {
  const folder = tempFolder(t);
  const store = openBars({ home: folder });
  await fc.assert(
    fc.asyncProperty(
      series,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (bars, a, b) => {
        const csv = await fileOf(folder, 'bars.csv', csvOf(bars));
        const parquet = join(folder, 'bars.parquet');
        await rm(parquet, { force: true });
        await writeBars(parquet, bars);
        const options = { intervalMs: bars.intervalMs };
        const fromCsv = await readBarsFile(csv, options);
        const fromParquet = await readBarsFile(parquet, options);
        assert.equal(fromCsv.contentHash, fromParquet.contentHash);
        assert.deepEqual(fromCsv, fromParquet);

        await store.import(csv, { asset: 'RANDOM', replace: true, ...options });
        const query = { asset: 'RANDOM', ...options };
        assert.deepEqual(bytesOf((await store.load(query)).bars), bytesOf(bars));
        const from = Math.floor(Math.min(a, b) * bars.barCount * 0.999);
        const to = Math.max(from + 1, Math.floor(Math.max(a, b) * bars.barCount));
        const window = { fromMs: bars.time[from]!, toMs: bars.time[to] ?? Infinity };
        assert.deepEqual(bytesOf((await store.load({ ...query, ...window })).bars), bytesOf(sliceBars(bars, from, to)));
      },
    ),
    { numRuns: runs(6, 500) },
  );
  assert.ok((await store.check()).every(({ problems }) => problems.length === 0));
});
