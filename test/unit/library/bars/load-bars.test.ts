import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { writeBars } from '../../../../library/data.js';
import { type Bars, EngineError, loadBars } from '../../../../library/index.js';
import { randomBars } from '../../../support/random.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const series = randomBars({ seed: 4, barCount: 60 });
const columns = {
  time: series.time,
  open: series.open,
  high: series.high,
  low: series.low,
  close: series.close,
  volume: series.volume,
};
const prices = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

const same = (a: Bars, b: Bars) => {
  for (const name of prices) assert.deepEqual(a[name], b[name], name);
  assert.equal(a.contentHash, b.contentHash);
};

test('the same bars come out of columns, rows, a CSV file and a Parquet file', async () => {
  const folder = temporaryFolder('load-bars');
  const bars = await loadBars({ columns, asset: 'BTC' });
  const rows = Array.from(series.time, (time, i) => ({
    time: i % 2 === 0 ? new Date(time) : new Date(time).toISOString(),
    ...{ open: series.open[i]!, high: series.high[i]!, low: series.low[i]!, close: series.close[i]! },
    volume: series.volume[i]!,
  }));
  same(await loadBars({ rows }), bars);
  const lines = rows.map(({ time, open, high, low, close, volume }) =>
    [new Date(time).toISOString(), open, high, low, close, volume].join(','),
  );
  const csv = join(folder, 'bars.csv');
  await writeFile(csv, ['timestamp,open,high,low,close,volume', ...lines].join('\n'));
  same(await loadBars({ file: csv }), bars);
  const parquet = join(folder, 'bars.parquet');
  await writeBars(parquet, bars);
  const read = await loadBars({ file: parquet, asset: 'ETH' });
  same(read, bars);
  assert.deepEqual([bars.asset, bars.source, read.asset, read.source], ['BTC', 'memory', 'ETH', parquet]);
});

test('columns are copied, cut to a window and made coarser', async () => {
  const open = Array.from(series.open);
  const bars = await loadBars({ columns: { ...columns, open } });
  const first = open[0]!;
  open[0] = 1;
  assert.equal(bars.open[0], first);
  const coarse = await loadBars({ columns, interval: '2h' });
  assert.deepEqual([coarse.intervalMs, coarse.barCount], [7_200_000, 30]);
  const cut = await loadBars({ columns, start: '2024-01-02' });
  assert.equal(cut.barCount, 60 - 24);
  assert.notEqual(cut.contentHash, bars.contentHash);
});

const refusals: readonly (readonly [what: string, source: unknown, message: RegExp])[] = [
  ['no bars', { columns: { ...columns, time: [] } }, /at least 1 bar/],
  ['a short column', { columns: { ...columns, low: [1] } }, /columns\.low must have 60 values, as time has, has 1/],
  ['a text', { columns: { ...columns, close: [...columns.close].map(String) } }, /bar 0: close must be a number/],
  [
    'lists as ccxt answers them',
    { rows: [[1704067200000, 1, 1, 1, 1, 1]] },
    /^bar 0: a row must be an object, was a list; rows\.map\(/,
  ],
  ['a finer interval', { columns, interval: '5m' }, /interval must be a multiple of the bars' 1h, was 5m/],
  ['a column named as a price', { columns: { ...columns, columns: { close: columns.close } } }, /name of a column/],
];

test('what cannot be bars is refused', async () => {
  for (const [what, source, message] of refusals) {
    await assert.rejects(
      loadBars(source as Parameters<typeof loadBars>[0]),
      (error: unknown) => error instanceof EngineError && message.test(error.message),
      what,
    );
  }
});
