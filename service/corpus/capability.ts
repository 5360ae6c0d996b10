import { join } from 'node:path';
import type { BarStore } from '../../data/bars/index.js';
import { CorpusReader, type PartFile, QueryEngine, TextWidths } from '../../data/corpus/index.js';
import { openSweepFolder } from '../../data/sweeps/index.js';
import { Corpus, corpusMethods } from './index.js';
import { corpusParts, folderOf, SqlExperimentStore } from '../experiments/index.js';
import { type Database, serverSecret } from '../state/index.js';
import type { UseCasesOf } from '../use-cases.js';
import type { ServiceConfig } from '../settings/config.js';

interface CorpusParts {
  readonly config: ServiceConfig;
  readonly db: Database;
  readonly bars: BarStore;
  /** Folder of the bundled bars. */
  readonly sampleDir: string;
}

interface ComposedCorpus {
  readonly useCases: UseCasesOf<'Corpus'>;
  close(): Promise<void>;
}

/** Queries over the result rows of experiments and over bars. */
export async function composeCorpus({ config, db, bars, sampleDir }: CorpusParts): Promise<ComposedCorpus> {
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
    partsOf: (orgId, experimentIds) => partFiles(db, folder, orgId, experimentIds),
    listBars: () => bars.list(),
    engine,
    reader: new CorpusReader(),
    widths: new TextWidths(),
    secret: await serverSecret(db, 'page-tokens'),
    bytesMax: config.BARLINE_QUERY_BYTES_MAX,
  });
  return { useCases: corpusMethods(corpus), close: () => engine.close() };
}

/** Paths of an organization's committed row files. */
export async function partFiles(
  db: Database,
  folder: string,
  orgId: string,
  experimentIds: readonly string[] | null,
): Promise<PartFile[]> {
  const parts = await corpusParts(db, orgId, experimentIds);
  return parts.map(({ experimentId, runFrom, runTo }) => ({
    path: openSweepFolder(folderOf(folder, orgId, experimentId)).pathOf(runFrom, runTo),
    experimentId,
    rows: runTo - runFrom,
  }));
}
