import {
  generateSimulation,
  listPresets,
  listSimulations,
  runSimulation,
  type SimulationDeps,
} from '../../service/simulations/index.js';
import type { HandlersOf } from '../calls.js';

export const simulationHandlers = (deps: SimulationDeps): HandlersOf<'Simulations'> => ({
  'Simulations.Run': (request, { caller, signal }) => runSimulation(caller, request, deps, signal),
  'Simulations.Generate': (request, { caller }) => generateSimulation(caller, request, deps),
  'Simulations.ListPresets': async () => ({ presets: listPresets() }),
  'Simulations.History': (request, { caller }) => listSimulations(caller, request, deps),
});
