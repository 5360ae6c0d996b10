import type { UseCasesOf } from '../use-cases.js';
import { generateSimulation } from './generate.js';
import { listSimulations } from './history.js';
import { listPresets } from './presets.js';
import { runSimulation } from './run.js';
import type { SimulationDeps } from './services.js';

export const simulationMethods = (deps: SimulationDeps): UseCasesOf<'Simulations'> => ({
  'Simulations.Run': (request, { caller, signal }) => runSimulation(caller, request, deps, signal),
  'Simulations.Generate': (request, { caller }) => generateSimulation(caller, request, deps),
  'Simulations.ListPresets': async () => ({ presets: listPresets() }),
  'Simulations.History': (request, { caller }) => listSimulations(caller, request, deps),
});
