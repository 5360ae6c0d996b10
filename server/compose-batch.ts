import type { BarStore } from '../data/bars/index.js';
import type { MarketData } from '../data/providers/index.js';
import { readSieve } from '../data/sieve/index.js';
import { type Database, SimulationStore } from '../data/state/index.js';
import { batchHandlers, catalogueHandlers, type HandlersOf, sieveHandlers, simulationHandlers } from '../rpc/index.js';
import type { BacktestDeps } from '../service/backtests/index.js';
import { listDatasets } from '../service/catalogue/index.js';
import { SieveMarkets } from '../service/sieve/index.js';

interface BatchParts {
  readonly db: Database;
  readonly bars: BarStore;
  readonly market: MarketData;
  readonly backtests: BacktestDeps;
  /** Folder of the bundled data. */
  readonly sampleDir: string;
  readonly version: string;
}

/** Handlers of the batch engine: backtests, simulations, the sieve and the catalogues. */
export const composeBatch = ({
  db,
  bars,
  market,
  backtests,
  sampleDir,
  version,
}: BatchParts): HandlersOf<'Batch' | 'Catalogue' | 'Sieve' | 'Simulations'> => ({
  ...batchHandlers(backtests),
  ...catalogueHandlers({ listDatasets: () => listDatasets(bars) }),
  ...simulationHandlers({ backtests, bars, store: new SimulationStore(db) }),
  ...sieveHandlers({ markets: new SieveMarkets(market), loadSieve: lazySieve(sampleDir), codeVersion: version }),
});

/** Reads the model of the sieve at the first call; a folder without one is looked at again. */
function lazySieve(sampleDir: string) {
  let stored: ReturnType<typeof readSieve> = null;
  return () => {
    stored ??= readSieve(sampleDir);
    return stored;
  };
}
