import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openBars } from '../../data/bars/index.js';
import { CorpusReader, type CorpusReaderOptions, QueryEngine, TextWidths } from '../../data/corpus/index.js';
import { openSweepFolder } from '../../data/sweeps/index.js';
import type { Caller } from '../../service/caller.js';
import { partFiles } from '../../service/corpus/capability.js';
import { Corpus } from '../../service/corpus/corpus.js';
import { experimentFolder } from '../../service/experiments/run-blocks.js';
import { type Database, openState } from '../../service/state/index.js';
import { runSweepChunks, type SweepThreads, startThreads } from '../../workers/index.js';
import { newHome } from './state.js';
import { setupFor } from './sweep-setup.js';
import { crossSweep, filter, trigger } from './sweeps.js';
import { root } from './tree.js';

/** 48 runs on two datasets: some trade, some never do, and some are skipped because they cannot. */
const sweep = crossSweep({
  entry_signals: {
    triggers: [trigger('sma_cross_up', { window_fast: { values: [3, 5, 10] }, window_slow: { values: [20, 30] } })],
    filters: [
      filter('is_above_sma', { window: { values: [20, 50, 120] } }),
      filter('rsi_oversold', { threshold: { values: [2] } }),
    ],
  },
  execution_config: { sweep_axes: [{ param: 'reward_factor', values: [2, 3] }] },
});

export const callerOf = (orgId: string): Caller => ({
  userId: randomUUID(),
  orgId,
  role: 'owner',
  tier: 'local',
  credential: 'session',
  credentialId: randomUUID(),
  scopes: [],
});

/** A corpus over its own state and files, with the rows of real sweeps of two organizations. */
export async function openTestCorpus(options: CorpusReaderOptions & { bytesMax?: number; timeoutMs?: number } = {}) {
  const home = await newHome();
  const state = await openState({ home });
  const { db } = state;
  const [ours, theirs] = [randomUUID(), randomUUID()];
  const folder = join(home, 'corpus');
  const threads = startThreads({ threads: 1 });
  const add = (orgId: string, id: string, isJoined = false) =>
    addExperiment({ db, folder, threads }, orgId, id, isJoined);
  await add(ours, 'exp_a');
  await add(ours, 'exp_b', true);
  await add(theirs, 'exp_c');
  const bars = openBars({ home, sampleDir: join(root, 'sample') });
  const engine = new QueryEngine({
    folders: [folder, join(home, 'bars'), join(root, 'sample')],
    memoryMb: 256,
    threads: 2,
    timeoutMs: options.timeoutMs ?? 20_000,
  });
  const reader = new CorpusReader(options);
  const corpus = new Corpus({
    hasExperiment: async () => true,
    listParts: (orgId, experimentIds) => partFiles(db, folder, orgId, experimentIds),
    listBars: () => bars.list(),
    engine,
    reader,
    widths: new TextWidths(),
    secret: 'a secret of the tests',
    bytesMax: options.bytesMax ?? 1_073_741_824,
  });
  return {
    home,
    db,
    folder,
    engine,
    corpus,
    bars,
    us: callerOf(ours),
    them: callerOf(theirs),
    /** One more experiment with rows that the test gives. */
    add: (id: string, isJoined = false) => add(ours, id, isJoined),
    async close() {
      await threads.end();
      await engine.close();
      await state.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Writes rows of an experiment as a worker leaves them: written by its threads, then committed. */
async function addExperiment(
  { db, folder: corpus, threads }: { db: Database; folder: string; threads: SweepThreads },
  orgId: string,
  id: string,
  isJoined: boolean,
): Promise<void> {
  const folder = experimentFolder(corpus, orgId, id);
  const setup = setupFor(sweep as { datasets: readonly unknown[] }, 900, {
    rows: { folder, experimentId: id, engineVersion: '0.0.0', btcReturns: [1.5, null] },
  });
  const opened = openSweepFolder(folder);
  await (await opened.hold()).release();
  const ranges: { from: number; to: number }[] = [];
  await runSweepChunks({
    setup,
    threads,
    batches: [[{ from: 0, to: 96 }]],
    firstChunkRuns: 10,
    async onChunk({ from, count }) {
      ranges.push({ from, to: from + count });
    },
  });
  if (isJoined) await opened.compact();
  const parts = isJoined ? await opened.parts() : ranges;
  await db
    .insertInto('experiments')
    .values({
      id,
      org_id: orgId,
      user_id: randomUUID(),
      name: id,
      config: JSON.stringify(sweep),
      search_mode: 'grid',
      status: 'completed',
      created_at_ms: 0,
      updated_at_ms: 0,
    })
    .execute();
  await commit(db, id, parts);
}

export async function commit(
  db: Database,
  id: string,
  parts: readonly { readonly from: number; readonly to: number }[],
): Promise<void> {
  await db
    .insertInto('experiment_parts')
    .values(parts.map(({ from, to }) => ({ experiment_id: id, run_from: from, run_to: to, bytes: 1 })))
    .execute();
}
