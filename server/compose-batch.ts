import type { BarStore } from '../data/bars/index.js';
import { type Database, SimulationStore } from '../data/state/index.js';
import { batchHandlers, catalogueHandlers, type HandlersOf, simulationHandlers } from '../rpc/index.js';
import type { BacktestDeps } from '../service/backtests/index.js';
import { listDatasets } from '../service/catalogue/index.js';

interface BatchParts {
  readonly db: Database;
  readonly bars: BarStore;
  readonly backtests: BacktestDeps;
}

/** Handlers of the batch engine: backtests, simulations and the catalogues of both. */
export const composeBatch = ({
  db,
  bars,
  backtests,
}: BatchParts): HandlersOf<'Batch' | 'Catalogue' | 'Simulations'> => ({
  ...batchHandlers(backtests),
  ...catalogueHandlers({ listDatasets: () => listDatasets(bars) }),
  ...simulationHandlers({ backtests, bars, store: new SimulationStore(db) }),
});
