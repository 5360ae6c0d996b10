import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { openColumns } from '../../../../data/columns/index.js';
import { openObjects } from '../../../../data/objects/index.js';
import { openSweepFolder } from '../../../../data/sweeps/index.js';
import { DAY_MS } from '../../../../engine/series/index.js';
import { SqlHeldOutDays } from '../../../../service/experiments/held-out.js';
import { PartKeeper } from '../../../../service/experiments/keep-parts.js';
import { ExperimentReports } from '../../../../service/experiments/reports.js';
import { ExperimentRows } from '../../../../service/experiments/rows.js';
import { experimentFolder } from '../../../../service/experiments/run-blocks.js';
import { openSharedFiles } from '../../../../service/objects/index.js';
import { StoredParts } from '../../../../service/objects/part-files.js';
import { readServiceConfig } from '../../../../service/settings/config.js';
import { csvOf, fileOf } from '../../../support/data-fixtures.js';
import { rangesOf } from '../../../support/experiment-store.js';
import { caller, engineVersion, openExperimentBench } from '../../../support/experiment-world.js';
import { shortExperiment } from '../../../support/experiments.js';
import { startObjectStore } from '../../../support/object-store.js';
import { randomBars } from '../../../support/random.js';
import { sharedState } from '../../../support/shared-state.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

/** Two hosts with nothing in common but a database and a store that fails now and then. */
const state = await sharedState();
const store = await startObjectStore(1 / 4);
after(() => store.stop());
const bench = await openExperimentBench();
const sampleDir = join(root, 'sample');
const objects = openObjects(store.access);

function newHost(name: string) {
  const home = temporaryFolder(name);
  const config = readServiceConfig({ BARLINE_HOME: home, ...store.settings });
  const onInternalError = (error: unknown) => assert.fail(String(error));
  const shared = openSharedFiles({ config, state, clock: Date.now, onInternalError });
  const corpus = join(home, 'corpus');
  return { home, corpus, shared, bars: openBars({ home, sampleDir }), columns: openColumns({ home, sampleDir }) };
}

const stored = async (prefix: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of objects.list(prefix)) keys.push(key);
  return keys;
};

test('one host runs what another reads, joins and clears, and finds the bars that were imported there', async () => {
  const { stores, experimentsWith, runnerOf, get } = await bench.newWorld();
  const [front, worker] = [newHost('front'), newHost('worker')];
  const file = await fileOf(front.home, 'own.csv', csvOf(randomBars({ seed: 3, barCount: 900, intervalMs: DAY_MS })));
  await front.bars.import(file, { asset: 'OWN' });
  const config = shortExperiment('Elsewhere', { datasets: [{ asset: 'OWN', timeframe: '1d' }] });
  const experiments = experimentsWith({ shared: front.shared, bars: front.bars, home: front.home });
  const { experiment_id: id } = await experiments.create(caller, config);
  const validated = await experiments.validate(caller, id);
  assert.deepEqual(validated.errors, []);
  await experiments.launch(caller, id);
  const runner = runnerOf({ ...worker, nowMs: Date.now });
  while (await runner.runNext());
  const { status, completed_runs } = await get(id);
  assert.deepEqual([status, completed_runs], ['completed', validated.total_runs]);
  const sent = await stored('corpus/');
  assert.deepEqual(sent.length, 1 + (await rangesOf(stores, id)).length);

  const given = { ...stores, files: front.shared.parts, corpus: front.corpus };
  assert.equal(existsSync(front.corpus), false);
  let bytes = 0;
  for await (const { parquet } of new ExperimentRows(given).read(caller, { experiment_id: id }))
    bytes += parquet.length;
  const [first] = (await new ExperimentRows(given).list(caller, { experiment_id: id })).files;
  assert.equal(bytes, first?.bytes);
  const reports = new ExperimentReports({
    ...{ ...given, home: front.home, sampleDir, engineVersion, threads: 1 },
    heldOut: (orgId) => new SqlHeldOutDays(state.db, orgId),
  });
  after(() => reports.close());
  const { datasets } = await reports.honesty(caller, id);
  assert.equal(datasets.length, 1);

  // A third host joins the parts; what they replace is cleared an hour later.
  const third = newHost('third');
  const later = Date.now() + 2 * 3_600_000;
  const keeper = new PartKeeper({ ...stores, files: third.shared.parts, corpus: third.corpus, nowMs: () => later });
  while (await keeper.joinNext());
  assert.deepEqual(await rangesOf(stores, id), [[0, validated.total_runs]]);
  assert.ok((await stores.tries.of(caller.orgId)).OWN?.length);
  await keeper.clear();
  const folder = openSweepFolder(experimentFolder('corpus', caller.orgId, id));
  assert.deepEqual(await stored('corpus/'), [folder.partPath(0, validated.total_runs), folder.recordPath]);
  await experiments.remove(caller, id);
  await keeper.clear();
  assert.deepEqual(await stored('corpus/'), []);
});

