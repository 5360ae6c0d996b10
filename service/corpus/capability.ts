import { join } from 'node:path';
import { CorpusReader, type PartFile, QueryEngine, TextWidths } from '../../data/corpus/index.js';
import { openSweepFolder } from '../../data/sweeps/index.js';
import type { Capability, Foundation } from '../capability.js';
import { experimentFolder } from '../experiments/run-blocks.js';
import { SqlExperimentStore } from '../experiments/store.js';
import type { Database } from '../state/tables.js';
import { serverSecret } from '../state/work-counts.js';
import { Corpus } from './corpus.js';

/** Queries over the result rows of experiments and over bars. */
export async function openCorpus({
  config,
  state,
  shared,
  bars,
  sampleDir,
}: Foundation): Promise<Capability<'Corpus'>> {
  const { db } = state;
  const { BARLINE_HOME: home } = config;
  const folder = join(home, 'corpus');
  const engine = new QueryEngine({
    folders: [folder, join(home, 'bars'), sampleDir],
    memoryMb: config.BARLINE_QUERY_MEMORY_MB,
    threads: config.BARLINE_QUERY_THREADS,
    timeoutMs: config.BARLINE_QUERY_TIMEOUT_MS,
  });
  const experiments = new SqlExperimentStore(db);
  const corpus = new Corpus({
    hasExperiment: async (orgId, id) => (await experiments.find(orgId, id)) !== null,
    async listParts(orgId, experimentIds) {
      const files = await partFiles(db, folder, orgId, experimentIds);
      await shared.parts.bring(files.map(({ path }) => path));
      return files;
    },
    listBars: () => bars.list(),
    engine,
    reader: new CorpusReader(),
    widths: new TextWidths(),
    secret: await serverSecret(db, 'page-tokens'),
    bytesMax: config.BARLINE_QUERY_BYTES_MAX,
  });
  return {
    methods: {
      'Corpus.Query': (request, { caller, signal }) => corpus.query(caller, request, signal),
      'Corpus.QueryColumns': (request, { caller, signal }) => corpus.queryColumns(caller, request, signal),
      'Corpus.ListResults': (request, { caller, signal }) => corpus.listResults(caller, request, signal),
    },
    close: () => engine.close(),
  };
}

/**
 * The files of committed result rows that the members of an organization may read, by experiment
 * and run, as of one moment.
 * @param experimentIds null for all experiments; an id of another organization counts as unknown
 */
export async function partFiles(
  db: Database,
  folder: string,
  orgId: string,
  experimentIds: readonly string[] | null,
): Promise<PartFile[]> {
  if (experimentIds?.length === 0) return [];
  let query = db
    .selectFrom('experiment_parts')
    .innerJoin('experiments', 'experiments.id', 'experiment_parts.experiment_id')
    .where('experiments.org_id', '=', orgId);
  if (experimentIds !== null) query = query.where('experiments.id', 'in', experimentIds);
  const parts = await query
    .select(['experiment_id as experimentId', 'run_from as runFrom', 'run_to as runTo'])
    .orderBy('experiment_id')
    .orderBy('run_from')
    .execute();
  return parts.map(({ experimentId, runFrom, runTo }) => ({
    path: openSweepFolder(experimentFolder(folder, orgId, experimentId)).partPath(runFrom, runTo),
    experimentId,
    rows: runTo - runFrom,
  }));
}
