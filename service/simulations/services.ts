import type { BarStore } from '../../data/bars/index.js';
import type { BacktestDeps } from '../backtests/index.js';
import type { SimulationStore } from './store.js';

/** What the use cases of simulations need. */
export interface SimulationDeps {
  /** Provides bars, threads, the synchronous slot, the clock and ids. */
  readonly backtests: BacktestDeps;
  readonly bars: Pick<BarStore, 'list'>;
  readonly store: Pick<SimulationStore, 'add' | 'list' | 'keepDataset' | 'findDataset'>;
}
