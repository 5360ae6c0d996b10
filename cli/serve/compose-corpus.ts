import { join } from 'node:path';
import type { BarStore } from '../../data/bars/index.js';
import { CorpusReader, partFileOf, QueryEngine, TextWidths } from '../../data/corpus/index.js';
import { corpusParts, type Database, serverSecret } from '../../data/state/index.js';
import { corpusHandlers, type Handlers } from '../../rpc/index.js';
import { Corpus } from '../../service/corpus/index.js';
import type { ServiceConfig } from './config.js';

export interface CorpusParts {
  readonly config: ServiceConfig;
  readonly db: Database;
  readonly bars: BarStore;
  /** Folder of the bundled bars. */
  readonly sampleDir: string;
}

export interface ComposedCorpus {
  readonly handlers: Handlers;
  close(): Promise<void>;
}

/** Queries over what experiments left behind and over bars. */
export async function composeCorpus({ config, db, bars, sampleDir }: CorpusParts): Promise<ComposedCorpus> {
  const { BARLINE_HOME: home } = config;
  const engine = new QueryEngine({
    folders: [join(home, 'corpus'), join(home, 'bars'), sampleDir],
    memoryMb: config.BARLINE_QUERY_MEMORY_MB,
    threads: config.BARLINE_QUERY_THREADS,
    timeoutMs: config.BARLINE_QUERY_TIMEOUT_MS,
  });
  const corpus = new Corpus({
    partsOf: async (orgId, experimentIds) =>
      (await corpusParts(db, orgId, experimentIds)).map((part) => partFileOf(home, orgId, part)),
    listBars: () => bars.list(),
    reader: new CorpusReader(engine),
    widths: new TextWidths(engine),
    secret: await serverSecret(db, 'page-tokens'),
    bytesMax: config.BARLINE_QUERY_BYTES_MAX,
  });
  return { handlers: corpusHandlers(corpus), close: () => engine.close() };
}
