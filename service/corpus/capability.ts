import { join } from 'node:path';
import { CorpusReader, QueryEngine, TextWidths } from '../../data/corpus/index.js';
import type { Capability, Foundation } from '../capability.js';
import { SqlExperimentStore } from '../experiments/store.js';
import { serverSecret } from '../state/server-secrets.js';
import { Corpus } from './corpus.js';
import { partFiles } from './part-files.js';

/** Queries over the result rows of experiments and over bars. */
export async function openCorpus({ config, state, bars, sampleDir }: Foundation): Promise<Capability<'Corpus'>> {
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
    listParts: (orgId, experimentIds) => partFiles(db, folder, orgId, experimentIds),
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
