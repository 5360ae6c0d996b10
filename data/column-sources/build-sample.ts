import { pathToFileURL } from 'node:url';
import { openColumns } from '../columns/index.js';
import { recordedColumns } from './recorded.js';

/**
 * Builds the bundled columns from the bundled recordings, with the product's own store:
 * `tsx data/column-sources/build-sample.ts SAMPLE [ISO TIME]`. A maintainer runs it and commits the
 * result.
 */

async function buildSample(sampleDir: string, nowMs: number): Promise<void> {
  const store = openColumns({ home: sampleDir, now: () => nowMs });
  const source = recordedColumns(`${sampleDir}/recordings`);
  for (const asset of ['BTC', 'ETH']) {
    for (const column of source.columnsFor(asset)) {
      const rows = await source.fetch(asset, column, -Infinity, Infinity);
      await store.add({ asset, column, rows, source: source.name, licence: source.licence, replace: true });
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [sampleDir, time] = process.argv.slice(2);
  if (sampleDir === undefined) throw new Error('usage: build-sample SAMPLE [ISO TIME]');
  await buildSample(sampleDir, time === undefined ? Date.now() : Date.parse(time));
}