test('of two imports of a series the later one is on every host, and columns follow', async () => {
  await bench.newWorld();
  const [one, other] = [newHost('one'), newHost('other')];
  const importTo = async (host: typeof one, seed: number) => {
    const bars = randomBars({ seed, barCount: 50, intervalMs: DAY_MS });
    const path = await fileOf(host.home, `${seed}.csv`, csvOf(bars));
    return (await host.bars.import(path, { asset: 'TWICE', replace: true })).entry.contentHash;
  };
  const heldBy = async (host: typeof one) => (await host.bars.list()).find(({ asset }) => asset === 'TWICE');
  await importTo(one, 1);
  const rows = { period: Float64Array.of(0), published: Float64Array.of(1), value: Float64Array.of(7) };
  await one.columns.add({ asset: 'TWICE', column: 'Score', rows, source: 'mine' });
  await one.shared.syncSeries();
  const later = await importTo(other, 2);
  await other.shared.syncSeries();
  await one.shared.syncSeries();
  for (const host of [one, other]) {
    const held = await heldBy(host);
    assert.equal(held?.contentHash, later);
    assert.deepEqual(held?.beside, ['Score']);
    assert.equal((await host.bars.load({ asset: 'TWICE', intervalMs: DAY_MS, columns: ['Score'] })).bars.barCount, 50);
    const files = (await readdir(join(host.home, 'bars'))).filter((name) => name.endsWith('.parquet'));
    assert.deepEqual(files, [held?.file]);
  }
  const before = store.requests.length;
  await one.shared.syncSeries();
  assert.equal(store.requests.length, before, 'nothing has changed');
});

test('a host keeps the rows that it used last, up to its bound', async () => {
  const home = temporaryFolder('cache');
  const onInternalError = (error: unknown) => assert.fail(String(error));
  const corpus = join(home, 'corpus');
  const parts = new StoredParts({ objects, corpus, cacheBytesMax: 250, nowMs: Date.now, onInternalError });
  const paths: string[] = [];
  for (let i = 0; i < 4; i++) {
    const path = join(corpus, 'org', `part-${i}.parquet`);
    paths.push(path);
    await objects.put(`corpus/org/part-${i}.parquet`, await fileOf(home, 'part', 'x'.repeat(100)));
  }
  await parts.bring(paths);
  const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
  for (const [i, path] of paths.entries()) await utimes(path, hours(9 - i), hours(9 - i));
  await parts.evict();
  assert.deepEqual(
    paths.map((path) => existsSync(path)),
    [false, false, true, true],
  );
  await rm(join(corpus, 'org', 'part-3.parquet'));
  await parts.bring([...paths.slice(0, 1), join(corpus, 'org', 'nowhere.parquet')]);
  assert.equal(existsSync(paths[0] ?? ''), true);
});
