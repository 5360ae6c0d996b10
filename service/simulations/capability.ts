import type { BacktestDeps } from '../backtests/execute.js';
import type { Capability, Foundation } from '../capability.js';
import { generateSimulation } from './generate.js';
import { listSimulations } from './history.js';
import { listPresets } from './presets.js';
import { runSimulation } from './run.js';
import type { SimulationDeps } from './services.js';
import { SimulationStore } from './store.js';

export function openSimulations({ state, bars }: Foundation, backtests: BacktestDeps): Capability<'Simulations'> {
  const deps: SimulationDeps = { backtests, bars, store: new SimulationStore(state.db) };
  return {
    methods: {
      'Simulations.Run': (request, { caller, signal }) => runSimulation(caller, request, deps, signal),
      'Simulations.Generate': (request, { caller }) => generateSimulation(caller, request, deps),
      'Simulations.ListPresets': async () => ({ presets: listPresets() }),
      'Simulations.History': (request, { caller }) => listSimulations(caller, request, deps),
    },
  };
}
