import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { isoTime } from '../../../../engine/series/time.js';
import { tempFolder } from '../../../support/data-fixtures.js';
import { root } from '../../../support/tree.js';

const sampleDir = join(root, 'sample');

interface ManifestFile {
  readonly file: string;
  readonly bars: number;
  readonly contentHash: string;
  readonly licence: string;
  readonly zeroVolumeBars: number;
  readonly holes: readonly unknown[];
  readonly origin: readonly { readonly repository: string; readonly path: string; readonly commit: string }[];
}
const manifest = JSON.parse(readFileSync(join(sampleDir, 'manifest.json'), 'utf8')) as { files: ManifestFile[] };

test('the sample is sound and matches its manifest', async (t) => {
  const store = openBars({ home: tempFolder(t), sampleDir });
  const checked = await store.check();
  assert.deepEqual(
    checked.map(({ entry }) => `${entry.asset} ${entry.interval}`),
    ['BNB 1d', 'BTC 5m', 'BTC 1h', 'BTC 1d', 'ETH 1h', 'ETH 1d', 'SOL 1d', 'XRP 1d'],
  );
  for (const { entry, problems } of checked) {
    assert.deepEqual(problems, []);
    const { gaps } = await store.load(entry);
    const file = manifest.files.find((candidate) => candidate.file === entry.file)!;
    assert.deepEqual(
      [file.bars, file.contentHash, file.zeroVolumeBars],
      [entry.bars, entry.contentHash, entry.zeroVolumeBars],
    );
    assert.deepEqual(
      file.holes,
      gaps.map((gap) => ({ ...gap, firstMissing: isoTime(gap.firstMissing), lastMissing: isoTime(gap.lastMissing) })),
    );
    assert.equal(file.licence, 'MIT');
    for (const { repository, path, commit } of file.origin)
      assert.ok(repository && path && /^[0-9a-f]{40}$/.test(commit));
  }
});

test('the sample holds nothing else, in at most 8 MB', () => {
  const folders = ['columns', 'recordings']; // with catalogues of their own
  const names = readdirSync(sampleDir)
    .filter((name) => !folders.includes(name))
    .sort();
  const others = ['README.md', 'catalogue.json', 'deployed.json', 'manifest.json', 'sieve.json'];
  assert.deepEqual(names, [...others, ...manifest.files.map(({ file }) => file)].sort());
  const all = readdirSync(sampleDir, { recursive: true }) as string[];
  const bytes = all.reduce((sum, name) => sum + statSync(join(sampleDir, name)).size, 0);
  assert.ok(bytes <= 8_000_000, `${bytes} bytes`);
});
