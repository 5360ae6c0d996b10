import type { BarStore } from '../../data/bars/index.js';
import type { SimulationStore } from '../../data/state/index.js';
import type { BacktestDeps } from '../backtests/index.js';

/** What the use cases of simulations need. */
export interface SimulationDeps {
  /** Bars, threads, the synchronous slot, clock and ids are those of backtests. */
  readonly backtests: BacktestDeps;
  readonly bars: Pick<BarStore, 'list'>;
  readonly store: Pick<SimulationStore, 'add' | 'list' | 'keepDataset' | 'findDataset'>;
}
