import type { BarStore } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { readSieve } from '../../data/sieve/index.js';
import { type BacktestDeps, batchMethods } from '../backtests/index.js';
import { catalogueMethods, listDatasets } from '../catalogue/index.js';
import { SieveMarkets, sieveMethods } from '../sieve/index.js';
import { SimulationStore, simulationMethods } from './index.js';
import type { Database } from '../state/index.js';
import type { UseCasesOf } from '../use-cases.js';

interface BatchParts {
  readonly db: Database;
  readonly bars: BarStore;
  readonly market: MarketData;
  readonly backtests: BacktestDeps;
  /** Folder of the bundled data. */
  readonly sampleDir: string;
  readonly version: string;
}

/** UseCases of the batch engine: backtests, simulations, the sieve and the catalogues. */
export const composeBatch = ({
  db,
  bars,
  market,
  backtests,
  sampleDir,
  version,
}: BatchParts): UseCasesOf<'Batch' | 'Catalogue' | 'Sieve' | 'Simulations'> => ({
  ...batchMethods(backtests),
  ...catalogueMethods({ listDatasets: () => listDatasets(bars) }),
  ...simulationMethods({ backtests, bars, store: new SimulationStore(db) }),
  ...sieveMethods({ markets: new SieveMarkets(market), loadSieve: lazySieve(sampleDir), codeVersion: version }),
});

/** Reads the model of the sieve at the first call; a folder without one is looked at again. */
function lazySieve(sampleDir: string) {
  let stored: ReturnType<typeof readSieve> = null;
  return () => {
    stored ??= readSieve(sampleDir);
    return stored;
  };
}
