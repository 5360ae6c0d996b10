import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBars } from '../../../data/bars/index.js';
import { readSieve, sievePath } from '../../../data/sieve/index.js';
import { isoTime } from '../../../engine/series/time.js';
import { tempFolder } from '../../support/data-fixtures.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { root } from '../../support/tree.js';

/** The bundled bars, recordings and model of the sieve are whole, and what they are said to be. */

const sampleDir = join(root, 'sample');

interface ManifestFile {
  readonly file: string;
  readonly bars: number;
  readonly contentHash: string;
  readonly zeroVolumeBars: number;
  readonly holes: readonly unknown[];
}
const manifest = JSON.parse(readFileSync(join(sampleDir, 'manifest.json'), 'utf8')) as { files: ManifestFile[] };

test('the bundled bars are sound and match their manifest', async (t) => {
  const store = openBars({ home: tempFolder(t), sampleDir });
  const checked = await store.check();
  assert.equal(checked.length, manifest.files.length);
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
  }
});

test('the bundled model is the one whose figures the page shows, and a broken one is named', () => {
  const { version } = readSieve(sampleDir) ?? assert.fail('it is there');
  assert.ok(readFileSync(join(root, 'docs/sieve.md'), 'utf8').includes(`\`${version}\``));
  const folder = temporaryFolder('sieve');
  assert.equal(readSieve(folder), null);
  for (const text of ['{', '{"weights":{}}']) {
    writeFileSync(sievePath(folder), text);
    assert.throws(() => readSieve(folder), /sieve\.json is not a model of the sieve/);
  }
});
