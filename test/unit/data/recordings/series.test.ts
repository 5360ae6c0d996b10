import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { readRecordedSeries, recordedSeriesNames } from '../../../../data/recordings/index.js';
import { EngineError } from '../../../../engine/errors.js';
import { tempFolder } from '../../../support/data-fixtures.js';
import { root } from '../../../support/tree.js';

const folder = join(root, 'sample/recordings');

interface Described {
  readonly file: string;
  readonly rows: number;
  readonly firstTime: string;
  readonly lastTime: string;
  readonly sha256?: string;
  readonly contentHash?: string;
  readonly licence: string;
  readonly origin: readonly { readonly repository: string; readonly commit: string }[];
}

const { files }: { files: readonly Described[] } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

test('each recording is the file that the manifest describes, with origin, commit and licence', () => {
  assert.equal(files.length, 9);
  for (const { file, sha256, contentHash, licence, origin } of files) {
    const found = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
    if (contentHash === undefined) assert.equal(found, sha256, file);
    assert.equal(licence, 'MIT', file);
    for (const { repository, commit } of origin)
      assert.match(`${repository} ${commit}`, /^github.com\/.+ [0-9a-f]{40}$/);
  }
});

test('the series are as published', async () => {
  const published = {
    'BTC-PERP funding': [2_151, '2023-12-01T00:00:00.000Z', 0.0001, '2025-11-16T16:00:00.000Z'],
    'ETH-PERP funding': [2_155, '2023-12-01T00:00:00.000Z', 0.0001, '2025-11-18T00:00:00.002Z'],
    'fear and greed': [2_931, '2018-02-01T00:00:00.000Z', 30, '2026-02-13T00:00:00.000Z'],
    'ethereum transactions': [2_709, '2015-07-30T00:00:00.000Z', 0, '2022-12-28T00:00:00.000Z'],
    'ethereum active addresses': [2_709, '2015-07-30T00:00:00.000Z', 0, '2022-12-28T00:00:00.000Z'],
    'ethereum blocks': [2_709, '2015-07-30T00:00:00.000Z', 6_911, '2022-12-28T00:00:00.000Z'],
    'ethereum block time': [2_709, '2015-07-30T00:00:00.000Z', 12.501808710750977, '2022-12-28T00:00:00.000Z'],
  } as const;
  assert.deepEqual(recordedSeriesNames, Object.keys(published));
  for (const name of recordedSeriesNames) {
    const { time, value } = await readRecordedSeries(folder, name);
    const [rows, first, firstValue, last] = published[name];
    const facts = [time.length, new Date(time[0]).toISOString(), value[0], new Date(time.at(-1)!).toISOString()];
    assert.deepEqual(facts, [rows, first, firstValue, last], name);
    assert.equal(value.length, rows);
    assert.ok(
      time.every((ms, i) => i === 0 || ms > time[i - 1]),
      `${name} ascends`,
    );
    assert.ok(value.every(Number.isFinite), `${name} has a number at each time`);
  }
});

test('the bars of one minute are a catalogue of their own, intact', async (t) => {
  const store = openBars({ home: tempFolder(t), sampleDir: folder });
  const checked = await store.check();
  assert.deepEqual(
    checked.map(({ entry, problems }) => [entry.asset, entry.interval, entry.bars, problems]),
    [['BTC-PERP', '1m', 7_200, []]],
  );
});

test('a missing or damaged file is one error that names it', async (t) => {
  await assert.rejects(
    readRecordedSeries(tempFolder(t), 'fear and greed'),
    (error: unknown) =>
      error instanceof EngineError && error.code === 'INVALID_DATA' && /fear-greed-1d\.parquet/.test(error.message),
  );
});
